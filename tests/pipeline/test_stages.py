"""Stages in sight: what is shown of them while they are under way."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from toy import Counter, ToySuite, agent_with

from prowess.commands.collect import CollectSettings
from prowess.commands.evaluate import EvaluateSettings, scenarios_of
from prowess.errors import RecipeError, StoreError
from prowess.pipeline import stages
from prowess.pipeline.parts import Parts
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.stages import Screen, assess, evaluated, gather, schooled, taught, trained
from prowess.run import Run
from prowess.types import Episode

SLIPS = Counter(lambda goal, seed: (seed >> 8) % 100 < 60)
LIVE = Parts(suite=ToySuite(3), agent=agent_with(SLIPS))
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


@pytest.mark.parametrize(("asked", "told"), [(4, True), (3, False), (0, False)])
def test_a_split_with_fewer_scenarios_than_are_asked_for_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: int, told: bool
) -> None:
    recipe = replace(
        RECIPE,
        collect=replace(RECIPE.collect, scenarios=asked),
        evaluate=EvaluateSettings(scenarios=asked),
    )
    for split in ("train", "dev"):
        with Run.create(tmp_path / split, command="play", recipe_toml="", seed=0) as run:
            if split == "train":
                gather(recipe, LIVE, run, Shown().screen, "")
            else:
                assess(recipe, LIVE, scenarios_of(LIVE.suite, recipe.evaluate), run, Shown().screen, "")
        key = "evaluate" if split == "dev" else "collect"
        line = f"note: {key}.scenarios is 4, and the split '{split}' has 3: no more are played\n"
        assert capsys.readouterr().err == (line if told else "")


@pytest.mark.parametrize(
    ("scenarios", "last", "told"),
    [
        (0, 1, "note: collect.last is 1: left out: the first 2 of 3 scenarios of 'train'\n"),
        (2, 1, "note: collect.last is 1: left out: the first 1 of 2 scenarios of 'train'\n"),
        (0, 7, "note: collect.last is 7: no more are played than 3 scenarios of 'train'\n"),
        *((0, 3, ""), (0, 0, "")),
    ],
)
def test_what_the_last_scenarios_leave_out_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], scenarios: int, last: int, told: str
) -> None:
    recipe = replace(RECIPE, collect=replace(RECIPE.collect, scenarios=scenarios, last=last))
    with Run.create(tmp_path / "run", command="collect", recipe_toml="", seed=0) as run:
        gather(recipe, LIVE, run, Shown().screen, "")
    assert capsys.readouterr().err == told


def test_engines_that_played_are_dismissed_before_an_imitation_and_not_for_one_that_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(stages, "dismiss", lambda: done.append("dismissed"))
    monkeypatch.setattr(stages, "imitate", lambda recipe, run, watch: done.append("imitated"))
    (tmp_path / "data.jsonl").write_text("shown")
    recipe = replace(RECIPE, sft=replace(RECIPE.sft, data=str(tmp_path / "data.jsonl")))
    for _ in range(2):
        assert schooled(recipe, tmp_path / "sft", Shown().screen).train.start == str(tmp_path / "sft")
    assert done == ["dismissed", "imitated"]


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which checkpoints played."""
    played: list[str] = []
    monkeypatch.setattr(stages, "player", lambda recipe, checkpoint: played.append(str(checkpoint)))
    monkeypatch.setattr(stages, "parts_of", lambda recipe, policy: nullcontext(LIVE))
    return played


def checkpoint(folder: Path, weights: str, moments: str = "m") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "SHA256SUMS").write_text(f"{weights}  model.safetensors\n{moments}  learner/optimiser.safetensors\n")
    return folder


