"""The rules in words, written once for each rule set and language and then kept."""

import asyncio

from croupier_protocol.game.rules import RuleSet
from croupier_protocol.game.rules_text import RulesText, rules_text
from croupier_protocol.language import Language


class Rulebook:
    """The texts of rule sets.

    A text counts exact odds, which takes up to a fifth of a second: that is done in a thread, at
    most once, and whoever asks meanwhile waits for the same one.
    """

    def __init__(self) -> None:
        self._texts: dict[tuple[str, str, Language], asyncio.Task[RulesText]] = {}

    async def text(self, rules: RuleSet, language: Language) -> RulesText:
        """`rules` in words."""
        key = rules.name, rules.digest, language
        task = self._texts.get(key)
        if task is None:
            task = asyncio.create_task(asyncio.to_thread(rules_text, rules, language), name="rules in words")
            self._texts[key] = task
        # One asker that goes away must not take the text from the others.
        return await asyncio.shield(task)
