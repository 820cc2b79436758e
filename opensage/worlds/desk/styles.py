"""The expert's styles: how much it reads, tries out and splits before a task is done."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from opensage.skills.extract import apis_in
from opensage.source import tree_of
from opensage.worlds.desk.desk import APPS
from opensage.worlds.desk.job import Job, Step, defined, finish, functions_of


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
        Step(thought="Now I can write it as a function that takes what varies.", code=defined(job)),
        finish(job),
    ]


def student(job: Job) -> list[Step]:
    """Reads about every API that it will call and says what it takes from there; slips at times, and mends that.

    What a small model has to be shown to write for apps it was never trained on: nothing in the code that was not read.
    """
    if job.reuses:
        return careful(job)
    source, name = job.source(), job.family.program.name
    apis = [api for api in apis_in(source) if not api.startswith("supervisor.")]
    listing = "\n".join(f'print(apis.api_docs.show_api_descriptions(app_name="{app}"))' for app in job.family.apps)
    steps = [Step(thought=job.pick("First I look at what these apps can do.", "Let me see the APIs."), code=listing)]
    slips = job.rng.random() < SLIPS
    for at in range(0, len(apis), 4):
        thought = job.pick("I read about the ones I need.", "Now their documentation.") if not at else "And the others."
        reading, mended = apis[at : at + 4], ""
        if slips and not at and job.rng.random() < 0.4:
            other, mended = _misread(reading[0])
        if mended:
            steps.append(Step(thought=thought, code="\n".join(map(_doc, [other, *reading[1:]])), slips=True))
            slips = False
        steps.append(Step(thought=mended or thought, code="\n".join(map(_doc, reading))))
    wrong, lesson = _slip(job, source) if slips else ("", "")
    if wrong:
        steps += [
            Step(thought=_plan(source), code=f"{wrong}\n\n\n{job.using()}", slips=True),
            Step(thought=f"{lesson} I define `{name}` again, corrected.", code=defined(job)),
        ]
    else:
        steps.append(Step(thought=_plan(source), code=defined(job)))
    return [*steps, finish(job)]


SLIPS = 0.3
"""How often a student slips."""


def _slip(job: Job, source: str) -> tuple[str, str]:
    """The functions with a mistake in the first call of the main one, before anything is done; and what it teaches."""
    start = source.index(f"def {job.family.program.name}(")
    head, body = source[:start], source[start:]
    call = re.search(r"apis\.(\w+)\.(\w+)", body)
    if call is None:
        return "", ""
    app, api = call.groups()
    other = _misnamed(api)
    if "access_token=" in body[call.start() :] and job.rng.random() < 0.5:
        at = body.index("access_token=", call.start())
        return head + body[:at] + body[at:].replace(
            "access_token=", "token=", 1
        ), "The argument is called access_token."
    if other in APPS[app].apis:
        return "", ""
    slipped = body[: call.start(2)] + other + body[call.end(2) :]
    return head + slipped, f"There is no {other} in {app}: what I read about is {api}."


def _misread(api: str) -> tuple[str, str]:
    """A name that is not in the list instead of one that is, and what is said when that has failed."""
    app, name = api.split(".")
    other = _misnamed(name)
    if other in APPS[app].apis:
        return api, ""
    return f"{app}.{other}", f"There is no {other} in the list: it is called {name}."


def _misnamed(api: str) -> str:
    verb, _, rest = api.partition("_")
    return f"{'get' if verb in ('show', 'list', 'search') else 'do'}_{rest}"


def _plan(source: str) -> str:
    """A sentence on what the code takes from what was read: the calls with their arguments, the fields of answers."""
    calls: dict[str, dict[str, None]] = {}
    fields: dict[str, None] = {}
    for node in _nodes(source):
        if isinstance(node, ast.Call):
            named = [*apis_in(ast.unparse(node.func)), *(api for one in node.args for api in apis_in(ast.unparse(one)))]
            for api in named[:1]:
                taken = calls.setdefault(api, {})
                taken |= {word.arg: None for word in node.keywords if word.arg not in _USUAL and word.arg}
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            fields |= {node.slice.value: None} if isinstance(node.slice.value, str) else {}
    uses = ", ".join(f"{api}({', '.join(taken)})" for api, taken in calls.items())
    needs = f" Of what they answer I need {', '.join(fields)}." if fields else ""
    return f"I use {uses}.{needs}"


_USUAL = ("access_token", "page_index", "page_limit", "username", "password")


def _nodes(source: str) -> list[ast.AST]:
    """Everything in the functions but those that all programs share."""
    tree = tree_of(source)
    own = [
        node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name in ("login", "all_pages"))
    ]
    return [node for one in own for node in ast.walk(one)]


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


STYLES: Mapping[str, Callable[[Job], list[Step]]] = {
    "brisk": brisk,
    "careful": careful,
    "scholar": scholar,
    "student": student,
    "layered": layered,
    "scout": scout,
    "mender": mender,
    "forgetful": forgetful,
    "hasty": hasty,
}
GOOD = ("brisk", "careful", "scholar", "layered", "scout", "mender")
"""What is worth imitating and short enough for any model; `student` reads much, the others are to be unlearnt."""


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
