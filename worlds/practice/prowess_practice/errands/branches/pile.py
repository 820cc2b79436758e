"""Rows that are gone through one by one, what tells them apart, and what can be done with each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prowess_desk.engine.family import Draw

from prowess_practice.drills.conditions import RELATIONSHIPS, Condition
from prowess_practice.drills.listing import Action, Within
from prowess_practice.errands.branches.parts import asked


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLook(Condition):
    """A condition for which each row must be looked into first."""

    look: str
    """The line that does it, `ROW` standing for the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """A number that every row has."""

    field: str
    noun: str
    """`amount`"""
    unit: str
    """` dollars`, or nothing"""
    smallest: str = ""
    """`from the smallest to the largest`; empty where no order goes by it."""
    largest: str = ""
    sums: bool = True
    code: str = ""
    """How it is found, `ROW` standing for the row, where it is no field of it."""
    look: str = ""
    """The line that looks into the row first, where that must be."""
    kind: type = int

    def of(self, row: str) -> str:
        return self.code.replace("ROW", row) if self.code else f'{row}["{self.field}"]'


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """Rows that are gone through."""

    word: str
    app: str
    row: str
    rows: str
    api: str = ""
    given: str = ""
    """What the listing is called with, besides the token."""
    only: str = ""
    """A test that leaves some of the listing out, `ROW` standing for the row."""
    within: Within | None = None
    many: str
    """`the payment requests to me that are pending in the wallet`"""
    it: str = "it"
    """How one of the rows is spoken of, once it is known which."""
    tests: tuple[Condition, ...] = ()
    acts: tuple[Action, ...]
    sizes: tuple[Size, ...] = ()

    @property
    def reads(self) -> str:
        """The lines that read the rows."""
        finds = self.within.finds if self.within else ""
        listed = f"all_pages(apis.{self.app}.{self.api}, access_token={self.app}_token{self.given})"
        listed = self.within.rows if self.within and not self.api else listed
        kept = f"    {self.rows} = [one for one in {self.rows} if {self.only.replace('ROW', 'one')}]\n"
        return f"{finds}    {self.rows} = {listed}\n{kept if self.only else ''}"

    @property
    def slots(self) -> dict[str, type]:
        return {self.within.slot: str} if self.within else {}


def place_of(draw: Draw, pile: Pile) -> dict[str, str] | None:
    """Where the rows lie, for one task."""
    if pile.within is None:
        return {}
    found = [name for name in asked(f"def names():\n    return {pile.within.names}\n", draw) if '"' not in name]
    return {pile.within.slot: draw.rng.choice(found)} if found else None


def rows_of(draw: Draw, pile: Pile, place: dict[str, str], element: str = "ROW") -> list[object]:
    """The rows, or something of each."""
    logins = f'    {pile.app}_token = login(app="{pile.app}")\n'
    result = f"    return [{element.replace('ROW', 'row')} for row in {pile.rows}]\n"
    found: list[object] = asked(f"def rows({', '.join(pile.slots)}):\n{logins}{pile.reads}{result}", draw, place)
    return found


def look_of(part: Condition | Size, pile: Pile) -> str:
    """The line that looks into a row, if there is one."""
    return f"{part.look.replace('ROW', pile.row)}\n" if isinstance(part, RowLook | Size) and part.look else ""


def kind_of(action: Action) -> type:
    """What its further value is."""
    return int if action.choices[0].isdigit() else str


def again(action: Action, which: str = "rest") -> Action:
    """The same with a value of its own."""
    name = f"{which}_{action.slot}"
    return replace(
        action,
        slot=name,
        verb=action.verb.replace(f"{{{action.slot}}}", f"{{{name}}}"),
        after=action.after.replace(f"{{{action.slot}}}", f"{{{name}}}"),
        arguments=action.arguments.replace(f"={action.slot}", f"={name}").replace(f"{{{action.slot}}}", f"{{{name}}}"),
    )


def call_of(action: Action, pile: Pile) -> str:
    """The call that does it to a row."""
    app = action.app or pile.app
    return f"apis.{app}.{action.api}(access_token={app}_token, {action.arguments.replace('ROW', pile.row)})"


def looked(action: Action, thing: str) -> str:
    """The action in words, done to something."""
    return f"{action.verb} {thing}{action.after}"


def task_of(name: str, called: str) -> Action:
    """A task made of a row."""
    return Action(
        api="create_task",
        app="todo",
        verb="make a todo task of",
        arguments=f"title={name}",
        after=", with the same title" if called == "title" else f", with the {called} as the title",
    )


def alarm_of(name: str, called: str) -> Action:
    """An alarm made of a row."""
    return Action(
        api="create_alarm",
        app="phone",
        verb='set an alarm at "{alarm_time}" for',
        arguments=f"label={name}, time=alarm_time",
        after=f", with the {called} as its label",
        slot="alarm_time",
        choices=("06:25", "08:05", "11:30", "15:45", "19:15", "22:10"),
    )


def _known(name: str, says: str, about: str, person: str, call: str, key: str = "email", of: str = "") -> Condition:
    """Whether the person in a row is among those of another listing."""
    app = call.split(".")[0]
    listed = f"all_pages(apis.{call.replace(', ', f', access_token={app}_token, ')}"
    listed = listed if ", " in call else f"{listed}, access_token={app}_token"
    return Condition(
        word=name,
        says=says,
        about=about,
        code=f'{person}["{key}"] in {name}',
        app=app,
        prelude=f'    listed = {listed})\n    {name} = {{one{of}["{key}"] for one in listed}}\n',
    )


def people_tests(person: str, who: str) -> tuple[Condition, ...]:
    """Tests of the person in a row by what other apps know; `who` says whose: `whose sender`."""
    related = replace(
        _known(
            "related",
            f'{who} is a "{{relationship}}" of mine according to my phone contacts',
            "of contacts of a relationship",
            person,
            "phone.show_contacts, relationship=relationship",
        ),
        slot="relationship",
        pick=lambda rng, rows: rng.choice(RELATIONSHIPS[:4]),
    )
    grouped = Condition(
        word="grouped",
        says=f'{who} is in my splits group "{{splits_group}}"',
        about="of members of a group",
        code=f'{person}["email"] in grouped',
        slot="splits_group",
        app="splits",
        prelude=(
            "    my_groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=splits_group)\n"
            '    group = next(one for one in my_groups if one["name"] == splits_group)\n'
            '    grouped = {member["email"] for member in group["members"]}\n'
        ),
    )
    return (
        related,
        _known("friends", f"{who} is a friend of mine on wallet", "of wallet friends", person, "wallet.show_friends"),
        _known(
            "debtors", f"{who} owes me money on splits", "of debtors on splits", person, "splits.show_people_who_owe_me"
        ),
        grouped,
        _known(
            "creditors",
            f"{who} is somebody to whom I owe money on splits",
            "of creditors on splits",
            person,
            "splits.show_people_i_owe",
        ),
        _known(
            "callers",
            f"{who} has ever called me according to the call log of my phone",
            "of people who have called",
            person,
            'phone.show_call_log, direction="incoming"',
            "name",
            '["caller"]',
        ),
    )
