"""What the expert says where somebody else has spoken: what went wrong, if anything did, what nobody has read yet, and
then the function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from prowess.skills.extract import defined_in
from prowess.text.complaint import failed, trouble_in
from prowess.worlds.expert import GIVEN_UP, Step
from prowess_desk.engine.family import source_of
from prowess_desk.expert.job import Job, defined, doc, finish, functions_of, listings, reused
from prowess_desk.expert.needs import called
from prowess_desk.expert.student import DOCUMENTS, described, looking, planned
from prowess_desk.families.toolbox import TOOLBOX


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What was said and seen so far: replies, and an output for each."""

    replies: Sequence[str]
    outputs: Sequence[str]

    def has_read(self, api: str) -> bool:
        return any(f'"api_name": "{api.partition(".")[2]}"' in output for output in self._answers(doc(api)))

    def has_listed(self, app: str) -> bool:
        return any(not failed(output) for output in self._answers(f'show_api_descriptions(app_name="{app}")'))

    def has_defined(self, source: str) -> bool:
        return any(not failed(output) for output in self._answers(source))

    def has_looked(self) -> bool:
        return any(not failed(output) for output in self._answers("access_token=login("))

    def has_written(self) -> bool:
        """Whether somebody has written more than helpers."""
        return any(name not in TOOLBOX for reply in self.replies for name in defined_in(reply))

    def _answers(self, code: str) -> list[str]:
        return [output for reply, output in zip(self.replies, self.outputs, strict=True) if code in reply]


def mending(job: Job, past: Past) -> list[Step]:
    """The steps from the last output of the past on, in which the trouble is."""
    trouble = trouble_in(past.outputs[-1])
    if job.reuses and job.call not in past.replies[-1]:
        name = job.family.program.name
        return [Step(thought=f"{trouble} I call `{name}` with this task's values.", code=job.using()), finish(job)]
    fresh = _anew(job, past)
    if not any("api_docs" in reply for reply in past.replies):  # whoever knows the apps need not read now
        anew = Step(thought="That failed. I define what I need from scratch and call it again.", code=defined(fresh))
        return [anew, finish(job), GIVEN_UP]
    steps = [*_unseen(fresh, past), Step(thought=planned(fresh), code=defined(fresh))]
    first = replace(steps[0], thought=f"{trouble} {steps[0].thought}")
    return [first, *steps[1:], finish(job), GIVEN_UP]


def going_on(job: Job, past: Past, *, observes: bool) -> list[Step]:
    """The steps from where somebody else has come, and nothing went wrong."""
    if past.has_written() or (job.reuses and job.call in "".join(past.replies)):
        return [finish(job)]
    if job.reuses:
        return reused(job)
    fresh = _anew(job, past)
    look, wiser = looking(fresh) if observes and not past.has_looked() else ([], fresh)
    return [*_unseen(fresh, past), *look, Step(thought=planned(wiser), code=defined(wiser)), finish(job)]


def _anew(job: Job, past: Past) -> Job:
    """The same, with no function to be had but the helpers that are there: in the library, or defined since."""
    helpers = [
        name
        for name, each in functions_of(job.family).items()
        if name in TOOLBOX and (name in job.offered or past.has_defined(source_of(each)))
    ]
    return replace(job, offered=frozenset(helpers))


def _unseen(job: Job, past: Past) -> list[Step]:
    """Lists of APIs that nobody has seen, and documents that nobody has read."""
    apps = [app for app in job.family.apps if not past.has_listed(app)]
    what = f"I have not seen yet what {' and '.join(apps)} can do."
    apis = [api for api in called(job.source()) if not past.has_read(api) and not api.endswith(".login")]
    return [Step(thought=what, code=listings(job, apps))] * bool(apps) + [
        Step(
            thought=f"What I have not read about is {', '.join(map(described, apis[at : at + DOCUMENTS]))}.",
            code="\n".join(map(doc, apis[at : at + DOCUMENTS])),
        )
        for at in range(0, len(apis), DOCUMENTS)
    ]
