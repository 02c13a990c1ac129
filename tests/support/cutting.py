"""A connection to the store that is cut at a chosen command, before it ran or after."""

import asyncio
from contextlib import contextmanager

from redis import exceptions


class Cuts:
    """Counts the commands of a client, and fails them as `fate` says.

    `fate(number)` tells of each command whether it is cut "before" it runs or "after", when the reply is
    lost, or held up until an event is set; None lets it pass.
    """

    def __init__(self, client, fate):
        self.client = client
        self.fate = fate
        self.commands = 0
        self.lost = 0
        self._execute = client.execute_command
        self._pipeline = client.pipeline

    async def execute_command(self, *arguments, **options):
        return await self._cut(lambda: self._execute(*arguments, **options))

    def pipeline(self, *arguments, **options):
        pipe = self._pipeline(*arguments, **options)
        execute = pipe.execute
        pipe.execute = lambda *rest, **more: self._cut(lambda: execute(*rest, **more))
        return pipe

    async def _cut(self, command):
        self.commands += 1
        fate = self.fate(self.commands)
        if isinstance(fate, asyncio.Event):
            await fate.wait()
        if fate == "before":
            self.lost += 1
            raise exceptions.ConnectionError("cut before the command ran")
        reply = await command()
        if fate == "after":
            self.lost += 1
            raise exceptions.ConnectionError("cut before the reply came")
        return reply


@contextmanager
def cuts(client, fate):
    """`client` with its commands counted and cut as `fate` says."""
    watching = Cuts(client, fate)
    client.execute_command = watching.execute_command
    client.pipeline = watching.pipeline
    try:
        yield watching
    finally:
        del client.execute_command
        del client.pipeline


def cut_at(number, when):
    """The fate of one command, and nothing before or after."""
    return lambda command: when if command == number else None
