"""The splits app: groups that share expenses, who owes whom, and paying back."""

from __future__ import annotations

# Their APIs are documented in the order in which they are imported here.
from prowess_desk.apps.splits import groups, expenses, payments, balances  # isort: skip
from prowess_desk.apps.splits.app import splits
from prowess_desk.apps.splits.rows import (
    Expense,
    ExpenseComment,
    Group,
    Repayment,
    add_expense,
    add_member,
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
    "expenses",
    "groups",
    "payments",
    "remove_member",
    "rename_group",
    "repay",
    "shares_of",
    "splits",
]
