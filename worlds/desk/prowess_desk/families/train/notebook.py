"""Train families of the notes app about what notes say: titles, tags and lines; one of them with todo."""

from __future__ import annotations

from collections import Counter

from prowess.types import Json
from prowess_desk.apps.notes import Note, drop_tag, note_titled, rewrite
from prowess_desk.apps.todo import TodoTask, project_named
from prowess_desk.data.notes import TAGS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, jotted, older_twin, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

_PAGES = (
    ("Window seat", "Ask for one on the way back."),
    ("Tram map", "Line four runs until midnight."),
    ("House rules", "Shoes off.\nQuiet after ten."),
    ("Phone call on Monday", "They will ring back before noon."),
    ("Leftover paint", "Two tins of grey, half a tin of white."),
    ("Second opinion", "Dr. Reyes, on the third floor."),
    ("Spare parts", "hinges\nfuses\na fan belt"),
    ("Lost property", "One glove, one umbrella, no hat."),
    ("Menu for six", "Soup, pie, plums."),
    ("Opening hours", "Closed on Tuesdays."),
    ("Small print", "Cancel four weeks ahead."),
)
"""Notes that nobody has at first."""

# Put a word in front of the titles of the notes with a tag.

_PREFIXES = ("Lisbon", "Old flat", "Spring", "Season two", "Club", "Grandma", "Clinic", "Draft")


def _make_prefix(draw: Draw) -> Values | None:
    rng = draw.rng
    tag, other = rng.sample(TAGS, 2)
    prefix, another = rng.sample(_PREFIXES, 2)
    pages = iter(rng.sample(_PAGES, 10))
    for n in range(5):
        jotted(draw, *next(pages), tags=[tag, other][: 1 + n % 2], days=rng.randint(3, 300))
    title, text = next(pages)
    jotted(draw, f"{prefix} {title[0].lower()}{title[1:]}", text, tags=[tag], days=90)  # no colon: one of them
    title, text = next(pages)
    jotted(draw, f"{prefix}: {title}", text, tags=[tag], days=9)  # has it already
    jotted(draw, *next(pages), tags=[tag], archived=True, days=150)
    title, text = next(pages)
    jotted(draw, f"{title} ({tag})", text, days=20)  # not a tag
    jotted(draw, *next(pages), tags=[other], days=60)
    return {"tag": tag, "prefix": prefix, "other_tag": other, "other_prefix": another}


def _solve_prefix(state: State, me: Person, values: Values) -> Json:
    front = values["prefix"] + ": "
    for note in state[Note].of(me.id):
        if values["tag"] in note.tags and not note.archived and note.title[: len(front)] != front:
            rewrite(state, note.id, title=front + note.title)


