"""Errands in which a text is read, changed line by line, and written back to where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from prowess_desk.engine.family import Day, Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Edit, NamedThings, nth, sentences, type_of
from prowess_practice.errands.lines.marks import REMARKS
from prowess_practice.errands.lines.places import DESCRIPTION, FILE, NAMED_FILE, NOTE, TAGGED, TextPlace

WRITES = {
    "note": "    apis.notes.update_note(access_token=notes_token, note_id=note_id, content=CONTENT)\n",
    "tagged_note": (
        '    apis.notes.update_note(access_token=notes_token, note_id=tagged[0]["note_id"], content=CONTENT)\n'
    ),
    "file": "    apis.files.update_file(access_token=files_token, file_path=file_path, content=CONTENT)\n",
    "named_file": "    apis.files.update_file(access_token=files_token, file_path=path, content=CONTENT)\n",
    "description": "    apis.todo.update_task(access_token=todo_token, task_id=task_id, description=CONTENT)\n",
}
"""How a text gets back to its place."""
PLACES = (NOTE, FILE, DESCRIPTION, TAGGED, NAMED_FILE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """What becomes of the lines of a text."""

    word: str
    says: tuple[str, ...]
    """With PLACE."""
    about: str
    code: str
    """Gives `kept`, the lines that are to be there, from `lines`."""
    lines: Callable[[Draw], Sequence[str] | None]
    """What the text is made of."""
    apps: tuple[str, ...] = ()
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values] = lambda draw: {}
    matters: tuple[Edit, ...] = ()
    places: int = 2


def rewritten(changes: Sequence[Rewrite]) -> Iterator[Errand]:
    """Each change in some places."""
    for turn, change in enumerate(changes):
        for n in range(change.places):
            yield _errand(change, PLACES[(turn + 2 * n) % len(PLACES)])


def _errand(change: Rewrite, place: TextPlace) -> Errand:
    name = f"{change.word}_of_{place.word}"
    slots = {**place.slots, **change.slots}
    apps = tuple(dict.fromkeys((*place.apps, *change.apps)))
    entries = "".join(f'    {app}_token = login(app="{app}")\n' for app in apps if app not in place.apps)
    head = ", ".join(f"{slot}: {type_of(kind)}" for slot, kind in slots.items())
    writes = WRITES[place.word].replace("CONTENT", '"\\n".join(kept)')
    rng = Random(name)
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=f'def {name}({head}) -> int:\n    """{change.about} of {place.about}; return how many remain."""\n'
        f"{place.code}    lines = content.splitlines()\n{entries}{change.code.lstrip(chr(10))}{writes}"
        "    return len(kept)\n",
        wordings=tuple(
            sentences(text.replace("PLACE", nth(place.says, n + rng.randint(0, 2))))
            for n, text in enumerate(change.says)
        ),
        values=_values(change, place),
        matters=(*place.matters[:1], *change.matters),
    )


def _values(change: Rewrite, place: TextPlace) -> Callable[[Draw], Values | None]:
    def values(draw: Draw) -> Values | None:
        given = change.choose(draw)
        lines, others = change.lines(draw), change.lines(draw)
        if lines is None or others is None:
            return None
        return {**place.sets(draw, lines, others), **given}

    return values


_GOODS = "tea,rope,candles,honey,nails,stamps,apples,twine,soap,paint,lamp oil,flour,salt,matches,thread,wax".split(",")


def _things(draw: Draw) -> list[str]:
    return draw.rng.sample(_GOODS, 7)


def _doubled(draw: Draw) -> list[str]:
    some = _things(draw)
    return draw.rng.sample([*some, *some[:3]], 10)


def _ticked(draw: Draw) -> list[str]:
    lines = [f"[{draw.rng.choice(('x', ' '))}] {one}" for one in _things(draw)[:5]]
    return draw.rng.sample(["[x] string", "[ ] glue", *lines, draw.rng.choice(REMARKS)], 8)


def _priced(draw: Draw) -> list[str]:
    lines = [f"{one}: {draw.rng.randint(110, 4_990) / 100:.2f}" for one in _things(draw)]
    return draw.rng.sample([*lines, draw.rng.choice(REMARKS)], 8)


def _dated(draw: Draw) -> list[str]:
    return draw.rng.sample([f"{pools.later(draw, draw.rng.randint(-40, 40))} {one}" for one in _things(draw)], 7)


def _counted(draw: Draw) -> list[str]:
    return [f"{one} x {draw.rng.randint(1, 9)}" for one in _things(draw)]


CHANGES = (
    Rewrite(
        word="sort_lines",
        says=(
            "Sort the lines of PLACE by the alphabet.",
            "The lines in PLACE should stand in alphabetical order. Rewrite it like that.",
            "Put PLACE in order: the same lines, but alphabetically.",
        ),
        about="Sort the lines",
        code="    kept = sorted(lines)\n",
        lines=_things,
    ),
    Rewrite(
        word="reverse_lines",
        says=(
            "Turn PLACE upside down: the last line comes first, and so on.",
            "Rewrite PLACE with its lines in reverse order.",
            "The order of the lines in PLACE is the wrong way round. Reverse it.",
        ),
        about="Reverse the lines",
        code="    kept = lines[::-1]\n",
        lines=_things,
    ),
    Rewrite(
        word="drop_doubles",
        says=(
            "Some lines occur twice in PLACE. Keep each where it is first and remove it further down.",
            "Remove doubles from PLACE: every line stays once, at its first place.",
            "Rewrite PLACE so that no line is there a second time; the first of two stays, the order does, too.",
        ),
        about="Drop the doubled lines",
        code="    kept = list(dict.fromkeys(lines))\n",
        lines=_doubled,
        places=3,
    ),
    Rewrite(
        word="drop_ticked_lines",
        says=(
            'Remove every line that begins with "[x]" from PLACE. All other lines stay, in their order.',
            'Clear PLACE of what is done, that is, of the lines that start with "[x]"; keep the others as they are.',
            'Rewrite PLACE without the lines that are ticked off ("[x]" at the start).',
        ),
        about="Drop the ticked lines",
        code='    kept = [line for line in lines if not line.startswith("[x]")]\n',
        lines=_ticked,
        places=3,
    ),
    Rewrite(
        word="tick_all_lines",
        says=(
            'Tick off everything in PLACE: "[ ]" at the start of a line becomes "[x]".',
            'In PLACE, turn each line that begins with "[ ]" into one that begins with "[x]", and change nothing else.',
            'All is done that PLACE lists. Replace "[ ]" by "[x]" where a line starts with it.',
        ),
        about="Tick off the lines",
        code='    kept = ["[x]" + line[3:] if line.startswith("[ ]") else line for line in lines]\n',
        lines=_ticked,
    ),
    Rewrite(
        word="move_ticked_lines_down",
        says=(
            'Rearrange PLACE: first the lines that do not begin with "[x]", then those that do, each in old order.',
            'What is ticked off in PLACE, lines with "[x]" in front, should come after all the other lines. Otherwise'
            " the order stays.",
            'Move the lines of PLACE that start with "[x]" to its end, in their order, and keep that of the rest.',
        ),
        about="Move down the ticked lines",
        code='    kept = sorted(lines, key=lambda line: line.startswith("[x]"))\n',
        lines=_ticked,
    ),
    Rewrite(
        word="number_lines",
        says=(
            'Number the lines of PLACE: each gets its number, a dot and a space in front, the first one "1. ".',
            'Put "1. ", "2. " and so on before the lines of PLACE, in their order.',
            'Every line in PLACE should begin with its number, like "3. " for the third. Rewrite it so.',
        ),
        about="Number the lines",
        code='    kept = [f"{number}. {line}" for number, line in enumerate(lines, 1)]\n',
        lines=_things,
        places=3,
    ),
    Rewrite(
        word="drop_lines_with_word",
        says=(
            'Remove the lines that have "{word}" in them from PLACE.',
            'No line with "{word}" should be left in PLACE; take those out and keep the rest in order.',
            'Rewrite PLACE without any line in which "{word}" occurs.',
        ),
        about="Drop the lines with a word",
        code="    kept = [line for line in lines if word not in line]\n",
        lines=lambda draw: [
            f"{one} from the {draw.rng.choice(('market', 'harbor', 'attic'))}" for one in _things(draw)
        ],
        slots={"word": str},
        choose=lambda draw: {"word": draw.rng.choice(("market", "harbor", "attic"))},
        places=3,
    ),
    Rewrite(
        word="replace_word",
        says=(
            'Replace "{old}" by "{new}" wherever it occurs in PLACE.',
            'In PLACE, every "{old}" should become "{new}"; leave everything else.',
            'Rewrite PLACE with "{new}" in place of "{old}" on all lines.',
        ),
        about="Replace a word in the lines",
        code="    kept = [line.replace(old, new) for line in lines]\n",
        lines=lambda draw: [
            f"{one} from the {draw.rng.choice(('market', 'harbor', 'attic'))}" for one in _things(draw)
        ],
        slots={"old": str, "new": str},
        choose=lambda draw: {"old": draw.rng.choice(("market", "harbor")), "new": draw.rng.choice(("mill", "pier"))},
        places=3,
    ),
    Rewrite(
        word="add_total",
        says=(
            'Lines such as "rope: 3.50" in PLACE give prices. Add a last line "Total: <sum>" with the sum of the'
            " prices, in two decimals.",
            'Add up what stands after the colons in PLACE and append the line "Total: <sum>", with two decimals.',
            'PLACE needs one more line at its end: "Total: " and the sum of all prices there, which come after'
            " colons, with two decimals.",
        ),
        about="Add a total to the lines",
        code="""
    total = sum(float(line.split(": ")[1]) for line in lines if ": " in line)
    kept = [*lines, f"Total: {total:.2f}"]
