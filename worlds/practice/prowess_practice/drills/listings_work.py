"""Listings of notes, files and todo."""

from __future__ import annotations

from prowess_practice.drills.conditions import among, before, flag, month, over, since, text, under, weekday
from prowess_practice.drills.listing import Action, Listing, Measure, rename

_NEW = since("created_at", "created on or after {since}", "created since a day")
_OLD = before("created_at", "created before {before}", "created before a day")
_MONTH = month("created_at", "created in {month}", "created in a month")
_WEEKDAY = weekday("created_at", "created on a {weekday}", "created on a day of the week")
_CREATED = Measure(field="created_at", most="was created last", least="was created first")
_NOTE = 'note_id=ROW["note_id"]'
TASK = 'task_id=ROW["task_id"]'
_TAGS = ("reviewed", "keep", "someday", "to sort", "shared", "draft")

_NOTES = (
    among("tags", 'tagged "{tag}"', "with a tag", slot="tag"),
    _NEW,
    _OLD,
    since("updated_at", "changed on or after {since}", "changed since a day"),
    _MONTH,
    _WEEKDAY,
)
_PROJECT = 'project_id=ROW["project_id"]'
_LINES = Measure(
    field="lines",
    most="has the most lines",
    least="has the fewest lines",
    sum="numbers of lines",
    code='len(apis.notes.show_note(access_token=notes_token, note_id=ROW["note_id"])["content"].splitlines())',
)
_NOTE_ACTIONS = (
    Action(api="pin_note", verb="pin", arguments=_NOTE),
    Action(api="archive_note", verb="archive", arguments=_NOTE),
    Action(api="unpin_note", verb="unpin", arguments=_NOTE),
    Action(api="delete_note", verb="delete", arguments=_NOTE),
    Action(
        api="tag_note", verb="tag", arguments=f"{_NOTE}, tag=label", after=' as "{label}"', slot="label", choices=_TAGS
    ),
    Action(
        api="append_to_note",
        verb="extend",
        arguments=f"{_NOTE}, text=words",
        after=' by the words "{words}"',
        slot="words",
        choices=("Checked.", "Still open.", "See the other note.", "Ask again.", "Done with this."),
    ),
    rename("update_note", "note_id", "title"),
)
_UNARCHIVE = Action(api="unarchive_note", verb="fetch", arguments=_NOTE, after=" back from the archive")
_DUPLICATE = Action(
    api="duplicate_note",
    verb="duplicate",
    arguments=f'{_NOTE}, title=ROW["title"] + " (copy)"',
    after=', with " (copy)" added to the title',
)
LABEL = Action(
    api="label_task",
    verb="label",
    arguments=f"{TASK}, label=new_label",
    after=' as "{new_label}"',
    slot="new_label",
    choices=_TAGS,
)
RANK = Action(
    api="update_task",
    verb="give",
    arguments=f"{TASK}, priority=new_priority",
    after=" the priority {new_priority}",
    slot="new_priority",
    choices=("1", "2", "3", "4"),
)
POSTPONE = Action(
    api="update_task",
    verb="postpone",
    arguments=f'{TASK}, due_date=(date.fromisoformat(ROW["due_date"]) + timedelta(days=days)).isoformat()',
    after=" by {days} days",
    slot="days",
    choices=("1", "2", "3", "5", "7", "10", "14"),
)
RAISE = Action(
    api="update_task",
    verb="raise",
    arguments=f'{TASK}, priority=max(1, ROW["priority"] - 1)',
    after=" by one level of priority, to 1 at most",
)
TICK = Action(api="mark_task_done", verb="tick off", arguments=TASK)
DONE = (flag("done", "that are done", "that are done"), flag("done", "still to do", "still to do", yes=False))
EXTEND = Action(
    api="append_to_file",
    verb="extend",
    arguments='file_path=ROW["path"], text=words',
    after=' by the words "{words}"',
    slot="words",
    choices=("Checked.", "Still open.", "Ask again.", "Done with this."),
)

