"""Stages in sight: what is shown of them while they are under way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from toy import Counter, ToySuite, agent_with

from opensage import stages
from opensage.collect import CollectSettings
from opensage.run import Run
from opensage.stages import Screen, gather, schooled
from opensage.types import Episode
from opensage.wiring import Parts, Recipe

SLIPS = Counter(lambda goal, seed: (seed >> 8) % 100 < 60)
LIVE = Parts(suite=ToySuite(3), policy=SLIPS, agent=agent_with(SLIPS))
RECIPE = Recipe(collect=CollectSettings(count=2, tries=3), workers=1)


@dataclass
class Shown:
    """A screen that remembers."""

    title: str = ""
    total: int | None = None
    done: int = 0
    episodes: int = 0

    @contextmanager
    def follow(self, title: str, total: int | None) -> Iterator[Callable[..., None]]:
        self.title, self.total = title, total

        def watch(*episodes: Episode, done: int | None = None) -> None:
            self.episodes += len(episodes)
            self.done += len(episodes) if done is None else done

        yield watch

    @property
    def screen(self) -> Screen:
        return Screen(course=lambda title: nullcontext(lambda *told: None), episodes=self.follow)


def test_collecting_shows_how_many_chains_are_done_of_all_however_often_they_are_tried(tmp_path: Path) -> None:
    shown = Shown()
    with Run.create(tmp_path / "run", command="collect", recipe_toml="", seed=0) as run:
        found = gather(RECIPE, LIVE, run, shown.screen, "toy collect")
    assert (shown.title, shown.done, shown.total) == ("toy collect, chains", 6, 6)
    assert shown.episodes == found.tries > 3 * 6, "the case must hold failures"
    assert found.kept < found.chains, "and chains that end early"


def test_a_collection_that_goes_on_shows_what_was_there_as_done(tmp_path: Path) -> None:
    few = replace(RECIPE, collect=replace(RECIPE.collect, scenarios=1))
    with Run.create(tmp_path / "run", command="collect", recipe_toml="", seed=0) as run:
        gather(few, LIVE, run, Shown().screen, "")
        again = Shown()
        gather(RECIPE, LIVE, run, again.screen, "")
    assert (again.done, again.total) == (6, 6)


def test_engines_that_played_are_dismissed_before_an_imitation_and_not_for_one_that_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(stages, "dismiss", lambda: done.append("dismissed"))
    monkeypatch.setattr(stages, "imitate", lambda recipe, run, watch: done.append("imitated"))
    for _ in range(2):
        assert schooled(RECIPE, tmp_path / "sft", Shown().screen).train.start == str(tmp_path / "sft")
    assert done == ["dismissed", "imitated"]
