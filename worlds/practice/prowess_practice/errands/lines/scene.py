"""How texts get to where they lie: messages, comments, steps, each with one that is mistaken for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from prowess_desk.apps import splits, todo, wallet
from prowess_desk.apps.files import make_directory
from prowess_desk.apps.phone import Contact, VoiceMessage, seconds_to_say
from prowess_desk.apps.todo import Subtask, TodoTask
from prowess_desk.engine.family import Day, Draw, Values
from prowess_desk.engine.people import Person
from prowess_desk.families.papers import at_home, filed, jotted, older_twin, planned, projects_of, spent
from prowess_desk.families.scene import acquaintances, ago, named, paid, texted

TOPICS = """Sunday list|From the meeting|Scratch pad|On the fridge|Train thoughts|What we said|Loose ends|Big plan|
Back of an envelope|Evening notes|For the weekend|Copied down|To go through|Collected in May|Corkboard|Second drawer|
Kitchen table|Waiting room|Quick capture|Before the holidays""".replace("\n", "").split("|")
"""Titles of notes that nobody has at first."""
TAGS = ("inbox", "to-process", "capture", "list", "desk-pile", "backlog", "raw", "sorting")
"""Tags that no note has at first."""
NAMES = "master-list|plan-b|rough-draft|overview|jottings|worksheet|checklist|leftovers|summary|pile".split("|")
"""Names of files that nobody has at first."""
HOSTS = """plan the reunion|get ready for the move|work through the pile|prepare the street fair|help at the club|
settle the weekend|clear the backlog|set up the studio|organize the summer""".replace("\n", "").split("|")
"""Titles of tasks that nobody has at first, and that other tasks are not called."""
SPENT = "Reunion dinner|Boat weekend|Garden fence|Moving van|Cabin firewood|Choir robes|Kiln repair".split("|")
PAID = "Reunion deposit|Studio rent|Kayak share|Tent hire|Poster print|Oven part|Lottery ticket".split("|")


def _sender(draw: Draw) -> Person:
    """One of the person's contacts."""
    return named(draw.state, draw.rng.choice(draw.state[Contact].of(draw.me.id)).name)


def _written(draw: Draw, sender: Person, text: str, other: str) -> None:
    """The latest text from somebody; an older one, and my answer after it, say something else."""
    now = draw.state.now
    texted(draw, sender, draw.me, other, now - timedelta(hours=20))
    texted(draw, sender, draw.me, text, now - timedelta(hours=3, minutes=draw.rng.randint(0, 50)))
    texted(draw, draw.me, sender, other, now - timedelta(hours=1))


def _texted(draw: Draw, sender: Person, texts: Sequence[str], others: Sequence[str]) -> str:
    """Texts from somebody on one day, in any order, and others before and after; returns the day."""
    start = (draw.state.now - timedelta(days=draw.rng.randint(3, 25))).replace(hour=9, minute=0)
    for n, text in enumerate(texts):
        texted(draw, sender, draw.me, text, start + timedelta(minutes=20 * n))
    for n, text in enumerate(others):
        texted(draw, sender, draw.me, text, start + timedelta(days=1 if n % 2 else -1, minutes=n))
    return start.date().isoformat()


def _said(draw: Draw, sender: Person, text: str, other: str) -> None:
    """The latest voice message from somebody, and my answer after it, which says something else."""
    now = draw.state.now
    _spoken(draw, sender, draw.me, other, now - timedelta(hours=30))
    _spoken(draw, sender, draw.me, text, now - timedelta(hours=3))
    _spoken(draw, draw.me, sender, other, now - timedelta(hours=2))


def _spoken(draw: Draw, sender: Person, receiver: Person, text: str, when: datetime) -> None:
    draw.state[VoiceMessage].add(
        lambda id: VoiceMessage(
            id=id,
            sender=sender.id,
            receiver=receiver.id,
            transcript=text,
            seconds=seconds_to_say(text),
            sent_at=when,
            holders=(sender.id, receiver.id),
        )
    )


def _host(draw: Draw) -> tuple[TodoTask, TodoTask]:
    """A task, and an older one whose title holds its title: a search finds that first."""
    title = draw.rng.choice(HOSTS)
    first, second = projects_of(draw, 2)
    older = planned(draw, first, f"{title} again", days=90)
    return planned(draw, second, title, days=30), older


