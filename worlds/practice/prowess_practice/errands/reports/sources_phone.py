"""Messages, calls, contacts and alarms to report on."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import before, since
from prowess_practice.drills.listings_phone import PHONE as LISTINGS
from prowess_practice.errands.people.scene import got_voice, more_of
from prowess_practice.errands.reports.groups import Key, ReportField
from prowess_practice.errands.reports.sources import ReportSource, day, hour, month, person, weekday
from prowess_practice.errands.transfers import phone
from prowess_practice.errands.transfers.parts import RowPool, pool

_PHONE = "access_token=phone_token"
_LISTED = {listing.word: listing for listing in LISTINGS}
_TIMES = (
    since("sent_at", "on or after {since}", "sent since a day"),
    before("sent_at", "before {before}", "sent before a day"),
)
SENT = RowPool(
    app="phone",
    word="sent_texts",
    row="message",
    one="text message I sent",
    many="text messages I sent",
    reading=f'    messages = all_pages(apis.phone.show_text_messages, {_PHONE}, direction="sent")\n',
    conditions=_TIMES,
)
MISSED = replace(
    phone.MISSED,
    reading=(
        "    calls = all_pages(\n"
        f'        apis.phone.show_call_log, {_PHONE}, direction="incoming", is_missed=True\n'
        "    )\n"
    ),
)
_ANSWERED = RowPool(
    app="phone",
    word="answered_calls",
    row="call",
    one="answered call in the log of my phone",
    many="answered calls (to me or from me) in the log of my phone",
    reading=f"    calls = all_pages(apis.phone.show_call_log, {_PHONE}, is_missed=False)\n",
)
_CONTACTS = pool(_LISTED["contacts"])
_SECONDS = ReportField(word="seconds", code='ROW["duration"]', one="duration in seconds", many="durations in seconds")
_LETTERS = ReportField(
    word="letters", code='len(ROW["text"])', one="length in characters", many="lengths in characters"
)
_STARTED, _WRITTEN = day("started_at"), day("sent_at")
_CITY = Key(
    word="city",
    code='ROW["address"].split(", ")[-1]',
    called="city",
    of="in that city",
    hint="The city is what follows the last comma of an address.",
)
_RELATION = Key(
    word="relation",
    code='ROW["relationships"]',
    called="relationship",
    of="of that relationship",
    hint="Whoever has several relationships counts for each of them.",
    several=True,
)
_BORN = Key(
    word="birth_month",
    code='ROW["birthday"][5:7]',
    called="month of birth",
    of="born in that month",
    hint="Months of birth are written as numbers with two digits, as in 04.",
    dated=True,
)
_NAMES = ReportField(word="names", code='ROW["name"]', one="name", many="names")
_DAYS = Key(
    word="repeat_day",
    code='ROW["repeat_days"]',
    called="repeat day",
    of="that repeat on that day",
    hint="Days are in lower case, as in monday.",
    several=True,
)
_SNOOZE = ReportField(word="snooze", code='ROW["snooze_minutes"]', one="snooze in minutes", many="snoozes in minutes")
_LABELS = ReportField(word="labels", code='ROW["label"]', one="label", many="labels")

PHONE = (
    ReportSource(
        pool=replace(phone.TEXTS, conditions=_TIMES),
        keys=(person("sender", "sender", "from that person"), month("sent_at"), weekday("sent_at")),
        numbers=(_LETTERS,),
        days=(_WRITTEN,),
    ),
    ReportSource(
        pool=SENT,
        keys=(person("receiver", "receiver", "to that person"), weekday("sent_at"), month("sent_at"), hour("sent_at")),
        numbers=(_LETTERS,),
        days=(_WRITTEN,),
    ),
    ReportSource(
        pool=phone.MADE,
        keys=(person("callee", "called person", "to that person"), weekday("started_at"), month("started_at")),
        numbers=(_SECONDS,),
        days=(_STARTED,),
    ),
    ReportSource(
        pool=MISSED,
        keys=(person("caller", "caller", "from that person"), weekday("started_at"), month("started_at")),
        days=(_STARTED,),
    ),
    ReportSource(
        pool=_ANSWERED, keys=(weekday("started_at"), month("started_at")), numbers=(_SECONDS,), days=(_STARTED,)
    ),
    ReportSource(
        pool=replace(phone.VOICES, scene=lambda draw: more_of(draw, got_voice)),
        keys=(person("sender", "sender", "from that person"),),
        numbers=(_SECONDS,),
        days=(_WRITTEN,),
    ),
    ReportSource(pool=_CONTACTS, keys=(_CITY, _RELATION, _BORN), names=(_NAMES,)),
    ReportSource(pool=phone.ALARMS, keys=(_DAYS,), numbers=(_SNOOZE,), names=(_LABELS,)),
)
