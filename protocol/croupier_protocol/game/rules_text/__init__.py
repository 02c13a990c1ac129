"""The rules of a table in words, made from its rule set and its exact odds.

Nothing that the rules decide is written out here by hand: drawing tables come from the tableau, what a bet
pays from its pay table, what it costs from the odds, and every name from the glossary. `content` says what a
text is made of; whoever shows it decides how it looks.
"""

from croupier_protocol.game.rules_text.content import Block, Paragraph, RulesText, Section, Table
from croupier_protocol.game.rules_text.sections import Limits, rules_text

__all__ = ["Block", "Limits", "Paragraph", "RulesText", "Section", "Table", "rules_text"]
