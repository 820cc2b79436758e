"""Wallet through its APIs: payments, requests, cards and friends."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from household import ADA, BEN, CLEO, NOW, Caller
from prowess_desk.apps import wallet as app
from prowess_desk.apps.wallet import (
    CardTransfer,
    Payment,
    PaymentCard,
    PaymentComment,
    PaymentRequest,
    WalletAccount,
    wallet,
)
from prowess_desk.data.wallet import generate
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import people
from prowess_desk.engine.tables import Base


def payment(id: int, sender: int, receiver: int, cents: int, when: datetime, note: str = "Lunch") -> Payment:
    return Payment(id=id, sender=sender, receiver=receiver, cents=cents, note=note, private=False, created_at=when)


@pytest.fixture
def desk() -> Caller:
    """Ada has 100.00; payment 1 is hers to Ben, 2 Ben's to her, 3 between the others; Ben asks her for 30 and 500."""
    return Caller(
        wallet,
        [
            Base(
                WalletAccount,
                [
                    WalletAccount(id=ADA.id, cents=10_000, friend_ids=(BEN.id,)),
                    WalletAccount(id=BEN.id, cents=500, friend_ids=()),
                    WalletAccount(id=CLEO.id, cents=0, friend_ids=()),
                ],
            ),
            Base(
                Payment,
                [
                    payment(1, ADA.id, BEN.id, 1_250, datetime(2025, 3, 1, 9), "Team lunch"),
                    payment(2, BEN.id, ADA.id, 4_000, datetime(2025, 4, 1, 9), "Rent"),
                    payment(3, BEN.id, CLEO.id, 700, datetime(2025, 4, 2, 9)),
                ],
            ),
            Base(PaymentComment, [PaymentComment(id=1, payment=1, author=BEN.id, text="Thanks!", created_at=NOW)]),
            Base(
                PaymentRequest,
                [
                    PaymentRequest(
                        id=n,
                        requester=asker,
                        payer=payer,
                        cents=cents,
                        note=note,
                        status=status,
                        created_at=NOW - timedelta(days=n),
                    )
                    for n, asker, payer, cents, note, status in (
                        (1, BEN.id, ADA.id, 3_000, "Taxi", "pending"),
                        (2, BEN.id, ADA.id, 50_000, "Boat", "pending"),
                        (3, ADA.id, CLEO.id, 800, "Book", "pending"),
                        (4, CLEO.id, ADA.id, 900, "Cake", "denied"),
                        (5, BEN.id, CLEO.id, 900, "Pie", "pending"),
                    )
                ],
            ),
            Base(
                PaymentCard,
                [
                    PaymentCard(id=1, owner=ADA.id, name="Blue", number="4" * 16, expiry_year=2025, expiry_month=5),
                    PaymentCard(id=2, owner=ADA.id, name="Old", number="5" * 16, expiry_year=2025, expiry_month=4),
                    PaymentCard(id=3, owner=BEN.id, name="Ben's", number="6" * 16, expiry_year=2028, expiry_month=1),
                ],
            ),
            Base(CardTransfer),
        ],
    )


def shown(desk: Caller, **filters: object) -> list[int]:
    return [row["transaction_id"] for row in desk("show_transactions", **filters)]


def test_a_payment_moves_money_and_is_seen_by_both(desk: Caller) -> None:
    sent = desk("send_payment", receiver_email="Ben@example.com", amount=19.99, note="Tickets", is_private=True)
    assert desk("show_balance") == {"balance": 80.01}
    assert desk("show_balance", token="ben") == {"balance": 24.99}
    row = desk("show_transaction", token="ben", transaction_id=sent["transaction_id"])
    assert (row["amount"], row["note"], row["is_private"], row["direction"]) == (19.99, "Tickets", True, "received")
    assert row["sender"] == {"name": "Ada Holt", "email": "ada@example.com"}


