"""Questions that no answer comes to."""

import asyncio
import gc

import pytest

from croupier_client.errors import LinkLostError
from croupier_client.questions import Questions


async def test_a_question_that_is_given_up_before_its_failure_is_read_leaves_no_complaint_behind():
    """Given a loss that sending finds out first, when nobody waits for the answer, then nothing is logged."""
    complaints = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    questions = Questions()
    request = questions.next_id()
    answer = questions.ask(request)
    questions.fail_all(LinkLostError("the connection was lost"))
    questions.forget(request)
    del answer
    gc.collect()
    assert complaints == []


async def test_a_question_that_fails_tells_who_waits():
    questions = Questions()
    answer = questions.ask(questions.next_id())
    questions.fail_all(LinkLostError("the connection was lost"))
    with pytest.raises(LinkLostError, match="the connection was lost"):
        await answer
