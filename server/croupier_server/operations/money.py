"""Wallets, and the audit of all money."""

from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.values import PlayerId
from croupier_server.bank.amounts import write_amount
from croupier_server.bank.answers import Credited, NoWallet, Statement
from croupier_server.bank.audit import Auditor
from croupier_server.bank.bank import Bank
from croupier_server.bank.findings import AuditReport
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.significant import Kind, Significant
from croupier_server.store.stores import Stores

_CODES = {
    ErrorCode.WALLET_SHORT: OperationCode.WALLET_SHORT,
    ErrorCode.LIMIT: OperationCode.LIMIT,
    ErrorCode.OPERATION_REUSED: OperationCode.OPERATION_REUSED,
}


async def statement(stores: Stores, player: PlayerId) -> Statement:
    """A wallet with its recent operations.

    Raises:
        OperationError: UNKNOWN_PLAYER.
    """
    found = await _bank(stores).wallet(player)
    if found is None:
        raise _nobody(player)
    return found


async def adjust(
    stores: Stores, player: PlayerId, cents: int, op: str, reason: str, *, credit: bool
) -> Credited:
    """Issues chips into a wallet, or retires them from it; the same `op` again gets its first answer.

    Raises:
        OperationError: UNKNOWN_PLAYER, WALLET_SHORT, LIMIT (no room), OPERATION_REUSED.
        StoreUnavailableError: no answer: it may be done or not, and may be sent again with the same `op`.
    """
    bank = _bank(stores)
    action = bank.credit if credit else bank.debit
    answer = await action(player, cents, op, reason)
    if isinstance(answer, Credited):
        amount = cents if credit else -cents
        await stores.significant.note(
            Significant(Kind.ADJUSTED, player=player, amount=amount, reason=reason, op=op)
        )
        return answer
    if isinstance(answer, NoWallet):
        raise _nobody(player)
    texts = {
        ErrorCode.WALLET_SHORT: f"the wallet holds only {write_amount(answer.limit or 0)}",
        ErrorCode.LIMIT: "the wallet has no room for so much",
        ErrorCode.OPERATION_REUSED: f"the operation {op} was used for something else",
    }
    raise OperationError(_CODES[answer.code], f"{player}: {texts[answer.code]}", answer.limit)


async def audit(stores: Stores) -> AuditReport:
    """Whether every cent is where it should be."""
    return await Auditor(stores, await stores.known_pits()).run()


def _bank(stores: Stores) -> Bank:
    return Bank(stores.pit(DEFAULT_PIT), DEFAULT_PIT)  # a wallet is the same from every pit


def _nobody(player: PlayerId) -> OperationError:
    return OperationError(
        OperationCode.UNKNOWN_PLAYER,
        f"there is no wallet of {player}: one is made when a player first sits down",
    )