""",
        lines=_priced,
        places=3,
    ),
    Rewrite(
        word="drop_cheap_lines",
        says=(
            'Lines like "rope: 3.50" in PLACE give prices. Remove those with a price below ${price}; other lines, also'
            " without a price, stay.",
            "Take out of PLACE what costs less than ${price}, by the number after the colon. Lines without one remain.",
            "Rewrite PLACE without the lines whose price, after the colon, is under ${price}; keep all the rest.",
        ),
        about="Drop the cheap lines",
        code='    kept = [line for line in lines if ": " not in line or float(line.split(": ")[1]) >= price]\n',
        lines=_priced,
        slots={"price": float},
        choose=lambda draw: {"price": draw.rng.randint(1_000, 3_500) / 100},
        places=3,
    ),
    Rewrite(
        word="sort_by_price",
        says=(
            "Sort the lines of PLACE that have a price after a colon by it, the lowest first, and drop those without.",
            "PLACE should only keep its lines with a colon, ordered by the number behind it, from low to high.",
            "Rewrite PLACE: the lines with a price (after the colon) from the cheapest to the dearest, and no others.",
        ),
        about="Sort by price the lines",
        code="""
    priced = [line for line in lines if ": " in line]
    kept = sorted(priced, key=lambda line: float(line.split(": ")[1]))
