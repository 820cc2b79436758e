"""What the evidence says of one version: pure functions of its statistics.

A version is promoted when what is believed of it is good enough; a version is suspended when the case against it is
(see `evidence` for the difference). A version that was never used has nothing against it and stays where it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from prowess.store.curate.evidence import (
    Population,
    against_difference,
    against_harm,
    against_rate,
    difference,
    posterior_above,
    posterior_bound,
)
from prowess.store.settings import CurateSettings
from prowess.store.standing import Statistics

UNKNOWN = Population()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What speaks against a version: three complaints as e-values, and their mean, which counts."""

    offered: float = 1.0
    """Against "episodes that were offered it succeed as often as those from which it was held back": a fair
    comparison, since chance decided between the two."""
    called: float = 1.0
    """The same of the episodes that called it, with what is known of episodes without other skills: much sharper, but
    the agent chose these. So it only counts where the fair comparison does not speak for the skill."""
    errors: float = 1.0
    """Against "an exception leaves it no more often than is allowed"."""

    @property
    def value(self) -> float:
        return (self.offered + self.called + self.errors) / 3

    def told(self, seen: Statistics) -> str:
        """The complaints that count, with the figures."""
        known = {
            f"succeeds in {_share(seen.offered_successes, seen.offered)} where offered": self.offered,
            f"succeeds in {_share(seen.called_successes, seen.called)} where called": self.called,
            f"raises in {_share(seen.errors, seen.called)} where called": self.errors,
        }
        most = max(known.values())
        words = " and ".join(text for text, value in known.items() if value >= max(most / 10, 1.0 + 1e-9))
        return f"{words}; {_share(seen.masked_successes, seen.masked)} without it; e = {self.value:.3g}"


def case_against(seen: Statistics, settings: CurateSettings, known: Population = UNKNOWN) -> Case:
    """The case against a version; `known` says how episodes end without other skills."""
    hidden = (seen.masked_successes, seen.masked)
    uplift = difference(seen.offered_successes, seen.offered, *hidden).value
    accused = bool(seen.masked) and uplift < 0
    return Case(
        offered=against_difference(seen.offered_successes, seen.offered, *hidden),
        called=against_harm(seen.called_successes, seen.called, *hidden, known) if accused else 1.0,
        errors=against_rate(min(seen.errors, seen.called), seen.called, settings.errors),
    )


def promotion(seen: Statistics, settings: CurateSettings) -> str:
    """Why a version on probation has earned its place, or nothing."""
    if seen.called < settings.calls:
        return ""
    uplift, error = difference(seen.offered_successes, seen.offered, seen.masked_successes, seen.masked)
    if seen.masked and uplift < -error:
        return ""
    if case_against(seen, settings).errors > 1:
        return ""
    figures = f"succeeds in {_share(seen.called_successes, seen.called)} where called"
    if posterior_above(settings.floor, seen.alpha, seen.beta) >= 1 - settings.doubt:
        bound = posterior_bound(1 - settings.doubt, seen.alpha, seen.beta)
        return f"{figures}: at least {bound:.2f} with {1 - settings.doubt:.0%}; {_effect(seen)}"
    if seen.masked and uplift > 2 * error:
        return f"{figures}; {_effect(seen)}"
    return ""


def _effect(seen: Statistics) -> str:
    if seen.uplift is None or seen.uplift_error is None:
        return "never held back, so its uplift is not known"
    shown, hidden = _share(seen.offered_successes, seen.offered), _share(seen.masked_successes, seen.masked)
    return f"uplift {seen.uplift:+.2f} ± {seen.uplift_error:.2f} ({shown} offered, {hidden} masked)"


def _share(count: int, of: int) -> str:
    return f"{count} of {of}"
