"""What an API may do, read from its name."""

from __future__ import annotations

import pytest

from prowess.skills.reach import Reach
from prowess.store.effects import effect_of
from prowess.store.record import Effect

READ, WRITE, FINAL = Effect.READ, Effect.WRITE, Effect.IRREVERSIBLE


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("show_inbox", READ),
        ("searchNotes", READ),
        ("show_order", READ),
        ("show_current_date_and_time", READ),
        ("create_note", WRITE),
        ("update_reply_text", WRITE),
        ("find_and_replace", WRITE),
        ("send_mail", FINAL),
        ("sendMail", FINAL),
        ("SendMail", FINAL),
        ("bulk_delete_notes", FINAL),
        ("bulkDeleteNotes", FINAL),
        ("permanentlyDELETE", FINAL),
        ("find_and_delete_mails", FINAL),
        ("read_then_forward_mail", FINAL),
        ("login_and_pay", FINAL),
        ("check_out_cart", FINAL),
        ("checkout", FINAL),
        ("create_payment_card", FINAL),
        ("empty_trash", FINAL),
    ],
)
def test_what_an_api_can_do_is_guessed_from_all_words_of_its_name(name: str, effect: Effect) -> None:
    assert effect_of(Reach(apis=(f"app.{name}",))) is effect
    assert effect_of(Reach(hidden=(name,))) is effect


def test_what_cannot_be_seen_is_taken_for_the_worst() -> None:
    assert effect_of(Reach(apis=("mail.show_inbox",), anything=True)) is FINAL
    assert effect_of(Reach()) is Effect.PURE
