"""How much accounts may hold: far more than any task needs, and little for the host."""

from __future__ import annotations

from typing import Any

import pytest
from household import ADA, BEN, Caller
from prowess_desk.apps.files import Directory, File, files
from prowess_desk.apps.music import music
from prowess_desk.apps.notes import Note, notes
from prowess_desk.apps.phone import Alarm, phone
from prowess_desk.apps.wallet import CardTransfer, Payment, PaymentComment, WalletAccount, wallet
from prowess_desk.engine.api import ApiError
from prowess_desk.engine.people import password
from prowess_desk.engine.tables import Base

NO_ROOM = (
    "There is no room left: all accounts together hold at most 10000 entries and 5000000 characters more than at the "
    "start. Delete something first."
)


def refusal(caller: Caller, api: str, **arguments: Any) -> ApiError:
    with pytest.raises(ApiError) as refused:
        caller(api, **arguments)
    return refused.value


def with_notes() -> Caller:
    """An account into which only 40,000 characters more go."""
    caller = Caller(notes, [Base(Note)])
    for number in range(99):
        caller("create_note", title=f"{number:02}", content="x" * 49_998)
    caller("create_note", title="last", content="x" * 9_996)
    return caller


def test_an_account_takes_no_more_than_five_million_characters() -> None:
    caller = with_notes()
    caller("create_note", title="half", content="x" * 19_996)
    full = refusal(caller, "create_note", title="more", content="x" * 19_997)
    assert (full.code, full.message) == (409, NO_ROOM)
    caller("create_note", title="more", content="x" * 19_996)
    assert caller.refused("append_to_note", note_id=1, text="") == 409, "a new line, too, is a character"


def test_what_is_deleted_makes_room() -> None:
    caller = with_notes()
    assert caller.refused("create_note", title="new", content="x" * 50_000) == 409
    caller("delete_note", note_id=1)
    caller("create_note", title="new", content="x" * 50_000)


def test_items_of_lists_count_besides_their_text() -> None:
    caller = Caller(notes, [Base(Note)])
    tags = [f"{number:04}" for number in range(10_000)]
    for number in range(35):
        caller("create_note", title=f"{number:04}", tags=tags)
    assert caller.refused("create_note", title="last", tags=tags) == 409


def test_an_account_takes_no_more_than_ten_thousand_entries() -> None:
    caller = Caller(phone, [Base(Alarm)])
    for _ in range(10_000):
        caller("create_alarm", label="", time="10:00")
    assert refusal(caller, "create_alarm", label="", time="10:00").message == NO_ROOM
    caller("update_alarm", alarm_id=1, label="tea")
    caller("delete_alarm", alarm_id=2)
    assert caller("create_alarm", label="", time="10:00")["alarm_id"] == 10_001


def test_what_comes_and_goes_leaves_nothing_in_the_host() -> None:
    caller = Caller(phone, [Base(Alarm)])
    for number in range(1, 50):
        assert caller("create_alarm", label="tea", time="10:00")["alarm_id"] == number
        caller("delete_alarm", alarm_id=number)
    assert caller.state.untouched


def test_a_call_that_finds_no_room_halfway_is_taken_back_whole() -> None:
    accounts = [WalletAccount(id=person.id, cents=50_000, friend_ids=()) for person in (ADA, BEN)]
    caller = Caller(wallet, [Base(WalletAccount, accounts), Base(Payment), Base(PaymentComment), Base(CardTransfer)])
    paid = {"receiver_email": "ben@example.com", "amount": 0.01}
    for _ in range(10_000):
        caller("send_payment", **paid)
    before = caller("show_balance")
    assert before == {"balance": 400.0}
    assert caller.refused("send_payment", **paid) == 409
    assert caller("show_balance") == before
    assert caller.state[WalletAccount][BEN.id].cents == 60_000


def test_a_world_that_is_opened_anew_has_all_its_room() -> None:
    caller = with_notes()
    caller.state = caller.state.fork()
    caller("create_note", title="new", content="x" * 50_000)


def test_archives_of_archives_come_to_an_end() -> None:
    caller = Caller(files, [Base(File), Base(Directory)])
    caller("create_directory", directory_path="~/a")
    caller("create_file", file_path="~/a/text", content="x" * 50_000)
    for number in range(6):
        caller("compress_directory", directory_path="~/a", archive_path=f"~/a/{number}.zip")
    full = refusal(caller, "compress_directory", directory_path="~/a", archive_path="~/a/6.zip")
    assert full.message == NO_ROOM, "each holds all before it"


@pytest.mark.parametrize("path", ["~/" + "a/" * 24_000 + "a", "~/" + "a" * 1_000])
def test_a_path_has_at_most_a_thousand_characters(path: str) -> None:
    caller = Caller(files, [Base(File), Base(Directory)])
    refused = refusal(caller, "create_directory", directory_path=path)
    assert (refused.code, refused.message) == (422, "A path must not be longer than 1000 characters.")
    caller("create_directory", directory_path="~/" + "a/" * 494 + "a")
    assert len(caller("show_directory", recursive=True)["directories"]) == 495


def test_a_text_to_look_for_has_at_most_a_thousand_characters() -> None:
    caller = Caller(notes, [Base(Note)])
    caller("create_note", title="blue moon")
    assert caller("search_notes", query="blue moon " * 100)[0]["title"] == "blue moon"
    refused = refusal(caller, "search_notes", query="blue moon " * 101)
    assert (refused.code, refused.message) == (422, "query must not be longer than 1000 characters.")


def test_nobody_is_logged_in_more_than_ten_thousand_times() -> None:
    caller = Caller(music, [])
    given = {"username": ADA.email, "password": password(caller.session.universe, ADA, "music")}

    def login() -> None:
        music.apis["login"].call(caller.state, caller.session, given)

    for _ in range(10_000 - 3):
        login()
    with pytest.raises(ApiError, match="You are logged in 10000 times already: log out first") as refused:
        login()
    assert refused.value.code == 409
    caller("logout")
    login()