def test_an_evaluation_is_played_anew_when_its_checkpoint_was_made_anew(
    tmp_path: Path, plays: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    best, place = checkpoint(tmp_path / "best", "one"), tmp_path / "run"

    def play(recipe: Recipe = RECIPE) -> None:
        evaluated(recipe, best, place, "dev", Shown().screen)

    play()
    before = {path: path.stat().st_mtime_ns for path in (place / "episodes").iterdir()}
    checkpoint(best, "one", moments="n")
    play()
    assert plays == [str(best)], "it is finished, and the same weights play it"
    checkpoint(best, "two")
    with pytest.raises(StoreError, match="seed: 0 in the run, 1 given"):
        play(replace(RECIPE, seed=1))
    assert before == {path: path.stat().st_mtime_ns for path in (place / "episodes").iterdir()}
    capsys.readouterr()
    play()
    assert f"{place}: begun when {best} was not what it is now, so it is begun anew" in capsys.readouterr().err
    assert plays == [str(best)] * 2
    assert all(path.stat().st_mtime_ns != when for path, when in before.items())
    play()
    assert len(plays) == 2 and Run.open(place).about.status == "finished"


def test_training_is_begun_anew_when_what_it_starts_from_was_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learnt: list[str] = []
    begin, place = checkpoint(tmp_path / "sft", "one"), tmp_path / "train"
    monkeypatch.setattr(stages, "start_of", lambda recipe: recipe.train.start)
    monkeypatch.setattr(stages, "reinforce", lambda recipe, run, watch: learnt.append(recipe.train.start))
    recipe = replace(RECIPE, train=replace(RECIPE.train, start=str(begin)))
    for _ in range(2):
        trained(recipe, place, Shown().screen)
    assert learnt == [str(begin)], "it is finished, and from the same weights"
    checkpoint(begin, "two")
    trained(recipe, place, Shown().screen)
    assert f"{place}: begun when {begin} was not what it is now, so it is begun anew" in capsys.readouterr().err
    assert learnt == [str(begin)] * 2


def test_an_imitation_is_begun_anew_when_its_data_were_made_anew_and_does_not_miss_them_when_it_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learnt: list[str] = []
    data, place = tmp_path / "mine.jsonl", tmp_path / "sft"
    monkeypatch.setattr(stages, "imitate", lambda recipe, run, watch: learnt.append(data.read_text()))
    recipe = replace(RECIPE, sft=replace(RECIPE.sft, data=str(data)))
    with pytest.raises(RecipeError, match=r"mine\.jsonl"):
        schooled(recipe, place, Shown().screen)
    for text in ("one", "one", "two", "two"):
        data.write_text(text)
        schooled(recipe, place, Shown().screen)
    assert learnt == ["one", "two"]
    told = f"{place}: begun when {recipe.model.name} with {data} was not what it is now, so it is begun anew"
    assert capsys.readouterr().err.count(told) == 1
    data.unlink()
    assert schooled(recipe, place, Shown().screen).train.start == str(place) and learnt == ["one", "two"]


def test_a_training_that_is_finished_does_not_miss_what_it_started_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[str] = []
    monkeypatch.setattr(stages, "reinforce", lambda recipe, run, watch: learnt.append(recipe.train.start))
    begin = checkpoint(tmp_path / "sft", "one")
    (begin / "config.json").write_text('{"model_type": "llama"}')
    recipe = replace(RECIPE, train=replace(RECIPE.train, start=str(begin)))
    trained(recipe, tmp_path / "train", Shown().screen)
    shutil.rmtree(begin)
    trained(recipe, tmp_path / "train", Shown().screen)
    assert learnt == [str(begin)]
    with pytest.raises(RecipeError, match=r"train.start is .*there is no folder"):
        trained(recipe, tmp_path / "other", Shown().screen)


def test_a_round_of_teaching_is_begun_anew_when_who_was_taught_was_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    begin = checkpoint(tmp_path / "sft", "one")

    def gathered(recipe: Recipe, live: Parts, run: Run, *told: object) -> None:
        done.append("collect")

    monkeypatch.setattr(stages, "start_of", lambda recipe: recipe.train.start)
    monkeypatch.setattr(stages, "parts_of", lambda recipe: nullcontext(LIVE))
    monkeypatch.setattr(stages, "gather", gathered)
    (tmp_path / "data").write_text("shown")
    monkeypatch.setattr(stages, "data_of", lambda recipe: tmp_path / "data")
    monkeypatch.setattr(stages, "mix", lambda *told, **more: tmp_path / "data")
    monkeypatch.setattr(stages, "imitate", lambda recipe, run, watch: done.append("sft"))
    recipe = replace(
        RECIPE, train=replace(RECIPE.train, start=str(begin)), teach=replace(RECIPE.teach, rounds=1, rehearsed=0)
    )
    for weights in ("one", "one", "two"):
        checkpoint(begin, weights)
        taught(recipe, tmp_path, Shown().screen)
    assert done == ["collect", "sft"] * 2


def test_of_an_older_evaluation_nobody_knows_the_weights_and_that_is_said_once(
    tmp_path: Path, plays: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    best, place = checkpoint(tmp_path / "best", "one"), tmp_path / "run"
    said = []
    for number in range(3):
        evaluated(RECIPE, best, place, "dev", Shown().screen)
        said.append(capsys.readouterr().err)
        if number == 0:
            (place / "weights.json").unlink()
        checkpoint(best, f"later {number}")
    assert [f"note: {place} does not say what it was begun with" in one for one in said] == [False, True, False]
    assert len(plays) == 1


def test_of_a_model_of_somebody_else_nothing_is_noted(tmp_path: Path, plays: list[str]) -> None:
    evaluated(RECIPE, tmp_path, tmp_path / "run", "dev", Shown().screen)
    assert plays == [str(tmp_path)] and not (tmp_path / "run/weights.json").exists()
