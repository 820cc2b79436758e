"""What the splits app stores, what can be done to it, and who owes whom. Money is in cents.

expense 30.00 paid by ada, shares ada 10, bruno 10, carla 10    bruno owes ada 10, carla owes ada 10
repayment bruno -> ada 4.00                                      bruno owes ada 6
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from prowess_desk.engine.reading import insert, without
from prowess_desk.engine.tables import State

Shares = tuple[tuple[int, int], ...]
"""(person, cents) of everybody an expense was for, by person id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """People who share expenses; found by each member. A person's groups have different names."""

    OWNER: ClassVar[str] = "member_ids"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)

    id: int
    name: str
    creator: int
    member_ids: tuple[int, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Expense:
    """Something one person paid for several; found by payer, by sharers, and by ("group", id)."""

    OWNER: ClassVar[str] = "keys"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"group": Group}

    id: int
    group: int | None
    description: str
    cents: int
    payer: int
    shares: Shares
    creator: int
    created_at: datetime

    @property
    def people(self) -> tuple[int, ...]:
        return insert((self.payer,), *(person for person, _ in self.shares))

    @property
    def keys(self) -> tuple[Any, ...]:
        return (*self.people, ("group", self.group))


@dataclass(frozen=True, slots=True, kw_only=True)
class Repayment:
    """Money one person gave back to another, outside or inside a group; found by both and by ("group", id)."""

    OWNER: ClassVar[str] = "keys"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"group": Group}

    id: int
    group: int | None
    payer: int
    receiver: int
    cents: int
    note: str
    creator: int
    created_at: datetime

    @property
    def keys(self) -> tuple[Any, ...]:
        return self.payer, self.receiver, ("group", self.group)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpenseComment:
    """A remark on an expense."""

    OWNER: ClassVar[str] = "expense"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"expense": Expense}

    id: int
    expense: int
    author: int
    text: str
    created_at: datetime


def equal_shares(cents: int, people: Iterable[int]) -> Shares:
    """An amount divided equally; the cents that are left over go one each to the lowest ids.

    >>> equal_shares(1000, [4, 2, 9])
    ((2, 334), (4, 333), (9, 333))
    """
    order = sorted(set(people))
    each, over = divmod(cents, len(order))
    return tuple((person, each + (n < over)) for n, person in enumerate(order))


def shares_of(amounts: Mapping[int, int]) -> Shares:
    """Shares as rows keep them."""
    return tuple(sorted(amounts.items()))


def debts(expenses: Iterable[Expense], repayments: Iterable[Repayment]) -> dict[tuple[int, int], int]:
    """What each pair owes: (debtor, creditor) to cents, only where it is more than nothing."""
    owed: dict[tuple[int, int], int] = {}
    for expense in expenses:
        for person, share in expense.shares:
            if person != expense.payer:
                owed[person, expense.payer] = owed.get((person, expense.payer), 0) + share
    for repayment in repayments:
        pair = repayment.payer, repayment.receiver
        owed[pair] = owed.get(pair, 0) - repayment.cents
    net: dict[tuple[int, int], int] = {}
    for (debtor, creditor), cents in owed.items():
        left = cents - owed.get((creditor, debtor), 0)
        if left > 0:
            net[debtor, creditor] = left
        elif left < 0:
            net[creditor, debtor] = -left
    return net


def balances(state: State, person: int, group: int | None = None) -> dict[int, int]:
    """What others owe this person in all or in one group: person to cents, negative where this person owes."""
    expenses, repayments = state[Expense].of(person), state[Repayment].of(person)
    if group is not None:
        expenses = [expense for expense in expenses if expense.group == group]
        repayments = [repayment for repayment in repayments if repayment.group == group]
    found: dict[int, int] = {}
    for (debtor, creditor), cents in debts(expenses, repayments).items():
        if creditor == person:
            found[debtor] = cents
        elif debtor == person:
            found[creditor] = -cents
    return dict(sorted(found.items()))


def create_group(state: State, creator: int, name: str, members: Iterable[int]) -> Group:
    """Make a group of the creator and others."""
    return state[Group].add(
        lambda id: Group(
            id=id, name=name, creator=creator, member_ids=insert((creator,), *members), created_at=state.now
        )
    )


def rename_group(state: State, group: int, name: str) -> Group:
    return state[Group].change(group, name=name)


def delete_group(state: State, group: int) -> None:
    """Delete a group with its expenses, their comments and its repayments."""
    expenses = {expense.id for expense in state[Expense].of(("group", group))}
    for comment in list(state[ExpenseComment]):
        if comment.expense in expenses:
            state[ExpenseComment].remove(comment.id)
    for expense in expenses:
        state[Expense].remove(expense)
    for repayment in state[Repayment].of(("group", group)):
        state[Repayment].remove(repayment.id)
    state[Group].remove(group)


def add_member(state: State, group: int, *people: int) -> Group:
    return state[Group].change(group, member_ids=insert(state[Group][group].member_ids, *people))


def remove_member(state: State, group: int, person: int) -> Group:
    return state[Group].change(group, member_ids=without(state[Group][group].member_ids, person))


def add_expense(
    state: State,
    creator: int,
    description: str,
    cents: int,
    shares: Shares,
    *,
    payer: int | None = None,
    group: int | None = None,
) -> Expense:
    """Record an expense; the creator paid unless another payer is named."""
    return state[Expense].add(
        lambda id: Expense(
            id=id,
            group=group,
            description=description,
            cents=cents,
            payer=creator if payer is None else payer,
            shares=shares,
            creator=creator,
            created_at=state.now,
        )
    )


def change_expense(state: State, expense: int, **fields: Any) -> Expense:
    """Change description, cents, payer or shares of an expense."""
    return state[Expense].change(expense, **fields)


def delete_expense(state: State, expense: int) -> None:
    """Delete an expense with its comments."""
    for comment in state[ExpenseComment].of(expense):
        state[ExpenseComment].remove(comment.id)
    state[Expense].remove(expense)


def repay(
    state: State,
    creator: int,
    payer: int,
    receiver: int,
    cents: int,
    *,
    group: int | None = None,
    note: str = "",
) -> Repayment:
    """Record that somebody gave money back; the creator is one of the two."""
    return state[Repayment].add(
        lambda id: Repayment(
            id=id,
            group=group,
            payer=payer,
            receiver=receiver,
            cents=cents,
            note=note,
            creator=creator,
            created_at=state.now,
        )
    )


def delete_repayment(state: State, repayment: int) -> None:
    state[Repayment].remove(repayment)


def comment(state: State, expense: int, author: int, text: str) -> ExpenseComment:
    """Remark on an expense."""
    return state[ExpenseComment].add(
        lambda id: ExpenseComment(id=id, expense=expense, author=author, text=text, created_at=state.now)
    )


def delete_comment(state: State, comment: int) -> None:
    state[ExpenseComment].remove(comment)
