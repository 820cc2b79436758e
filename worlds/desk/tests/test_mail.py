"""Mail through its APIs: one copy per mailbox, threads, drafts, labels and folders."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from household import answer
from prowess_desk.apps.mail import Mail, mail
from prowess_desk.apps.shop import Order
from prowess_desk.data import shop as shop_data
from prowess_desk.data.mail import generate
from prowess_desk.engine.api import ApiError, Session
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import Person, people
from prowess_desk.engine.tables import Base, State

NOW = datetime(2025, 5, 18, 12)
ADA, BEN, CY = people(1)[:3]


class Desk:
    """Ada's inbox holds seven mails from Ben, numbered from the oldest."""

    def __init__(self) -> None:
        inbox = [
            Mail(
                id=n,
                owner=ADA.id,
                sender=BEN.email,
                recipients=tuple(sorted((ADA.email, CY.email))),
                subject=f"Plan {n}",
                body="Bring the map." if n % 2 else "Bring food.",
                sent_at=NOW - timedelta(days=10 - n),
                read=n < 3,
                folder="inbox",
                attachments=("map.png",) if n == 5 else (),
                thread=n,
            )
            for n in range(1, 8)
        ]
        self.state = State.over([Base(Person, (ADA, BEN, CY)), Base(Mail, inbox)], NOW)
        self.session = Session(supervisor=ADA, instruction="", universe=1, seed=1)
        self.session.tokens = {("mail", "ada"): ADA.id, ("mail", "ben"): BEN.id, ("mail", "cy"): CY.id}

    def __call__(self, api: str, *, token: str = "ada", **arguments: Any) -> Any:
        return answer(mail.apis[api], self.state, self.session, access_token=token, **arguments)

    def refused(self, api: str, **arguments: Any) -> int:
        with pytest.raises(ApiError) as refusal:
            self(api, **arguments)
        return refusal.value.code


@pytest.fixture
def desk() -> Desk:
    return Desk()


def ids(found: list[Any]) -> list[int]:
    return [one["mail_id"] for one in found]


def test_a_folder_is_listed_newest_first_by_pages_without_text(desk: Desk) -> None:
    assert ids(desk("list_mails")) == [7, 6, 5, 4, 3]
    assert ids(desk("list_mails", page_index=1)) == [2, 1]
    assert ids(desk("list_mails", read=True)) == [2, 1]
    assert "body" not in desk("list_mails")[0] and desk("list_mails")[0]["sender_name"] == BEN.name
    assert desk("list_mails", folder="spam") == []
    assert desk.refused("list_mails", folder="attic") == 422


def test_a_search_reads_texts_senders_days_and_attachments(desk: Desk) -> None:
    assert ids(desk("search_mails", query="MAP plan", page_limit=20)) == [7, 5, 3, 1]
    assert ids(desk("search_mails", sent_from="2025-05-14", sent_until="2025-05-14")) == [6]
    assert ids(desk("search_mails", has_attachments=True)) == [5]
    assert desk("search_mails", sender=CY.email) == []
    assert desk.refused("search_mails", sent_from="yesterday") == 422


def test_showing_a_mail_changes_nothing_and_is_for_its_owner_only(desk: Desk) -> None:
    start = desk.state.fork()
    assert desk("show_mail", mail_id=7)["body"] == "Bring the map."
    assert changes(start, desk.state) == {}
    assert desk.refused("show_mail", token="ben", mail_id=7) == 404
    assert desk.refused("show_mail", token="x", mail_id=7) == 401


def test_sending_puts_a_copy_into_each_mailbox(desk: Desk) -> None:
    desk("send_mail", recipients=[CY.email.upper(), BEN.email], subject="Hi", body="Hello.", attachments=["a.txt"])
    [sent] = desk("list_mails", folder="sent")
    for token in ("ben", "cy"):
        [got] = desk("list_mails", token=token)
        assert (got["sender"], got["read"], got["attachments"]) == (ADA.email, False, ["a.txt"])
        assert got["recipients"] == sent["recipients"] == sorted([BEN.email, CY.email])
    assert desk.refused("send_mail", recipients=["x@example.com"], subject="", body="") == 422
    assert desk.refused("send_mail", recipients=[], subject="", body="") == 422


