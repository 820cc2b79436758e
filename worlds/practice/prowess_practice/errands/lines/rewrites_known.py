"""Ways to change a text by what an app knows of what its lines name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prowess_desk.engine.family import Draw

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Pool
from prowess_practice.errands.lines.mark import REMARKS
from prowess_practice.errands.lines.rewrite import Change


def _named(pool: Callable[[Draw], Pool | None], front: str = "- ") -> Callable[[Draw], Sequence[str] | None]:
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


CHANGES = (
    Change(
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
    Change(
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
    Change(
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
    Change(
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
    Change(
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
    Change(
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
