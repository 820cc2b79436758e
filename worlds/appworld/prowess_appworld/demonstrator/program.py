"""A program for a scenario: functions for its stages, and the lines that put them together for each task.

    artists = search_artists(genre=genre, min_follower_count=min_followers)       a stage that reads
    follow_artists(artist_ids=[artist["artist_id"] for artist in artists])        a stage that acts

Where every value is explained alike in all tasks, the lines can stand in one function that solves every task of the
scenario by its values alone. Otherwise the lines stay with the task, and only the stages' functions are shared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from prowess.types import Json
from prowess_appworld.demonstrator.answers import answer_of
from prowess_appworld.demonstrator.atoms import values_of
from prowess_appworld.demonstrator.expressions import Expression, unified
from prowess_appworld.demonstrator.known import Known
from prowess_appworld.demonstrator.origins import rows, scalar, several
from prowess_appworld.demonstrator.sources import Reader
from prowess_appworld.demonstrator.stages import Scenario, Stage, same
from prowess_appworld.demonstrator.wording import kind, literal, noun, plural, singular, title

LOGIN = '''def login(app: str) -> str:
    """Log in to an app with the supervisor's own account and return the access token."""
    profile = apis.supervisor.show_profile()
    passwords = {entry["account_name"]: entry["password"] for entry in apis.supervisor.show_account_passwords()}
    username = profile["phone_number"] if app == "phone" else profile["email"]
    return getattr(apis, app).login(username=username, password=passwords[app])["access_token"]'''
ALL_PAGES = '''def all_pages(api: Callable[..., list], **arguments: Any) -> list:
    """Read every page of a listing and return all of its entries in one list."""
    entries, page_index = [], 0
    while page := api(page_index=page_index, page_limit=20, **arguments):
        entries.extend(page)
        page_index += 1
    return entries'''
IMPORTS = {
    "re": "import re",
    "Callable": "from collections.abc import Callable",
    "Any": "from typing import Any",
    "Counter": "from collections import Counter",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One stage of the program."""

    stage: Stage
    variable: str
    function: str
    """The name of its function."""
    parameters: Mapping[str, str]
    """What stands for each argument that the function takes: one name may stand for two."""
    expressions: Mapping[str, Expression]
    """Where each parameter's value comes from."""
    listed: str = ""
    """The parameter that holds a list, one call for each of its entries."""
    varied: tuple[str, ...] = ()
    """The arguments that differ from call to call: what an entry of the list stands for."""

    def arguments(self, task: int) -> dict[str, str]:
        return {name: expression.texts[task] for name, expression in self.expressions.items()}

    @property
    def row(self) -> bool:
        """True when the entries of the list hold several arguments."""
        return len(self.varied) > 1

    @property
    def here(self) -> tuple[bool, ...]:
        return tuple(bool(run) for run in self.stage.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A scenario's solution."""

    scenario: Scenario
    values: tuple[Mapping[str, Json], ...]
    parts: tuple[Part, ...]
    answer: Expression | None
    reader: Reader

    @property
    def whole(self) -> bool:
        """True when one function solves all tasks."""
        return all(all(part.here) for part in self.parts) and all(
            self.for_all(each) is not None or each.given for each in self.expressions
        )

    @property
    def expressions(self) -> list[Expression]:
        found = [each for part in self.parts for each in part.expressions.values()]
        return found if self.answer is None else [*found, self.answer]

    def for_all(self, expression: Expression) -> Expression | None:
        """An expression that serves every task, if there is one."""
        return unified(expression, self.values)

    @property
    def literals(self) -> int:
        """Values that no expression explains and the instruction does not say."""
        return sum(each.read for each in self.expressions)


def program_of(scenario: Scenario) -> Program:
    """Work the program of a scenario out."""
    scenario = _ordered(scenario)
    names = _variables(scenario.stages, {name for sibling in scenario.siblings for name in sibling.values})
    reader = Reader(scenario, names)
    values = tuple(values_of(sibling.now, sibling.values) for sibling in scenario.siblings)
    known = Known(reader=reader, values=values)
    parts: list[Part] = []
    for number in range(len(scenario.stages)):
        parts.append(_part(known, number, names[number], [part.function for part in parts]))
    answer = None
    if any(sibling.asks for sibling in scenario.siblings):
        answer = answer_of(known)
    return Program(scenario=scenario, values=values, parts=tuple(parts), answer=answer, reader=reader)


def _part(known: Known, number: int, variable: str, taken: Sequence[str]) -> Part:
    stage = known.reader.scenario.stages[number]
    present = [bool(run) for run in stage.runs]
    parameters: dict[str, str] = {}
    expressions: dict[str, Expression] = {}
    all_of = _all_of(known, stage)
    for argument in stage.scalars:
        if argument == all_of:
            continue
        wanted = [values[0] if values else None for values in stage.by(argument)]
        expression = scalar(known, wanted, argument, number, present)
        twin = next((p for a, p in parameters.items() if expressions[p].texts == expression.texts), "")
        name = twin or (next(iter(expression.names)) if _is_name(expression) else argument)
        parameters[argument] = name
        expressions[name] = expression
    each = [all_of] if all_of else _without_twins(stage)
    listed = ""
    if len(each) == 1:
        listed = plural(each[0])
        expressions[listed] = several(known, stage.by(each[0]), each[0], number, present, reads=stage.reads)
    elif each:
        listed = f"{plural(_thing(stage.api))}_to_{stage.api.split('_')[0]}"
        expressions[listed] = rows(known, stage, each, number)
    elif stage.many:
        listed = "times"
        expressions[listed] = Expression(texts=tuple(str(len(run)) for run in stage.runs), literal=True)
    return Part(
        stage=stage,
        variable=variable,
        function=_new(_function(stage, many=bool(listed)), taken, "_".join(stage.arguments) or stage.app),
        parameters=parameters,
        expressions=expressions,
        listed=listed,
        varied=tuple(each),
    )


def _all_of(known: Known, stage: Stage) -> str:
    """The argument of an act on all of something, of which every task happens to hold just one."""
    ids = [name for name in stage.scalars if name.endswith("_id")]
    everything = all(re.search(r"\b(all|every|each)\b", s.instruction) for s in known.reader.scenario.siblings)
    return ids[0] if len(ids) == 1 and everything and not stage.reads and not stage.each else ""


def _is_name(expression: Expression) -> bool:
    return len(expression.names) == 1 and set(expression.texts) == expression.names


def _without_twins(stage: Stage) -> list[str]:
    """Arguments that differ from call to call, one for those that are always equal."""
    kept: list[str] = []
    for name in stage.each:
        if not any(all(same(a, b) for a, b in zip(stage.all(name), stage.all(k), strict=True)) for k in kept):
            kept.append(name)
    return kept


# ------------------------------------------------------------------------------------------------------------- as text


def called(part: Part, task: int, arguments: Mapping[str, str] | None = None) -> str:
    """The line that calls a stage's function."""
    given = part.arguments(task) if arguments is None else arguments
    call = f"{part.function}({', '.join(f'{name}={text}' for name, text in given.items())})"
    return f"{part.variable} = {call}"


def source_of(part: Part, description: str) -> str:
    """A stage's function."""
    stage = part.stage
    typed = [f"{name}: {_type(part, name)}" for name in part.expressions]
    lines = [
        f"def {part.function}({', '.join(typed)}) -> {_returns(part)}:",
        f'    """{_docstring(part, description)}"""',
    ]
    if stage.signed:
        lines.append(f'    token = login("{stage.app}")')
    lines += [f"    {line}" for line in body_of(part, "found", "token", {name: name for name in part.expressions})]
    lines.append("    return found" if stage.reads or not part.listed else f"    return {_counted(part)}")
    return "\n".join(lines)


def body_of(part: Part, target: str, token: str, given: Mapping[str, str]) -> list[str]:
    """The lines that make a stage's calls; `given` says what stands for each parameter."""
    stage = part.stage
    fixed = {name: literal(value) for name, value in stage.constants.items()}
    fixed |= {argument: given[name] for argument, name in part.parameters.items()}
    one = singular(_thing(stage.api)) if part.row else ""
    loop_over = given.get(part.listed, "")
    if len(part.varied) == 1:
        one = part.varied[0]
        fixed |= dict.fromkeys(stage.each or part.varied, one)
    before = []
    optional = {name: fixed.pop(name) for name in stage.optional if name in fixed}
    if optional:
        given_only = ", ".join(f'"{name}": {text}' for name, text in optional.items())
        before.append(f"options = {{key: value for key, value in {{{given_only}}}.items() if value is not None}}")
    words = ", ".join(
        [
            *([f"access_token={token}"] if stage.signed else []),
            *(f"{n}={fixed[n]}" for n in stage.arguments if n in fixed),
        ]
    )
    if optional:
        words = ", ".join(filter(None, [words, "**options"]))
    if part.row:
        words = ", ".join(filter(None, [words, f"**{one}"]))
    call = f"apis.{stage.app}.{stage.api}({words})"
    if stage.paged:
        call = f"all_pages({', '.join(filter(None, [f'apis.{stage.app}.{stage.api}', words]))})"
    return [*before, *_body(part, target, call, loop_over, one)]


def _body(part: Part, target: str, call: str, loop_over: str, one: str) -> list[str]:
    """The lines around a stage's call."""
    stage = part.stage
    if not part.listed:
        return [f"{target} = {call}"]
    if part.listed == "times":
        return [f"for _ in range({loop_over}):", f"    {call}"]
    if stage.reads and not stage.lists:
        return [f"{target} = [{call} for {one} in {loop_over}]"]
    if stage.reads:
        return [f"{target} = []", f"for {one} in {loop_over}:", f"    {target} += {call}"]
    if stage.balks:
        return [
            f"for {one} in {loop_over}:",
            "    try:",
            f"        {call}",
            "    except Exception as refusal:",
            f'        print({one}, "was refused:", refusal)',
        ]
    return [f"for {one} in {loop_over}:", f"    {call}"]


def _counted(part: Part) -> str:
    return part.listed if part.listed == "times" else f"len({part.listed})"


def _returns(part: Part) -> str:
    stage = part.stage
    if not stage.reads and part.listed:
        return "int"
    answers = [answer for task in range(len(stage.runs)) for answer in stage.answers(task)]
    one = kind(answers[0]) if answers else "dict"
    return f"list[{one}]" if stage.lists or part.listed else one


def _type(part: Part, name: str) -> str:
    if name == part.listed:
        if part.row:
            return "list[dict]"
        if name == "times":
            return "int"
        values = part.stage.all(part.varied[0])
        return f"list[{kind(values[0])}]"
    argument = next(argument for argument, known in part.parameters.items() if known == name)
    values = [value for value in part.stage.all(argument) if value is not None]
    return f"{kind(values[0])} | None" if argument in part.stage.optional else kind(values[0])


def _docstring(part: Part, description: str) -> str:
    what = re.sub(r"\s+", " ", description).strip().rstrip(".").replace('"', "'") or part.stage.api
    where = title(part.stage.app)
    rest = " Reads all pages." if part.stage.paged else ""
    if part.listed == "times":
        return f"{where}: {_lower(what)}, so many times. Returns how often."
    if part.listed and not part.stage.reads:
        return f"{where}: {_lower(what)}, for each of {part.listed}. Returns how many there were."
    if part.listed:
        return f"{where}: {_lower(what)}, for each of {part.listed}.{rest}"
    return f"{where}: {_lower(what)}.{rest}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


# --------------------------------------------------------------------------------------------------------------- names


def _thing(api: str) -> str:
    """What an API acts on: `create_payment_request` on a payment_request."""
    return noun(api).partition("_")[2] or noun(api) if noun(api) == api else noun(api)


def _variables(stages: Sequence[Stage], values: Collection[str]) -> list[str]:
    names: list[str] = []
    for stage in stages:
        name = noun(stage.api)
        if stage.reads and (stage.many or stage.lists) and not name.endswith("_library"):
            name = plural(name)
        if not stage.reads:
            name = f"{stage.api.split('_')[0]}_result"
        names.append(_new(name, [*names, *values], stage.app))
    return names


def _function(stage: Stage, *, many: bool) -> str:
    verb, _, rest = stage.api.partition("_")
    if stage.reads and verb == "search":
        return f"find_{rest}" if not many else f"find_{rest}_of_each"
    if stage.reads:
        return f"show_{plural(rest)}" if many else f"all_{rest}" if stage.paged else f"read_{rest}"
    first, _, more = rest.partition("_")
    if not many or not rest:
        return f"{stage.api}_as_me"
    return f"{verb}_{plural(first)}_{more}" if more.startswith(("from_", "to_")) else f"{verb}_{plural(rest)}"


def _new(name: str, taken: Sequence[str], mark: str) -> str:
    if name not in taken:
        return name
    return _new(f"{name}_{mark}", taken, "again")


def _ordered(scenario: Scenario) -> Scenario:
    """Reading before acting, and each reading after those that its values come from."""
    reads = [stage for stage in scenario.stages if stage.reads]
    placed: list[Stage] = []
    known: list[set[str]] = [{repr(v) for v in sibling.values.values()} for sibling in scenario.siblings]
    while reads:
        ready = next((stage for stage in reads if _ready(stage, known)), reads[0])
        reads.remove(ready)
        placed.append(ready)
        for task, seen in enumerate(known):
            seen |= {repr(value) for answer in ready.answers(task) for value in _plain(answer)}
    acts = [stage for stage in scenario.stages if not stage.reads]
    return replace(scenario, stages=(*placed, *acts))


def _ready(stage: Stage, known: Sequence[set[str]]) -> bool:
    names = [*stage.each, *(name for name in stage.scalars if name.endswith("_id"))]
    return all(
        {repr(value) for value in values} <= known[task] for name in names for task, values in enumerate(stage.by(name))
    )


def _plain(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return [one for inside in value.values() for one in _plain(inside)]
    if isinstance(value, list):
        return [one for inside in value for one in _plain(inside)]
    return [value]
