"""The expert's style for models that must learn to read: nothing is in the code that was not read before.

A student lists the APIs, says which of them do what is asked, in the words of the list and in the order in which they
are called, and reads about these. What they take and nobody has said, an id mostly, leads it to the APIs that give it.
It says what it takes from all this, and writes. At times it slips, is told, and mends that. What fails need not be
imitated (`collect.failures`); what mends it is worth it.

An `observer` is a student who looks at what it will read before it writes: what texts look like shows there alone.

It does not say first, in words of its own, what is to be done: a model that learnt to do so followed those words
instead of the task's, and wrote other programs for families that were new to it (docs/results/qwen, third study).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from opensage.skills.extract import apis_in
from opensage.worlds.desk.desk import APPS
from opensage.worlds.desk.families.toolbox import TOOLBOX
from opensage.worlds.desk.job import Job, Step, defined, doc, finish, functions_of, listings, reused
from opensage.worlds.desk.looks import looks
from opensage.worlds.desk.needs import Lookup, called, lookups, own_expressions

SLIPS = 0.3
"""How often a student slips."""
MISREADS = 0.25
"""How many of the slips are names that are not in the list."""
DOCUMENTS = 4
"""How many it reads at once."""


def student(job: Job) -> list[Step]:
    """Reads about every API that it will call and says what it takes from there; slips at times, and mends that."""
    return reused(job) if job.reuses else [*_read(job), *_written(job), finish(job)]


def observer(job: Job) -> list[Step]:
    """A student who tries out what it will read, on the task's own data, before it writes the function."""
    helpers = [each for each in functions_of(job.family) if each in TOOLBOX and each not in job.offered]
    seen = looks(job.source([job.family.program.name]), job.call)
    if job.reuses or "login" not in helpers or not seen:
        return student(job)
    look = Step(thought=job.pick(*LOOKING), code="\n".join((f"{job.source(helpers)}\n\n", *seen)))
    return [*_read(job), look, *_written(replace(job, offered=job.offered.union(helpers))), finish(job)]


LOOKING = ("I look at the data before I write.", "Let me see what the data looks like.")


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
            other, mended = _misread(reading[0])
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
        return [Step(thought=planned(source), code=defined(job))]
    wrong, lesson = job.rng.choice(job.rng.choice(kinds))
    return [
        Step(thought=planned(source), code=f"{wrong}\n\n\n{job.using()}", slips=True),
        Step(thought=f"{lesson} I define `{job.family.program.name}` again, corrected.", code=defined(job)),
    ]


def _asked_for(one: Lookup) -> str:
    return f"{one.taker.partition('.')[2]} takes {one.argument}, which {described(one.giver)} gives"


def described(api: str) -> str:
    app, name = api.split(".")
    return f"{name} ({APPS[app].apis[name].about.rstrip('.')})"


# ------------------------------------------------------------------------------------------------------------- slips

OTHERS = {
    "album_title": "album",
    "amount": "total",
    "artist_name": "artist",
    "content": "text",
    "created_at": "date",
    "directory_path": "path",
    "direction": "kind",
    "done": "completed",
    "due_date": "due",
    "email": "address",
    "file_path": "path",
    "from_date": "since",
    "name": "title",
    "phone_number": "number",
    "query": "search",
    "relationship": "relation",
    "sent_at": "date",
    "title": "name",
    "to_date": "until",
    "updated_at": "edited_at",
    "user_email": "email",
}
"""What somebody who has not read might call a field or an argument; for any other name of several words, its end."""


def slips_in(job: Job, source: str) -> list[list[tuple[str, str]]]:
    """The functions with one mistake that shows before anything is done, and what it teaches; by kind of mistake."""
    start = source.index(f"def {job.family.program.name}(")
    head, body = source[:start], source[start:]
    acts = (call.end() for call in re.finditer(r"apis\.\w+\.(\w+)", body) if not call[1].startswith(_READING))
    end = next(acts, len(body))
    kinds = (_other_apis, _other_tokens, _names_for_ids, _other_arguments, _other_fields)
    found = [
        [(f"{head}{body[:at]}{wrong}{body[to:]}", lesson) for at, to, wrong, lesson in kind(body, end)]
        for kind in kinds
    ]
    return [each for each in found if each]


Slip = tuple[int, int, str, str]
"""From where to where in the function, what stands there instead, and what is learnt when that fails."""


def _other_apis(body: str, end: int) -> Iterator[Slip]:
    for call in re.finditer(r"apis\.(\w+)\.(\w+)", body[:end]):
        app, api = call.groups()
        if (other := _misnamed(api)) not in APPS[app].apis:
            yield *call.span(2), other, f"There is no {other} in {app}: what I read about is {api}."


def _other_tokens(body: str, end: int) -> Iterator[Slip]:
    given = [call for call in re.finditer(r"apis\.(\w+)\.\w+[(,]\s*access_token=(\w+)", body) if call.start() < end]
    for call in given:
        if call[2] != given[0][2]:
            yield *call.span(2), given[0][2], f"That was the token of another app: {call[1]} has one of its own."


def _names_for_ids(body: str, end: int) -> Iterator[Slip]:
    for given in re.finditer(r"\b(\w+)_id=(\1_id)\b", body[:end]):
        what = given[1]
        if f"{what}: str" in body[: body.index("\n")]:
            yield *given.span(2), what, f"It takes the id of the {what}, not what it is called: I look that up first."


def _other_arguments(body: str, end: int) -> Iterator[Slip]:
    for given in re.finditer(r"(?<=[(,] )(\w+)=(?!=)", body[:end]):
        to_api = re.search(r"(?:apis\.\w+\.\w+\(|all_pages\(apis\.\w+\.\w+, )[^()]*$", body[: given.start()])
        if to_api and (other := _otherwise(given[1])):
            yield *given.span(1), other, f"The argument is called {given[1]}, not {other}."


def _other_fields(body: str, end: int) -> Iterator[Slip]:
    for key in re.finditer(r'\["(\w+)"\]', body[:end]):
        if other := _otherwise(key[1]):
            yield *key.span(1), other, f"There is no {other} in the answer: the field is {key[1]}."


_READING = ("show", "list", "search", "login")


def _otherwise(name: str) -> str:
    return OTHERS.get(name) or (name.rpartition("_")[2] if "_" in name and name != "access_token" else "")


def _misread(api: str) -> tuple[str, str]:
    """A name that is not in the list instead of one that is, and what is said when that has failed."""
    app, name = api.split(".")
    other = _misnamed(name)
    if other in APPS[app].apis:
        return api, ""
    return f"{app}.{other}", f"There is no {other} in the list: it is called {name}."


def _misnamed(api: str) -> str:
    verb, _, rest = api.partition("_")
    return f"{'get' if verb in _READING else 'do'}_{rest}"


# -------------------------------------------------------------------------------------------------------------- plan


def planned(source: str) -> str:
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
