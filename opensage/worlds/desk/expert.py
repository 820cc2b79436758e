"""A policy that plays desk as a good model would, from the conversation alone.

It reads the instruction, sees which functions the library offers, reads documentation where its style wants it, defines
typed and documented functions that combine several calls, reuses what is offered, mends what fails and completes the
task. It is given nothing but messages: no state, no answer. Its styles differ in how much they read, try out and split,
so that imitation data is not one template.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from opensage.errors import PolicyError, unknown
from opensage.seeds import derive
from opensage.skills.extract import apis_in
from opensage.tokens import estimate
from opensage.types import Completion, Message
from opensage.worlds.desk.desk import APPS
from opensage.worlds.desk.families import FAMILIES
from opensage.worlds.desk.families.toolbox import TOOLBOX
from opensage.worlds.desk.family import Family, Values, needed, source_of

IMPORTS = {
    "Any": "from typing import Any",
    "Counter": "from collections import Counter",
    "date": "from datetime import date",
    "datetime": "from datetime import datetime",
    "defaultdict": "from collections import defaultdict",
    "re": "import re",
    "timedelta": "from datetime import timedelta",
}
"""What the programs may import, by the name they use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One reply the expert has in mind."""

    thought: str
    code: str
    slips: bool = False
    """True when it is meant to fail, to be mended by the next."""

    @property
    def reply(self) -> str:
        return f"{self.thought}\n```python\n{self.code}\n```"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the expert understood of a conversation's opening."""

    family: Family
    values: Values
    offered: frozenset[str]
    rng: Random

    @property
    def call(self) -> str:
        return self.family.program.call.format(**self.values)

    @property
    def reuses(self) -> bool:
        """True when the library already offers the function that does the job."""
        return self.family.program.name in self.offered

    def source(self, names: Sequence[str] | None = None) -> str:
        """The functions to define: those named, or all that the library does not offer."""
        functions = functions_of(self.family)
        wanted = [name for name in functions if name not in self.offered] if names is None else names
        return written([source_of(functions[name]) for name in wanted])

    def using(self, *, show: bool = True) -> str:
        """The line that calls the function and keeps its result."""
        if self.family.asks:
            return f"answer = {self.call}" + ("\nprint(answer)" if show else "")
        return f"print({self.call})" if show else self.call

    @property
    def completing(self) -> str:
        return f"apis.supervisor.complete_task({'answer=answer' if self.family.asks else ''})"

    def pick(self, *sentences: str) -> str:
        return self.rng.choice(sentences)


def functions_of(family: Family) -> dict[str, Callable[..., Any]]:
    """Everything a family's program is made of, helpers first."""
    own = family.program.functions
    return {name: TOOLBOX[name] for name in needed(own, TOOLBOX)} | {each.__name__: each for each in own}


def written(sources: Sequence[str]) -> str:
    """Functions as one block, with the imports they need."""
    text = "\n\n\n".join(sources)
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    imports = [IMPORTS[name] for name in sorted(IMPORTS) if name in names]
    return "\n".join(imports) + "\n\n\n" + text if imports else text


def brisk(job: Job) -> list[Step]:
    """Knows the apps: writes the function, calls it, done."""
    if job.reuses:
        return [
            Step(
                thought=job.pick(
                    f"My library already has `{job.family.program.name}`, which does exactly this.",
                    f"I can reuse `{job.family.program.name}` and finish.",
                ),
                code=f"{job.using(show=False)}\n{job.completing}",
            )
        ]
    return [
        Step(thought=job.pick("I write a function for this and call it.", "One function does it."), code=_defined(job)),
        finish(job),
    ]


def careful(job: Job) -> list[Step]:
    """Calls, looks at the result, and completes in a reply of its own."""
    if not job.reuses:
        return brisk(job)
    name = job.family.program.name
    return [
        Step(
            thought=job.pick(
                f"The library offers `{name}`: I call it with this task's values.", f"`{name}` fits here."
            ),
            code=job.using(),
        ),
        finish(job),
    ]


