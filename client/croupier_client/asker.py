"""Commands that have an answer, asked over one connection after another until it comes."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from msgspec.structs import replace

from croupier_client.errors import (
    BadCommandError,
    ClosedError,
    LinkLostError,
    NoAnswerError,
    RefusedError,
    ViolationError,
)
from croupier_client.link import Link
from croupier_client.questions import Questions
from croupier_client.timing import Backoff, Timing
from croupier_protocol.codec import MSGPACK, FrameError
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_client import Reply
from croupier_protocol.messages.to_server import (
    ClientMessage,
    Cut,
    Deal,
    Exclude,
    Leave,
    MyLimits,
    Sit,
    Slip,
    TopUp,
)
from croupier_protocol.messages.values import RequestId

Operation = Sit | TopUp | Leave | Slip | Deal | Cut | MyLimits | Exclude
"""Commands with an `op`: however often they are sent, they are carried out once."""

TRY_AGAIN: Final = frozenset({ErrorCode.BUSY, ErrorCode.UNAVAILABLE})
"""Refusals that pass. They leave open whether an operation was carried out."""

_Answer = TypeVar("_Answer", bound=Reply)


class Asker:
    """Asks on the connection there is, or waits for the next one.

    One task calls `open` and `lost` as connections come and go, and `end` when there will be no more.
    """

    def __init__(self, questions: Questions, timing: Timing) -> None:
        self._questions = questions
        self._timing = timing
        self._link: Link | None = None
        self._settled = asyncio.Event()
        self._failure: Exception | None = None

    def open(self, link: Link) -> None:
        """Commands go over `link` from now on."""
        self._link = link
        self._settled.set()

    def lost(self) -> None:
        """The connection is gone; what is open is asked again on the next."""
        self._link = None
        self._settled.clear()
        self._questions.fail_all(LinkLostError("the connection was lost"))

    def end(self, error: Exception | None) -> None:
        """Every command, open or to come, fails with `error`, or because the client was left."""
        self._failure = self._failure or error or ClosedError("the client is closed")
        self._settled.set()
        self._questions.fail_all(self._failure)

    async def ask(self, question: Callable[[RequestId], ClientMessage], kind: type[_Answer]) -> _Answer:
        """The answer to a question, asked again on every new connection until it comes.

        Raises:
            RefusedError: the server's answer is no.
            NoAnswerError: there was none in time.
            BadCommandError: no server would take this command.
        """
        try:
            async with asyncio.timeout(self._timing.answer_s):
                return await self._answer(question, (kind,))
        except TimeoutError:
            raise NoAnswerError(f"no answer in {self._timing.answer_s:g} s") from None

    async def perform(self, operation: Operation, *kinds: type[_Answer]) -> _Answer:
        """The answer to an operation, sent again under the same `op` until it comes.

        A refusal that passes is no answer either: the operation is sent again after a wait.

        Raises:
            RefusedError, NoAnswerError, BadCommandError: as for `ask`.
        """
        backoff = Backoff(self._timing)
        reason: RefusedError | None = None
        try:
            async with asyncio.timeout(self._timing.operation_s):
                while True:
                    try:
                        return await self._answer(lambda request: replace(operation, id=request), kinds)
                    except RefusedError as refused:
                        if refused.code not in TRY_AGAIN:
                            raise
                        reason = refused
                        await self._timing.sleep(backoff.wait_s())
        except TimeoutError:
            text = f"no answer in {self._timing.operation_s:g} s"
            raise NoAnswerError(text if reason is None else f"{text}: {reason}", operation.op) from reason

    async def _answer(
        self, question: Callable[[RequestId], ClientMessage], kinds: tuple[type[_Answer], ...]
    ) -> _Answer:
        while True:
            try:
                answer = await self._ask_once(question)
                break
            except LinkLostError:
                await asyncio.sleep(0)  # the task that reads must get to see the loss
        if not isinstance(answer, kinds):
            expected = " or ".join(kind.__name__ for kind in kinds)
            raise ViolationError(f"the server answered with {type(answer).__name__}, not {expected}")
        return answer

    async def _ask_once(self, question: Callable[[RequestId], ClientMessage]) -> Reply:
        self._raise_if_over()
        await self._settled.wait()
        self._raise_if_over()
        if self._link is None:
            raise LinkLostError("the connection was lost")
        request = self._questions.next_id()
        command = question(request)
        check_command(command)
        answer = self._questions.ask(request)
        try:
            await self._link.send(command)
            return await answer
        finally:
            self._questions.forget(request)

    def _raise_if_over(self) -> None:
        if self._failure is not None:
            raise self._failure


def check_command(command: ClientMessage) -> None:
    """Refuses what the server's decoder would refuse: it could not tell which command it was.

    Raises:
        BadCommandError: with the field and its bounds.
    """
    try:
        MSGPACK.decode_command(MSGPACK.encode(command))
    except FrameError as error:
        raise BadCommandError(error.detail) from None
    except (OverflowError, TypeError, ValueError) as error:  # what cannot even be encoded
        raise BadCommandError(str(error)) from None