def prefix_titles_of_tag(tag: str, prefix: str) -> int:
    """Put `<prefix>: ` before the titles of the unarchived notes with a tag that lack it and return how many did."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token, tag=tag)
    lacking = [note for note in notes if not note["title"].startswith(f"{prefix}: ")]
    for note in lacking:
        apis.notes.update_note(access_token=token, note_id=note["note_id"], title=f"{prefix}: {note['title']}")
    return len(lacking)


prefix_note_titles = Family(
    name="prefix_note_titles",
    split="train",
    difficulty=1,
    apps=("notes",),
    slots={"tag": str, "prefix": str},
    wordings=(
        'Put "{prefix}: " in front of the title of each of my notes tagged "{tag}", except where the title already'
        " starts with just that. Archived notes stay as they are.",
        'The titles of my "{tag}" notes (that is their tag) should all begin with "{prefix}: ". Rename the ones that do'
        " not yet by adding it before the old title; do not touch the archive.",
        'I want to see at once what belongs together: in the notes app, whatever carries the tag "{tag}" and is not'
        ' archived gets a new title, namely "{prefix}: " followed by the one it has. If those very characters are'
        " there already, leave it.",
    ),
    make=_make_prefix,
    solve=_solve_prefix,
    program=Program(functions=(prefix_titles_of_tag,), call="prefix_titles_of_tag(tag={tag!r}, prefix={prefix!r})"),
    mistakes=(
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="another_prefix", swap={"prefix": "other_prefix"}),
        Mistake(name="one_of_them_twice", old=""" if not note["title"].startswith(f"{prefix}: ")""", new=""),
        Mistake(name="without_colon_left_out", old='startswith(f"{prefix}: ")', new="startswith(prefix)"),
        Mistake(name="first_page", old="all_pages(apis.notes.list_notes, ", new="apis.notes.list_notes("),
        Mistake(name="those_in_the_archive", old="tag=tag)", new="tag=tag, archived=True)"),
    ),
)


# Which checklist with a tag has the most open items?

_CHECKLISTS = """Spring cleaning|Tax return|Bike tour|School start|Garage|Garden party|Office move|Nursery|Boat trip|
Allotment|Cellar|Street fair|New flat|Christmas""".replace("\n", "").split("|")


def _boxes(draw: Draw, still: int, done: int, heading: str = "") -> str:
    """So many lines that are open and so many that are ticked off, mixed."""
    marks = draw.rng.sample("x" * done + " " * still, done + still)
    lines = [f"[{mark}] {item}" for mark, item in zip(marks, draw.rng.sample(CHORES, done + still), strict=True)]
    return "\n".join((heading, *lines) if heading else lines)


def _make_fullest(draw: Draw) -> Values | None:
    rng = draw.rng
    tag, other = rng.sample(TAGS, 2)
    titles = iter(rng.sample(_CHECKLISTS, 9))
    most = rng.randint(5, 8)
    jotted(draw, next(titles), _boxes(draw, most, 1), tags=[tag], days=rng.randint(200, 300))  # on a later page
    jotted(draw, next(titles), _boxes(draw, most - 1, 7, "In no order"), tags=[tag, other], days=15)  # more lines
    for n in range(5):
        content = _boxes(draw, rng.randint(1, most - 2), rng.randint(0, 3))
        jotted(draw, next(titles), content, tags=[tag], days=20 + 20 * n)
    jotted(draw, next(titles), _boxes(draw, most + 2, 0), tags=[tag], archived=True, days=40)
    jotted(draw, next(titles), _boxes(draw, most + 3, 2), tags=[other], days=30)
    return {"tag": tag, "other_tag": other}


def _solve_fullest(state: State, me: Person, values: Values) -> Json:
    found = Counter[str]()
    for note in state[Note].of(me.id):
        if values["tag"] in note.tags and not note.archived:
            found[note.title] = f"\n{note.content}".count("\n[ ] ")
    return found.most_common(1)[0][0]


def checklist_with_most_open_items(tag: str) -> str:
    """Return the title of the unarchived note with a tag that has the most lines not ticked off (`[ ] item`)."""
    token = login(app="notes")
    open_items = {}
    for brief in all_pages(apis.notes.list_notes, access_token=token, tag=tag):
        note = apis.notes.show_note(access_token=token, note_id=brief["note_id"])
        open_items[note["title"]] = sum(line.startswith("[ ]") for line in note["content"].splitlines())
    return max(open_items, key=lambda title: open_items[title])


fullest_checklist = Family(
    name="fullest_checklist",
    split="train",
    difficulty=1,
    apps=("notes",),
    slots={"tag": str},
    wordings=(
        'Which of my notes with the tag "{tag}" has the most items that are still open? Open items are lines that start'
        " with [ ], done ones start with [x]. The archive does not count; the title of the note is enough.",
        "I keep checklists in my notes, with [ ] before what is to be done and [x] before what is done. Among those"
        ' tagged "{tag}" and not archived, on which one is the most left to do? Give me its title.',
        'Look through the notes tagged "{tag}", leaving out archived ones, and tell me the title of the one in which'
        " the largest number of lines begin with an empty box, [ ].",
    ),
    make=_make_fullest,
    solve=_solve_fullest,
    program=Program(functions=(checklist_with_most_open_items,), call="checklist_with_most_open_items(tag={tag!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="first_page", old="all_pages(apis.notes.list_notes, ", new="apis.notes.list_notes("),
        Mistake(name="any_line", old='sum(line.startswith("[ ]") for line in', new="len("),
        Mistake(name="most_done", old='startswith("[ ]")', new='startswith("[x]")'),
        Mistake(name="in_the_archive", old="tag=tag)", new="tag=tag, archived=True)"),
        Mistake(name="fewest", old="return max(", new="return min("),
    ),
)


# Take off the tags that few notes have.

_ODD_TAGS = ("misc", "scraps", "borrowed", "choir", "allotment", "boat", "night-shift", "attic", "loose-ends", "maybe")


def _make_rare(draw: Draw) -> Values | None:
    rng = draw.rng
    least = rng.choice((2, 3, 4))
    few, single, keep, enough = rng.sample(_ODD_TAGS, 4)
    common = rng.choice(TAGS)
    for n, (title, text) in enumerate(rng.sample(_PAGES, 8)):
        tags = [common] if n % 2 else []
        tags += [few] if n < least - 1 else []  # the first is archived, so is the second
        tags += [enough] if 1 <= n <= least else []  # only with the archive it is enough
        tags += [single] if n == 2 else [keep] if n == 3 else []
        jotted(draw, title, text, tags=tags, archived=n < 2, days=rng.randint(5, 200))
    return {"least": least, "keep": keep, "other_least": least + 1, "other_keep": single}


def _solve_rare(state: State, me: Person, values: Values) -> Json:
    mine = state[Note].of(me.id)
    counts = Counter(tag for note in mine for tag in note.tags)
    gone = [tag for tag, count in counts.items() if count < values["least"] and tag != values["keep"]]
    for note in mine:
        for tag in {*note.tags} & {*gone}:
            drop_tag(state, note.id, tag)
    return list(gone)


def drop_tags_of_few_notes(least: int, keep: str) -> list:
    """Take each tag but one off its notes if fewer notes than a number have it and return the tags taken off."""
    token = login(app="notes")
    tags = apis.notes.list_tags(access_token=token)
    rare = [each["tag"] for each in tags if each["notes"] < least and each["tag"] != keep]
    for tag in rare:
        for archived in (False, True):
            for note in all_pages(apis.notes.list_notes, access_token=token, tag=tag, archived=archived):
                apis.notes.untag_note(access_token=token, note_id=note["note_id"], tag=tag)
    return rare


drop_rare_tags = Family(
    name="drop_rare_tags",
    split="train",
    difficulty=2,
    apps=("notes",),
    slots={"least": int, "keep": str},
    wordings=(
        "Tidy up the tags of my notes: each tag that is on fewer than {least} notes, archived ones counted, should be"
        ' taken off them, except "{keep}". Which tags did you take off?',
        'Too many tags in my notes app! Keep "{keep}" and those that at least {least} notes have; remove every other'
        " tag from the notes it is on. Archived notes are notes like the others here. Then list the removed tags.",
        'A tag that not even {least} of my notes have (counting the archive) is of no use, "{keep}" being the only'
        " exception. Untag the notes concerned, archived or not, and tell me which tags are gone.",
    ),
    make=_make_rare,
    solve=_solve_rare,
    program=Program(functions=(drop_tags_of_few_notes,), call="drop_tags_of_few_notes(least={least!r}, keep={keep!r})"),
    asks=True,
    mistakes=(
        Mistake(name="one_more", swap={"least": "other_least"}),
        Mistake(name="another_exception", swap={"keep": "other_keep"}),
        Mistake(name="no_exception", old=' and each["tag"] != keep', new=""),
        Mistake(name="archive_left_out", old="in (False, True)", new="in (False,)"),
        Mistake(
            name="their_other_tags_too",
            old='untag_note(access_token=token, note_id=note["note_id"], tag=tag)',
            new='update_note(access_token=token, note_id=note["note_id"], tags=[])',
        ),
        Mistake(name="only_told", old="for tag in rare:", new="for tag in ():"),
    ),
)


# Tick off on a checklist what is done in todo.

_PLANS = {
    "Choir tour plan": "print the scores|book the coach|order robes|tune the harp|send invitations|pack throat tea",
    "Kitchen plan": "choose tiles|measure the worktop|empty the drawers|rent a skip|paint the ceiling|hang the lamp",
    "Street party plan": "ask the council|borrow benches|hang the bunting|hire a clown|buy charcoal|close the road",
    "Sailing plan": "check the flares|fill the water tank|mend the jib|read the tide table|stow the anchor|buy rope",
    "Exam plan": "register online|copy the slides|borrow a calculator|solve old papers|find the hall|sleep early",
    "Puppy plan": "buy a lead|fence the yard|visit the vet|choose a name|hide the shoes|fill in the papers",
}


def _make_ticks(draw: Draw) -> Values | None:
    rng = draw.rng
    title = rng.choice(list(_PLANS))
    items = rng.sample(_PLANS[title].split("|"), 6)
    project, other = projects_of(draw, 2)
    for n, chore in enumerate(rng.sample(CHORES, 5)):
        planned(draw, project, chore, done=True, days=90 - n)  # a page full, none of it on the list
    first, second, third, ticked, undone, elsewhere = items
    planned(draw, project, first, done=True)
    planned(draw, project, second, done=True, days=12)
    planned(draw, project, third)
    planned(draw, project, ticked)  # ticked off on the list all the same
    planned(draw, project, f"{undone} again", done=True)  # another task; there is none for the item itself
    planned(draw, other, elsewhere, done=True)
    lines = [f"[{'x' if item == ticked else ' '}] {item}" for item in rng.sample(items, 6)]
    jotted(draw, title, "\n".join(("What we said on the phone:", *lines, "More next week.")), days=25)
    twin = older_twin(title)
    jotted(draw, twin, "\n".join(f"[ ] {item}" for item in items[:4]), archived=True, days=380)
    return {"title": title, "project": project.name, "other_title": twin, "other_project": other.name}


def _solve_ticks(state: State, me: Person, values: Values) -> Json:
    project, note = project_named(state, me.id, values["project"]), note_titled(state, me.id, values["title"])
    content = note.content + "\n"
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and task.done:
            content = content.replace(f"\n[ ] {task.title}\n", f"\n[x] {task.title}\n")
    rewrite(state, note.id, content=content[:-1])


def tick_off_finished_tasks(note_title: str, project: str) -> int:
    """Tick off the lines `[ ] item` of a note whose item is a done task of a todo project and return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=True)
    finished = {f"[ ] {task['title']}" for task in tasks}
    note = read_note(title=note_title)
    lines = note["content"].splitlines()
    ticked = [line.replace("[ ]", "[x]", 1) if line in finished else line for line in lines]
    notes_token = login(app="notes")
    apis.notes.update_note(access_token=notes_token, note_id=note["note_id"], content="\n".join(ticked))
    return sum(line in finished for line in lines)


