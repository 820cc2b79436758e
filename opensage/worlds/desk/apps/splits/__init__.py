"""The splits app: groups that share expenses, who owes whom, and paying back."""

from __future__ import annotations

from opensage.worlds.desk.apps.splits.apis import splits
from opensage.worlds.desk.apps.splits.rows import (
    Expense,
    ExpenseComment,
    Group,
    Repayment,
    add_expense,
    add_member,
    balances,
    change_expense,
    comment,
    create_group,
    debts,
    delete_comment,
    delete_expense,
    delete_group,
    delete_repayment,
    equal_shares,
    remove_member,
    rename_group,
    repay,
    shares_of,
)

__all__ = [
    "Expense",
    "ExpenseComment",
    "Group",
    "Repayment",
    "add_expense",
    "add_member",
    "balances",
    "change_expense",
    "comment",
    "create_group",
    "debts",
    "delete_comment",
    "delete_expense",
    "delete_group",
    "delete_repayment",
    "equal_shares",
    "remove_member",
    "rename_group",
    "repay",
    "shares_of",
    "splits",
]
