"""Splits through its APIs: groups, expenses, paying back and balances."""

from __future__ import annotations

from datetime import datetime

import pytest
from household import ADA, BEN, CLEO, NOW, Caller
from prowess_desk.apps import splits as app
from prowess_desk.apps.splits import Expense, ExpenseComment, Group, Repayment, debts, equal_shares, splits
from prowess_desk.data.splits import generate
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import people
from prowess_desk.engine.tables import Base

A, B, C = ADA.email, BEN.email, CLEO.email


@pytest.fixture
def desk() -> Caller:
    """Flat (1) of all three: Ada paid 30.00 for all (1), Ben 9.00 for himself and Cleo (2), Cleo gave Ada 4.00 back.

    Duo (2) is of Ben and Cleo. Outside any group Ben paid 8.00 for Ada and himself (3), and 5.00 for Cleo (4).
    """
    expenses = [
        Expense(
            id=n,
            group=group,
            description=what,
            cents=cents,
            payer=payer,
            shares=equal_shares(cents, sharers),
            creator=payer,
            created_at=datetime(2025, 4, n, 9),
        )
        for n, group, what, cents, payer, sharers in (
            (1, 1, "Water bill", 3_000, ADA.id, (1, 2, 3)),
            (2, 1, "Pizza", 900, BEN.id, (2, 3)),
            (3, None, "Gas bill", 800, BEN.id, (1, 2)),
            (4, None, "Tea", 500, BEN.id, (3,)),
        )
    ]
    return Caller(
        splits,
        [
            Base(
                Group,
                [
                    Group(id=1, name="Flat", creator=ADA.id, member_ids=(1, 2, 3), created_at=NOW),
                    Group(id=2, name="Duo", creator=BEN.id, member_ids=(2, 3), created_at=NOW),
                ],
            ),
            Base(Expense, expenses),
            Base(ExpenseComment, [ExpenseComment(id=1, expense=1, author=BEN.id, text="Thanks", created_at=NOW)]),
            Base(
                Repayment,
                [
                    Repayment(
                        id=1,
                        group=1,
                        payer=CLEO.id,
                        receiver=ADA.id,
                        cents=400,
                        note="",
                        creator=CLEO.id,
                        created_at=NOW,
                    )
                ],
            ),
        ],
    )


def owed(desk: Caller, token: str = "ada", **filters: object) -> dict[str, float]:
    found = desk("show_balances", token=token, **filters)
    assert found["total"] == sum(row["balance"] for row in found["balances"])
    return {row["email"]: row["balance"] for row in found["balances"]}


def test_balances_net_expenses_and_repayments(desk: Caller) -> None:
    assert owed(desk) == {B: 6.0, C: 6.0}
    assert owed(desk, group_id=1) == {B: 10.0, C: 6.0}
    assert owed(desk, token="cleo") == {A: -6.0, B: -9.5}
    assert desk("show_person_balance", email=B) == {
        "name": "Ben Holt",
        "email": B,
        "balance": 6.0,
        "by_group": [
            {"group_id": None, "group_name": None, "balance": -4.0},
            {"group_id": 1, "group_name": "Flat", "balance": 10.0},
        ],
    }
    assert [(row["email"], row["amount"]) for row in desk("show_people_who_owe_me")] == [(B, 6.0), (C, 6.0)]
    assert desk("show_people_i_owe") == []
    owing = desk("show_people_i_owe", token="cleo", page_limit=1, page_index=1)
    assert [(row["email"], row["amount"]) for row in owing] == [(B, 9.5)]


def test_a_groups_balances_add_up_to_nothing(desk: Caller) -> None:
    found = desk("show_group_balances", group_id=1)
    assert {row["email"]: row["balance"] for row in found["members"]} == {A: 16.0, B: -5.5, C: -10.5}
    assert [(row["debtor"]["email"], row["creditor"]["email"], row["amount"]) for row in found["debts"]] == [
        (B, A, 10.0),
        (C, A, 6.0),
        (C, B, 4.5),
    ]


def test_debts_between_two_cancel_out() -> None:
    def paid(id: int, payer: int, cents: int) -> Expense:
        shares = equal_shares(cents, (1, 2))
        return Expense(
            id=id, group=None, description="", cents=cents, payer=payer, shares=shares, creator=1, created_at=NOW
        )

    assert debts([paid(1, 1, 1_000), paid(2, 2, 600)], []) == {(2, 1): 200}
    assert debts([paid(1, 1, 1_000), paid(2, 2, 1_000)], []) == {}