""",
        lines=_priced,
        matters=((', key=lambda line: float(line.split(": ")[1])', ""),),
    ),
    Rewrite(
        word="drop_past_lines",
        says=(
            "Each line of PLACE begins with a day. Remove the lines whose day is before {day_limit}.",
            "Lines in PLACE start with a date. Keep those of {day_limit} and later, and take out the others.",
            "Rewrite PLACE without what is dated before {day_limit}; the date is at the start of each line.",
        ),
        about="Drop the past lines",
        code="    kept = [line for line in lines if line[:10] >= day_limit]\n",
        lines=_dated,
        slots={"day_limit": Day},
        choose=lambda draw: {"day_limit": Day(pools.later(draw, draw.rng.randint(-20, 20)))},
        places=3,
    ),
    Rewrite(
        word="double_amounts",
        says=(
            'Lines of PLACE end in " x " and a number. Double all these numbers.',
            'We need twice as much of everything in PLACE: where it says "rope x 2", make it "rope x 4", and so on.',
            'Rewrite PLACE with each number after " x " multiplied by two.',
        ),
        about="Double the amounts on the lines",
        code="""
    rows = [line.split(" x ") for line in lines]
    kept = [f"{name} x {2 * int(number)}" for name, number in rows]
""",
        lines=_counted,
    ),
)


def _named(pool: Callable[[Draw], NamedThings | None], front: str = "- ") -> Callable[[Draw], Sequence[str] | None]:
    """Lines that name things an app has to do with, and things it has not."""

    def lines(draw: Draw) -> list[str] | None:
        found = pool(draw)
        if found is None or len(found.good) < 4:
            return None
        good = draw.rng.sample(list(found.good), 4)
        idle = [draw.rng.choice(list(some)) for some in found.idle if some]
        texts = [f"{front}{one}" for one in (*good, *idle)]
        return draw.rng.sample([*texts, draw.rng.choice(REMARKS)], len(texts) + 1)

    return lines


KNOWN = (
    Rewrite(
        word="tick_done_tasks",
        says=(
            'Some dashed lines of PLACE ("- <title>") are tasks that I have done, by my todo app. Put " (done)" behind'
            " those, where a done task has exactly that title.",
            'Compare the lines "- <title>" in PLACE with my done tasks in the todo app: where a done task has just that'
            ' title, " (done)" is added at the end of the line. Nothing else changes.',
            'Append " (done)" to each line of PLACE that is "- " and the exact title of a done task in my todo app.',
        ),
        about="Mark the done lines",
        code="""
    done = all_pages(apis.todo.list_tasks, access_token=todo_token, done=True)
    finished = ["- " + one["title"] for one in done]
    kept = [f"{line} (done)" if line in finished else line for line in lines]
