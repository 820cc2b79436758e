"""Mistakes that a student makes, one at a time: each shows before anything is done, and teaches something.

A name that is not in the list, an argument or a field that is called otherwise, another app's token, a name where an id
is asked for, an argument too many or too few, a list taken for something with names, a time taken for a day. And what
small models do: pages of what has none, a name for an address, the wrong value looked for, a row taken for its text, a
text for a date, a token that nobody asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prowess_desk.engine.desk import APPS
from prowess_desk.expert.job import Job

SLIPS = 0.5
"""How often a student slips in what it writes. Shown 0.3, a model solved no task in which it made a mistake."""
MISREADS = 0.25
"""How many of the slips are names that are not in the list."""

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
    kinds = (
        *(_other_apis, _other_tokens, _names_for_ids, _other_arguments, _other_fields),
        *(_other_apps, _more_arguments, _fewer_arguments, _named_parts, _times_for_days),
        *(_pages_of_none, _names_for_addresses, _other_values, _rows_for_texts, _texts_for_dates),
        _tokens_not_there,
    )
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


def _other_apps(body: str, end: int) -> Iterator[Slip]:
    for call in re.finditer(r"apis\.(\w+)\.(\w+)", body[:end]):
        app, api = call.groups()
        for other in APPS:
            if other not in (app, "supervisor") and f"apis.{other}." in body and api not in APPS[other].apis:
                yield *call.span(1), other, f"{api} is an API of {app}, not of {other}."


MORE = {"query": '""', "sort_by": '"name"', "status": '"open"', "limit": "20", "from_date": '"2025-01-01"'}
"""Arguments that somebody who has not read might hope for."""


def _more_arguments(body: str, end: int) -> Iterator[Slip]:
    for app, api, begin, close in _calls(body, end):
        taken = {one.name for one in APPS[app].apis[api].parameters}
        comma = "" if body[begin:close] == "(" else ", "
        for name, value in MORE.items():
            if name not in taken:
                yield close, close, f"{comma}{name}={value}", f"{api} takes no {name}."


def _fewer_arguments(body: str, end: int) -> Iterator[Slip]:
    for app, api, begin, close in _calls(body, end):
        needed = {one.name for one in APPS[app].apis[api].parameters if one.required}
        for given in re.finditer(r", (\w+)=\w+(?=[,)])", body[begin : close + 1]):
            if given[1] in needed:
                yield begin + given.start(), begin + given.end(), "", f"{api} does not go without {given[1]}."


def _named_parts(body: str, end: int) -> Iterator[Slip]:
    for app, api, begin, close in _calls(body, end):
        paged = body[:begin].endswith(f"all_pages(apis.{app}.{api}")
        name = api.rpartition("_")[2]
        if (paged or isinstance(APPS[app].apis[api].returns, list)) and body[close + 1 : close + 2] != "[":
            yield close + 1, close + 1, f'["{name}"]', f'{api} answers with a list: there is no "{name}" in it.'


def _times_for_days(body: str, end: int) -> Iterator[Slip]:
    for day in re.finditer(r'fromisoformat\(\w+\["(\w+)"\](\[:10\])\)', body[:end]):
        yield *day.span(2), "", f"{day[1]} has a time, too: its first ten characters are the day."


def _pages_of_none(body: str, end: int) -> Iterator[Slip]:
    for call in re.finditer(r"apis\.(\w+)\.(\w+)\(", body[:end] if "all_pages(" in body else ""):
        app, api = call.groups()
        asked = APPS[app].apis[api]
        if isinstance(asked.returns, list) and all(one.name != "page_index" for one in asked.parameters):
            wrong = f"all_pages(apis.{app}.{api}{', ' * (body[call.end()] != ')')}"
            yield *call.span(), wrong, f"{api} has no pages: I ask it once."


def _names_for_addresses(body: str, end: int) -> Iterator[Slip]:
    """In the first call that does something, which refuses before it does."""
    close = _first_deed(body, end)
    for given in re.finditer(r'\b(\w*(?:email|phone_number))=\w+\["(email|phone_number)"\]', body[end:close]):
        what = "an e-mail address" if given[2] == "email" else "a phone number"
        yield end + given.start(2), end + given.end(2), "name", f"{given[1]} is {what}, not a name."


def _other_values(body: str, end: int) -> Iterator[Slip]:
    texts = re.findall(r"(\w+): str", body[: body.index("\n")])
    for wanted in re.finditer(r'next\([^\n]* if \w+\["(\w+)"\] == (\w+)\)', body[:end]):
        field, name = wanted.groups()
        for other in texts if name in texts else ():
            if other != name and f'["{field}"] == {other}' not in body:
                yield *wanted.span(2), other, f"No {field} is like the {other}: what I look for is the {name}."


def _rows_for_texts(body: str, end: int) -> Iterator[Slip]:
    for text in re.finditer(r'(\w+)(\["(\w+)"\])\.(?:startswith|endswith|split|splitlines|lower|strip)\(', body[:end]):
        yield *text.span(2), "", f"{text[1]} is not a text: its {text[3]} is one."


def _texts_for_dates(body: str, end: int) -> Iterator[Slip]:
    for day in re.finditer(r'(date|datetime)\.fromisoformat\((\w+(?:\["(\w+)"\])?(?:\[:10\])?)\)', body[:end]):
        yield *day.span(), day[2], f"{day[3] or day[2]} is a text: I make a {day[1]} of it first."


def _tokens_not_there(body: str, end: int) -> Iterator[Slip]:
    close = _first_deed(body, end)
    for line in re.finditer(r' {4}(\w*token) = login\(app="(\w+)"\)\n', body[:end]):
        if body.count(f"{line[1]} = ") == 1 and re.search(rf"\b{line[1]}\b", body[line.end() : close]):
            yield *line.span(), "", f"Nobody has logged in to {line[2]} yet: there is no {line[1]}."


def _calls(body: str, end: int) -> Iterator[tuple[str, str, int, int]]:
    """The calls of APIs, also page by page, in statements that are always reached: app, API, and from where to where
    their arguments stand."""
    for call in re.finditer(r"apis\.(\w+)\.(\w+)(?=[(,])", body[:end]):
        app, api = call.groups()
        line = body[body.rfind("\n", 0, call.start()) + 1 : call.start()]
        close = _closing(body, call.start() if line.endswith("all_pages(") else call.end() + 1)
        if api in APPS[app].apis and re.match(r" {4}\w", line) and not line.lstrip().startswith(("if ", "for ")):
            yield app, api, call.end(), close


def _first_deed(body: str, end: int) -> int:
    """Where the first call ends that does something."""
    return _closing(body, end + 1) if body[end : end + 1] == "(" else end


def _closing(body: str, at: int) -> int:
    """Where the bracket ends that `at` stands in."""
    depth = 1
    for place in range(at, len(body)):
        depth += (body[place] in "([{") - (body[place] in ")]}")
        if not depth:
            return place
    return len(body)


_READING = ("show", "list", "search", "login")


def _otherwise(name: str) -> str:
    return OTHERS.get(name) or (name.rpartition("_")[2] if "_" in name and name != "access_token" else "")


def misread(api: str) -> tuple[str, str]:
    """A name that is not in the list instead of one that is, and what is said when that has failed."""
    app, name = api.split(".")
    other = _misnamed(name)
    if other in APPS[app].apis:
        return api, ""
    return f"{app}.{other}", f"There is no {other} in the list: it is called {name}."


def _misnamed(api: str) -> str:
    verb, _, rest = api.partition("_")
    return f"{'get' if verb in _READING else 'do'}_{rest}"