def test_equal_shares_lose_no_cent() -> None:
    assert equal_shares(1_000, (9, 2, 4)) == ((2, 334), (4, 333), (9, 333))


def test_an_expense_is_split_equally_or_as_given(desk: Caller) -> None:
    id = desk("add_expense", description="Lamp", amount=10, participant_emails=[C, A, B], group_id=1)["expense_id"]
    assert desk.state[Expense][id].shares == ((1, 334), (2, 333), (3, 333))
    assert owed(desk, group_id=1) == {B: 13.33, C: 9.33}
    id = desk(
        "add_expense",
        description="Rug",
        amount=10,
        participant_emails=[C, A],
        share_amounts=[7.5, 2.5],
        paid_by_email=C,
    )["expense_id"]
    assert (desk.state[Expense][id].shares, desk.state[Expense][id].payer) == (((1, 250), (3, 750)), CLEO.id)
    assert owed(desk)[C] == 6.83


def test_expenses_that_do_not_add_up_are_refused(desk: Caller) -> None:
    good = {"description": "Lamp", "amount": 10, "participant_emails": [A, B]}
    assert desk.refused("add_expense", **{**good, "share_amounts": [5, 4]}) == 422
    assert desk.refused("add_expense", **{**good, "share_amounts": [10]}) == 422
    assert desk.refused("add_expense", **{**good, "share_amounts": [11, -1]}) == 422
    assert desk.refused("add_expense", **{**good, "participant_emails": [A, A]}) == 422
    assert desk.refused("add_expense", **{**good, "participant_emails": []}) == 422
    assert desk.refused("add_expense", **{**good, "participant_emails": ["x@example.com"]}) == 404
    assert desk.refused("add_expense", **{**good, "participant_emails": [B, C], "paid_by_email": B}) == 422
    assert desk.refused("add_expense", **{**good, "group_id": 2}) == 404
    assert desk.refused("add_expense", **{**good, "group_id": 2}, token="ben") == 422
    assert desk.refused("add_expense", **{**good, "amount": 0}) == 422
    id = desk("add_expense", **{**good, "share_amounts": [10, 0]})["expense_id"]
    assert desk.state[Expense][id].shares == ((1, 1000), (2, 0))


def test_expenses_are_listed_latest_first_by_group_payer_day_and_words(desk: Caller) -> None:
    def shown(**filters: object) -> list[int]:
        return [row["expense_id"] for row in desk("show_expenses", **filters)]

    assert shown() == [3, 1]
    assert shown(group_id=1) == [2, 1]
    assert shown(group_id=1, paid_by_email=B) == [2]
    assert shown(query="BILL", from_date="2025-04-01", to_date="2025-04-02") == [1]
    assert shown(page_limit=1, page_index=1) == [1]
    assert desk.refused("show_expenses", group_id=2) == 404


def test_others_expenses_are_not_there(desk: Caller) -> None:
    assert desk.refused("show_expense", expense_id=4) == 404
    assert desk("show_expense", expense_id=2)["amount"] == 9.0, "a member sees all of the group"


def test_an_expense_is_changed_and_deleted_by_who_recorded_or_paid_it(desk: Caller) -> None:
    assert desk.refused("update_expense", expense_id=2, amount=1) == 403
    desk("update_expense", expense_id=1, amount=60, description="Water")
    assert desk.state[Expense][1].shares == ((1, 2_000), (2, 2_000), (3, 2_000))
    desk("update_expense", expense_id=1, participant_emails=[A, C], share_amounts=[10, 50])
    row = desk("show_expense", expense_id=1)
    assert (row["description"], row["amount"], [share["amount"] for share in row["shares"]]) == ("Water", 60, [10, 50])
    assert desk.refused("update_expense", expense_id=1, share_amounts=[60]) == 422
    assert desk.refused("delete_expense", token="ben", expense_id=1) == 403
    desk("delete_expense", expense_id=1)
    assert list(desk.state[ExpenseComment]) == []
    assert owed(desk, group_id=1) == {C: -4.0}


def test_comments_belong_to_their_author(desk: Caller) -> None:
    id = desk("add_expense_comment", expense_id=1, text="Sure")["comment_id"]
    assert [row["text"] for row in desk("show_expense_comments", expense_id=1)] == ["Thanks", "Sure"]
    assert desk.refused("delete_expense_comment", comment_id=1) == 403
    assert desk.refused("add_expense_comment", expense_id=4, text="Hm") == 404
    desk("delete_expense_comment", comment_id=id)
    assert desk.refused("delete_expense_comment", comment_id=id) == 404


