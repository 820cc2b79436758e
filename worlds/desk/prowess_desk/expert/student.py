"""The expert's style for models that must learn to read: nothing is in the code that was not read before.

A student lists the APIs, says which of them do what is asked, in the words of the list and in the order in which they
are called, and reads about these. What they take and nobody has said, an id mostly, leads it to the APIs that give it.
It says what the task gives and what it takes from all this, and writes: a model leaves values out of its function that
it has not said before. At times it slips, is told, and mends that. What fails
need not be imitated (`collect.failures`); what mends it is worth it.

An `observer` is a student who looks at what it will read before it writes: what texts look like shows there alone.

It does not say first, in words of its own, what is to be done: a model that learns to do so follows those words
instead of the task's, and writes other programs for families that are new to it.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache, partial

from prowess.skills.reach import apis_in
from prowess.worlds.expert import Step
from prowess_desk.engine.desk import APPS
from prowess_desk.expert.job import Job, defined, doc, finish, functions_of, listings, reused
from prowess_desk.expert.looks import given_in, looks
from prowess_desk.expert.needs import Lookup, called, lookups, own_expressions
from prowess_desk.expert.slips import MISREADS, SLIPS, misread, slips_in
from prowess_desk.families.toolbox import TOOLBOX

DOCUMENTS = 4
"""How many it reads at once."""


def student(job: Job) -> list[Step]:
    """Reads about every API that it will call and says what it takes from there; slips at times, and mends that."""
    return reused(job) if job.reuses else [*_read(job), *_written(job), finish(job)]


def observer(job: Job) -> list[Step]:
    """A student who tries out what it will read, on the task's own data, before it writes the function."""
    if job.reuses:
        return student(job)
    look, wiser = looking(job)
    return [*_read(job), *look, *_written(wiser), finish(job)]


def looking(job: Job) -> tuple[list[Step], Job]:
    """A look at what will be read, where there is something to see, and the job with helpers for it."""
    helpers = [each for each in functions_of(job.family) if each in TOOLBOX and each not in job.offered]
    seen = looks(job.source([job.family.program.name]), job.call)
    if not seen or "login" not in functions_of(job.family):
        return [], job
    thought = job.pick("I look at the data before I write.", "Let me see what the data looks like.")
    look = Step(thought=thought, code="\n".join((*([f"{job.source(helpers)}\n\n"] * bool(helpers)), *seen)))
    return [look], replace(job, offered=job.offered.union(helpers))


def _read(job: Job) -> list[Step]:
    """What does the task, then what gives it its ids."""
    source = job.source()
    apis = called(source)
    late = {one.giver: one for one in reversed(lookups(source))}
    first = [api for api in apis if api not in late] or apis
    steps = [
        Step(thought=job.pick("First I look at what these apps can do.", "Let me see the APIs."), code=listings(job))
    ]
    for at in range(0, len(first), DOCUMENTS):
        reading, mended = first[at : at + DOCUMENTS], ""
        thought = f"{'And' if at else 'For that I need'} {', '.join(map(described, reading))}."
        if not at and job.rng.random() < SLIPS * MISREADS:
            other, mended = misread(reading[0])
        if mended:
            steps.append(Step(thought=thought, code="\n".join(map(doc, [other, *reading[1:]])), slips=True))
        steps.append(Step(thought=mended or thought, code="\n".join(map(doc, reading))))
    if given := [late[api] for api in apis if api not in first]:
        thought = "; ".join(map(_asked_for, given))
        steps.append(Step(thought=f"{thought}.", code="\n".join(doc(one.giver) for one in given)))
    return steps


def _written(job: Job) -> list[Step]:
    """The function, at times with a slip first."""
    source = job.source()
    kinds = slips_in(job, source) if job.rng.random() < SLIPS * (1 - MISREADS) else []
    if not kinds:
        return [Step(thought=planned(job), code=defined(job))]
    wrong, lesson = job.rng.choice(job.rng.choice(kinds))
    again = f"{lesson} {_changed(wrong, source)}I define `{job.family.program.name}` again, corrected."
    return [
        Step(thought=planned(job), code=f"{wrong}\n\n\n{job.using()}", slips=True),
        Step(thought=again, code=defined(job)),
    ]


def _changed(wrong: str, right: str) -> str:
    """Which lines become which: a model that says what is wrong, and no more, writes the same again."""
    old, new = ([line.strip() for line in text.splitlines()] for text in (wrong, right))
    changes = [
        (" ".join(old[a:b]), " ".join(new[c:d]))
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    return "".join(f"`{was}` becomes `{is_now}`. " if was else f"`{is_now}` is missing. " for was, is_now in changes)


def _asked_for(one: Lookup) -> str:
    return f"{one.taker.partition('.')[2]} takes {one.argument}, which {described(one.giver)} gives"


def described(api: str) -> str:
    app, name = api.split(".")
    return f"{name} ({APPS[app].apis[name].about.rstrip('.')})"


def planned(job: Job) -> str:
    """What the function is to be given, in the order of the task, and what it is made of."""
    given = ", ".join(f"{name} {value!r}" for name, value in sorted(given_in(job.call).items(), key=partial(_at, job)))
    return f"The task gives {given}. {_made_of(job.source())}" if given else _made_of(job.source())


def _at(job: Job, argument: tuple[str, object]) -> int:
    """Where a value stands in the task; one that is told in other words comes last."""
    _, value = argument
    first = value[0] if isinstance(value, list) and value else value
    place = job.instruction.find(str(first))
    return place if place >= 0 else len(job.instruction)


@lru_cache(maxsize=4096)
def _made_of(source: str) -> str:
    """A sentence on what the code takes from what was read: the calls with their arguments, the fields of answers."""
    calls: dict[str, dict[str, None]] = {}
    fields: dict[str, None] = {}
    for node in own_expressions(source):
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
