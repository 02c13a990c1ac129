"""Questions that wait for an answer, told apart by their request ids."""

import asyncio
import itertools

from croupier_protocol.messages.to_client import Reply
from croupier_protocol.messages.values import RequestId


class Questions:
    """The open questions of a client. Ids are never used twice."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._open: dict[RequestId, asyncio.Future[Reply]] = {}

    def next_id(self) -> RequestId:
        return next(self._ids)

    def ask(self, request: RequestId) -> asyncio.Future[Reply]:
        """What will hold the answer to `request`. The caller calls `forget` in the end, whatever happens."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._open[request] = answer
        return answer

    def forget(self, request: RequestId) -> None:
        self._open.pop(request, None)

    def settle(self, request: RequestId | None, result: Reply | Exception) -> bool:
        """Gives `result` to who asked; False when nobody did."""
        answer = None if request is None else self._open.get(request)
        if answer is None or answer.done():
            return False
        if isinstance(result, Exception):
            answer.set_exception(result)
            answer.exception()  # it counts as seen: who asked may find the loss while still sending
        else:
            answer.set_result(result)
        return True

    def fail_all(self, error: Exception) -> None:
        """No answer will come to any of them."""
        for request in list(self._open):
            self.settle(request, error)