""",
        lines=_named(pools.open_tasks_too),
        apps=("todo",),
        matters=((", done=True", ""),),
        places=3,
    ),
    Rewrite(
        word="drop_liked_songs",
        says=(
            'Take the songs that I like in the music app out of PLACE: the lines "- <title>" with their titles.',
            'Remove a line from PLACE if it is "- " and the title of a song that I like already in the music app.',
            'In PLACE, lines "- <title>" name songs. Keep those that I have not liked in the music app, and all other'
            " lines, as they are.",
        ),
        about="Drop the liked lines",
        code="""
    liked = all_pages(apis.music.show_liked_songs, access_token=music_token)
    titles = ["- " + song["title"] for song in liked]
    kept = [line for line in lines if line not in titles]
""",
        lines=_named(pools.unliked_songs),
        apps=("music",),
        places=3,
    ),
    Rewrite(
        word="add_artists",
        says=(
            'Behind each song in PLACE (the lines "- <title>"), write " by " and its artist, as the music app has it. A'
            " title that no song has exactly, and other lines, stay as they are.",
            'Complete the lines "- <title>" in PLACE to "- <title> by <artist>" with the music app; lines that name no'
            " song in just these words remain.",
            'PLACE has songs as "- <title>". Add " by <artist>" where the music app has a song of exactly that title.',
        ),
        about="Add artists to the lines",
        code="""
    songs = all_pages(apis.music.search_songs, access_token=music_token)
    artists = {"- " + song["title"]: song["artist_name"] for song in songs}
    kept = [f"{line} by {artists[line]}" if line in artists else line for line in lines]
""",
        lines=_named(pools.unliked_songs),
        apps=("music",),
        places=3,
    ),
    Rewrite(
        word="add_numbers",
        says=(
            'Where a line of PLACE is "- " and the full name of a contact, write ": " and the phone number behind it.',
            'Complete the lines "- <name>" in PLACE to "- <name>: <phone number>" from my contacts. Leave whoever is'
            " not among them, and all other lines.",
            'In PLACE there are people, "- <name>". Put a colon, a space and their phone number behind those who are'
            " contacts of mine.",
        ),
        about="Add phone numbers to the lines",
        code="""
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    numbers = {"- " + person["name"]: person["phone_number"] for person in people}
    kept = [f"{line}: {numbers[line]}" if line in numbers else line for line in lines]
""",
        lines=_named(pools.contacts),
        apps=("phone",),
        places=3,
    ),
    Rewrite(
        word="add_due_dates",
        says=(
            'Lines of PLACE that are "- " and the title of a task get " (due <date>)" behind it, by my todo app. Tasks'
            " without a due date and other lines stay as they are.",
            'Add " (due YYYY-MM-DD)" to each line "- <title>" of PLACE whose task in the todo app has a due date.',
            'Write behind the tasks in PLACE, lines of the form "- <title>", when they are due in my todo app, like'
            ' " (due 2025-01-31)". If there is no such task or no due date, leave the line.',
        ),
        about="Add due dates to the lines",
        code="""
    every = all_pages(apis.todo.list_tasks, access_token=todo_token)
    due = {"- " + one["title"]: one["due_date"] for one in every if one["due_date"]}
    kept = [f"{line} (due {due[line]})" if line in due else line for line in lines]
""",
        lines=_named(pools.due_tasks),
        apps=("todo",),
        places=3,
    ),
    Rewrite(
        word="append_open_tasks",
        says=(
            'Append to PLACE, as lines "- <title>", those tasks of my todo app with priority 1 that are open and not'
            " there yet, in the order in which the app lists them.",
            'PLACE should have a line "- <title>" for each open task of priority 1 in my todo app. Add the missing ones'
            " at the end, in the app's order.",
            'Which open tasks of priority 1 in the todo app does PLACE lack? Add them, "- <title>" on a line each,'
            " in the order of the app.",
        ),
        about="Append urgent tasks to the lines",
        code="""
    urgent = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False, priority=1)
    wanted = ["- " + one["title"] for one in urgent]
    kept = [*lines, *(line for line in wanted if line not in lines)]
""",
        lines=_named(pools.urgent_tasks),
        apps=("todo",),
        matters=((" if line not in lines", ""),),
    ),
)
