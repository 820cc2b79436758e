"""What rows lead to on the phone and with money: texts, alarms at times that are worked out, sums by the day."""

from __future__ import annotations

from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Day, Draw

from prowess_practice.errands.calendars.sink import FRIENDS, CalendarSink, calling
from prowess_practice.errands.calendars.when import future_day
from prowess_practice.errands.people.scene import flush
from prowess_practice.errands.transfers.parts import Slot, one_of


def _contact(draw: Draw) -> str | None:
    names = [row.name for row in draw.state[Contact].of(draw.me.id)]
    return draw.rng.choice(names) if names else None


_MESSAGE = one_of("greeting", "Thinking of that day.", "Better late than never: hello!", "Sorry for the late answer.")
_REASON = one_of("reason", "Thanks for back then", "Late fee", "For that day", "Making up for it")
_RATE = one_of("rate", 0.5, 0.25, 0.1, 0.2)
_CLOCK = one_of("clock", "07:40", "08:25", "12:05", "18:10", "20:35")
_NUMBERS = (
    "    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)\n"
    '    numbers = {contact["email"]: contact["phone_number"] for contact in contacts}\n'
)
_EMAILS = (
    "    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)\n"
    '    emails = {contact["phone_number"]: contact["email"] for contact in contacts}\n'
)
_PERSON = Slot(name="person", choose=_contact)
_FIND_PERSON = (
    "    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=person)\n"
    '    number = next(one["phone_number"] for one in people if one["name"] == person)\n'
)

