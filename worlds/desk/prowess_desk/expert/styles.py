"""The expert's styles: how much it reads, tries out and splits before a task is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from prowess.skills.reach import apis_in
from prowess.worlds.expert import Step
from prowess_desk.engine.desk import APPS
from prowess_desk.expert.job import Job, defined, doc, finish, functions_of, listings, reused
from prowess_desk.expert.needs import READS
from prowess_desk.expert.student import observer, student


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
        Step(thought=job.pick("I write a function for this and call it.", "One function does it."), code=defined(job)),
        finish(job),
    ]


def careful(job: Job) -> list[Step]:
    """Calls, looks at the result, and completes in a reply of its own."""
    if not job.reuses:
        return brisk(job)
    return reused(job)


def scholar(job: Job) -> list[Step]:
    """Reads the lists of APIs and the documents of those it needs before it writes."""
    if job.reuses:
        return careful(job)
    main = apis_in(job.source([job.family.program.name]))
    docs = "\n".join(doc(api) for api in main[:4])
    return [
        Step(thought=job.pick("First I look at what these apps can do.", "Let me see the APIs."), code=listings(job)),
        Step(thought=job.pick("Now the details of the ones I need.", "I read their documentation."), code=docs),
        Step(thought="Now I can write it as a function that takes what varies.", code=defined(job)),
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
        Step(thought="I have seen the fields; now the function.", code=defined(job)),
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
        Step(thought="An argument was wrong. I read the documentation.", code=doc(calls[-1])),
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


STYLES: Mapping[str, Callable[[Job], list[Step]]] = {
    "brisk": brisk,
    "careful": careful,
    "scholar": scholar,
    "student": student,
    "observer": observer,
    "layered": layered,
    "scout": scout,
    "mender": mender,
    "forgetful": forgetful,
    "hasty": hasty,
}


def _listable(api: str) -> bool:
    """True for an API that only reads and needs no argument but the token."""
    app, name = api.split(".")
    found = APPS[app].apis.get(name) if app in APPS else None
    if found is None or not name.startswith(READS):
        return False
    return found.login and all(p.name == "access_token" or not p.required for p in found.parameters)