def test_paying_back_is_recorded_and_taken_back(desk: Caller) -> None:
    id = desk("record_payment", payer_email=B, receiver_email=A, amount=2.5, group_id=1)["payment_id"]
    assert owed(desk, group_id=1)[B] == 7.5
    assert [row["payment_id"] for row in desk("show_payments", group_id=1)] == [id, 1]
    assert desk.refused("delete_payment", payment_id=1) == 403
    assert desk.refused("delete_payment", token="cleo", payment_id=id) == 404
    desk("delete_payment", payment_id=id)
    assert owed(desk, group_id=1)[B] == 10.0
    assert desk.refused("record_payment", payer_email=B, receiver_email=C, amount=1) == 422
    assert desk.refused("record_payment", payer_email=A, receiver_email=A, amount=1) == 422
    assert desk.refused("record_payment", payer_email=A, receiver_email=B, amount=1, group_id=2) == 404


def test_settling_up_pays_back_all_of_one_place_whoever_owes(desk: Caller) -> None:
    assert desk("settle_up", email=B)["amount"] == 4.0
    assert owed(desk) == {B: 10.0, C: 6.0}
    assert desk("settle_up", email=B, group_id=1)["amount"] == 10.0
    assert owed(desk) == {C: 6.0}
    assert desk.refused("settle_up", email=B, group_id=1) == 409
    assert desk.refused("settle_up", email=A) == 422


def test_groups_are_created_renamed_and_joined(desk: Caller) -> None:
    assert desk.refused("create_group", name="Flat", member_emails=[B]) == 409
    assert desk.refused("create_group", name="", member_emails=[B]) == 422
    id = desk("create_group", name="Trip", member_emails=[B])["group_id"]
    desk("add_member", group_id=id, email=C)
    assert desk.refused("add_member", group_id=id, email=C) == 409
    desk("rename_group", token="cleo", group_id=id, name="Long Trip")
    assert [row["email"] for row in desk("show_group", group_id=id)["members"]] == [A, B, C]
    assert [row["name"] for row in desk("show_groups")] == ["Flat", "Long Trip"]
    assert desk.refused("show_group", group_id=2) == 404
    desk("remove_member", group_id=id, email=B)
    assert [row["name"] for row in desk("show_groups", token="ben", query="trip")] == []


def test_who_is_not_settled_up_cannot_leave_and_the_group_cannot_go(desk: Caller) -> None:
    assert desk.refused("remove_member", group_id=1, email=B) == 409
    assert desk.refused("delete_group", group_id=1) == 409
    for token, other in (("ada", B), ("ada", C), ("ben", C)):
        desk("settle_up", token=token, email=other, group_id=1)
    assert desk.refused("delete_group", token="ben", group_id=1) == 403
    desk("delete_group", group_id=1)
    assert [row.id for row in desk.state[Expense]] == [3, 4]
    assert list(desk.state[Repayment]) == []


def test_operations_leave_the_same_rows_as_the_apis(desk: Caller) -> None:
    start, goal = desk.state.fork(), desk.state.fork()
    app.add_expense(goal, ADA.id, "Lamp", 1_000, equal_shares(1_000, (1, 2)), group=1)
    app.repay(goal, ADA.id, ADA.id, BEN.id, 400)
    desk("settle_up", email=B)
    desk("add_expense", description="Lamp", amount=10.0, participant_emails=[B, A], group_id=1)
    assert changes(start, desk.state) == changes(start, goal)


def test_nothing_is_shown_without_a_login(desk: Caller) -> None:
    assert desk.refused("show_groups", token="") == 401


def test_in_a_universe_groups_are_circles_with_different_names_and_shares_add_up() -> None:
    for seed in range(4):
        everyone = people(seed)
        bases = {base.kind: base.rows for base in generate(seed, everyone, NOW)}
        names = [group.name for group in bases[Group].values()]
        assert len(names) == len(set(names)) > 20
        for expense in bases[Expense].values():
            assert sum(share for _, share in expense.shares) == expense.cents
            assert expense.group is None or set(expense.people) <= set(bases[Group][expense.group].member_ids)
        members = [id for group in bases[Group].values() for id in group.member_ids]
        assert min(members.count(person.id) for person in everyone) >= 2
