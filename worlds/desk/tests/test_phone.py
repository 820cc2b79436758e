"""Phone through its APIs: contacts, messages, calls and alarms."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from household import ADA, BEN, CLEO, NOW, Caller, answer
from prowess_desk.apps import phone as app
from prowess_desk.apps.phone import Alarm, Call, Contact, TextMessage, VoiceMessage, phone
from prowess_desk.data.phone import generate
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import password, people
from prowess_desk.engine.tables import Base


def text(id: int, sender: int, receiver: int, words: str, when: datetime) -> TextMessage:
    return TextMessage(id=id, sender=sender, receiver=receiver, text=words, sent_at=when, holders=(sender, receiver))


@pytest.fixture
def desk() -> Caller:
    """Ada knows Ben (friend) and Cleo (coworker, sister) and has two alarms; texts 1 to 3 are hers, 4 is not."""
    return Caller(
        phone,
        [
            Base(
                Contact,
                [
                    Contact(
                        id=1,
                        owner=ADA.id,
                        name=BEN.name,
                        phone=BEN.phone,
                        email=BEN.email,
                        relationships=("friend",),
                        birthday=BEN.birthday,
                    ),
                    Contact(
                        id=2,
                        owner=ADA.id,
                        name=CLEO.name,
                        phone=CLEO.phone,
                        email=CLEO.email,
                        relationships=("coworker", "sister"),
                    ),
                    Contact(id=3, owner=BEN.id, name=CLEO.name, phone=CLEO.phone, email=CLEO.email),
                ],
            ),
            Base(
                TextMessage,
                [
                    text(1, ADA.id, BEN.id, "Lunch at noon?", datetime(2025, 5, 1, 9)),
                    text(2, BEN.id, ADA.id, "Lunch sounds good", datetime(2025, 5, 2, 9)),
                    text(3, CLEO.id, ADA.id, "The code is 4711", datetime(2025, 4, 1, 9)),
                    text(4, CLEO.id, BEN.id, "A secret lunch", datetime(2025, 5, 3, 9)),
                ],
            ),
            Base(
                VoiceMessage,
                [
                    VoiceMessage(
                        id=1,
                        sender=BEN.id,
                        receiver=ADA.id,
                        transcript="Call me back",
                        seconds=2,
                        sent_at=NOW,
                        holders=(BEN.id, ADA.id),
                    )
                ],
            ),
            Base(
                Call,
                [
                    Call(id=1, caller=ADA.id, callee=BEN.id, started_at=datetime(2025, 5, 1, 9), seconds=60),
                    Call(id=2, caller=BEN.id, callee=ADA.id, started_at=datetime(2025, 5, 2, 9), seconds=0),
                    Call(id=3, caller=CLEO.id, callee=ADA.id, started_at=datetime(2025, 5, 3, 9), seconds=5),
                    Call(id=4, caller=CLEO.id, callee=BEN.id, started_at=datetime(2025, 5, 4, 9), seconds=5),
                ],
            ),
            Base(
                Alarm,
                [
                    Alarm(id=1, owner=ADA.id, label="Gym", time="18:30", enabled=False, repeat_days=("monday",)),
                    Alarm(id=2, owner=ADA.id, label="Wake up", time="06:45"),
                    Alarm(id=3, owner=BEN.id, label="Gym", time="07:00"),
                ],
            ),
        ],
    )


def ids(rows: list[dict[str, int]], key: str = "message_id") -> list[int]:
    return [row[key] for row in rows]


def test_login_is_by_phone_number(desk: Caller) -> None:
    login = phone.apis["login"]
    secret = password(1, ADA, "phone")
    token = login.call(desk.state, desk.session, {"username": ADA.phone, "password": secret})["access_token"]
    assert desk("show_account", token=token)["email"] == "ada@example.com"
    with pytest.raises(Exception, match="401"):
        login.call(desk.state, desk.session, {"username": ADA.email, "password": secret})


def test_contacts_are_found_by_words_and_relationship(desk: Caller) -> None:
    assert ids(desk("show_contacts"), "contact_id") == [1, 2]
    assert ids(desk("show_contacts", query="cleo holt"), "contact_id") == [2]
    assert ids(desk("show_contacts", relationship="Sister"), "contact_id") == [2]
    assert ids(desk("show_contacts", page_limit=1, page_index=1), "contact_id") == [2]
    assert desk("show_relationships") == ["coworker", "friend", "sister"]
    assert desk("show_contact", contact_id=1)["birthday"] == "1990-01-02"
    assert desk.refused("show_contact", contact_id=3) == 404


def test_a_contact_is_added_changed_and_deleted(desk: Caller) -> None:
    new = {"name": "Dov", "phone_number": "5551112222", "relationships": ["Friend", "aunt"], "birthday": "1980-02-03"}
    id = desk("add_contact", **new)["contact_id"]
    assert desk.state[Contact][id] == Contact(
        id=id, owner=ADA.id, name="Dov", phone="5551112222", relationships=("aunt", "friend"), birthday=date(1980, 2, 3)
    )
    desk("update_contact", contact_id=id, relationships=["neighbor"], email="dov@example.com")
    changed = desk("show_contact", contact_id=id)
    assert (changed["name"], changed["relationships"], changed["email"]) == ("Dov", ["neighbor"], "dov@example.com")
    desk("delete_contact", contact_id=id)
    assert desk.refused("update_contact", contact_id=id, name="X") == 404


def test_contacts_with_bad_or_taken_numbers_are_refused(desk: Caller) -> None:
    assert desk.refused("add_contact", name="Dov", phone_number="12") == 422
    assert desk.refused("add_contact", name="Dov", phone_number=BEN.phone) == 409
    assert desk.refused("add_contact", name=" ", phone_number="5551112222") == 422
    assert desk.refused("add_contact", name="Dov", phone_number="5551112222", birthday="soon") == 422
    assert desk.refused("update_contact", contact_id=1, phone_number=CLEO.phone) == 409
    assert desk.refused("update_contact", contact_id=3, name="X") == 404
    desk("update_contact", contact_id=1, phone_number=BEN.phone)


def test_texts_are_listed_latest_first_and_searched(desk: Caller) -> None:
    assert ids(desk("show_text_messages")) == [2, 1, 3]
    assert ids(desk("show_text_messages", phone_number=CLEO.phone)) == [3]
    assert ids(desk("show_text_messages", query="lunch", direction="sent")) == [1]
    assert ids(desk("show_text_messages", from_date="2025-05-01", to_date="2025-05-01")) == [1]
    assert ids(desk("show_text_messages", page_limit=2, page_index=1)) == [3]
    assert desk.refused("show_text_messages", phone_number="5559999999") == 404
    assert desk.refused("show_text_messages", direction="lost") == 422


def test_conversations_show_the_last_text_of_each(desk: Caller) -> None:
    talks = desk("show_conversations")
    assert [(talk["name"], talk["message_count"], talk["last_message"]["message_id"]) for talk in talks] == [
        ("Ben Holt", 2, 2),
        ("Cleo Holt", 1, 3),
    ]


def test_a_sent_text_reaches_the_other_phone_and_survives_deletion_on_one(desk: Caller) -> None:
    id = desk("send_text_message", phone_number=BEN.phone, text="On my way")["message_id"]
    assert ids(desk("show_text_messages", token="ben"))[0] == id
    desk("delete_text_message", message_id=id)
    assert ids(desk("show_text_messages")) == [2, 1, 3]
    assert desk.refused("delete_text_message", message_id=id) == 404
    assert ids(desk("show_text_messages", token="ben"))[0] == id
    desk("delete_text_message", token="ben", message_id=id)
    assert desk.state[TextMessage].get(id) is None


def test_texts_need_words_and_a_number_that_exists(desk: Caller) -> None:
    assert desk.refused("send_text_message", phone_number=BEN.phone, text=" ") == 422
    assert desk.refused("send_text_message", phone_number="5559999999", text="Hi") == 404
    assert desk.refused("send_text_message", phone_number=ADA.phone, text="Hi") == 422
    assert desk.refused("delete_text_message", message_id=4) == 404


def test_voice_messages_are_sent_found_and_deleted(desk: Caller) -> None:
    id = desk("send_voice_message", phone_number=CLEO.phone, transcript="one two three four five six")["message_id"]
    [sent] = desk("show_voice_messages", direction="sent")
    assert (sent["message_id"], sent["duration"], sent["receiver"]["name"]) == (id, 3, "Cleo Holt")
    assert ids(desk("show_voice_messages", query="BACK")) == [1]
    desk("delete_voice_message", message_id=1)
    assert ids(desk("show_voice_messages")) == [id]
    assert ids(desk("show_voice_messages", token="ben")) == [1]
    assert desk.refused("delete_voice_message", token="cleo", message_id=1) == 404


def test_the_call_log_is_filtered(desk: Caller) -> None:
    assert ids(desk("show_call_log"), "call_id") == [3, 2, 1]
    assert ids(desk("show_call_log", direction="incoming", is_missed=True), "call_id") == [2]
    assert ids(desk("show_call_log", phone_number=BEN.phone, is_missed=False), "call_id") == [1]
    assert ids(desk("show_call_log", from_date="2025-05-02", to_date="2025-05-02"), "call_id") == [2]


def test_alarms_are_listed_by_time_created_changed_and_deleted(desk: Caller) -> None:
    assert ids(desk("show_alarms"), "alarm_id") == [2, 1]
    id = desk("create_alarm", label="Medicine", time="06:50", repeat_days=["sunday", "monday"])["alarm_id"]
    assert desk("show_alarm", alarm_id=id)["repeat_days"] == ["monday", "sunday"]
    desk("update_alarm", alarm_id=1, is_enabled=True, time="18:45")
    assert desk.state[Alarm][1] == Alarm(id=1, owner=ADA.id, label="Gym", time="18:45", repeat_days=("monday",))
    desk("update_alarm", alarm_id=1, repeat_days=[])
    assert desk.state[Alarm][1].repeat_days == ()
    desk("delete_alarm", alarm_id=2)
    assert ids(desk("show_alarms", is_enabled=True), "alarm_id") == [id, 1]


def test_wrong_times_and_days_and_others_alarms_are_refused(desk: Caller) -> None:
    assert desk.refused("create_alarm", label="X", time="24:00") == 422
    assert desk.refused("create_alarm", label="X", time="7:00") == 422
    assert desk.refused("create_alarm", label="X", time="07:00", repeat_days=["Mon"]) == 422
    assert desk.refused("update_alarm", alarm_id=1, snooze_minutes=0) == 422
    assert desk.refused("update_alarm", alarm_id=3, is_enabled=False) == 404


def test_the_time_is_told_without_a_login(desk: Caller) -> None:
    told = answer(phone.apis["show_current_date_and_time"], desk.state, desk.session)
    assert told == {"date": "2025-05-18", "time": "12:00", "weekday": "sunday"}
    assert desk.refused("show_contacts", token="nobody") == 401


def test_operations_leave_the_same_rows_as_the_apis(desk: Caller) -> None:
    start, goal = desk.state.fork(), desk.state.fork(now=NOW + timedelta(minutes=3))
    app.send_text(goal, ADA.id, BEN.id, "Hi")
    app.change_alarm(goal, 1, repeat_days=["sunday", "friday"])
    app.delete_text(goal, ADA.id, 2)
    desk("delete_text_message", message_id=2)
    desk("update_alarm", alarm_id=1, repeat_days=["friday", "sunday"])
    desk("send_text_message", phone_number=BEN.phone, text="Hi")
    assert changes(start, desk.state) == changes(start, goal)


def test_in_a_universe_contacts_are_exactly_the_relations_and_alarms_differ() -> None:
    everyone = people(2)
    bases = {base.kind: base.rows for base in generate(2, everyone, NOW)}
    for person in everyone:
        mine = {(c.email, c.relationships[0]) for c in bases[Contact].values() if c.owner == person.id}
        assert mine == {(everyone[id - 1].email, kind) for id, kind in person.relations}
        alarms = [row for row in bases[Alarm].values() if row.owner == person.id]
        assert len(alarms) == len({row.label for row in alarms}) == len({row.time for row in alarms}) >= 4
    assert all(row.sent_at < NOW for row in bases[TextMessage].values())
