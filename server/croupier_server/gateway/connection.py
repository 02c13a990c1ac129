"""A connection as the library has it, that also knows when its peer was heard last."""

from typing import Any

from websockets.asyncio.server import ServerConnection


class Connection(ServerConnection):
    """By the loop's time: anything came last at `heard_at`, pongs too; a ping went out at `pinged_at`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.heard_at = self.pinged_at = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self.heard_at = self.loop.time()
        super().data_received(data)
