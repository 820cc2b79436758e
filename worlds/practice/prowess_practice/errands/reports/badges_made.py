"""Which things bear their figures, and where."""

from __future__ import annotations

from collections.abc import Iterator

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.badges import Badge, badges
from prowess_practice.errands.reports.slots import MARK
from prowess_practice.errands.reports.things import Look, Thing
from prowess_practice.errands.reports.things_life import LIFE
from prowess_practice.errands.reports.things_play import PLAY
from prowess_practice.errands.reports.things_work import WORK
from prowess_practice.errands.transfers import expenses, money

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
    pool=expenses.EXPENSES,
    name='ROW["description"]',
    called="its description",
    looks=(
        Look(
            word="per_head",
            says=f"its amount divided by the number of people who share it, {_MONEY}",
            code='ROW["amount"] / len(ROW["shares"])',
            kind="money",
            edit=(' / len(expense["shares"])', ""),
        ),
        Look(
            word="sharers",
            says='the names of the people who share it, from A to Z and joined by ", "',
            code='", ".join(sorted(share["name"] for share in ROW["shares"]))',
            kind="text",
        ),
        Look(
            word="comments",
            says="the number of comments that it has already",
            inner=(
                "written = all_pages(\n"
                '    apis.splits.show_expense_comments, access_token=splits_token, expense_id=ROW["expense_id"]\n'
                ")\n"
            ),
            code="len(written)",
        ),
        Look(word="double", says=f"twice its amount, {_MONEY}", code='ROW["amount"] * 2', kind="money"),
    ),
)
_SENT = Thing(
    pool=money.SENT,
    name='ROW["note"]',
    called="its note",
    looks=(
        Look(word="day", says="the day on which it was made, as YYYY-MM-DD", code='ROW["created_at"][:10]', kind="day"),
        Look(
            word="weekday",
            says="the day of the week on which it was made, in full as in Monday",
            code='datetime.fromisoformat(ROW["created_at"]).strftime("%A")',
            kind="text",
        ),
        Look(word="double", says=f"twice its amount, {_MONEY}", code='ROW["amount"] * 2', kind="money"),
        Look(
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