def test_a_reply_stays_in_its_thread(desk: Desk) -> None:
    desk("reply_to_mail", mail_id=7, body="Will do.")
    assert [one["body"] for one in desk("show_thread", thread_id=7)] == ["Bring the map.", "Will do."]
    [got] = desk("list_mails", token="ben")
    assert (got["subject"], got["thread_id"]) == ("Re: Plan 7", 7)
    assert desk("list_mails", token="cy") == []
    desk("reply_to_mail", mail_id=6, body="All right.", reply_to_all=True)
    assert [one["subject"] for one in desk("list_mails", token="cy")] == ["Re: Plan 6"]
    assert desk.refused("show_thread", thread_id=99) == 404


def test_a_forward_quotes_the_mail_and_keeps_its_attachments(desk: Desk) -> None:
    desk("forward_mail", mail_id=5, recipients=[CY.email], comment="See below.")
    [got] = desk("list_mails", token="cy")
    assert (got["subject"], got["attachments"]) == ("Fwd: Plan 5", ["map.png"])
    body = desk("show_mail", token="cy", mail_id=got["mail_id"])["body"]
    assert body == f"See below.\n\n--- Forwarded from {BEN.email} ---\nBring the map."


def test_a_draft_is_changed_sent_and_graded_as_if_sent_at_once(desk: Desk) -> None:
    direct = Desk()
    start = direct.state.fork()
    direct("send_mail", recipients=[BEN.email], subject="Hi", body="Later.")
    id = desk("create_draft", subject="Hi", body="Now.")["mail_id"]
    assert desk.refused("send_draft", mail_id=id) == 409
    assert desk.refused("reply_to_mail", mail_id=id, body="") == 409
    desk("update_draft", mail_id=id, recipients=[BEN.email], body="Later.")
    desk("send_draft", mail_id=id)
    assert desk.refused("update_draft", mail_id=id, body="") == 409
    assert changes(start, desk.state) == changes(start, direct.state)
    gone = desk("create_draft")["mail_id"]
    desk("delete_draft", mail_id=gone)
    assert desk.refused("show_mail", mail_id=gone) == 404


def test_marks_stars_labels_and_folders(desk: Desk) -> None:
    desk("mark_read", mail_id=7)
    desk("mark_unread", mail_id=1)
    assert ids(desk("list_mails", read=True)) == [7, 2]
    desk("star_mail", mail_id=4)
    assert desk.refused("star_mail", mail_id=4) == 409
    assert ids(desk("list_mails", starred=True)) == [4]
    desk("unstar_mail", mail_id=4)
    assert desk.refused("unstar_mail", mail_id=4) == 409
    desk("label_mail", mail_id=3, label="Work")
    desk("label_mail", mail_id=3, label="home")
    assert desk("list_labels") == [{"label": "home", "mails": 1}, {"label": "work", "mails": 1}]
    assert ids(desk("list_mails", label="work")) == [3]
    desk("unlabel_mail", mail_id=3, label="work")
    assert desk.refused("unlabel_mail", mail_id=3, label="work") == 409
    desk("archive_mail", mail_id=3)
    desk("move_mail", mail_id=2, folder="spam")
    assert desk.refused("move_mail", mail_id=2, folder="spam") == 409
    assert ids(desk("search_mails", folder="archive")) == [3]


def test_deleting_goes_through_the_trash(desk: Desk) -> None:
    desk("delete_mail", mail_id=1)
    assert desk("show_mail", mail_id=1)["folder"] == "trash"
    desk("delete_mail", mail_id=1)
    assert desk.refused("show_mail", mail_id=1) == 404


def test_a_universe_of_mails_speaks_of_its_orders_and_people() -> None:
    everyone = people(7)
    [base] = generate(7, everyone, NOW)
    orders = next(b.rows for b in shop_data.generate(7, everyone, NOW) if b.kind is Order)
    confirmed = [one for one in base.rows.values() if one.subject.endswith(" confirmed")]
    assert len(confirmed) == len(orders)
    for one in confirmed:
        number, total = re.search(r"Order number: (\d+)\nTotal: \$([\d.]+)", one.body).groups()  # type: ignore[union-attr]
        assert orders[int(number)].owner == one.owner and orders[int(number)].total == round(float(total) * 100)
    assert all(one.sent_at <= NOW for one in base.rows.values())
    plain = [(one.owner, one.subject) for one in base.rows.values() if not one.subject.startswith("Re: ")]
    assert len(plain) == len(set(plain))
