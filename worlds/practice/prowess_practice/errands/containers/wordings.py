"""How an errand on containers is asked for."""

from __future__ import annotations

from prowess_practice.errands.containers.shape import ContainerShape

DELIVERIES = {
    "note": 'write LINES into a new note titled "{title}", one to a line',
    "extend_note": 'append LINES to my note "{own_note}", all at once and one to a line',
    "text": 'text LINES to "{receiver}" in a single message, joined by ", "',
    "file": 'write LINES into a new file "{new_file}", one to a line',
    "task": "create a task in the todo app for each of LINES, titled with just that",
}
"""What is done with names or lines, by the word of the export."""


def wordings(shape: ContainerShape) -> tuple[str, ...]:
    """Some ways to ask for it."""
    texts = _ways(shape)
    if shape.deed and shape.deed.skip:
        texts = tuple(f"{text} {shape.deed.skip.says}" for text in texts)
    if shape.inside.remark:
        texts = tuple(f"{text} {shape.inside.remark}" for text in texts)
    return tuple(text[0].upper() + text[1:] for text in texts)


def _ways(shape: ContainerShape) -> tuple[str, ...]:
    if shape.best:
        return _of_first(shape)
    mine, one = _mine(shape), _one(shape)
    (many, where, short), (has, _, _) = _clauses(shape), _clauses(shape, single=True)
    called, that = shape.kind.called, shape.kind.relative
    if shape.ending == "count":
        return (
            f"How many of {mine} {many}?",
            f"Count {mine} {short}, and tell me the number.",
            f"What is the number of {mine} {where}?",
            f"I am curious about {mine} {that} {many}: how many are there? A number is enough.",
        )
    if shape.ending == "names":
        return (
            f"Which of {mine} {many}? Answer with a list of the {called}s.",
            f"List the {called}s of {mine} {short}.",
            f"I need the {called} of every {one} {where}, as a list.",
            f"Go through {mine}. Some of them {many}: give me a list of the {called}s of these.",
        )
    if shape.ending == "sum":
        return _sums(shape, mine, many, where, short)
    if shape.ending == "rows":
        return _rows(shape, mine, one, many, where, short)
    if shape.ending in ("export", "report"):
        deliver = _delivery(shape)
        return (
            f"Find {mine} {that} {many}. Then {deliver}.",
            f"I want to have in writing which of {mine} {many}: {deliver}.",
            f"Look for every {one} {where}, and {deliver}.",
            f"It is about {mine} {short}. Please {deliver}.",
        )
    assert shape.deed
    does, it = shape.deed.says, shape.kind.pronoun
    they = "each of them" if shape.ending == "act" else _scope(shape, "them")
    start = (
        f"Some of {mine} {many}. Please {_done(does, they)}, and change nothing else.",
        f"Find {mine} {short}, and {_done(does, they)}.",
    )
    if shape.deed.before:  # one thing is made or found for all of them
        return (
            *start,
            f"Look for every {one} {where}; then, for all of them together, {_done(does, they)}.",
            f"It is about {mine} {that} {many}: {_done(does, they)}.",
        )
    thing = it if shape.ending == "act" else _scope(shape, it)
    return (
        *start,
        f"For every {one} {where}, do this: {_done(does, thing)}.",
        f"Whenever one of {mine} {has}, {_done(does, thing)}.",
    )


def _of_first(shape: ContainerShape) -> tuple[str, ...]:
    """Ways to ask for the container that comes first."""
    mine, one, called = _mine(shape), _one(shape), shape.kind.called
    has, where, short = _clauses(shape, single=True)
    if shape.ending == "best":
        return (
            f"Which of {mine} {has}? Answer with the {called}.",
            f"Tell me the {called} of the one of {mine} {short}.",
            f"There is one {one} {where}. What is the {called}?",
            f"Compare {mine} with each other: I want the {called} of the one {where}.",
        )
    bares = shape.inside.many
    if shape.ending == "number":
        number = "that sum" if shape.summed else "how many these are"
        return (
            f"Which of {mine} {has}? I only want to know {number}.",
            f"Take the one of {mine} {short}, and tell me {number}.",
            f"Find the {one} {where}. Do not tell me which it is, just {number}.",
        )
    if shape.ending == "extreme":
        assert shape.measure
        top, inner = shape.measure.most, shape.inside.called
        those = f"all {'such ' if shape.condition else ''}{bares} {shape.inside.prep} {shape.kind.pronoun}"
        return (
            f"Which of {mine} {has}? Of {those}, give me the {inner} of the one that {top}.",
            f"Take the one of {mine} {short}. Which of {those} {top}? Answer with the {inner}.",
            f"Find the {one} {where}, and among {those} the one that {top}. What is the {inner}?",
        )
    assert shape.deed
    it = shape.kind.pronoun
    thing = it if shape.ending == "act" else _scope(shape, it)
    does = _done(shape.deed.says, thing)
    return (
        f"Find out which of {mine} {has}, and {does}.",
        f"Take the one of {mine} {short}, and {does}.",
        f"There is one {one} {where}. Please {does}, and change nothing else.",
        f"Compare {mine}: for the one {where}, do this and no more: {does}.",
    )


