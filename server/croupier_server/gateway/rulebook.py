"""The rules in words, written once for each rule set and language and then kept."""

import asyncio
from collections.abc import Iterable

from croupier_protocol.game.rules import RuleSet
from croupier_protocol.game.rules_text import RulesText, rules_text
from croupier_protocol.language import Language
from croupier_protocol.messages.offers import Offer, offer_of
from croupier_protocol.messages.values import RulesRef
from croupier_server.table.state import rules_ref


class Rulebook:
    """The texts of some rule sets.

    A text counts exact odds, which takes up to a fifth of a second: that is done in a thread, at
    most once, and whoever asks meanwhile waits for the same one.
    """

    def __init__(self, rules: Iterable[RuleSet]) -> None:
        self._rules = {rules_ref(one): one for one in rules}
        self._texts: dict[tuple[RulesRef, Language], asyncio.Task[RulesText]] = {}

    async def text(self, ref: RulesRef, language: Language) -> RulesText | None:
        """The rules that `ref` names; None where they are not in this book."""
        rules = self._rules.get(ref)
        if rules is None:
            return None
        task = self._texts.get((ref, language))
        if task is None:
            task = asyncio.create_task(asyncio.to_thread(rules_text, rules, language), name="rules in words")
            self._texts[ref, language] = task
        # One asker that goes away must not take the text from the others.
        return await asyncio.shield(task)

    def offer(self, ref: RulesRef) -> Offer:
        """What the rules that `ref` names offer; they have to be in this book."""
        return offer_of(self._rules[ref])
