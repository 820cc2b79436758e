"""A policy that plays desk as a good model would, from the conversation alone.

It reads the instruction, sees which functions the library offers, reads documentation where its style wants it, defines
typed and documented functions that combine several calls, reuses what is offered, mends what fails and completes the
task. It is given nothing but messages: no state, no answer. Its styles differ in how much they read, try out and split,
so that imitation data is not one template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from prowess.errors import PolicyError
from prowess.skills.extract import defined_in
from prowess.text.complaint import failed, trouble_in
from prowess.text.tokens import estimated
from prowess.types import Completion, Message
from prowess.worlds.expert import ExpertSettings, Step, Talk, follows, heard
from prowess_desk.engine.family import Family, Values, source_of
from prowess_desk.expert.job import Job, finish
from prowess_desk.expert.mending import Past, going_on, mending
from prowess_desk.expert.openings import Openings, openings
from prowess_desk.expert.student import observer
from prowess_desk.expert.styles import STYLES
from prowess_desk.families import FAMILIES
from prowess_desk.families.toolbox import TOOLBOX
from prowess_desk.practice import drills, errands


@dataclass(frozen=True, slots=True)
class Expert:
    """The policy. It keeps nothing between calls: the conversation says how far it has come."""

    settings: ExpertSettings = field(default_factory=ExpertSettings)

    def at(self, temperature: float) -> Expert:
        """The expert in another mood: temperature only changes its draws of style and words."""
        return Expert(self.settings.at(temperature))

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        talk = heard(messages)
        return estimated(Completion(text=self._next(self._understand(talk.opening), talk).reply), messages)

    def _understand(self, opening: str) -> Job:
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
            rng=self.settings.draws(opening),
            instruction=instruction,
        )

    def _next(self, job: Job, talk: Talk) -> Step:
        style = STYLES[job.rng.choice(self.settings.styles)]
        plan = style(job)
        replies, outputs = talk.replies, talk.outputs
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