def test_a_payment_needs_the_balance_a_known_receiver_and_whole_cents(desk: Caller) -> None:
    assert desk.refused("send_payment", receiver_email="ben@example.com", amount=100.01) == 409
    assert desk.refused("send_payment", receiver_email="nobody@example.com", amount=1) == 404
    assert desk.refused("send_payment", receiver_email="ada@example.com", amount=1) == 422
    assert desk.refused("send_payment", receiver_email="ben@example.com", amount=1.005) == 422
    assert desk.refused("send_payment", receiver_email="ben@example.com", amount=-5) == 422
    assert desk.refused("send_payment", receiver_email="ben@example.com", amount=float("nan")) == 422
    assert desk("send_payment", receiver_email="ben@example.com", amount=100)["message"] == "Payment sent."


def test_transactions_are_filtered_latest_first(desk: Caller) -> None:
    assert shown(desk) == [2, 1]
    assert shown(desk, direction="sent") == [1]
    assert shown(desk, user_email="ben@example.com", min_amount=12.5, max_amount=12.5) == [1]
    assert shown(desk, user_email="cleo@example.com") == []
    assert shown(desk, from_date="2025-03-01", to_date="2025-03-31") == [1]
    assert shown(desk, from_date="2025-04-01") == [2]
    assert shown(desk, query="LUNCH") == [1]
    assert shown(desk, page_limit=1, page_index=1) == [1]
    assert desk.refused("show_transactions", from_date="yesterday") == 422
    assert desk.refused("show_transactions", user_email="nobody@example.com") == 404


def test_only_the_two_sides_see_a_transaction_and_only_its_sender_changes_it(desk: Caller) -> None:
    assert desk.refused("show_transaction", transaction_id=3) == 404
    assert desk.refused("update_transaction", transaction_id=2, note="x") == 403
    desk("update_transaction", transaction_id=1, note="Dinner")
    assert (desk.state[Payment][1].note, desk.state[Payment][1].private) == ("Dinner", False)
    desk("update_transaction", transaction_id=1, is_private=True)
    assert (desk.state[Payment][1].note, desk.state[Payment][1].private) == ("Dinner", True)


def test_a_transaction_is_liked_once(desk: Caller) -> None:
    desk("like_transaction", transaction_id=2)
    assert desk.refused("like_transaction", transaction_id=2) == 409
    row = desk("show_transaction", transaction_id=2)
    assert (row["like_count"], row["liked_by_me"]) == (1, True)
    desk("unlike_transaction", transaction_id=2)
    assert desk.refused("unlike_transaction", transaction_id=2) == 409


def test_comments_belong_to_their_author(desk: Caller) -> None:
    id = desk("add_transaction_comment", transaction_id=1, text="Welcome.")["comment_id"]
    assert [row["text"] for row in desk("show_transaction_comments", transaction_id=1)] == ["Thanks!", "Welcome."]
    assert desk.refused("delete_transaction_comment", comment_id=1) == 403
    assert desk.refused("delete_transaction_comment", token="cleo", comment_id=1) == 404
    assert desk.refused("add_transaction_comment", transaction_id=1, text=" ") == 422
    assert desk.refused("add_transaction_comment", transaction_id=3, text="Hm") == 404
    desk("delete_transaction_comment", comment_id=id)
    assert desk("show_transaction", transaction_id=1)["comment_count"] == 1


def test_approving_a_request_pays_it_once(desk: Caller) -> None:
    done = desk("approve_request", request_id=1)
    row = desk("show_transaction", transaction_id=done["transaction_id"])
    assert (row["receiver"]["name"], row["amount"], row["note"]) == ("Ben Holt", 30.0, "Taxi")
    assert desk("show_balance") == {"balance": 70.0}
    assert desk.refused("approve_request", request_id=1) == 409
    assert desk.refused("deny_request", request_id=1) == 409
    assert desk.refused("approve_request", request_id=2) == 409, "the balance does not cover 500"


def test_requests_are_listed_by_side_and_state(desk: Caller) -> None:
    assert [row["request_id"] for row in desk("show_received_requests")] == [1, 2, 4]
    assert [row["request_id"] for row in desk("show_received_requests", status="denied")] == [4]
    assert [row["request_id"] for row in desk("show_sent_requests", status="pending")] == [3]
    desk("deny_request", request_id=2)
    assert [row["request_id"] for row in desk("show_received_requests", status="pending")] == [1]
    assert desk.refused("show_received_requests", status="open") == 422


