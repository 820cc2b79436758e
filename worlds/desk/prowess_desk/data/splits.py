"""What the splits app holds at first: circles of roommates, friends and coworkers as groups, and what they shared."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.splits import Expense, ExpenseComment, Group, Repayment, debts, equal_shares, shares_of
from prowess_desk.apps.splits.rows import Shares
from prowess_desk.data.moments import circles, moment, moments, pairs
from prowess_desk.engine.people import STREETS, Person
from prowess_desk.engine.tables import Base

_NAMES = {
    "roommate": [f"{street} Street Flat" for street in STREETS],
    "friend": """Lake Weekend|City Trip|Board Game Nights|Ski Week|Hiking Club|Beach House|Dinner Circle|Festival Crew|
Sunday Football|Cabin Stay|Cycling Tour|Cooking Club|Museum Tour|Sailing Days""".replace("\n", "").split("|"),
    "coworker": """Lunch Bunch|Coffee Fund|Carpool|Office Snacks|Team Offsite|Quiz Team|Gift Pool|Running Group|
Book Exchange|Project Dinner|Friday Drinks|Trade Fair|Late Shift Meals|Garden Project""".replace("\n", "").split("|"),
}
_SPENT = {
    "roommate": """Electricity|Water|Internet|Groceries|Cleaning supplies|Trash bags|New lamp|Plumber|Window cleaning|
Shower curtain|Toaster|Pizza night|House plants|Heating""",
    "friend": """Hotel|Train tickets|Museum entry|Dinner|Breakfast|Boat rental|Gas|Parking|Snacks|Concert tickets|
Souvenirs|Bike rental|Picnic|Camping site""",
    "coworker": """Lunch|Coffee beans|Taxi|Birthday cake|Farewell gift|Team dinner|Conference tickets|Printer paper|
Sandwiches|Parking|Escape room|Fruit basket|Whiteboard pens|Bowling""",
    "family": "Family dinner|Gift for grandma|Car repair|Holiday flat|Theater|Garden chairs|Vet bill|Photo album",
}
_REMARKS = (
    "Thanks for paying!",
    "Is that the right amount?",
    "I will pay you back soon.",
    "Receipt is in the kitchen.",
)


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """Groups, expenses with comments, and repayments."""
    rng = random.Random(derive(seed, "splits"))
    groups: list[Group] = []
    drafts: list[tuple[datetime, int | None, str, int, int, Shares, int]] = []

    def spend(kind: str, group: int | None, members: tuple[int, ...], least: int, most: int) -> None:
        things = _SPENT[kind].replace("\n", "").split("|")
        count = rng.randint(least, most)
        for thing, when in zip(rng.sample(things, count), moments(rng, now, count, days=300), strict=True):
            cents = rng.randint(10, 240) * 100 if rng.random() < 0.7 else rng.randint(800, 9_000)
            payer = rng.choice(members)
            drafts.append((when, group, thing, cents, payer, _shares(rng, cents, members, payer), payer))

    for kind, names in _NAMES.items():
        ties = circles(people, kind)
        for members, name in zip(ties, rng.sample(names, len(ties)), strict=True):
            groups.append(
                Group(
                    id=len(groups) + 1,
                    name=name,
                    creator=rng.choice(members),
                    member_ids=members,
                    created_at=moment(rng, now - timedelta(days=302), days=200),
                )
            )
            spend(kind, len(groups), members, 7, 12)
    for a, b, relation in pairs(people):
        if relation in ("sibling", "parent", "child"):
            spend("family", None, (a, b), 1, 3)
    expenses = [
        Expense(
            id=n + 1,
            group=group,
            description=thing,
            cents=cents,
            payer=payer,
            shares=shares,
            creator=creator,
            created_at=when,
        )
        for n, (when, group, thing, cents, payer, shares, creator) in enumerate(
            sorted(drafts, key=lambda draft: draft[0])
        )
    ]
    comments: list[ExpenseComment] = []
    for expense in expenses:
        if rng.random() < 0.2:
            comments.append(
                ExpenseComment(
                    id=len(comments) + 1,
                    expense=expense.id,
                    author=rng.choice(expense.people),
                    text=rng.choice(_REMARKS),
                    created_at=expense.created_at.replace(hour=23),
                )
            )
    return [
        Base(Group, groups),
        Base(Expense, expenses),
        Base(ExpenseComment, comments),
        Base(Repayment, _repayments(rng, groups, expenses, now)),
    ]


def _shares(rng: random.Random, cents: int, members: tuple[int, ...], payer: int) -> Shares:
    """Mostly equal among all, sometimes among some, sometimes uneven."""
    kind = rng.random()
    if kind < 0.7 or len(members) == 2:
        return equal_shares(cents, members)
    if kind < 0.85:
        others = [person for person in members if person != payer]
        return equal_shares(cents, [payer, *rng.sample(others, rng.randint(1, len(others) - 1))])
    weights = [rng.randint(1, 4) for _ in members]
    parts = [cents * weight // sum(weights) for weight in weights]
    parts[0] += cents - sum(parts)
    return shares_of(dict(zip(members, parts, strict=True)))


def _repayments(
    rng: random.Random, groups: Sequence[Group], expenses: Sequence[Expense], now: datetime
) -> list[Repayment]:
    """In every group some of the debts were paid back lately, in full or by half."""
    by_group: dict[int | None, list[Expense]] = {}
    for expense in expenses:
        by_group.setdefault(expense.group, []).append(expense)
    found: list[Repayment] = []
    for group in groups:
        owed = sorted(debts(by_group[group.id], ()).items())
        for (debtor, creditor), cents in rng.sample(owed, max(0, min(len(owed) - 1, rng.randint(1, 3)))):
            found.append(
                Repayment(
                    id=len(found) + 1,
                    group=group.id,
                    payer=debtor,
                    receiver=creditor,
                    cents=cents if rng.random() < 0.6 else max(1, cents // 2),
                    note=rng.choice(("", "Bank transfer", "Cash")),
                    creator=debtor,
                    created_at=moment(rng, now, days=20),
                )
            )
    return found