def scholar(job: Job) -> list[Step]:
    """Reads the lists of APIs and the documents of those it needs before it writes."""
    if job.reuses:
        return careful(job)
    main = apis_in(job.source([job.family.program.name]))
    listing = "\n".join(f'print(apis.api_docs.show_api_descriptions(app_name="{app}"))' for app in job.family.apps)
    docs = "\n".join(_doc(api) for api in main[:4])
    return [
        Step(thought=job.pick("First I look at what these apps can do.", "Let me see the APIs."), code=listing),
        Step(thought=job.pick("Now the details of the ones I need.", "I read their documentation."), code=docs),
        Step(thought="Now I can write it as a function that takes what varies.", code=_defined(job)),
        finish(job),
    ]


def layered(job: Job) -> list[Step]:
    """Builds small helpers first and tries them, then the function that uses them."""
    helpers = [name for name in functions_of(job.family) if name != job.family.program.name]
    missing = [name for name in helpers if name not in job.offered]
    if job.reuses or "login" not in missing:
        return careful(job)
    app = job.family.apps[0]
    return [
        Step(
            thought=job.pick("I start with helpers that other tasks can use, too.", "Small building blocks first."),
            code=f'{job.source(missing)}\n\n\ntoken = login(app="{app}")\nprint("logged in to {app}:", bool(token))',
        ),
        Step(
            thought="The helpers work. Now the function for this kind of task.",
            code=f"{job.source([job.family.program.name])}\n\n\n{job.using()}",
        ),
        finish(job),
    ]


def scout(job: Job) -> list[Step]:
    """Looks at a page of the real data before it writes the function."""
    lists = [api for api in apis_in(job.source([job.family.program.name])) if _listable(api)]
    if job.reuses or not lists:
        return careful(job)
    app, api = lists[0].split(".")
    user = "phone_number" if app == "phone" else "email"
    look = (
        "profile = apis.supervisor.show_profile()\n"
        'passwords = {entry["account_name"]: entry["password"] for entry in apis.supervisor.show_account_passwords()}\n'
        f'token = apis.{app}.login(username=profile["{user}"], password=passwords["{app}"])["access_token"]\n'
        f"print(apis.{app}.{api}(access_token=token))"
    )
    return [
        Step(thought=job.pick(f"I look at what {app} holds.", f"Let me see how the data in {app} looks."), code=look),
        Step(thought="I have seen the fields; now the function.", code=_defined(job)),
        finish(job),
    ]


def mender(job: Job) -> list[Step]:
    """Slips on an argument, reads the documentation, and defines the function again, corrected."""
    name = job.family.program.name
    right = job.source([name])
    wrong = right.replace("access_token=", "token=", 1)
    if job.reuses or wrong == right:
        return careful(job)
    others = [each for each in functions_of(job.family) if each not in job.offered and each != name]
    before = f"{job.source(others)}\n\n\n" if others else ""
    calls = re.findall(r"apis\.(\w+\.\w+)", right[: right.index("access_token=")])
    return [
        Step(
            thought="I write a function for this and call it.", code=f"{before}{wrong}\n\n\n{job.using()}", slips=True
        ),
        Step(thought="An argument was wrong. I read the documentation.", code=_doc(calls[-1])),
        Step(
            thought="The parameter is called access_token. I define the function again, corrected.",
            code=f"{job.source([*others, name])}\n\n\n{job.using()}",
        ),
        finish(job),
    ]


def forgetful(job: Job) -> list[Step]:
    """Never looks at the library and writes everything anew: what a better agent should unlearn."""
    return brisk(replace(job, offered=frozenset()))


