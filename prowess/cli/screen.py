"""Where a person watches: progress bars with a few live figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prowess.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prowess.pipeline.learning import Watch
    from prowess.pipeline.stages import Screen
    from prowess.text.terminal import Bar, Figure
    from prowess.types import Episode


LIVE = {
    "reward/mean": "reward",
    "play/tgc": "tgc",
    "play/sgc": "sgc",
    "play/use": "use",
    "learn/loss": "loss",
    "learn/grad_norm": "grad norm",
    "learn/kl": "KL",
    "learn/entropy": "entropy",
    "eval/tgc": "eval tgc",
    "eval/sgc": "eval sgc",
}
"""The figures of a step that are shown while learning, and what they are called there; all are in metrics.jsonl."""

UNDERWAY = {"play/rounds": "round", "play/groups": "groups"}
"""Those of a step that is still played; the next one's may be told before it is done, and are not overwritten then."""
INSIDE = ("playing", "learning")
"""What a step is doing while it is under way, and with how many conversations it is done."""
NEAR_ZERO = "learn/loss"
"""With one pass over what was played the loss is 0 whatever is learnt: shown of imitation alone."""


def screen() -> Screen:
    """Progress bars for all stages."""
    from prowess.pipeline.stages import Screen

    return Screen(course=following, episodes=watching)


@contextmanager
def following(title: str) -> Iterator[Watch]:
    """A progress bar that follows the steps of a course with a few live figures."""
    from contextlib import ExitStack

    from prowess.text.terminal import progress

    with ExitStack() as stack:
        bars: list[Bar] = []

        def watch(step: int, figures: Mapping[str, float], total: int, *, done: int = 1) -> None:
            if not bars:
                bars.append(stack.enter_context(progress(total, title)))
            bars[0].advance(done, **(shown_of(figures) if done else inside_of(figures)))

        yield watch


@contextmanager
def unseen() -> Iterator[Watch]:
    """Shows nothing: of steps that were shown before."""

    def watch(step: int, figures: Mapping[str, float], total: int, *, done: int = 1) -> None: ...

    yield watch


def shown_of(figures: Mapping[str, float]) -> dict[str, Figure]:
    """The figures of a step that are shown, rounded. What it was doing meanwhile is shown no more.

    >>> shown_of({"reward/mean": 1.25, "play/tgc": 0.5, "learn/loss": -2e-9, "learn/grad_norm": 0.01234})
    {'playing': '', 'learning': '', 'reward': 1.25, 'tgc': 0.5, 'grad norm': 0.0123}
    >>> shown_of({"learn/loss": 0.5, "learn/grad_norm": 2.0})
    {'playing': '', 'learning': '', 'loss': 0.5, 'grad norm': 2.0}
    """
    played = "reward/mean" in figures
    names = [name for name in LIVE if name in figures and not (played and name == NEAR_ZERO)]
    return dict.fromkeys(INSIDE, "") | {LIVE[name]: float(f"{figures[name]:.3g}") for name in names}


def inside_of(figures: Mapping[str, float]) -> dict[str, Figure]:
    """How far a step is that is under way.

    >>> inside_of({"play/rounds": 2.0, "play/groups": 36.0})
    {'round': 2, 'groups': 36}
    >>> inside_of({"playing": 3.0, "of": 8.0})
    {'playing': '3 of 8 conversations', 'learning': ''}
    """
    shown: dict[str, Figure] = {label: round(figures[name]) for name, label in UNDERWAY.items() if name in figures}
    for label in INSIDE:
        if label in figures:
            of = counted(round(figures["of"]), "conversation")
            shown |= dict.fromkeys(INSIDE, "") | {label: f"{round(figures[label])} of {of}"}
    return shown


@contextmanager
def watching(title: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar that follows episodes with a few live figures; they count as many as they are, or `done`."""
    from prowess.text.terminal import progress
    from prowess.types import Stop

    played = solved = errors = used = 0
    with progress(total, title) as bar:

        def watch(*episodes: Episode, done: int | None = None) -> None:
            nonlocal played, solved, errors, used
            for episode in episodes:
                played += 1
                solved += episode.success
                errors += episode.stop is Stop.ERROR
                used += bool(episode.called)
            bar.advance(len(episodes) if done is None else done, solved=f"{solved}/{played}", used=used, errors=errors)

        yield watch
