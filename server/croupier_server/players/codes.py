"""One-time codes, as an operator makes them: by the command line, or by whatever else speaks for it."""

from croupier_protocol.messages.values import PlayerId
from croupier_server.players.accounts import is_player
from croupier_server.players.names import BadNameError, normalise
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.sign_ins import Code, SignIns
from croupier_server.store.stores import Stores


async def make_code(stores: Stores, player: str, name: str = "") -> Code:
    """A code that signs `player` in, once and within a minute; others see `name`, or a made-up one.

    Raises:
        ValueError: there can be no such player, or the name cannot be shown; says so to people.
        StoreUnavailableError: no answer; nobody has the code.
    """
    return await SignIns(stores.pit(DEFAULT_PIT)).offer(checked_player(player), checked_name(name))


def checked_player(text: str) -> PlayerId:
    """The id of a player with an account.

    Raises:
        ValueError: it cannot be one.
    """
    if not is_player(text):
        raise ValueError(
            f"{text!r} cannot be a player's id: letters, digits and _.@- (64 at most), not as guests'"
        )
    return PlayerId(text)


def checked_name(text: str) -> str:
    """A name as it is shown; empty for none.

    Raises:
        ValueError: it cannot be shown.
    """
    try:
        return normalise(text) if text else ""
    except BadNameError as error:
        raise ValueError(f"this name cannot be shown: {error}") from error
