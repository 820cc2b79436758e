"""How a question gets to an alarm, and what is worked out with the time at which it rings."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_FOUND = """
first_alarm_on
: the alarm of mine that rings first in the day among those switched on that ring on "{alarm_day}"
    alarms = PAGES(phone.show_alarms, is_enabled=True)
    that_day = [alarm for alarm in alarms if alarm_day in alarm["repeat_days"]]
    first_alarm = min(that_day, key=lambda alarm: alarm["time"])
= first_alarm . alarm_id time label
~  if alarm_day in alarm["repeat_days"] =>
~ first_alarm = min( => first_alarm = max(

alarm_labelled
: the alarm in my phone labelled "{alarm_label}"
    alarms = PAGES(phone.show_alarms, query=alarm_label)
    labelled_alarm = next(one for one in alarms if one["label"] == alarm_label)
= labelled_alarm . alarm_id time label
~ next(one for one in alarms if one["label"] == alarm_label) => PAGES(phone.show_alarms)[0]
"""
_ASKED = """
count_days_of -> number
? How many days of the week are set for X?
! Count the days of the week that are set for X
    shown_alarm = CALL(phone.show_alarm, alarm_id=<alarm_id>)
    return len(shown_alarm["repeat_days"])

count_calls_before -> number
? How many calls in my log began at an earlier time of day than that of X?
! Count the calls in my log that began at an earlier time of day than that of X
    calls = PAGES(phone.show_call_log)
    return len([call for call in calls if call["started_at"][11:16] < <time>])
~  if call["started_at"][11:16] < <time> =>

count_texts_before_from -> number
? How many of the texts I received on or after {texted_from} were sent at an earlier time of day than that of X?
! Count the texts I received on or after {texted_from} that were sent at an earlier time of day than that of X
    texts = PAGES(phone.show_text_messages, direction="received", from_date=texted_from)
    return len([text for text in texts if text["sent_at"][11:16] < <time>])
~  if text["sent_at"][11:16] < <time> =>
~ , from_date=texted_from =>

sum_paid_after -> amount
? What do my wallet payments, sent and received, add up to that were made at a later time of day than that of X?
! Add up my wallet payments, sent and received, that were made at a later time of day than that of X
    payments = PAGES(wallet.show_transactions)
    return round(sum(payment["amount"] for payment in payments if payment["created_at"][11:16] > <time>), 2)
~  if payment["created_at"][11:16] > <time> =>

list_notes_written_before -> titles
? Which of my notes, archived or not, were created at an earlier time of day than that of X?
! List my notes, archived or not, that were created at an earlier time of day than that of X
    every_note = PAGES(notes.search_notes)
    return [note["title"] for note in every_note if note["created_at"][11:16] < <time>]
~  if note["created_at"][11:16] < <time> =>
"""
FOUND = steps("alarm", _FOUND)
ASKED = works("alarm", _ASKED)
