"""What one connection is answered, in its language; and refusals, as exceptions on their way there."""

from collections.abc import Callable
from importlib import metadata
from typing import Final

from croupier_protocol.messages.errors import ErrorCode, error_text
from croupier_protocol.messages.to_client import Error, ServerMessage, Welcome
from croupier_protocol.messages.values import Language, Player, RequestId, TableId
from croupier_server.gateway.details import NO_DETAIL, Detail
from croupier_server.gateway.outlet import Outlet

SILENCE_MS: Final = 50_000
"""After this much silence either side may take the connection for dead."""

VERSION: Final = metadata.version("croupier")


class RefusedError(Exception):
    """A command that is not carried out: the fields of the `error` that answers it.

    `detail` says more to people than the fixed text of `code`, in the connection's language unless it is for
    whoever writes a client; `limit` is the limit that was hit; `server_ms` is the time by which it was
    judged, where a script has judged.
    """

    def __init__(
        self,
        code: ErrorCode,
        detail: Detail | str = NO_DETAIL,
        *,
        bet: str | None = None,
        limit: int | None = None,
        server_ms: int | None = None,
    ) -> None:
        super().__init__(code.value, detail)
        self.code = code
        self._detail = detail
        self.bet = bet
        self.limit = limit
        self.server_ms = server_ms

    def told(self, language: Language) -> str:
        """The text of the code, with the detail where there is one."""
        text = error_text(self.code, language)
        detail = self._detail if isinstance(self._detail, str) else self._detail.told(language)
        return f"{text} ({detail})" if detail else text


class Replies:
    """The answers to one connection. `now_ms` tells the time that the tables go by."""

    def __init__(self, outlet: Outlet, now_ms: Callable[[], int]) -> None:
        self.outlet = outlet
        self.now_ms = now_ms

    @property
    def language(self) -> Language:
        """The connection's language."""
        return self.outlet.language

    def send(self, message: ServerMessage) -> None:
        """Writes an answer."""
        self.outlet.reply(message)

    def welcome(
        self,
        id_: RequestId | None = None,
        player: Player | None = None,
        resume: str | None = None,
        expires_ms: int | None = None,
    ) -> None:
        """Says who the connection is by now."""
        self.send(
            Welcome(
                id=id_,
                version=VERSION,
                server_ms=self.now_ms(),
                silence_ms=SILENCE_MS,
                player=player,
                resume=resume,
                expires_ms=expires_ms,
            )
        )

    def refuse(
        self, refused: RefusedError, id_: RequestId | None = None, table: TableId | None = None
    ) -> None:
        """Answers a command with an error."""
        self.send(
            Error(
                id=id_,
                code=refused.code,
                message=refused.told(self.language),
                server_ms=self.now_ms() if refused.server_ms is None else refused.server_ms,
                table=table,
                bet=refused.bet,
                limit=refused.limit,
            )
        )
