"""A policy that plays desk as a good model would, from the conversation alone.

It reads the instruction, sees which functions the library offers, reads documentation where its style wants it, defines
typed and documented functions that combine several calls, reuses what is offered, mends what fails and completes the
task. It is given nothing but messages: no state, no answer. Its styles differ in how much they read, try out and split,
so that imitation data is not one template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random

from prowess_practice.drills import drills
from prowess_practice.errands import errands

from prowess.errors import PolicyError, RecipeError, unknown
from prowess.seeds import derive
from prowess.skills.extract import defined_in
from prowess.text.complaint import failed, trouble_in
from prowess.text.tokens import estimated
from prowess.types import Completion, Message
from prowess_desk.engine.family import Family, Values, source_of
from prowess_desk.expert.job import Job, Step, finish, follows
from prowess_desk.expert.mending import Past, going_on, mending
from prowess_desk.expert.openings import Openings, openings
from prowess_desk.expert.student import observer
from prowess_desk.expert.styles import GOOD, STYLES
from prowess_desk.families import FAMILIES
from prowess_desk.families.toolbox import TOOLBOX


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertSettings:
    """How the expert plays."""

    styles: tuple[str, ...] = GOOD
    """The styles it takes turns in, drawn for each conversation; a style named twice is drawn twice as often."""
    salt: int = 0
    """Another salt, other draws of style and words."""

    def __post_init__(self) -> None:
        if not self.styles:
            raise RecipeError("styles is empty; one must be named", hint=f"known: {', '.join(sorted(STYLES))}")
        for name in self.styles:
            if name not in STYLES:
                raise unknown("style of the expert", name, STYLES)


@dataclass(frozen=True, slots=True)
class Expert:
    """The policy. It keeps nothing between calls: the conversation says how far it has come."""

    settings: ExpertSettings = ExpertSettings()

    def at(self, temperature: float) -> Expert:
        """The expert in another mood: temperature only changes its draws of style and words."""
        return Expert(replace(self.settings, salt=derive(self.settings.salt, f"{temperature:.4f}")))

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        job = self._understand(messages)
        return estimated(Completion(text=self._next(job, messages).reply), messages)

    def _understand(self, messages: Sequence[Message]) -> Job:
        opening = next(message.content for message in messages if message.role == "user")
        before, _, instruction = opening.rpartition("Task: ")
        found = _understood(instruction)
        if len(found) != 1:
            raise PolicyError(
                f"the expert does not understand the task '{instruction[:200]}'",
                hint="it knows desk's own tasks alone: for others name who plays, policy.name = 'endpoint', 'local' or"
                " your own 'module:function'",
            )
        family, values = found[0]
        return Job(
            family=family,
            values=values,
            offered=_offered(before),
            rng=Random(derive(self.settings.salt, opening)),
            instruction=instruction,
        )

    def _next(self, job: Job, messages: Sequence[Message]) -> Step:
        style = STYLES[job.rng.choice(self.settings.styles)]
        plan = style(job)
        replies = [message.content for message in messages if message.role == "assistant"]
        outputs = [message.content for message in messages if message.role == "user"][1:]
        for n, output in enumerate(outputs):
            own = n < len(plan) and replies[n] == plan[n].reply
            if own and plan[n].slips and not failed(output):  # it did not matter here, so there is nothing to mend
                del plan[n + 1]
            elif (failed(output) and not plan[n].slips) if own else trouble_in(output):
                steps = mending(job, Past(replies=replies[: n + 1], outputs=outputs[: n + 1]))
                since = replies[n + 1 :]
                if follows(since, steps):
                    return steps[min(len(since), len(steps) - 1)]  # else somebody tried to mend it before
        if follows(replies, plan):
            return plan[len(replies)] if len(replies) < len(plan) else finish(job)
        return _joining(job, Past(replies=replies, outputs=outputs), observes=style is observer)


def _offered(library: str) -> frozenset[str]:
    """The functions that the library offers; of helpers those alone that are the expert's own, to the letter."""
    names = defined_in(library)
    return frozenset(name for name in names if name not in TOOLBOX or source_of(TOOLBOX[name]) in library)


def _joining(job: Job, past: Past, *, observes: bool) -> Step:
    """What comes next where it took over from somebody else: at the first place from which on it said all itself."""
    for place in range(1, len(past.replies) + 1):
        before = Past(replies=past.replies[:place], outputs=past.outputs[:place])
        steps, since = going_on(job, before, observes=observes), past.replies[place:]
        if follows(since, steps):
            break
    return steps[min(len(since), len(steps) - 1)]


@lru_cache(maxsize=4096)
def _understood(instruction: str) -> list[tuple[Family, Values]]:
    """Remembered: every reply begins with it. Families come first: drills and errands take seconds to be made."""
    return _families().readings(instruction) or _drills().readings(instruction) or _errands().readings(instruction)


@cache
def _families() -> Openings:
    return openings(FAMILIES.values())


@cache
def _drills() -> Openings:
    return openings(drills().values())


@cache
def _errands() -> Openings:
    return openings(errands().values())
