"""What reports are made of: figures by name, the order and form of their lines, where these are put, and values."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.people import slots as people
from prowess_practice.errands.transfers.parts import (
    RowPool,
    Scene,
    Slot,
    capital,
    entering,
    filtered,
    one_of,
    own,
    told,
)

WIDTH = 110
"""Characters in a line of a program."""
LONGEST = 25
"""Lines of a program, at most."""
LEAST = 2
"""Figures that a report has at least."""
NUMBERS = ("int", "money", "mean", "share")
"""Kinds of figures that are numbers; others are days or texts."""
TOKENS = {
    "int": "NUMBER",
    "money": "AMOUNT",
    "mean": "AVERAGE",
    "share": "PERCENT",
    "day": "DATE",
    "text": "TEXT",
}
"""What figures may be called."""
SHOWN = {"money": ":.2f", "mean": ":.2f", "share": ":.1f"}
"""How they are written."""
PLAIN = {
    "albums_of_followed": "albums of followed artists",
    "alarms_on": "active alarms",
    "expenses_in_group": "expenses in a group",
    "files_below": "files below a folder",
    "notes": "unarchived notes",
    "projects": "unarchived projects",
    "shares": "shares in expenses",
    "shares_in_group": "shares in the expenses of a group",
    "songs_in_playlist": "songs in a playlist",
    "songs_of_genre": "songs of a genre",
    "tasks_in_project": "tasks in a project",
    "tasks_with_due_date": "open tasks with a due date",
}
"""What docstrings call rows whose word says too little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What is read first, and the values that it takes."""

    pools: tuple[RowPool, ...]
    conditions: tuple[Condition, ...] = ()
    """On the first pool."""

    @property
    def apps(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pool.app for pool in self.pools))

    @property
    def slots(self) -> dict[str, type]:
        found = {slot.name: slot.kind for pool in self.pools for slot in pool.slots}
        return found | {one.slot: one.kind for one in self.conditions if one.slot}

    @property
    def tests(self) -> list[str]:
        return [one.code.replace("ROW", self.pools[0].row) for one in self.conditions if one.code]

    @property
    def found(self) -> str:
        """What a program calls the rows that are meant."""
        return "found" if self.tests else self.pools[0].rows

    @property
    def many(self) -> str:
        return " ".join([f"the {self.pools[0].many}", *(one.says for one in self.conditions)])

    @property
    def one(self) -> str:
        return " ".join([self.pools[0].one, *(one.says for one in self.conditions)])

    @property
    def about(self) -> str:
        word = self.pools[0].word
        plain = PLAIN.get(word, word.replace("_", " "))
        return " ".join([plain, *(one.about for one in self.conditions)])

    @property
    def every(self) -> str:
        """What a docstring says of one after the other."""
        return f"each of the {self.about}".replace("the all notes", "the notes (archived or not)")

    @property
    def word(self) -> str:
        return "_".join([self.pools[0].word, *(one.word for one in self.conditions)])

    @property
    def scenes(self) -> tuple[Scene, ...]:
        return tuple(pool.scene for pool in self.pools if pool.scene)

    def reading(self, prelude: str = "", further: Sequence[str] = ()) -> str:
        """The lines of a program that give them; `further` apps are logged in to as well."""
        first = self.pools[0]
        before = "".join(one.prelude for one in self.conditions)
        entry = "".join(entering(app) for app in dict.fromkeys((*self.apps, *further)))
        kept = filtered("found", first.row, first.rows, self.tests) if self.tests else ""
        return f"{before}{entry}{prelude}{first.reading}{kept}"

    @property
    def listing(self) -> str:
        """A function that gives all rows of the first pool: values for conditions are picked out of them."""
        first = self.pools[0]
        head = ", ".join(slot.name for slot in first.slots)
        return f"def rows({head}):\n{entering(first.app)}{first.reading}    return {first.rows}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTable:
    """Figures by name, as a program works them out and as a task speaks of them."""

    word: str
    rows: Rows
    code: str
    """Lines that give `figures`, names and what belongs to each."""
    each: str
    """`each artist among the songs in my music library`"""
    per: str
    """`each artist`, where it is clear among what."""
    subject: str
    """`the songs in my music library by artist`"""
    lead: str
    """A sentence that says what to work out."""
    name: str
    """`the artist`"""
    says: str
    """`the number of those songs by that artist`"""
    about: str
    apps: tuple[str, ...] = ()
    """Where it looks, if not only in the app of the rows."""
    hint: str = ""
    """A sentence on how names are written."""
    kind: str = "int"
    dated: bool = False
    """Whether names are days, months or years."""
    matters: tuple[tuple[str, str], ...] = ()
    weekly: bool = False
    """Whether names are days of the week."""
    adds: bool = False
    """Whether the sum of the figures says something."""
    signed: bool = False
    """Whether figures may be less than zero."""
    alone: bool = False
    """Whether names must differ, as each row has a figure of its own."""

    @property
    def counted(self) -> bool:
        """Whether figures say how many there are."""
        return not self.signed and self.says.startswith(("the number of those", "the number of its", "how many"))

    @property
    def by(self) -> str:
        """What lines are sorted by, where that is the name."""
        return self.name if "'" in self.name else self.name.removeprefix("its ")

    def token(self, text: str) -> str:
        """With names for the parts of a line that tell more than NAME and FIGURE do."""
        name = self.name.partition(" of ")[0].partition(" (")[0].partition("'")[0].split()[-1].upper()
        return re.sub(r"\bNAME\b", name, re.sub(r"\bFIGURE\b", TOKENS[self.kind], text))

    @property
    def shown(self) -> str:
        return f"figures[name]{SHOWN.get(self.kind, '')}"

    @property
    def told(self) -> tuple[str, ...]:
        return self.apps or self.rows.apps


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Lines that are ready, and how a task speaks of them for any place where they go."""

    word: str
    apps: tuple[str, ...]
    rows: Rows
    code: str
    """Lines of a program that give `lines`."""
    about: str
    texts: Callable[[LineSink], tuple[str, ...]]
    slots: tuple[Slot, ...] = ()
    figures: str = ""
    """Lines that give `figures` alone, for drawing what depends on them."""
    kind: str = ""
    alone: bool = False
    matters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSink:
    """Where lines go."""

    word: str
    app: str
    code: str
    """Lines of a program, on `lines`."""
    give: str
    """A sentence with CONTENT for what is put there."""
    finish: str
    """A sentence after the lines were described, with ITEMS for them."""
    place: str
    """`in a new note titled ...`"""
    about: str
    """`into a new note`"""
    slots: tuple[Slot, ...] = ()
    item: str = "line"
    """What one of them is called: an entry where they stand side by side."""
    join: str = ""
    """A sentence on what stands between entries."""
    only: tuple[str, ...] = ()
    """Apps of the rows with which it makes sense; none for all."""

    @property
    def items(self) -> str:
        return "entries" if self.item == "entry" else f"{self.item}s"