def _sums(shape: ContainerShape, mine: str, many: str, where: str, short: str) -> tuple[str, ...]:
    assert shape.measure
    adds, bares, prep, that = shape.measure.sum, shape.inside.many, shape.inside.prep, shape.kind.relative
    twice = (
        f" (a {shape.inside.one} that is in two of them counts twice)" if shape.inside.key and shape.inside.same else ""
    )
    return (
        f"Take {mine} {that} {many}. What do the {adds} of all {bares} {prep} them add up to{twice}?",
        f"Add up the {adds} of all {bares} {prep} {mine} {short}{twice}, and tell me the sum.",
        f"I need one number: look for {mine} {where}, and add up the {adds} of all {bares} {prep} them{twice}.",
    )


def _rows(shape: ContainerShape, mine: str, one: str, many: str, where: str, short: str) -> tuple[str, ...]:
    called, that, bares = shape.inside.called, shape.kind.relative, shape.inside.many
    those = f"these {bares}" if shape.condition else f"all {bares} {shape.inside.prep} them"
    once = ", each only once" if shape.inside.key else ""
    return (
        f"Take {mine} {that} {many}, and list the {called}s of {those}{once}.",
        f"Find {mine} {short}. What are the {called}s of {those}? Answer with a list{once}.",
        f"Look for every {one} {where}, and collect the {called}s of {those} in a list{once}.",
    )


def _delivery(shape: ContainerShape) -> str:
    assert shape.export
    called, bares = shape.kind.called, shape.inside.many
    if shape.ending == "export":
        lines = f"their {called}s" if shape.export.word == "task" else f"their {called}s in alphabetical order"
    else:
        number, form = f"the number of such {bares}", "number"
        if shape.condition is None:
            number = f"the number of {bares}"
        if shape.summed:
            number, form = f"that sum{' with two decimals' if shape.money else ''}", "sum"
        lines = f'for each the {called} and {number}, in the form "{called}: {form}" and in alphabetical order,'
    return DELIVERIES[shape.export.word].replace("LINES", lines)


def _scope(shape: ContainerShape, them: str) -> str:
    bares, prep = shape.inside.many, shape.inside.prep
    if shape.scope == "all" or shape.condition is None:
        return f"each of the {bares} {prep} {them}"
    return f"each of these {bares}" if shape.scope == "fitting" else f"each of the other {bares} {prep} {them}"


def _done(says: str, what: str) -> str:
    return says.replace("OBJ", what)


def _mine(shape: ContainerShape) -> str:
    adjective, post = (shape.filter.adjective, shape.filter.post) if shape.filter else ("", "")
    return f"{shape.kind.whose} {adjective}{shape.kind.many}{post}"


def _one(shape: ContainerShape) -> str:
    adjective, post = (shape.filter.adjective, shape.filter.post) if shape.filter else ("", "")
    return f"{adjective}{shape.kind.one}{shape.kind.of}{post}"


def _summed(shape: ContainerShape) -> str:
    return shape.measure.sum if shape.measure else ""


def _clauses(shape: ContainerShape, *, single: bool = False) -> tuple[str, str, str]:
    """What is said of the containers: after a pronoun, after `my playlists`, and another way."""
    first, second, third = (_filled(shape, text) for text in shape.by.says)
    return first.replace("HAVE", "has" if single else "have"), second, third


def _filled(shape: ContainerShape, text: str) -> str:
    inside = shape.inside
    phrase = shape.condition.says if shape.condition else ""
    one, many = inside.owned if inside.owned[0] and "WHERE" not in text else (inside.one, inside.many)
    parts = {
        "WHERE": f"{inside.prep} {shape.kind.which}",
        "INNERS": f"{many} {phrase}".rstrip(),
        "INNER": f"{one} {phrase}".rstrip(),
        "BARES": inside.many,
        "BARE": inside.one,
        "SUMS": _summed(shape),
        "PREP": inside.prep,
        "PHRASE": phrase,
        "DATED": inside.happened,
    }
    for word, stands in parts.items():
        text = text.replace(word, stands)
    return text
