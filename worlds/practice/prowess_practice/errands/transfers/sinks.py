"""What can become of rows of any kind: counted, named, added up, written down, made tasks of, acted on."""

from __future__ import annotations

from typing import Any

from prowess_practice.drills.listing import Action
from prowess_practice.errands.transfers.parts import RowSink, Slot, Tied, calling, one_of

TITLE = one_of(
    "title", "Overview", "Collected", "To remember", "For later", "Gathered today", "Worth a look", "Findings"
)
NEW_FILE = one_of(
    "path", *(f"~/documents/{name}.txt" for name in ("found", "picked", "overview", "summary", "extract"))
)
DUE: Slot = one_of("due", *(f"2025-06-{day:02d}" for day in range(2, 30, 3)))

COUNT = RowSink(
    word="count",
    about="count ALL",
    do="count ALL and answer with the number",
    question="how many ALL are there",
)


def naming(field: str, called: str) -> RowSink:
    """The rows' names, as a list."""
    return RowSink(
        word=f"{called.replace(' ', '_')}s_of",
        about=f"return the {called}s of ALL",
        do=f"answer with a list of the {called}s of ALL",
        question=f"what are the {called}s of the ALL (as a list)",
        returns=f'[ROW["{field}"] for ROW in found]',
        gives="list",
    )


def telling_apart(field: str, called: str, **other: Any) -> RowSink:
    """What occurs in a field, each value once."""
    code = field if field.startswith("ROW") else f'ROW["{field}"]'
    return RowSink(
        word=f"different_{called.replace(' ', '_')}s_of",
        about=f"return the {called}s of ALL, each once",
        do=f"answer with a list of the {called}s of ALL, each of them once",
        question=f"which {called}s occur among the ALL (a list, each once)",
        returns=f"sorted({{{code} for ROW in found}})",
        gives="list",
        **other,
    )


def adding(field: str, what: str, unit: str = "", *, money: bool = False, **other: Any) -> RowSink:
    """The sum of a field."""
    total = f'sum(ROW["{field}"] for ROW in found)'
    return RowSink(
        word=f"sum_of_{field}_of",
        about=f"return the sum of the {what} of ALL",
        do=f"add up the {what} of ALL and answer with the sum{unit}",
        question=f"what is the sum{unit} of the {what} of the ALL",
        returns=f"round({total}, 2)" if money else total,
        gives="float" if money else "int",
        **other,
    )


def foremost(word: str, field: str, name: str, called: str, bars: tuple[str, ...] = ()) -> RowSink:
    """What the first of them by some field is called: `longest`, `latest`."""
    return RowSink(
        word=f"{word}_of",
        about=f"return the {called} of the {word} of ALL",
        do=f"find the {word} of ALL and answer with its {called}",
        question=f"what is the {called} of the {word} of the ALL",
        code=f'    {word} = max(found, key=lambda ROW: ROW["{field}"])\n',
        returns=f'{word}["{name}"]',
        gives="str",
        by=field,
        bars=bars,
    )


def noting(pattern: str, line: str, hint: str = "", **other: Any) -> RowSink:
    """A note with a line for each."""
    return RowSink(
        word="note",
        app="notes",
        about=f"write `{pattern}` of each of ALL into a new note",
        do=f'write a new note titled "{{title}}" with one line of the form "{pattern}"{hint} for each of ALL, the lines'
        " sorted from A to Z",
        code=(
            f"    lines = sorted({line} for ROW in found)\n"
            + calling("notes.create_note", 'title=title, content="\\n".join(lines)', indent=4)
        ),
        slots=(TITLE,),
        **other,
    )


def filing(pattern: str, line: str, hint: str = "", **other: Any) -> RowSink:
    """A file with a line for each."""
    return RowSink(
        word="file",
        app="files",
        about=f"write `{pattern}` of each of ALL into a new file",
        do=f'create the file "{{path}}" with one line of the form "{pattern}"{hint} for each of ALL, the lines'
        " sorted from A to Z",
        code=(
            f"    lines = sorted({line} for ROW in found)\n"
            + calling("files.create_file", 'file_path=path, content="\\n".join(lines)', indent=4)
        ),
        slots=(NEW_FILE,),
        **other,
    )


def tasking(pattern: str, title: str, **other: Any) -> RowSink:
    """A task for each, due on a day."""
    return RowSink(
        word="tasks",
        app="todo",
        about=f"create a task `{pattern}` for each of ALL",
        do=f'create a task in my todo app, with a title of the form "{pattern}" and due on {{due}}, for each of ALL',
        code="    for ROW in found:\n" + calling("todo.create_task", f"title={title}, due_date=due"),
        slots=(DUE,),
        **other,
    )


def waking(pattern: str, label: str, **other: Any) -> RowSink:
    """An alarm for each."""
    return RowSink(
        word="alarms",
        app="phone",
        about="set an alarm for each of ALL",
        do=f'set an alarm on my phone, labelled with {pattern}, at "{{time}}" and without repeat days, for each of ALL',
        code="    for ROW in found:\n" + calling("phone.create_alarm", f"label={label}, time=time"),
        slots=(one_of("time", "06:50", "07:35", "08:20", "12:10", "17:45", "18:25", "20:05"),),
        **other,
    )


def each(
    app: str,
    api: str,
    arguments: str,
    do: str,
    *,
    word: str = "",
    slots: tuple[Slot, ...] = (),
    needs: tuple[Tied, ...] = (),
    bars: tuple[str, ...] = (),
) -> RowSink:
    """Something done to one after the other."""
    return RowSink(
        word=word or do.split()[0],
        do=do,
        code="    for ROW in found:\n" + calling(f"{app}.{api}", arguments),
        slots=slots,
        needs=needs,
        bars=bars,
        app=app,
    )


def acting(app: str, action: Action, do: str, **other: Any) -> RowSink:
    """An action that drills know, in other words."""
    slots = (one_of(action.slot, *map(_value, action.choices)),) if action.slot else ()
    return each(action.app or app, action.api, action.arguments, do, slots=slots, **other)


def _value(text: str) -> str | int:
    return int(text) if text.isdigit() else text
