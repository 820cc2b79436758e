"""Imitation without a model: which conversations are learnt from, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from prowess.commands.dataset import About, Conversation, Spoken
from prowess.commands.sft import Lessons, SftSettings, lessons_of, rehearsal, sft, short_enough, steps_in
from prowess.errors import RecipeError
from prowess.run import Run
from prowess.run.checkpoints import Checkpoints
from prowess.types import Policy, Sample


def conversation(scenario: int, words: int = 2) -> Conversation:
    said = " ".join(["w"] * words)
    return Conversation(
        messages=(Spoken(role="user", content="go", loss=False), Spoken(role="assistant", content=said, loss=True)),
        about=About(task=f"s{scenario}_1", scenario=f"s{scenario}", split="train", temperature=0.0),
    )


def imitate(some: Sequence[Conversation]) -> list[Sample]:
    """As many tokens as the agent said words, all of them the scenario's number."""
    counts = [(int(one.about.scenario[1:]), len(one.messages[-1].content.split())) for one in some]
    return [Sample(tokens=(n,) * count, weights=(1.0,) * count, logprobs=(0.0,) * count) for n, count in counts]


def lesson(number: int) -> Sample:
    return Sample(tokens=(number,), weights=(1.0,), logprobs=(0.0,))


class Pupil:
    """Remembers what it was taught."""

    def __init__(self) -> None:
        self.seen: list[list[int]] = []

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> Mapping[str, float]:
        self.seen.append([sample.tokens[0] for sample in samples])
        return {"learn/loss": 0.5}

    def loss(self, samples: Sequence[Sample]) -> float:
        return 10.0 + len(samples)

    def policy(self) -> Policy:
        return lambda messages, *, seed: NotImplemented  # type: ignore[return-value]

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)

    def load(self, folder: Path) -> None: ...


def test_every_step_rehearses_other_conversations_and_the_same_for_the_same_seed() -> None:
    told = [conversation(n, words=40 if n == 7 else 2) for n in range(12)]
    short = short_enough(told, imitate, longest=20)
    assert len(short) == 11
    drawn, again = (rehearsal(short, imitate, count=5, seed=3) for _ in range(2))
    steps = [[sample.tokens[0] for sample in drawn(step)] for step in range(20)]
    assert steps == [[sample.tokens[0] for sample in again(step)] for step in range(20)]
    assert {number for step in steps for number in step} == {*range(12)} - {7}
    assert all(len({*step}) == len(step) and len(step) == 5 for step in steps)
    assert len({tuple(step) for step in steps}) == 20
    assert len(rehearsal(told, imitate, count=99, seed=3)(0)) == 12
    assert rehearsal([], imitate, count=0, seed=3)(0) == []


def test_held_out_are_whole_scenarios_and_the_same_for_the_same_seed() -> None:
    told = [conversation(n % 10) for n in range(30)]
    lessons = lessons_of(told, imitate, SftSettings(held_out=0.2), seed=0)
    spared = {sample.tokens[0] for sample in lessons.held_out}
    assert len(spared) == 2
    assert not spared & {sample.tokens[0] for sample in lessons.learn}
    assert (len(lessons.learn), len(lessons.held_out)) == (24, 6)
    assert lessons == lessons_of(told, imitate, SftSettings(held_out=0.2), seed=0)
    assert {lessons_of(told, imitate, SftSettings(held_out=0.2), seed=n).held_out for n in range(5)} != {
        lessons.held_out
    }


def test_what_is_too_long_is_left_out_and_counted() -> None:
    lessons = lessons_of(
        [conversation(0, words=5), conversation(1, words=6)], imitate, SftSettings(longest=5, held_out=0), seed=0
    )
    assert [len(sample.tokens) for sample in lessons.learn] == [5]
    assert lessons.too_long == 1


def test_nothing_to_imitate_is_an_error_with_the_reason() -> None:
    with pytest.raises(RecipeError, match="1 conversation, 1 of them too long"):
        lessons_of([conversation(0, words=9)], imitate, SftSettings(longest=5), seed=0)


