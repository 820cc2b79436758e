"""What can be made of items that a text lists: another list, a message, tasks, steps, alarms."""

from __future__ import annotations

from prowess_desk.apps.notes import Note
from prowess_desk.apps.phone import Contact
from prowess_desk.data.notes import LISTS
from prowess_desk.engine.family import Draw, Values
from prowess_desk.families.papers import filed, planned, projects_of

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, NamedThings

_TITLES = ("Copied over", "In one place", "Fair copy", "From elsewhere", "All together")
_FILES = ("~/documents/copied.txt", "~/documents/fair-copy.txt", "~/backups/items.txt", "~/receipts/list.txt")
_HOSTS = ("look through everything", "pack the van", "set the tables", "open the cabin")
_OWN_NOTE = """
    found = all_pages(apis.notes.search_notes, access_token=notes_token, query=own_note)
    own_id = next(one["note_id"] for one in found if one["title"] == own_note)
"""


def _contact(draw: Draw) -> Values:
    return {"receiver": draw.rng.choice(draw.state[Contact].of(draw.me.id)).name}


def _note(draw: Draw) -> Values:
    return {"own_note": draw.rng.choice([one.title for one in draw.state[Note].of(draw.me.id)])}


def _list_note(draw: Draw) -> Note:
    """The note that both pool and slot speak of: a list with dashes."""
    mine = [one for one in draw.state[Note].of(draw.me.id) if one.title in LISTS]
    return max(mine, key=lambda one: one.id)


def _lacking(draw: Draw) -> NamedThings:
    """Items that this list could have, and one that it has."""
    note = _list_note(draw)
    have = [line.removeprefix("- ") for line in note.content.splitlines()]
    others = [one for one in LISTS[note.title].split(",") if one not in have]
    return NamedThings([*others, "tin whistle", "blue chalk", "maple syrup", "tide clock"], (have,))


def _host(draw: Draw) -> Values:
    title = draw.rng.choice(_HOSTS)
    planned(draw, projects_of(draw, 1)[0], title)
    return {"host": title}


def _own_file(draw: Draw) -> Values:
    path = draw.rng.choice(("~/documents/diary.txt", "~/documents/work/log.txt"))
    filed(draw, path, "opened in spring")
    return {"own_file": path}


def _reached(api: str, field: str) -> str:
    return f"""
    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=receiver)
    receiver_number = next(one["phone_number"] for one in people if one["name"] == receiver)
    apis.phone.{api}(
        access_token=phone_token, phone_number=receiver_number, {field}=", ".join(names)
    )
    return len(names)
"""


