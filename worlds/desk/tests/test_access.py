"""Logging in and out: whose password opens what, and what ends with a logout."""

from __future__ import annotations

from typing import Any

import pytest
from household import ADA, BEN, CLEO, Caller, answer
from prowess_desk.apps.supervisor import supervisor
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import ApiError, App
from prowess_desk.engine.people import Person, password


def apps() -> tuple[Caller, Caller]:
    """An app whose accounts are named by e-mail address and one by phone number, of one world; nobody is logged in."""
    music, phone = (Caller(with_accounts(App(name, "..."), by=by), []) for name, by in NAMED.items())
    phone.state, phone.session = music.state, music.session
    music.session.tokens = {}
    return music, phone


NAMED = {"music": "email", "phone": "phone"}


def login(app: Caller, username: str, secret: str) -> Any:
    return answer(app.app.apis["login"], app.state, app.session, username=username, password=secret)["access_token"]


def secret_of(person: Person, app: Caller) -> str:
    return password(app.session.universe, person, app.app.name)


def test_a_password_opens_the_account_of_its_person_in_its_app() -> None:
    music, phone = apps()
    for app, who, username in ((music, BEN, BEN.email), (phone, BEN, BEN.phone)):
        assert app("show_account", token=login(app, username, secret_of(who, app))) == {
            "first_name": "Ben",
            "last_name": "Holt",
            "email": "ben@example.com",
            "phone_number": "5550000002",
        }
    assert len({login(music, ADA.email, secret_of(ADA, music)) for _ in range(3)}) == 3


def test_no_other_name_or_password_does() -> None:
    music, phone = apps()
    right = secret_of(ADA, music)
    for username, given in (
        (ADA.email, secret_of(BEN, music)),
        (ADA.email, secret_of(ADA, phone)),
        (ADA.email, ""),
        (BEN.email, right),
        (ADA.phone, right),
        ("nobody@example.com", right),
    ):
        with pytest.raises(ApiError, match=r"401:\n.*Wrong e-mail address or password\."):
            login(music, username, given)
    with pytest.raises(ApiError, match=r"401:\n.*Wrong phone number or password\."):
        login(phone, ADA.email, secret_of(ADA, phone))
    assert music.session.tokens == {}


def test_a_token_is_good_for_the_app_that_gave_it() -> None:
    music, phone = apps()
    token = login(music, ADA.email, secret_of(ADA, music))
    assert phone.refused("show_account", token=token) == 401
    assert music.refused("show_account", token="") == 401
    with pytest.raises(ApiError, match=r"You are not logged in to music: pass the access_token of music\.login\."):
        music.app.apis["show_account"].call(music.state, music.session, {})


def test_a_logout_ends_every_token_of_this_account_in_this_app_and_no_other() -> None:
    music, phone = apps()
    one, two = (login(music, ADA.email, secret_of(ADA, music)) for _ in range(2))
    others = login(music, BEN.email, secret_of(BEN, music))
    elsewhere = login(phone, ADA.phone, secret_of(ADA, phone))
    assert music("logout", token=one) == {"message": "Logged out."}
    assert [music.refused("show_account", token=token) for token in (one, two)] == [401, 401]
    assert music("show_account", token=others)["first_name"] == "Ben"
    assert phone("show_account", token=elsewhere)["first_name"] == "Ada"


def test_the_supervisor_tells_who_the_agent_works_for_and_the_passwords() -> None:
    desk = Caller(supervisor, [])
    desk.session.supervisor, desk.session.instruction = CLEO, "Like every song by Juno Halloway."

    def told(api: str, **arguments: Any) -> Any:
        return answer(supervisor.apis[api], desk.state, desk.session, **arguments)

    assert supervisor.apis["show_profile"].call(desk.state, desk.session, {}) == {
        "first_name": "Cleo",
        "last_name": "Holt",
        "email": "cleo@example.com",
        "phone_number": "5550000003",
        "birthday": "1990-01-03",
    }
    assert told("show_addresses") == [{"street": "3 Elm Street", "city": "Ashford"}]
    assert told("show_active_task") == {
        "instruction": "Like every song by Juno Halloway.",
        "datetime": "2025-05-18T12:00:00",
    }
    passwords = {row["account_name"]: row["password"] for row in told("show_account_passwords")}
    assert {"files", "mail", "music", "notes", "phone", "shop", "splits", "todo", "wallet"} == passwords.keys()
    assert passwords["music"] == password(1, CLEO, "music") != password(1, ADA, "music")


def test_a_task_is_completed_once() -> None:
    desk = Caller(supervisor, [])
    complete = supervisor.apis["complete_task"]
    with pytest.raises(ApiError, match="422"):
        answer(complete, desk.state, desk.session, status="done")
    assert not desk.session.completed
    answer(complete, desk.state, desk.session, answer=3, status="fail")
    assert (desk.session.completed, desk.session.answer, desk.session.status) == (True, 3, "fail")
    with pytest.raises(ApiError, match="already marked complete"):
        answer(complete, desk.state, desk.session, answer=4)
    assert (desk.session.answer, desk.session.status) == (3, "fail")