def remarked_on_task(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """Comments of a task."""
    task, older = _host(draw)
    for one, texts in ((older, others), (task, lines)):
        for text in texts:
            todo.comment(draw.state, one.id, text)
    return {"task": task.title}


def described(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """A task's description."""
    task, older = _host(draw)
    draw.state[TodoTask].put(replace(task, description="\n".join(lines)))
    draw.state[TodoTask].put(replace(older, description="\n".join(others)))
    return {"task": task.title}


def stepped(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """A task's open steps; others are done."""
    task, _ = _host(draw)
    steps = [Subtask(title=line) for line in lines] + [Subtask(title=line, done=True) for line in others]
    draw.state[TodoTask].put(replace(task, subtasks=tuple(draw.rng.sample(steps, len(steps)))))
    return {"task": task.title}


def remarked_on_spending(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """Comments on a shared expense, by any of the two; a later one has a longer name."""
    friend, name = acquaintances(draw)[0], draw.rng.choice(SPENT)
    half = 100 * draw.rng.randint(10, 60)
    for title, texts, days in ((name, lines, 20), (f"{name} (second part)", others, 5)):
        expense = spent(draw, title, draw.me, {draw.me.id: half, friend.id: half}, days=days)
        for text in texts:
            splits.comment(draw.state, expense.id, draw.rng.choice((draw.me.id, friend.id)), text)
    return {"expense": name}


def remarked_on_payment(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """Comments on a payment, by any of the two; a later one has a longer note."""
    friend, name = acquaintances(draw)[0], draw.rng.choice(PAID)
    for note, texts, days in ((name, lines, 20), (f"{name} (rest)", others, 5)):
        payment = paid(draw, draw.me, friend, note, ago(draw, days))
        for text in texts:
            wallet.comment(draw.state, payment.id, draw.rng.choice((draw.me.id, friend.id)), text)
    return {"payment": name}


def in_note(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """A note, and an older one whose title holds its title."""
    title = draw.rng.choice(TOPICS)
    jotted(draw, title, "\n".join(lines), days=draw.rng.randint(1, 40))
    jotted(draw, older_twin(title), "\n".join(others), days=380)
    return {"note": title}


def under_tag(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """The one note with a tag, but for one in the archive."""
    tag, (first, second) = draw.rng.choice(TAGS), draw.rng.sample(TOPICS, 2)
    jotted(draw, first, "\n".join(lines), tags=[tag], days=50)
    jotted(draw, second, "\n".join(others), tags=[tag], archived=True, days=3)
    return {"tag": tag}


def under_tags(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """Two notes with a tag, and one in the archive."""
    tag, (first, second, third) = draw.rng.choice(TAGS), draw.rng.sample(TOPICS, 3)
    half = len(lines) // 2
    jotted(draw, first, "\n".join(lines[:half]), tags=[tag], days=20)
    jotted(draw, second, "\n".join(lines[half:]), tags=[tag, "later"], days=50)
    jotted(draw, third, "\n".join(others), tags=[tag], archived=True, days=90)
    return {"tag": tag}


def in_archive(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """An archived note, and another one with a longer title."""
    title = draw.rng.choice(TOPICS)
    jotted(draw, title, "\n".join(lines), archived=True, days=draw.rng.randint(90, 300))
    jotted(draw, older_twin(title), "\n".join(others), archived=True, days=80)
    return {"note": title}


def in_file(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """A file, and one of its name among the backups."""
    name, folder = draw.rng.choice(NAMES), draw.rng.choice(("documents", "documents/personal", "documents/work"))
    filed(draw, f"~/{folder}/{name}.txt", "\n".join(lines))
    filed(draw, f"~/backups/{name}.txt", "\n".join(others), days=200)
    return {"file_path": f"~/{folder}/{name}.txt"}


def in_named_file(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """A file, and one with a longer name."""
    name, folder = draw.rng.choice(NAMES), draw.rng.choice(("downloads", "documents/personal", "backups"))
    filed(draw, f"~/{folder}/{name}.md", "\n".join(lines))
    filed(draw, f"~/backups/2024-{name}.md", "\n".join(others), days=200)
    return {"file_name": f"{name}.md"}


def in_folder(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """The files of a folder, and one in the folder below it."""
    folder, half = f"~/documents/{draw.rng.choice(NAMES)}", len(lines) // 2
    for path in (folder, f"{folder}/old"):
        make_directory(draw.state, draw.me.id, at_home(draw.me, path))
    filed(draw, f"{folder}/part-1.txt", "\n".join(lines[:half]))
    filed(draw, f"{folder}/part-2.txt", "\n".join(lines[half:]))
    filed(draw, f"{folder}/old/part-0.txt", "\n".join(others))
    return {"folder": folder}


def in_message(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """The last text from somebody."""
    sender = _sender(draw)
    _written(draw, sender, "\n".join(lines), "\n".join(others))
    return {"sender": sender.name}


def in_messages(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """The texts from somebody on one day."""
    sender = _sender(draw)
    return {"sender": sender.name, "day": Day(_texted(draw, sender, lines, others))}


def in_voice(draw: Draw, lines: Sequence[str], others: Sequence[str]) -> Values:
    """The last voice message from somebody."""
    sender = _sender(draw)
    _said(draw, sender, " ".join(lines), " ".join(others))
    return {"sender": sender.name}