def test_requests_are_answered_by_the_payer_and_cancelled_by_the_asker(desk: Caller) -> None:
    assert desk.refused("approve_request", request_id=3) == 403
    assert desk.refused("cancel_request", request_id=1) == 403
    assert desk.refused("deny_request", request_id=5) == 404
    desk("cancel_request", request_id=3)
    assert desk("show_received_requests", token="cleo", page_limit=20)[0]["request_id"] == 5
    id = desk("request_payment", payer_email="cleo@example.com", amount=7.5, note="Tea")["request_id"]
    asked = desk.state[PaymentRequest][id]
    assert (asked.payer, asked.cents, asked.status) == (CLEO.id, 750, "pending")


def test_cards_top_up_and_take_money_while_they_are_valid(desk: Caller) -> None:
    assert desk("top_up_balance", card_id=1, amount=50)["balance"] == 150.0
    assert desk("withdraw_balance", card_id=1, amount=149.99)["balance"] == 0.01
    assert desk.refused("withdraw_balance", card_id=1, amount=1) == 409
    assert desk.refused("top_up_balance", card_id=2, amount=1) == 409
    assert desk.refused("top_up_balance", card_id=3, amount=1) == 404
    kinds = [(row["kind"], row["amount"]) for row in desk("show_card_transfers")]
    assert kinds == [("withdrawal", 149.99), ("top_up", 50.0)]


def test_cards_are_added_and_deleted(desk: Caller) -> None:
    new = {"name": "New", "number": "7" * 16, "expiry_year": 2029, "expiry_month": 8}
    assert desk.refused("add_card", **{**new, "number": "77"}) == 422
    assert desk.refused("add_card", **{**new, "name": "Blue"}) == 409
    assert desk.refused("add_card", **{**new, "expiry_month": 13}) == 422
    desk("add_card", **new)
    desk("delete_card", card_id=2)
    assert [card["name"] for card in desk("show_cards")] == ["Blue", "New"]
    assert desk.refused("delete_card", card_id=3) == 404


def test_friends_are_added_removed_and_one_sided(desk: Caller) -> None:
    desk("add_friend", email="cleo@example.com")
    assert [row["name"] for row in desk("show_friends")] == ["Ben Holt", "Cleo Holt"]
    assert desk("show_friends", token="cleo") == []
    assert desk.refused("add_friend", email="ben@example.com") == 409
    desk("remove_friend", email="ben@example.com")
    assert desk.refused("remove_friend", email="ben@example.com") == 409
    assert [row["email"] for row in desk("search_users", query="holt cleo")] == ["cleo@example.com"]


def test_operations_leave_the_same_rows_as_the_apis(desk: Caller) -> None:
    start, goal = desk.state.fork(), desk.state.fork()
    app.transfer(goal, ADA.id, CLEO.id, 500, "Tea", private=True)
    app.approve(goal, 1)
    desk("approve_request", request_id=1)
    desk("send_payment", receiver_email="cleo@example.com", amount=5, note="Tea", is_private=True)
    assert changes(start, desk.state) == changes(start, goal)


def test_nothing_is_shown_without_a_login(desk: Caller) -> None:
    assert desk.refused("show_balance", token="") == 401


def test_in_a_universe_payments_are_between_people_who_know_each_other_and_all_requests_can_be_paid() -> None:
    everyone = people(3)
    known = {person.id: {id for id, _ in person.relations} for person in everyone}
    bases = {base.kind: base.rows for base in generate(3, everyone, NOW)}
    assert all(row.receiver in known[row.sender] and row.created_at < NOW for row in bases[Payment].values())
    for person in everyone:
        asked = [row for row in bases[PaymentRequest].values() if row.payer == person.id and row.status == "pending"]
        assert len(asked) == len({row.requester for row in asked}) == len({row.note for row in asked}) >= 3
        assert bases[WalletAccount][person.id].cents > sum(row.cents for row in asked)
        first = next(row for row in bases[PaymentCard].values() if row.owner == person.id)
        assert first.expiry_year > NOW.year