tick_off_done_items = Family(
    name="tick_off_done_items",
    split="train",
    difficulty=3,
    apps=("todo", "notes"),
    slots={"title": str, "project": str},
    wordings=(
        'In my note "{title}", tick off every item that is a finished task of the todo project "{project}": there [ ]'
        " becomes [x]. A task belongs to an item if its title is exactly the item. Change nothing else in the note.",
        'The checklist in the note "{title}" is out of date. Some of its items are tasks, titled just like them, that I'
        ' have completed in "{project}" in the todo app. Turn the empty box [ ] before those into [x] and leave all'
        " other lines alone, also what was ticked before.",
        'Compare the project "{project}" of my todo app with my note "{title}". Where a task that is done there stands'
        " in the note, word for word, after an open box, replace [ ] on that line by [x]; everything else in the note"
        " remains as it is.",
    ),
    make=_make_ticks,
    solve=_solve_ticks,
    program=Program(
        functions=(tick_off_finished_tasks,),
        call="tick_off_finished_tasks(note_title={title!r}, project={project!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="any_project", old="project_id=project_id, done=True", new="done=True"),
        Mistake(name="open_ones_too", old=", done=True", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(
            name="nearly_the_same",
            old="if line in finished else",
            new="if any(task.startswith(line) for task in finished) else",
        ),
    ),
)

FAMILIES = (prefix_note_titles, fullest_checklist, drop_rare_tags, tick_off_done_items)