def hasty(job: Job) -> list[Step]:
    """Takes the first page of a listing for all of it: what it writes serves where there is little, and fails later."""
    name = job.family.program.name
    whole = job.source([each for each in functions_of(job.family) if each not in job.offered | {"all_pages"}])
    short = re.sub(r"\ball_pages\((apis\.\w+\.\w+)(?:, )?", r"\1(", whole)
    if job.reuses or short == whole or "all_pages" in short:
        return brisk(job)
    return [
        Step(
            thought=job.pick(f"`{name}` is quickly written.", "This is a short one."),
            code=f"{short}\n\n\n{job.using()}",
        ),
        finish(job),
    ]


def finish(job: Job) -> Step:
    """The reply that completes the task."""
    return Step(
        thought=job.pick("That is done.", "Everything is in place.", "The task is complete."), code=job.completing
    )


STYLES: Mapping[str, Callable[[Job], list[Step]]] = {
    "brisk": brisk,
    "careful": careful,
    "scholar": scholar,
    "layered": layered,
    "scout": scout,
    "mender": mender,
    "forgetful": forgetful,
    "hasty": hasty,
}
GOOD = tuple(name for name in STYLES if name not in ("forgetful", "hasty"))
"""The styles worth imitating; the others are what a better agent should unlearn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertSettings:
    """How the expert plays."""

    styles: tuple[str, ...] = GOOD
    """The styles it takes turns in, drawn for each conversation; a style named twice is drawn twice as often."""
    salt: int = 0
    """Another salt, other draws of style and words."""

    def __post_init__(self) -> None:
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
        text = self._next(job, messages).reply
        prompt = sum(estimate(message.content) for message in messages)
        return Completion(text=text, prompt_tokens=prompt, reply_tokens=estimate(text), counted="estimated")

    def _understand(self, messages: Sequence[Message]) -> Job:
        opening = next(message.content for message in messages if message.role == "user")
        before, _, instruction = opening.rpartition("Task: ")
        found = [(family, values) for family in FAMILIES.values() if (values := family.read(instruction)) is not None]
        if len(found) != 1:
            raise PolicyError(f"the expert does not understand the task '{instruction[:200]}'")
        family, values = found[0]
        return Job(
            family=family,
            values=values,
            offered=frozenset(re.findall(r"^def (\w+)\(", before, flags=re.MULTILINE)),
            rng=Random(derive(self.settings.salt, opening)),
        )

    def _next(self, job: Job, messages: Sequence[Message]) -> Step:
        plan = STYLES[job.rng.choice(self.settings.styles)](job)
        said = sum(message.role == "assistant" for message in messages)
        outputs = [message.content for message in messages if message.role == "user"][1:]
        failures = [
            n
            for n, output in enumerate(outputs)
            if "Execution failed." in output and not (n < len(plan) and plan[n].slips)
        ]
        if failures:
            return _recovery(job, said - failures[0] - 1)
        return plan[said] if said < len(plan) else finish(job)


def _recovery(job: Job, since: int) -> Step:
    """Something offered or written failed: define everything anew, once, and complete; then give up."""
    fresh = replace(job, offered=frozenset())
    steps = [
        Step(thought="That failed. I define what I need from scratch and call it again.", code=_defined(fresh)),
        finish(job),
        Step(thought="I cannot do this.", code='apis.supervisor.complete_task(status="fail")'),
    ]
    return steps[min(since, len(steps) - 1)]


def _defined(job: Job) -> str:
    return f"{job.source()}\n\n\n{job.using()}"


def _doc(api: str) -> str:
    app, name = api.split(".")
    return f'print(apis.api_docs.show_api_doc(app_name="{app}", api_name="{name}"))'


def _listable(api: str) -> bool:
    """True for an API that only reads and needs no argument but the token."""
    app, name = api.split(".")
    found = APPS[app].apis.get(name) if app in APPS else None
    if found is None or not name.startswith(("list_", "show_", "search_")):
        return False
    return found.login and all(p.name == "access_token" or not p.required for p in found.parameters)