WORK = (
    Listing(
        app="notes",
        api="list_notes",
        word="notes",
        row="note",
        one="note in my notes app",
        many="notes in my notes app",
        name="title",
        called="title",
        conditions=(among("tags", 'tagged "{tag}"', "with a tag", slot="tag", argument="tag"), *_NOTES[1:]),
        flags=(
            flag("pinned", "that are pinned", "that are pinned"),
            flag("pinned", "without a pin", "without a pin", yes=False),
        ),
        measures=(
            _CREATED,
            Measure(field="updated_at", most="was changed last", least="was left alone the longest"),
            _LINES,
        ),
        actions=_NOTE_ACTIONS[:4],
    ),
    Listing(
        app="notes",
        api="search_notes",
        word="all_notes",
        row="note",
        one="note of mine, archived or not,",
        many="notes of mine, archived or not,",
        name="title",
        called="title",
        conditions=_NOTES,
        flags=(
            flag("archived", "in the archive", "in the archive"),
            flag("archived", "outside the archive", "outside it", yes=False),
        ),
        measures=(_CREATED, _LINES),
        actions=(*_NOTE_ACTIONS[3:], _UNARCHIVE, _DUPLICATE),
    ),
    Listing(
        app="files",
        api="search_files",
        word="files",
        row="file",
        one="file of mine in the files app",
        many="files of mine in the files app",
        name="path",
        called="path",
        conditions=(
            over("size", "larger than {more_than_size} bytes", "larger than so many bytes"),
            under("size", "smaller than {less_than_size} bytes", "smaller than so many bytes"),
            _NEW,
            _OLD,
            before("updated_at", "last changed before {before}", "last changed before a day"),
            _MONTH,
            month("updated_at", "last changed in {month}", "last changed in a month"),
        ),
        measures=(
            Measure(field="size", most="is the largest", least="is the smallest", sum="sizes in bytes"),
            _CREATED,
        ),
        actions=(
            EXTEND,
            Action(api="delete_file", verb="delete", arguments='file_path=ROW["path"]'),
            Action(
                api="update_file",
                verb="overwrite",
                arguments='file_path=ROW["path"], content=words',
                after=' with nothing but the words "{words}"',
                slot="words",
                choices=("Emptied.", "Moved elsewhere.", "No longer kept here.", "Ask me for this."),
            ),
            Action(
                api="move_file",
                verb="rename",
                arguments='file_path=ROW["path"], destination_path=f\'{ROW["path"]}.{ending}\'',
                after=', adding ".{ending}" to its path',
                slot="ending",
                choices=("old", "bak", "done", "keep"),
            ),
        ),
    ),
    Listing(
        app="todo",
        api="list_projects",
        word="projects",
        row="project",
        one="project in my todo app",
        many="projects in my todo app",
        name="name",
        called="name",
        conditions=(
            text("color", 'of the colour "{color}"', "of a colour"),
            over(
                "open_tasks",
                "with more than {more_than_open_tasks} open tasks",
                "with more open tasks than given",
                coarse=True,
            ),
            under(
                "open_tasks",
                "with fewer than {less_than_open_tasks} open tasks",
                "with fewer open tasks than given",
                coarse=True,
            ),
        ),
        measures=(
            Measure(
                field="open_tasks", most="has the most open tasks", least="has the fewest open tasks", sum="open tasks"
            ),
        ),
        actions=(
            Action(
                api="update_project",
                verb="paint",
                arguments='project_id=ROW["project_id"], color=new_color',
                after=' in the colour "{new_color}"',
                slot="new_color",
                choices=("red", "green", "blue", "yellow", "orange", "purple", "gray"),
            ),
            Action(api="delete_project", verb="delete", arguments=_PROJECT, after=" with all that is in it"),
            rename("update_project", "project_id", "name"),
        ),
    ),
    Listing(
        app="todo",
        api="search_tasks",
        word="tasks",
        row="task",
        one="task in my todo app",
        many="tasks in my todo app",
        name="title",
        called="title",
        conditions=(
            among("labels", 'labelled "{label}"', "with a label", slot="label"),
            over("priority", "with a priority above {more_than_priority}", "above a priority", coarse=True),
            under("priority", "with a priority below {less_than_priority}", "below a priority", coarse=True),
            since("due_date", "due on or after {since}", "due since a day"),
            before("due_date", "due before {before}", "due before a day"),
            _NEW,
            _OLD,
            month("due_date", "due in {month}", "due in a month"),
            _MONTH,
        ),
        flags=DONE,
        measures=(
            _CREATED,
            Measure(field="priority", most="has the highest priority number", least="has the lowest priority number"),
            Measure(
                field="comments",
                most="has the most comments",
                least="has the fewest comments",
                sum="numbers of comments",
                code='len(all_pages(apis.todo.list_comments, access_token=todo_token, task_id=ROW["task_id"]))',
            ),
        ),
        actions=(
            TICK,
            Action(api="delete_task", verb="delete", arguments=TASK),
            Action(api="reopen_task", verb="reopen", arguments=TASK),
            RANK,
            LABEL,
            POSTPONE,
            RAISE,
            Action(
                api="add_comment",
                verb="comment on",
                arguments=f"{TASK}, text=comment",
                after=' with "{comment}"',
                slot="comment",
                choices=("Checked.", "Who does this?", "Ask again.", "Almost there."),
            ),
        ),
    ),
)