ACTS = (
    Act(
        word="note_down_things",
        apps=("notes",),
        a="something to do",
        one="item",
        do=(
            'write OBJ into a new note "{new_title}", one to a line and in their order,',
            'make a new note titled "{new_title}" with OBJ, each on its own line, in the order there,',
        ),
        about="Note down the things",
        code="""
    apis.notes.create_note(access_token=notes_token, title=new_title, content="\\n".join(names))
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"new_title": str},
        choose=lambda draw: {"new_title": draw.rng.choice(_TITLES)},
        ordered=True,
    ),
    Act(
        word="append_things_to_note",
        apps=("notes",),
        a="something to do",
        one="item",
        do=(
            'append OBJ to my note "{own_note}", each as a line "- <item>" and in their order,',
            'add OBJ at the end of my note "{own_note}", in their order and with "- " in front of each line,',
        ),
        about="Append to a note the things",
        code=f"""{_OWN_NOTE}    for name in names:
        apis.notes.append_to_note(access_token=notes_token, note_id=own_id, text=f"- {{name}}")
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"own_note": str},
        choose=_note,
        ordered=True,
    ),
    Act(
        word="complete_list_with_things",
        apps=("notes",),
        a="an item",
        one="item",
        do=(
            'append OBJ to my note "{own_note}", each as a line "- <item>" and in their order,',
            'add OBJ at the end of my note "{own_note}", in their order and with "- " in front of each line,',
        ),
        skips=(
            "Those that the note has already, after a dash, are left out.",
            'If the note has such a line "- <item>" already, do not add it.',
        ),
        about="Append to a list what it lacks of the things",
        code=f"""{_OWN_NOTE}    own_content = apis.notes.show_note(access_token=notes_token, note_id=own_id)["content"]
    missing = [name for name in names if f"- {{name}}" not in own_content.splitlines()]
    for name in missing:
        apis.notes.append_to_note(access_token=notes_token, note_id=own_id, text=f"- {{name}}")
    return len(missing)
""",
        pool=_lacking,
        slots={"own_note": str},
        choose=lambda draw: {"own_note": _list_note(draw).title},
        ordered=True,
        places=6,
    ),
    Act(
        word="file_things",
        apps=("files",),
        a="something to do",
        one="item",
        do=(
            'write OBJ into a new file "{new_file}", one to a line and in their order,',
            'create the file "{new_file}" with OBJ, each on its own line, in the order there,',
        ),
        about="Write to a file the things",
        code="""
    apis.files.create_file(access_token=files_token, file_path=new_file, content="\\n".join(names))
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"new_file": str},
        choose=lambda draw: {"new_file": draw.rng.choice(_FILES)},
        ordered=True,
    ),
    Act(
        word="append_things_to_file",
        apps=("files",),
        a="something to do",
        one="item",
        do=(
            'append OBJ to my file "{own_file}", one to a line and in their order,',
            'let my file "{own_file}" go on with OBJ, each on a new line, in the order there,',
        ),
        about="Append to a file the things",
        code="""
    for name in names:
        apis.files.append_to_file(access_token=files_token, file_path=own_file, text=name)
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"own_file": str},
        choose=_own_file,
        ordered=True,
    ),
    Act(
        word="text_things",
        apps=("phone",),
        a="something to do",
        one="item",
        do=(
            'text OBJ to my contact "{receiver}", all in one message, in their order and joined by ", ",',
            'send my contact "{receiver}" a single text message with OBJ, in the order there and ", " between them,',
        ),
        about="Text to somebody the things",
        code=_reached("send_text_message", "text"),
        pool=pools.plain_chores,
        slots={"receiver": str},
        choose=_contact,
        ordered=True,
    ),
    Act(
        word="say_things",
        apps=("phone",),
        a="something to do",
        one="item",
        do=(
            'leave my contact "{receiver}" one voice message that is just OBJ, in their order and joined by ", ",',
            'send one voice message to my contact "{receiver}", namely OBJ with ", " between them, in the order there,',
        ),
        about="Say in a voice message the things",
        code=_reached("send_voice_message", "transcript"),
        pool=pools.plain_chores,
        slots={"receiver": str},
        choose=_contact,
        ordered=True,
    ),
    Act(
        word="set_alarms_for_things",
        apps=("phone",),
        a="something to do",
        one="item",
        do=(
            'set alarms for OBJ, labelled exactly so, all at {clock} on "{weekday_name}" every week,',
            'create an alarm at {clock} that repeats on "{weekday_name}" for OBJ, with the thing to do as the label,',
        ),
        about="Set alarms for the things",
        code="""
    for name in names:
        apis.phone.create_alarm(
            access_token=phone_token, label=name, time=clock, repeat_days=[weekday_name.lower()]
        )
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"clock": str, "weekday_name": str},
        choose=lambda draw: {
            "clock": f"{draw.rng.randint(6, 21):02d}:{draw.rng.choice((5, 25, 40)):02d}",
            "weekday_name": draw.rng.choice(("Monday", "Tuesday", "Friday", "Sunday")),
        },
    ),
    Act(
        word="make_task_of_things",
        apps=("todo",),
        a="something to do",
        one="item",
        do=(
            'create a single new task "{new_task}" with OBJ as its subtasks, in their order,',
            'make one new task titled "{new_task}" and give it OBJ as subtasks, in the order there,',
        ),
        about="Make one task with subtasks of the things",
        code="""
    made = apis.todo.create_task(access_token=todo_token, title=new_task)
    for name in names:
        apis.todo.add_subtask(access_token=todo_token, task_id=made["task_id"], title=name)
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"new_task": str},
        choose=lambda draw: {"new_task": draw.rng.choice(("the whole list", "big clean-up", "everything at once"))},
        ordered=True,
    ),
    Act(
        word="make_project_of_things",
        apps=("todo",),
        a="something to do",
        one="item",
        do=(
            'create a new project "{new_project}" with OBJ as its tasks, titled word for word,',
            'make OBJ the tasks, titled just so, of a new project called "{new_project}"',
        ),
        about="Make a project of the things",
        code="""
    made = apis.todo.create_project(access_token=todo_token, name=new_project)
    for name in names:
        apis.todo.create_task(access_token=todo_token, title=name, project_id=made["project_id"])
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"new_project": str},
        choose=lambda draw: {"new_project": draw.rng.choice(("Attic", "Homecoming", "Fresh Start", "Loose Ends"))},
    ),
    Act(
        word="comment_things",
        apps=("todo",),
        a="something to do",
        one="item",
        do=(
            'write OBJ as comments under my task "{host}", a comment each and word for word,',
            'comment on my task "{host}" with OBJ, one comment for each, in just these words,',
        ),
        about="Write as comments the things",
        code="""
    found = all_pages(apis.todo.search_tasks, access_token=todo_token, query=host)
    host_id = next(one["task_id"] for one in found if one["title"] == host)
    for name in names:
        apis.todo.add_comment(access_token=todo_token, task_id=host_id, text=name)
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"host": str},
        choose=_host,
        places=3,
    ),
)
