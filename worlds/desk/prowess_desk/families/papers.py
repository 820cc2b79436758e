"""What families set their scenes with: notes, files, tasks and shared expenses of the past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from prowess_desk.apps.files import File, home
from prowess_desk.apps.notes import Note
from prowess_desk.apps.splits import Expense, Group, Repayment, rename_group
from prowess_desk.apps.todo import INBOX, Project, TodoTask, add_project, add_task
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import labels as tidy
from prowess_desk.engine.reading import oldest_first
from prowess_desk.engine.tables import State

CHORES = """call the bank|sort the mail|return the parcel|back up the laptop|renew the passport|wash the car|
water the ferns|book a table|write to grandma|clean the oven|sharpen the knives|pay the fine|sell the old desk|
pick up the suit|measure the window|order new filters|scan the contract|feed the neighbor's cat|air the mattress|
print the photos|change the batteries|thank the plumber|cancel the magazine|label the boxes|tidy the shed|
test the smoke alarm|mend the jacket|empty the attic|frame the poster|update the address book|
charge the drill|draw a floor plan""".replace("\n", "").split("|")
"""Titles of tasks that nobody has at first."""


def _when(draw: Draw, days: float) -> datetime:
    return draw.state.now - timedelta(days=days, minutes=draw.rng.randint(1, 600))


def jotted(
    draw: Draw, title: str, content: str, *, tags: Sequence[str] = (), archived: bool = False, days: float = 30
) -> Note:
    """A note of the supervisor's, written some days ago."""
    when = _when(draw, days)
    return draw.state[Note].add(
        lambda id: Note(
            id=id,
            owner=draw.me.id,
            title=title,
            content=content,
            tags=tidy(tags),
            created_at=when,
            updated_at=when,
            archived=archived,
        )
    )


def filed(draw: Draw, path: str, content: str, *, days: float = 30) -> File:
    """A file of the supervisor's, at a path that starts in their home directory."""
    when = _when(draw, days)
    full = f"{home(draw.me)}/{path.removeprefix('~/')}"
    return draw.state[File].add(
        lambda id: File(id=id, owner=draw.me.id, path=full, content=content, created_at=when, updated_at=when)
    )


def at_home(me: Person, path: str) -> str:
    """A path in full: `~/photos` becomes `/home/ada/photos`."""
    return home(me) + path.removeprefix("~")


def projects_of(draw: Draw, count: int) -> list[Project]:
    """Some open projects of the supervisor's besides the inbox, in any order; new ones where there are too few."""
    mine = draw.state[Project].of(draw.me.id)
    names = {project.name for project in mine}
    found = [project for project in mine if not project.archived and project.name != INBOX]
    for name in ("Errands", "Paperwork", "Move", "Wedding", "Newsletter"):
        if len(found) < count and name not in names:
            found.append(add_project(draw.state, draw.me.id, name, "blue"))
    return draw.rng.sample(found, count)


def planned(
    draw: Draw,
    project: Project,
    title: str,
    *,
    due: date | None = None,
    priority: int = 4,
    labels: Sequence[str] = (),
    done: datetime | bool = False,
    days: float = 20,
) -> TodoTask:
    """A task of the supervisor's, written down some days ago."""
    task = add_task(draw.state, draw.me.id, title, project=project.id, due=due, priority=priority, labels=labels)
    finished = done if isinstance(done, datetime) else _when(draw, days / 2) if done else None
    return draw.state[TodoTask].put(
        replace(task, created_at=_when(draw, days), done=finished is not None, completed_at=finished)
    )


def spent(
    draw: Draw,
    description: str,
    payer: Person,
    shares: dict[int, int],
    *,
    group: Group | None = None,
    days: float = 30,
    creator: Person | None = None,
) -> Expense:
    """An expense of the past, with everybody's share in cents."""
    return draw.state[Expense].add(
        lambda id: Expense(
            id=id,
            group=group.id if group else None,
            description=description,
            cents=sum(shares.values()),
            payer=payer.id,
            shares=tuple(sorted(shares.items())),
            creator=(creator or payer).id,
            created_at=_when(draw, days),
        )
    )


def groups_of(draw: Draw, *, least: int) -> list[Group]:
    """The supervisor's groups of at least so many people, in any order."""
    found = [group for group in draw.state[Group].of(draw.me.id) if len(group.member_ids) >= least]
    return draw.rng.sample(found, len(found))


def others_in(draw: Draw, group: Group) -> list[Person]:
    """The other people in a group, in any order."""
    found = [draw.state[Person][id] for id in group.member_ids if id != draw.me.id]
    return draw.rng.sample(found, len(found))


def group_called(state: State, me: Person, name: str) -> Group:
    """A person's group of this name."""
    return next(group for group in state[Group].of(me.id) if group.name == name)


def twin_groups(draw: Draw, *, least: int) -> tuple[Group, Group] | None:
    """A group of at least so many people, and an older one whose name holds its name: a search finds that first."""
    groups = oldest_first(groups_of(draw, least=2))
    large = [group for group in groups[1:] if len(group.member_ids) >= least]
    if not large:
        return None
    mine = draw.rng.choice(large)
    older = rename_group(draw.state, groups[0].id, f"{mine.name} (until 2024)")
    return mine, older


def owed(state: State, debtor: int, creditor: int, group: int) -> int:
    """What one person owes another in a group, in cents; negative the other way round."""
    total = 0
    for expense in state[Expense].of(("group", group)):
        shares = dict(expense.shares)
        total += shares.get(debtor, 0) if expense.payer == creditor else 0
        total -= shares.get(creditor, 0) if expense.payer == debtor else 0
    for row in state[Repayment].of(("group", group)):
        total -= row.cents if (row.payer, row.receiver) == (debtor, creditor) else 0
        total += row.cents if (row.payer, row.receiver) == (creditor, debtor) else 0
    return total


def older_twin(title: str) -> str:
    """A title that a search for this title finds, and lists before it."""
    return f"2024 {title[0].lower()}{title[1:]}"


SCRAPS = (
    ("Bakery on the corner", "Opens at six, the rye is gone by eight."),
    ("Chess evening", "Board three, white, nine o'clock."),
    ("Curtain lengths", "left: 210\nright: 208"),
    ("Dentist advice", "Softer brush, and not so hard."),
    ("Ferry times", "06:40\n09:15\n17:50"),
    ("Knots to learn", "bowline\nclove hitch\nsheet bend"),
    ("Language course", "Room 12, bring the blue book."),
    ("Meter reading", "water: 4471\ngas: 20318"),
    ("Plant hospital", "The fig wants less water."),
    ("Radio interview", "Ask about the lighthouse first."),
    ("Sewing pattern", "Size 42, cut twice on the fold."),
    ("Voucher codes", "spring: MOSS-20\nautumn: FERN-15"),
)
"""Notes that nobody has at first."""
