"""SFT: imitate the conversations that were collected, then see how well that plays.

    prowess sft recipes/sage.toml

The same learner and the same step as in training, with weight 1 on what the agent said and 0 on everything else:
prompt, skills and observations are seen and not learnt (paper, section 4). Some conversations are held out by scenario,
so that the held-out loss is on people and values not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Protocol

from prowess.commands.dataset import Conversation
from prowess.commands.renaming import retold
from prowess.errors import RecipeError, check_range
from prowess.learners.settings import LearnerSettings
from prowess.run.checkpoints import Checkpoints
from prowess.seeds import draw
from prowess.text.plural import counted
from prowess.types import Learner, Policy, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class SftSettings:
    """What is imitated, and for how long."""

    data: str = ""
    """The data set, a file or folder. If empty, that of `prowess collect` with the same recipe
    (runs/NAME-collect/data/sft.jsonl)."""
    epochs: int = 2
    """Passes over the data."""
    batch: int = 128
    """Conversations in a step (paper)."""
    longest: int = 12_500
    """Conversations with more tokens are left out (paper). A line reports how many."""
    dialects: int = 0
    """Copies of each conversation that reads documentation, this many, with other names for APIs, arguments and fields.
    Names are then copied from what was read, and not known by heart."""
    held_out: float = 0.05
    """The share of scenarios whose conversations are not learned from."""
    learner: LearnerSettings = field(default_factory=lambda: LearnerSettings(schedule="cosine", warmup=0.1))
    """How the weights are changed (paper: a rate of 1e-6 along a cosine, after a warm-up of a tenth)."""
    score: bool = True
    """Whether the result is played on the split of [evaluate] at the end. If not, no engine is started for it."""
    checkpoint_every: int = 50
    """Steps between checkpoints."""
    keep: int = 1
    """Checkpoints kept."""

    def __post_init__(self) -> None:
        check_range(self, 1, "epochs", "batch", "longest", "checkpoint_every", "keep")
        check_range(self, 0, "dialects")
        if not 0 <= self.held_out < 1:
            raise RecipeError(f"held_out is {self.held_out}; allowed is 0 to less than 1")


class Imitator(Learner, Protocol):
    """A learner that can also say how well it predicts what it does not learn from."""

    def loss(self, samples: Sequence[Sample]) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """Conversations as samples: to learn from, and held out."""

    learn: tuple[Sample, ...]
    held_out: tuple[Sample, ...]
    too_long: int
    """Conversations that are in neither."""


def lessons_of(
    conversations: Sequence[Conversation],
    imitate: Callable[[Sequence[Conversation]], Iterable[Sample]],
    settings: SftSettings,
    *,
    seed: int,
) -> Lessons:
    """Tokenise the conversations, leave out what is too long and hold out some scenarios."""
    scenarios = sorted({conversation.about.scenario for conversation in conversations})
    count = round(settings.held_out * len(scenarios))
    spared = set(draw(seed, "held out").sample(scenarios, count))
    learn: list[Sample] = []
    held_out: list[Sample] = []
    too_long = 0
    for number, (conversation, sample) in enumerate(zip(conversations, imitate(conversations), strict=True)):
        if len(sample.tokens) > settings.longest:
            too_long += 1
        elif conversation.about.scenario in spared:
            held_out.append(sample)
        else:
            copies = (retold(conversation, draw(seed, "dialect", number, n)) for n in range(settings.dialects))
            told = imitate([copy for copy in copies if copy is not None])
            learn += [sample, *(copy for copy in told if len(copy.tokens) <= settings.longest)]
    if not learn:
        raise RecipeError(
            f"there is nothing to imitate: {counted(len(conversations), 'conversation')}, {too_long} of them too long",
            hint="prowess collect first, or a larger sft.longest",
        )
    return Lessons(learn=tuple(learn), held_out=tuple(held_out), too_long=too_long)


def rehearsal(
    conversations: Sequence[Conversation],
    imitate: Callable[[Sequence[Conversation]], Iterable[Sample]],
    *,
    count: int,
    seed: int,
) -> Callable[[int], list[Sample]]:
    """For each step of a training, demonstrations to be imitated beside it; each step draws others."""

    def drawn(step: int) -> list[Sample]:
        return list(imitate(draw(seed, "rehearsal", step).sample(conversations, min(count, len(conversations)))))

    return drawn


def short_enough(
    conversations: Sequence[Conversation],
    imitate: Callable[[Sequence[Conversation]], Iterable[Sample]],
    *,
    longest: int,
) -> list[Conversation]:
    """The conversations that can be rehearsed, which must be some where there are any."""
    told = zip(conversations, imitate(conversations), strict=True)
    found = [conversation for conversation, sample in told if len(sample.tokens) <= longest]
    if conversations and not found:
        raise RecipeError(
            f"there is nothing to rehearse: {counted(len(conversations), 'conversation')}, all too long",
            hint="a larger sft.longest, or train.rehearse=0",
        )
    return found


def steps_in(lessons: Lessons, settings: SftSettings) -> int:
    """How many steps the settings make of these lessons."""
    return settings.epochs * ceil(len(lessons.learn) / settings.batch)


def sft(
    learner: Imitator,
    lessons: Lessons,
    settings: SftSettings,
    checkpoints: Checkpoints,
    *,
    score: Callable[[Policy], Mapping[str, float]] | None,
    seed: int,
) -> None:
    """Go through the steps that are not done yet; in the end, score what was learnt, if so wished."""
    per_epoch = ceil(len(lessons.learn) / settings.batch)
    total = steps_in(lessons, settings)
    play = (lambda: score(learner.policy())) if score else None
    for step in checkpoints.steps(total, learner, score=lambda done: play if done[-1].step + 1 == total else None):
        epoch, place = divmod(step, per_epoch)
        order = draw(seed, "epoch", epoch).sample(range(len(lessons.learn)), len(lessons.learn))
        batch = [lessons.learn[n] for n in order[place * settings.batch : (place + 1) * settings.batch]]
        with checkpoints.keeping(step, learner, sure=False):
            figures = dict(learner.step(batch))
        last = step + 1 == total
        if place + 1 == per_epoch and lessons.held_out:
            figures["learn/held_out"] = learner.loss(lessons.held_out)
        save = last or (step + 1) % settings.checkpoint_every == 0
        checkpoints.finish(step, figures, learner, save=save, score=play if last else None)