PHONE = (
    CalendarSink(
        word="tell_of",
        do='text "{person}", who is in my phone contacts, about ALL',
        about="text a contact the number and the span of ALL",
        apps=("phone",),
        before=_FIND_PERSON,
        code="    first_one = min(DAY for ROW in found)\n"
        "    last_one = max(DAY for ROW in found)\n"
        '    text = f"{len(found)} from {first_one} to {last_one}"\n'
        "    apis.phone.send_text_message(access_token=phone_token, phone_number=number, text=text)\n",
        rest=(
            ' The text says "COUNT from FIRST to LAST": how many they are, and the first and the last day among'
            " them (going by ITSDAY), as in 2025-03-21.",
            ' All it says is "COUNT from FIRST to LAST": their number and, by ITSDAY, the first and the last day'
            " among them, as in 2025-03-21.",
        ),
        slots=(_PERSON,),
        drops=(("first_one = min(", "first_one = max("),),
    ),
    CalendarSink(
        word="alarm_before",
        do="create an alarm on my phone for each of ALL",
        about="create an alarm before the time of each of ALL",
        apps=("phone",),
        precise=True,
        code="    for ROW in found:\n"
        "        ring = datetime.fromisoformat(MOMENT) - timedelta(minutes=minutes)\n"
        + calling("phone.create_alarm", 'label=NAME; time=ring.strftime("%H:%M")'),
        rest=(
            " It rings {minutes} minutes before ITSTIME, and its label is the WHAT.",
            " The WHAT is the label. As for the time, take ITSTIME and go back {minutes} minutes.",
        ),
        slots=(one_of("minutes", 15, 20, 30, 45, 90),),
        bars=("file",),
        drops=((" - timedelta(minutes=minutes)", ""),),
    ),
    CalendarSink(
        word="weekly_alarm_for",
        shuns=("weekday",),
        do='create an alarm at "{clock}" on my phone for each of ALL',
        about="create a weekly alarm for each of ALL",
        apps=("phone",),
        code="    for ROW in found:\n"
        '        weekday_name = date.fromisoformat(DAY).strftime("%A").lower()\n'
        + calling("phone.create_alarm", "label=NAME; time=clock; repeat_days=[weekday_name]"),
        rest=(
            " The WHAT is its label, and it repeats every week on the weekday of ITSDAY.",
            " It repeats on one day of the week, that of ITSDAY, and is labelled with the WHAT.",
        ),
        slots=(_CLOCK,),
    ),
    CalendarSink(
        word="answer",
        do='send the text message "{greeting}" to ROLE of each of ALL',
        about="text the people of ALL",
        apps=("phone",),
        code='    for number in sorted({PERSON["phone_number"] for ROW in found}):\n'
        "        apis.phone.send_text_message(access_token=phone_token, phone_number=number, text=greeting)\n",
        rest=(" Nobody gets it twice.", " One message per person is enough."),
        slots=(_MESSAGE,),
        needs=("phone", "person"),
    ),
    CalendarSink(
        word="speak_to",
        do="leave a voice message for ROLE of each of ALL",
        about="leave a voice message for the people of ALL",
        apps=("phone",),
        code="    last_days: dict = {}\n    for ROW in sorted(found, key=lambda ROW: KEY):\n"
        '        last_days[PERSON["phone_number"]] = DAY\n'
        "    for number, last_day_of in last_days.items():\n"
        '        transcript = f"{greeting} It was {last_day_of}."\n'
        "        apis.phone.send_voice_message(access_token=phone_token, phone_number=number, transcript=transcript)\n",
        rest=(
            ' It says "{greeting} It was DAY.", where DAY is ITSDAY as in 2025-03-21. Everybody gets one message; if'
            " there are several for a person, the latest gives the day.",
            ' One message per person: "{greeting} It was DAY.", and DAY is ITSDAY (as in 2025-03-21), that of the'
            " latest one where a person has several.",
        ),
        slots=(_MESSAGE,),
        needs=("phone", "person"),
        drops=(("sorted(found, key=lambda ROW: KEY)", "sorted(found, key=lambda ROW: KEY, reverse=True)"),),
    ),
    CalendarSink(
        word="write_to",
        do='send the text message "{greeting}" to ROLE of each of ALL',
        about="text the people of ALL",
        apps=("phone",),
        before=_NUMBERS,
        code='    for email in sorted({PERSON["email"] for ROW in found}):\n'
        "        if email in numbers:\n"
        "            apis.phone.send_text_message(\n"
        "                access_token=phone_token, phone_number=numbers[email], text=greeting\n"
        "            )\n",
        rest=(
            " Nobody gets it twice, and whoever is not in my phone contacts (look for the e-mail address) gets none.",
            " The numbers are in my phone contacts, under the same e-mail address; leave out whoever is not there. One"
            " message per person.",
        ),
        slots=(_MESSAGE,),
        needs=("email", "person"),
    ),
)
MONEY = (
    CalendarSink(
        word="pay_days_of",
        do="make a wallet payment to ROLE of each of ALL",
        about="pay the people of ALL by the days that have passed",
        apps=("wallet",),
        code="    for ROW in found:\n"
        "        passed = (date.fromisoformat(due_day) - date.fromisoformat(DAY)).days\n"
        + calling("wallet.send_payment", 'receiver_email=PERSON["email"]; amount=round(passed * rate, 2); note=reason'),
        rest=(
            " The amount is {rate} dollars for every day that passes from ITSDAY to {due_day} (the one date minus the"
            ' other), and the note is "{reason}".',
            ' Subtract ITSDAY from {due_day}: each day of the difference is worth {rate} dollars. Use "{reason}" as'
            " the note.",
        ),
        slots=(_RATE, Slot(name="due_day", kind=Day, choose=future_day), _REASON),
        needs=("email", "person"),
        bars=("asking",),
        scene=lambda draw: flush(draw, 900_000),
        drops=(("round(passed * rate, 2)", "round(rate, 2)"),),
    ),
    CalendarSink(
        word="charge_days_of",
        do="send a wallet request to ROLE of each of ALL",
        about="ask the people of ALL for money by the days that have passed",
        apps=("wallet",),
        code="    for ROW in found:\n"
        "        passed = (date.fromisoformat(due_day) - date.fromisoformat(DAY)).days\n"
        + calling("wallet.request_payment", 'payer_email=PERSON["email"]; amount=round(passed * rate, 2); note=reason'),
        rest=(
            " Ask for {rate} dollars for every day that passes from ITSDAY to {due_day} (the one date minus the other),"
            ' with the note "{reason}".',
            ' The note is "{reason}". The amount: {rate} dollars times the difference in days between ITSDAY and'
            " {due_day}.",
        ),
        slots=(_RATE, Slot(name="due_day", kind=Day, choose=future_day), _REASON),
        needs=("email", "person"),
        drops=(("round(passed * rate, 2)", "round(rate, 2)"),),
    ),
    CalendarSink(
        word="ask_by_number",
        do="send a wallet request of {amount} dollars to ROLE of each of ALL",
        about="ask the people of ALL for money",
        apps=("phone", "wallet"),
        before=_EMAILS,
        code='    for number in sorted({PERSON["phone_number"] for ROW in found}):\n'
        "        if number in emails:\n"
        "            apis.wallet.request_payment(\n"
        "                access_token=wallet_token, payer_email=emails[number], amount=amount, note=reason\n"
        "            )\n",
        rest=(
            ' The note is "{reason}". One request per person, and none for people who are not in my phone contacts.',
            ' With "{reason}" as the note, and only once per person. My phone contacts have the e-mail addresses; skip'
            " whoever is not among them.",
        ),
        slots=(one_of("amount", 5.0, 7.5, 12.0, 3.5, 20.0), _REASON),
        needs=("phone", "person"),
    ),
    CalendarSink(
        word="share",
        do="record an expense on splits for each of ALL",
        about="record a shared expense for each of ALL",
        apps=("splits",),
        before='    my_email = apis.splits.show_account(access_token=splits_token)["email"]\n',
        code="    for ROW in found:\n"
        '        description = f"{QNAME} ({QDAY})"\n'
        "        apis.splits.add_expense(\n"
        "            access_token=splits_token,\n"
        "            description=description,\n"
        '            amount=ROW["amount"],\n'
        '            participant_emails=[my_email, PERSON["email"]],\n'
        "        )\n",
        rest=(
            ' I paid it, it is of the same amount, and ROLE and I share it equally. Describe it as "NAME (DAY)", with'
            " the WHAT and ITSDAY as in 2025-03-21.",
            " It has the same amount and is described by the WHAT, a space and ITSDAY in brackets, as in"
            " (2025-03-21). I paid, and ROLE and I share it half and half.",
        ),
        needs=("sent",),
    ),
    CalendarSink(
        word="befriend_people_of",
        do="make wallet friends of ROLE of each of ALL",
        about="make wallet friends of the people of ALL unless they are",
        apps=("wallet",),
        before=FRIENDS,
        code='    for email in sorted({PERSON["email"] for ROW in found}):\n'
        "        if email not in friends:\n"
        "            apis.wallet.add_friend(access_token=wallet_token, email=email)\n",
        rest=(" Leave out whoever is one already.", " Some of them are my friends there already, which is fine."),
        needs=("email", "person"),
    ),
    CalendarSink(
        word="group_of_people_of",
        do='make a new splits group "{group_name}" with ROLE of each of ALL',
        about="make a splits group of the people of ALL",
        apps=("splits",),
        code='    member_emails = sorted({PERSON["email"] for ROW in found})\n'
        "    apis.splits.create_group(access_token=splits_token, name=group_name, member_emails=member_emails)\n",
        rest=(" I am in it as well, of course.", " Besides them, only I am in it."),
        slots=(one_of("group_name", "Those days", "Old times", "Calendar crew", "Back then"),),
        needs=("email", "person"),
    ),
    CalendarSink(
        word="record",
        do="record a payment on splits for each of ALL",
        about="record a payment on splits for each of ALL",
        apps=("splits",),
        code="    for ROW in found:\n"
        "        apis.splits.record_payment(\n"
        "            access_token=splits_token,\n"
        '            payer_email=ROW["sender"]["email"],\n'
        '            receiver_email=ROW["receiver"]["email"],\n'
        '            amount=ROW["amount"],\n'
        "            note=DAY,\n"
        "        )\n",
        rest=(
            " Payer, receiver and amount are the same, and the note is ITSDAY, as in 2025-03-21.",
            " It goes from the same person to the same person, over the same amount and outside any group. As the note,"
            " use ITSDAY as in 2025-03-21.",
        ),
        needs=("payment",),
    ),
)
