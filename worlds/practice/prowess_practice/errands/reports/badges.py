"""Figures written on the things themselves: into their titles, texts and comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.parts import MARK, SHOWN, WIDTH, Rows, plainly, readable, sentences, shaped
from prowess_practice.errands.reports.report import drawing
from prowess_practice.errands.reports.things import Thing, ThingFigure
from prowess_practice.errands.reports.things_music import PLAY
from prowess_practice.errands.reports.things_people import LIFE
from prowess_practice.errands.reports.things_work import WORK
from prowess_practice.errands.transfers import money
from prowess_practice.errands.transfers.parts import Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """How a figure is written on a thing."""

    word: str
    about: str
    """`comment on`"""
    call: str
    """An API with its arguments besides the token, on `ROW` and SHOWN."""
    do: str
    """`rename it to ...`, with NAME and FIGURE."""
    result: str
    """`its title is ... then`"""
    slots: tuple[Slot, ...] = ()
    alters: tuple[str, ...] = ()
    """Looks that come out otherwise once it is done."""


def badges(thing: Thing, kinds: tuple[Badge, ...], turn: int) -> Iterator[Errand]:
    """Each look of a thing, written down in one of these ways, conditions in turn."""
    for n, look in enumerate(thing.looks):
        fitting = [one for one in thing.pool.conditions if not one.word.startswith(("by_", "with_", "in_month"))]
        choices: list[tuple[Condition, ...]] = [(one,) for one in fitting] or [()]
        errand = _badge(thing, look, kinds[(turn + n) % len(kinds)], choices[(turn + n) % len(choices)])
        if errand:
            yield errand


def _badge(thing: Thing, look: ThingFigure, badge: Badge, conditions: tuple[Condition, ...]) -> Errand | None:
    rows = Rows(pools=(thing.pool,), conditions=conditions)
    given = [*rows.slots.items(), *((slot.name, slot.kind) for slot in badge.slots)]
    slots, row = dict(given), thing.pool.row
    if not slots or len(slots) < len(given):
        return None
    api, _, arguments = badge.call.partition(" ")
    app = api.split(".")[0]
    lines = [*look.inner.replace("ROW", row).splitlines()]
    shown = arguments.replace("ROW", row).replace("SHOWN", f"figure{SHOWN.get(look.kind, '')}")
    if lines and lines[0].startswith(f"{row}_id = "):
        shown = shown.replace(f'{row}_id={row}["{row}_id"]', f"{row}_id={row}_id")
    call = f"apis.{api}(access_token={app}_token, {shown})"
    which, field, new = shown.replace(", ", "\0", 1).replace('=f"', '\0f"', 1).split("\0")
    width = WIDTH - (12 if look.test else 8)
    given_new = f"access_token={app}_token, {which}, {field}=new_{field}"
    plain = f"apis.{api}({given_new})"
    broken = [plain] if len(plain) <= width else [f"apis.{api}(", f"    {given_new}", ")"]
    calls = [call] if len(call) <= width else [f"new_{field} = {new}", *broken]
    doing = [f"figure = {look.code.replace('ROW', row)}", *calls]
    if look.test:
        doing = [f"if {look.test.replace('ROW', row)}:", *(f"    {line}" for line in doing)]
    text = "".join(f"        {line}\n" for line in (*lines, *doing))
    further = tuple(one for one in (look.app, app) if one)
    name = f"{badge.word}_{look.word}_on_{rows.word}"
    reading = rows.reading(look.before, (*look.enters, app))
    body = f"{reading}    for {row} in {rows.found}:\n{text}    return len({rows.found})\n"
    source = shaped(name, slots, f"{badge.about} {rows.every} with {look.says}; {_end(look)}", body)
    if not readable(source, slots):
        return None
    old, new = (part.replace("ROW", row) for part in look.edit)
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys((*rows.apps, *further))),
        slots=slots,
        source=source,
        wordings=tuple(plainly(look.kind, text) for text in _wordings(rows, look, badge)),
        values=drawing(rows, badge.slots),
        matters=(*((test, "True") for test in rows.tests), *(((old, new),) if old else ())),
    )


def _end(look: ThingFigure) -> str:
    """How a docstring ends."""
    left = look.left.replace("left out", "left alone").removesuffix(".")
    return f"{left[0].lower()}{left[1:]}; return how many were looked at" if left else "return how many"


def _wordings(rows: Rows, look: ThingFigure, badge: Badge) -> tuple[str, ...]:
    before = "What counts is how things are before you change them." if look.word in badge.alters else ""
    left = sentences(look.left.replace("left out", "left alone"), before)
    return (
        sentences(f"For each {rows.one}, find out {look.says}, and {badge.do}, with that figure for FIGURE.", left),
        sentences(f"Take {rows.many} one after the other. For each one, {badge.do}. FIGURE is {look.says}.", left),
        sentences(
            f"I want each {rows.one} to bear a figure, namely {look.says}. When you are done, {badge.result}, with the"
            " figure in place of FIGURE.",
            left,
        ),
    )


_TITLE = "{ROW['title']}"
_PLAYLIST = (
    Badge(
        word="rename",
        about="rename",
        call=f'music.update_playlist playlist_id=ROW["playlist_id"], title=f"{_TITLE} ({{SHOWN}})"',
        do='rename it to "TITLE (FIGURE)", TITLE being the title it has now',
        result='each of them is called "TITLE (FIGURE)", where TITLE is the title it has now',
    ),
    Badge(
        word="mark",
        about="mark the title of",
        call=f'music.update_playlist playlist_id=ROW["playlist_id"], title=f"{{mark}} {{SHOWN}} - {_TITLE}"',
        do='change its title to "{mark} FIGURE - TITLE", TITLE being the present title',
        result='the new title of each is "{mark} FIGURE - TITLE" (TITLE is the old one)',
        slots=(MARK,),
    ),
)
_TASK = (
    Badge(
        word="comment",
        about="comment on",
        call='todo.add_comment task_id=ROW["task_id"], text=f"{mark}: {SHOWN}"',
        do='comment on it with "{mark}: FIGURE"',
        result='each of them has a new comment "{mark}: FIGURE"',
        slots=(MARK,),
        alters=("comments", "last_comment"),
    ),
    Badge(
        word="retitle",
        about="retitle",
        call=f'todo.update_task task_id=ROW["task_id"], title=f"{_TITLE} [{{SHOWN}}]"',
        do='change its title to "TITLE [FIGURE]", TITLE being its title so far',
        result='the title of each is "TITLE [FIGURE]", where TITLE is the one it has now',
    ),
    Badge(
        word="describe",
        about="describe",
        call='todo.update_task task_id=ROW["task_id"], description=f"{mark} = {SHOWN}"',
        do='set its description to "{mark} = FIGURE"',
        result='the description of each is "{mark} = FIGURE" and nothing else',
        slots=(MARK,),
    ),
    Badge(
        word="add_step_to",
        about="add a subtask to",
        call='todo.add_subtask task_id=ROW["task_id"], title=f"{mark} {SHOWN}"',
        do='give it a subtask titled "{mark} FIGURE"',
        result='each of them has one more subtask, titled "{mark} FIGURE"',
        slots=(MARK,),
        alters=("steps_left", "steps_done"),
    ),
)
_NOTE = (
    Badge(
        word="extend",
        about="add a line to",
        call='notes.append_to_note note_id=ROW["note_id"], text=f"{mark}: {SHOWN}"',
        do='append the line "{mark}: FIGURE" to it',
        result='each of them ends with a new line "{mark}: FIGURE"',
        slots=(MARK,),
        alters=("lines", "words", "items", "days_idle"),
    ),
    Badge(
        word="rename",
        about="rename",
        call=f'notes.update_note note_id=ROW["note_id"], title=f"{_TITLE} ({{SHOWN}})"',
        do='change its title to "TITLE (FIGURE)", TITLE being the present title',
        result='each of them has the title "TITLE (FIGURE)", TITLE being its title now',
        alters=("days_idle",),
    ),
    Badge(
        word="tag",
        about="tag",
        call='notes.tag_note note_id=ROW["note_id"], tag=f"{mark} {SHOWN}".lower()',
        do='give it the tag "{mark} FIGURE" in lower case',
        result='each of them has one more tag, "{mark} FIGURE" in lower case',
        slots=(MARK,),
        alters=("tags", "days_idle"),
    ),
)
_FILE = (
    Badge(
        word="extend",
        about="add a line to",
        call='files.append_to_file file_path=ROW["path"], text=f"{mark} = {SHOWN}"',
        do='append the line "{mark} = FIGURE" to it',
        result='the last line of each is a new one, "{mark} = FIGURE"',
        slots=(MARK,),
        alters=("lines", "words", "changed"),
    ),
)
_GROUP = (
    Badge(
        word="rename",
        about="rename",
        call='splits.rename_group group_id=ROW["group_id"], name=f"{ROW[\'name\']} ({mark} {SHOWN})"',
        do='rename it to "NAME ({mark} FIGURE)", NAME being what it is called now',
        result='each is called "NAME ({mark} FIGURE)", where NAME is its name now',
        slots=(MARK,),
    ),
)
_ALARM = (
    Badge(
        word="relabel",
        about="relabel",
        call='phone.update_alarm alarm_id=ROW["alarm_id"], label=f"{ROW[\'label\']} - {mark} {SHOWN}"',
        do='change its label to "LABEL - {mark} FIGURE", LABEL being the label it has now',
        result='the label of each is "LABEL - {mark} FIGURE" (LABEL is what it says now)',
        slots=(MARK,),
    ),
)
_EXPENSE = (
    Badge(
        word="comment",
        about="comment on",
        call='splits.add_expense_comment expense_id=ROW["expense_id"], text=f"{mark}: {SHOWN}"',
        do='comment on it with "{mark}: FIGURE"',
        result='each of them has a new comment that says "{mark}: FIGURE"',
        slots=(MARK,),
    ),
)
_PAYMENT = (
    Badge(
        word="comment",
        about="comment on",
        call='wallet.add_transaction_comment transaction_id=ROW["transaction_id"], text=f"{mark}: {SHOWN}"',
        do='comment on it with "{mark}: FIGURE"',
        result='each of them has a new comment that says "{mark}: FIGURE"',
        slots=(MARK,),
    ),
    Badge(
        word="reword",
        about="change the note of",
        call='wallet.update_transaction transaction_id=ROW["transaction_id"], note=f"{ROW[\'note\']} ({SHOWN})"',
        do='change its note to "NOTE (FIGURE)", NOTE being the present note',
        result='the note of each is "NOTE (FIGURE)", where NOTE is what it says now',
    ),
)
_MONEY = "with two decimals (as in 12.50)"
_EXPENSES = Thing(
    pool=money.EXPENSES,
    name='ROW["description"]',
    called="its description",
    looks=(
        ThingFigure(
            word="per_head",
            says=f"its amount divided by the number of people who share it, {_MONEY}",
            code='ROW["amount"] / len(ROW["shares"])',
            kind="money",
            edit=(' / len(expense["shares"])', ""),
        ),
        ThingFigure(
            word="sharers",
            says='the names of the people who share it, from A to Z and joined by ", "',
            code='", ".join(sorted(share["name"] for share in ROW["shares"]))',
            kind="text",
        ),
        ThingFigure(
            word="comments",
            says="the number of comments that it has already",
            inner=(
                "written = all_pages(\n"
                '    apis.splits.show_expense_comments, access_token=splits_token, expense_id=ROW["expense_id"]\n'
                ")\n"
            ),
            code="len(written)",
        ),
        ThingFigure(word="double", says=f"twice its amount, {_MONEY}", code='ROW["amount"] * 2', kind="money"),
    ),
)
_SENT = Thing(
    pool=money.SENT,
    name='ROW["note"]',
    called="its note",
    looks=(
        ThingFigure(
            word="day", says="the day on which it was made, as YYYY-MM-DD", code='ROW["created_at"][:10]', kind="day"
        ),
        ThingFigure(
            word="weekday",
            says="the day of the week on which it was made, in full as in Monday",
            code='datetime.fromisoformat(ROW["created_at"]).strftime("%A")',
            kind="text",
        ),
        ThingFigure(word="double", says=f"twice its amount, {_MONEY}", code='ROW["amount"] * 2', kind="money"),
        ThingFigure(
            word="first_name",
            says="the first name of the receiver",
            code='ROW["receiver"]["name"].split()[0]',
            kind="text",
        ),
    ),
)
_LISTS, _GROUPS, _ALARMS = PLAY[0], LIFE[3], LIFE[-1]
_OPEN, _DUE, _DONE, _NOTES, _EVERY, _FILES = WORK[1:7]
_BEARERS = (
    (_LISTS, _PLAYLIST),
    (_OPEN, _TASK),
    (_EXPENSES, _EXPENSE),
    (_NOTES, _NOTE),
    (_SENT, _PAYMENT),
    (_DUE, _TASK),
    (_FILES, _FILE),
    (_GROUPS, _GROUP),
    (_DONE, _TASK),
    (_EVERY, _NOTE),
    (_ALARMS, _ALARM),
)


def marked() -> Iterator[Errand]:
    """All of them, every thing twice, in another way each time."""
    for turn in range(2):
        for n, (thing, kinds) in enumerate(_BEARERS):
            yield from badges(thing, kinds, turn + n)
