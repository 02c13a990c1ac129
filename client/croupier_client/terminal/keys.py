"""What a key means at a table, and where the arrows lead. No I/O."""

from collections.abc import Sequence
from typing import Final

from croupier_client.terminal.draw.picture import Act
from croupier_client.terminal.draw.rack import EVERYWHERE
from croupier_client.terminal.words import Words

_NAMED: Final = {
    "left": Act("move", "left"),
    "right": Act("move", "right"),
    "up": Act("move", "up"),
    "down": Act("move", "down"),
    "enter": Act("more"),
    "plus": Act("more"),
    "minus": Act("less"),
    "backspace": Act("less"),
    "delete": Act("less"),
    "escape": Act("tables"),
    "question_mark": Act("help"),
    "f1": Act("help"),
}
"""Keys that mean the same in every language, as Textual names them."""

_BY_LETTER: Final = {"p": "player", "t": "tie", "b": "banker"}
"""The letters of the roads choose their areas too, where a language has given them to nothing else."""

_BETS: Final = frozenset({"player", "tie", "banker"})


def act_of(key: str, character: str | None, words: Words) -> Act | None:
    """What a key asks for; None when it asks for nothing.

    >>> from croupier_client.terminal.french import FRENCH
    >>> act_of("v", "v", FRENCH), act_of("3", "3", FRENCH)
    (Act(kind='deal', name='', number=0), Act(kind='put', name='', number=2))
    """
    if key in _NAMED:
        return _NAMED[key]
    if character is None or "+" in key:
        return None
    letter = character.lower()
    if letter.isascii() and letter.isdigit() and letter != "0":
        return Act("put", number=int(letter) - 1)
    kind = next((kind for kind, own in (words.keys | EVERYWHERE).items() if own == letter), None)
    kind = kind or _BY_LETTER.get(letter)
    if kind is None:
        return None
    return Act("choose", kind) if kind in _BETS else Act(kind)


def moved(rows: Sequence[Sequence[str]], bet: str, way: str) -> str:
    """The bet that an arrow leads to from `bet`, on areas that lie in `rows`; at an edge it stays.

    >>> moved([("player", "tie", "banker"), ("small", "big")], "banker", "down")
    'big'
    """
    row = next((number for number, bets in enumerate(rows) if bet in bets), None)
    if row is None:
        return rows[0][0] if rows and rows[0] else bet
    column = rows[row].index(bet)
    if way in {"left", "right"}:
        column += 1 if way == "right" else -1
        return rows[row][max(0, min(column, len(rows[row]) - 1))]
    other = row + (1 if way == "down" else -1)
    if not 0 <= other < len(rows):
        return bet
    middle = (column + 0.5) / len(rows[row])
    return rows[other][min(int(middle * len(rows[other])), len(rows[other]) - 1)]