def test_every_epoch_sees_every_lesson_once_in_an_order_of_its_own(tmp_path: Path) -> None:
    lessons = Lessons(learn=tuple(map(lesson, range(5))), held_out=(lesson(9),), too_long=0)
    settings = SftSettings(epochs=2, batch=2)
    pupil = Pupil()
    assert steps_in(lessons, settings) == 6
    with Run.create(tmp_path / "run", command="sft", recipe_toml="", seed=0) as run:
        sft(
            pupil, lessons, settings, Checkpoints(run), score=lambda policy: {"eval/tgc": 0.5, "eval/sgc": 0.25}, seed=1
        )
        told = {entry.step: entry.values for entry in run.metrics()}
    assert [len(batch) for batch in pupil.seen] == [2, 2, 1, 2, 2, 1]
    epochs = [[n for batch in part for n in batch] for part in (pupil.seen[:3], pupil.seen[3:])]
    assert [sorted(epoch) for epoch in epochs] == [[0, 1, 2, 3, 4]] * 2
    assert epochs[0] != epochs[1]
    assert [step for step, values in told.items() if values.get("learn/held_out") == 11.0] == [2, 5]
    assert [step for step, values in told.items() if "eval/tgc" in values] == [5]


def test_an_imitation_whose_score_broke_is_not_learnt_again(tmp_path: Path) -> None:
    lessons = Lessons(learn=tuple(map(lesson, range(5))), held_out=(), too_long=0)
    settings = SftSettings(epochs=2, batch=2)

    def go(folder: Path, score: Callable[[Policy], Mapping[str, float]]) -> Pupil:
        known = (folder / "run.json").is_file()
        with Run.create(folder, command="sft", recipe_toml="", seed=0, resume=known) as run:
            sft(pupil := Pupil(), lessons, settings, Checkpoints(run), score=score, seed=1)
        return pupil

    def broken(policy: Policy) -> Mapping[str, float]:
        raise MemoryError("no room for an engine")

    go(tmp_path / "unbroken", good := lambda policy: {"eval/tgc": 0.5, "eval/sgc": 0.25})
    with pytest.raises(MemoryError):
        go(tmp_path / "run", broken)
    assert go(tmp_path / "run", good).seen == [], "it scores what it has"
    assert Run.open(tmp_path / "run").metrics() == Run.open(tmp_path / "unbroken").metrics()
    assert Checkpoints(Run.open(tmp_path / "run")).best == tmp_path / "run/checkpoints/step-000006"
    assert go(tmp_path / "run", broken).seen == [], "a score that is there is not made again"


def test_without_a_score_nothing_is_played_and_the_last_checkpoint_is_kept(tmp_path: Path) -> None:
    lessons = Lessons(learn=tuple(map(lesson, range(3))), held_out=(), too_long=0)
    with Run.create(tmp_path / "run", command="sft", recipe_toml="", seed=0) as run:
        sft(Pupil(), lessons, SftSettings(epochs=1, batch=2), Checkpoints(run), score=None, seed=1)
        assert not [name for entry in run.metrics() for name in entry.values if name.startswith("eval/")]
        assert Checkpoints(run).best is not None


def test_checkpoints_are_kept_as_often_as_asked_and_at_the_end(tmp_path: Path) -> None:
    lessons = Lessons(learn=tuple(map(lesson, range(5))), held_out=(), too_long=0)
    with Run.create(tmp_path / "run", command="sft", recipe_toml="", seed=0) as run:
        sft(
            Pupil(),
            lessons,
            SftSettings(epochs=1, batch=1, checkpoint_every=2),
            Checkpoints(run, keep=9),
            score=None,
            seed=1,
        )
    assert sorted(path.name for path in (run.folder / "checkpoints").iterdir()) == [
        "step-000002",
        "step-000004",
        "step-000005",
    ]


@pytest.mark.parametrize(("values", "told"), [({"batch": 0}, "batch is 0"), ({"held_out": 1.0}, r"held_out is 1\.0")])
def test_settings_out_of_range_are_refused(values: dict[str, float], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        SftSettings(**values)  # type: ignore[arg-type]
