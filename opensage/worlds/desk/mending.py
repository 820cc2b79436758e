"""What the expert says once something went wrong, whoever wrote it: what the error says, what nobody has read yet, and
then the function anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from opensage.trouble import failed, trouble_in
from opensage.worlds.desk.families.toolbox import TOOLBOX
from opensage.worlds.desk.family import source_of
from opensage.worlds.desk.job import GIVEN_UP, Job, Step, defined, doc, finish, functions_of, listings
from opensage.worlds.desk.needs import called
from opensage.worlds.desk.student import DOCUMENTS, described, planned


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What was said and seen up to where it went wrong: replies, and an output for each."""

    replies: Sequence[str]
    outputs: Sequence[str]

    def has_read(self, api: str) -> bool:
        return any(f'"api_name": "{api.partition(".")[2]}"' in output for output in self._answers(doc(api)))

    def has_listed(self, app: str) -> bool:
        return any(not failed(output) for output in self._answers(f'show_api_descriptions(app_name="{app}")'))

    def has_defined(self, source: str) -> bool:
        return any(not failed(output) for output in self._answers(source))

    def _answers(self, code: str) -> list[str]:
        return [output for reply, output in zip(self.replies, self.outputs, strict=True) if code in reply]


def mending(job: Job, past: Past) -> list[Step]:
    """The steps from the last output of the past on, in which the trouble is."""
    trouble = trouble_in(past.outputs[-1])
    if job.reuses and job.call not in past.replies[-1]:
        name = job.family.program.name
        return [Step(thought=f"{trouble} I call `{name}` with this task's values.", code=job.using()), finish(job)]
    helpers = [
        name for name, each in functions_of(job.family).items() if name in TOOLBOX and past.has_defined(source_of(each))
    ]
    fresh = replace(job, offered=frozenset(helpers))
    if not any("api_docs" in reply for reply in past.replies):  # whoever knows the apps need not read now
        anew = Step(thought="That failed. I define what I need from scratch and call it again.", code=defined(fresh))
        return [anew, finish(job), GIVEN_UP]
    steps = [*_unlisted(job, past), *_unread(fresh, past), Step(thought=planned(fresh), code=defined(fresh))]
    first = replace(steps[0], thought=f"{trouble} {steps[0].thought}")
    return [first, *steps[1:], finish(job), GIVEN_UP]


def _unlisted(job: Job, past: Past) -> list[Step]:
    """Lists of APIs that nobody has seen."""
    apps = [app for app in job.family.apps if not past.has_listed(app)]
    if not apps:
        return []
    what = " and ".join(apps)
    return [Step(thought=f"I have not seen yet what {what} can do.", code=listings(job, apps))]


def _unread(job: Job, past: Past) -> list[Step]:
    """Documents that nobody has read."""
    apis = [api for api in called(job.source()) if not past.has_read(api) and not api.endswith(".login")]
    return [
        Step(
            thought=f"What I have not read about is {', '.join(map(described, apis[at : at + DOCUMENTS]))}.",
            code="\n".join(map(doc, apis[at : at + DOCUMENTS])),
        )
        for at in range(0, len(apis), DOCUMENTS)
    ]
