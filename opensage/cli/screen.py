"""Where a person watches: progress bars with a few live figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opensage.school import Watch
    from opensage.stages import Screen
    from opensage.terminal import Bar
    from opensage.types import Episode


LIVE = ("reward/mean", "play/tgc", "play/sgc", "play/use", "learn/loss", "learn/entropy", "eval/tgc", "eval/sgc")
"""The figures of a step that are shown while learning; all of them are in metrics.jsonl."""


def screen() -> Screen:
    """Progress bars for all stages."""
    from opensage.stages import Screen

    return Screen(course=following, episodes=watching)


@contextmanager
def following(title: str) -> Iterator[Watch]:
    """A progress bar that follows the steps of a course with a few live figures."""
    from contextlib import ExitStack

    from opensage.terminal import progress

    with ExitStack() as stack:
        bars: list[Bar] = []

        def watch(step: int, figures: Mapping[str, float], total: int) -> None:
            if not bars:
                bars.append(stack.enter_context(progress(total, title)))
            shown = {name.partition("/")[2]: round(figures[name], 3) for name in LIVE if name in figures}
            bars[0].advance(1, **shown)

        yield watch


@contextmanager
def watching(title: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar that follows episodes with a few live figures; they count as many as they are, or `done`."""
    from opensage.terminal import progress
    from opensage.types import Stop

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
