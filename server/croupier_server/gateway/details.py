"""What a refusal says to people beyond the fixed text of its code, in each language.

What only a client's own mistake brings about, such as a field that is missing, is said in English alone: it
is for whoever writes that client.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from croupier_protocol.game.glossary import GLOSSARIES
from croupier_protocol.game.limits import Limit, LimitError
from croupier_protocol.game.settlement import CombinationError
from croupier_protocol.language import Language, money
from croupier_protocol.messages.values import Phase


class Detail(NamedTuple):
    """One detail in every language."""

    english: str
    french: str

    def told(self, language: Language) -> str:
        """The detail in `language`."""
        return self.french if language is Language.FRENCH else self.english


NO_DETAIL: Final = Detail("", "")

_LIMITS: Final = {
    Limit.LEAST: Detail("{bet}: {amount} at least", "{bet} : {amount} au moins"),
    Limit.MOST: Detail("{bet}: {amount} at most", "{bet} : {amount} au plus"),
    Limit.STEP: Detail("{bet}: in steps of {amount}", "{bet} : par pas de {amount}"),
    Limit.SLIP_MOST: Detail("all bets together: {amount} at most", "toutes les mises : {amount} au plus"),
    Limit.BUY_IN_LEAST: Detail("{amount} at least", "{amount} au moins"),
    Limit.BUY_IN_MOST: Detail("{amount} at most in front of you", "{amount} au plus devant vous"),
}


_PHASES: Final[Mapping[str, Detail]] = {
    Phase.SHUFFLING: Detail("shuffling", "mélange"),
    Phase.BETTING: Detail("the time is up", "le temps est écoulé"),
    Phase.CLOSED: Detail("closed", "mises closes"),
    Phase.DEALING: Detail("dealing", "distribution"),
    Phase.SETTLING: Detail("settling", "règlement"),
    Phase.RESULT: Detail("result", "résultat"),
    Phase.PAUSED: Detail("paused", "en pause"),
    Phase.VOIDING: Detail("voiding", "annulation"),
    Phase.ENDED: Detail("ended", "fermée"),
}
"""What a table is doing that takes no bets; of an open window, that it is about to be closed."""


def running_phase(phase: str) -> Detail:
    """What the table is doing, where that has a name."""
    return _PHASES.get(phase, NO_DETAIL)


def running_round(number: int) -> Detail:
    """Which round is running."""
    return Detail(f"round {number}", f"manche {number}")


def bet_name(bet: str) -> Detail:
    """A bet, as each language calls it; one that there is not, as the client called it."""
    return Detail(*(_called(bet, language) for language in Language))


def limit_hit(error: LimitError) -> Detail:
    """Which limit was hit.

    >>> limit_hit(LimitError(Limit.MOST, 10_000, "tie"))
    Detail(english='Tie: 100.00 at most', french='Égalité : 100,00 au plus')
    """
    return Detail(
        *(
            _LIMITS[error.limit]
            .told(language)
            .format(
                bet="" if error.bet is None else _called(error.bet, language),
                amount=money(language, error.value),
            )
            for language in Language
        )
    )


def combination_hit(error: CombinationError) -> Detail:
    """Of which bets how many may stand together.

    >>> from croupier_protocol.game.rules import RULE_SETS
    >>> combination_hit(CombinationError(RULE_SETS["eight-deck"].combination))
    Detail(english='Player, Banker: 1 at most', french='Joueur, Banque : 1 au plus')
    """
    allowed = error.combination
    english, french = (", ".join(_called(bet, each) for bet in allowed.bets) for each in Language)
    return Detail(f"{english}: {allowed.most} at most", f"{french} : {allowed.most} au plus")


def _called(bet: str, language: Language) -> str:
    return GLOSSARIES[language].bets.get(bet, bet)
