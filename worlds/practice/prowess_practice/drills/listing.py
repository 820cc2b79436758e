"""What a drill is made of: a listing of an app, what can be measured on its rows, and what can be done to them."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A field whose greatest or least value can be asked for."""

    field: str
    most: str
    """`is the longest`"""
    least: str
    sum: str = ""
    """What adds up, in the plural: `amounts`; empty where a sum makes no sense."""
    code: str = ""
    """How it is found, `ROW` standing for the row, where it is no field of it: by looking into the row."""

    def of(self, row: str) -> str:
        """The expression for what a program calls a row."""
        return self.code.replace("ROW", row) if self.code else f'{row}["{self.field}"]'


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to do to one row."""

    api: str
    verb: str
    """`like`, as in `like every song`."""
    arguments: str
    """Besides the token, `ROW` standing for the row: `song_id=ROW["song_id"]`."""
    after: str = ""
    """What ends the sentence: ` from my library`."""
    slot: str = ""
    """A further value the task gives, said in `after`, one of `choices`."""
    choices: tuple[str, ...] = ()
    app: str = ""
    """Where it is done, if not in the app of the listing."""

    @property
    def word(self) -> str:
        return self.verb.split()[0]


def rename(api: str, id: str, field: str) -> Action:
    """A word in brackets added to what rows are called."""
    return Action(
        api=api,
        verb="rename",
        arguments=f'{id}=ROW["{id}"], {field}=f\'{{ROW["{field}"]}} ({{suffix}})\'',
        after=f', adding " ({{suffix}})" to the {field}',
        slot="suffix",
        choices=("old", "kept", "2025", "to check", "mine"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """What the rows lie in, and how a program gets there by its name: a playlist, a project, a folder."""

    slot: str
    says: str
    """`in my playlist "{playlist}"`"""
    about: str
    """`in a playlist`"""
    finds: str
    """Lines of the program that find it."""
    rows: str
    """The rows, once it is found."""
    names: str
    """All the names there are, for drawing one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Rows that an API lists, page by page, or that lie within something."""

    app: str
    api: str = ""
    within: Within | None = None
    word: str
    """What names of functions are made of: `library_songs`."""
    row: str
    """What a program calls one row: `song`."""
    one: str
    many: str
    name: str = ""
    """The field that names a row in an answer; empty where none does, `.` where a row is a text and names itself."""
    called: str = ""
    """How a task calls that field, in the singular."""
    conditions: tuple[Condition, ...] = ()
    flags: tuple[Condition, ...] = ()
    measures: tuple[Measure, ...] = ()
    actions: tuple[Action, ...] = ()

    @property
    def rows(self) -> str:
        """What a program calls all of them."""
        return f"{self.row[:-1]}ies" if self.row.endswith("y") else f"{self.row}s"

    @property
    def naming(self) -> str:
        """How a program gets a row's name."""
        return self.row if self.name == "." else f'{self.row}["{self.name}"]'