def shaped(name: str, slots: Mapping[str, type], about: str, body: str) -> str:
    """The whole function, no line of it too long where that can be helped."""
    kinds = [f"{slot}: {'str' if issubclass(kind, str) else kind.__name__}" for slot, kind in slots.items()]
    line = f"def {name}({', '.join(kinds)}) -> int:\n"
    if len(line) > WIDTH:
        line = f"def {name}(\n    {', '.join(kinds)}\n) -> int:\n"
    doc = textwrap.wrap(f'"""{capital(told(about))}."""', WIDTH - 4, break_on_hyphens=False)
    return f"{line}{''.join(f'    {part}{chr(10)}' for part in doc)}{body}"


def readable(source: str, slots: Mapping[str, type]) -> bool:
    """Whether a program is short, its lines are, and it gives none of its parameters another value."""
    lines = source.splitlines()
    bound = tuple(start for slot in slots for start in (f"{slot} = ", f"for {slot} in "))
    return len(lines) <= LONGEST and all(len(line) <= WIDTH and not line.strip().startswith(bound) for line in lines)


def plainly(kind: str, text: str) -> str:
    """What is no number is called a value instead of a figure."""
    if kind in NUMBERS:
        return text
    return text.replace("FIGURE", "VALUE").replace("figure", "value")


def sentences(*parts: str) -> str:
    """Those that are not empty, one after the other."""
    return " ".join(part.strip() for part in parts if part.strip())


TITLE = one_of("title", "Overview", "Figures", "Where things stand", "In numbers", "Summary", "Stock-taking", "Digest")
PATH = one_of("path", *(f"~/documents/{name}.txt" for name in ("figures", "report", "summary", "overview", "numbers")))
OWN_NOTE = own(
    "own_note", '[one["title"] for one in all_pages(apis.notes.search_notes, access_token=login(app="notes"))]'
)
_CONTACTS = 'all_pages(apis.phone.show_contacts, access_token=login(app="phone"))'
RECEIVER = own("receiver", f'[one["name"] for one in {_CONTACTS}]')
EMAIL = own("email", f'[one["email"] for one in {_CONTACTS}]')
RELATION = Slot(
    name="relationship", choose=lambda draw: draw.rng.choice(["friend", "coworker", "roommate", "sibling", "parent"])
)
OWN_TASK = own(
    "own_task", '[one["title"] for one in all_pages(apis.todo.list_tasks, access_token=login(app="todo"), done=False)]'
)
TASK_TITLE = one_of("task_title", "Go over the figures", "Check the numbers", "Read the report", "Discuss the overview")
OWN_EXPENSE = own(
    "own_expense",
    '[one["description"] for one in all_pages(apis.splits.show_expenses, access_token=login(app="splits"))]',
)
OWN_PAYMENT = own(
    "own_payment", '[one["note"] for one in all_pages(apis.wallet.show_transactions, access_token=login(app="wallet"))]'
)
OWN_SONG = own(
    "own_song", '[one["song_title"] for one in all_pages(apis.music.show_my_reviews, access_token=login(app="music"))]'
)

PREFIX = one_of("prefix", "Look into", "Check", "Go over", "Figures of", "About", "On")
MARK = one_of("mark", "Count", "Checked", "As of today", "Result", "Noted", "Review")
OWN_FILE = Slot(name=people.OWN_FILE.name, choose=people.OWN_FILE.choose)
DUE = Slot(name=people.DUE.name, kind=people.DUE.kind, choose=people.DUE.choose)
