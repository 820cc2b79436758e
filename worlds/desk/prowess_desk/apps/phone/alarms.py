"""APIs on alarms, and what the clock says."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.phone import rows
from prowess_desk.apps.phone.app import phone
from prowess_desk.apps.phone.rows import DAYS, Alarm
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Query, Span, invalid, missing, page
from prowess_desk.engine.reading import matches

AlarmId = Annotated[int, "id of the alarm"]
Time = Annotated[str, "time of day as HH:MM, 00:00 to 23:59"]
Days = Annotated[list[str], "days of the week in lower case on which it repeats; empty for once"]

_ALARM = {
    "alarm_id": 1,
    "label": "string",
    "time": "07:30",
    "is_enabled": True,
    "repeat_days": ["monday"],
    "snooze_minutes": 10,
}


def _alarm(alarm: Alarm) -> Json:
    return {
        "alarm_id": alarm.id,
        "label": alarm.label,
        "time": alarm.time,
        "is_enabled": alarm.enabled,
        "repeat_days": list(alarm.repeat_days),
        "snooze_minutes": alarm.snooze_minutes,
    }


def _my_alarm(ctx: Ctx, alarm_id: int) -> Alarm:
    alarm = ctx.state[Alarm].get(alarm_id)
    if alarm is None or alarm.owner != ctx.me.id:
        missing("alarm", alarm_id)
    return alarm


def _clock(time: str) -> str:
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", time):
        invalid(f"time must be HH:MM from 00:00 to 23:59, not '{time[:40]}'.")
    return time


def _weekdays(days: list[str]) -> list[str]:
    for name in days:
        if name not in DAYS:
            invalid(f"repeat_days takes {', '.join(DAYS)}, not '{name[:40]}'.")
    return days


@phone.api(returns=[_ALARM])
def show_alarms(
    ctx: Ctx,
    query: Query = "",
    is_enabled: Annotated[bool | None, "only alarms that are on or off"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your alarms by time of day."""
    found = [
        alarm
        for alarm in ctx.state[Alarm].of(ctx.me.id)
        if (is_enabled is None or alarm.enabled == is_enabled) and matches(query, alarm.label)
    ]
    found.sort(key=lambda alarm: (alarm.time, alarm.id))
    return [_alarm(alarm) for alarm in page(found, page_index, page_limit)]


@phone.api(returns=_ALARM)
def show_alarm(ctx: Ctx, alarm_id: AlarmId) -> Json:
    """Show one of your alarms."""
    return _alarm(_my_alarm(ctx, alarm_id))


@phone.api(returns={"message": "Alarm created.", "alarm_id": 1})
def create_alarm(
    ctx: Ctx,
    label: Annotated[str, "what the alarm is for"],
    time: Time,
    repeat_days: Days = [],  # noqa: B006 (never written to)
    is_enabled: Annotated[bool, "whether it is on"] = True,
    snooze_minutes: Annotated[int, "how long a snooze lasts", Span(1, 60)] = 10,
) -> Json:
    """Create an alarm."""
    alarm = rows.create_alarm(
        ctx.state,
        ctx.me.id,
        label,
        _clock(time),
        repeat_days=_weekdays(repeat_days),
        enabled=is_enabled,
        snooze_minutes=snooze_minutes,
    )
    return {"message": "Alarm created.", "alarm_id": alarm.id}


@phone.api(returns={"message": "Alarm updated.", "alarm_id": 1})
def update_alarm(
    ctx: Ctx,
    alarm_id: AlarmId,
    label: Annotated[str | None, "new label, or null to keep it"] = None,
    time: Annotated[str | None, "new time of day as HH:MM, or null to keep it"] = None,
    repeat_days: Annotated[list[str] | None, "all days it repeats on from now on, or null to keep them"] = None,
    is_enabled: Annotated[bool | None, "whether it is on, or null to keep it"] = None,
    snooze_minutes: Annotated[int | None, "how long a snooze lasts, or null to keep it", Span(1, 60)] = None,
) -> Json:
    """Change one of your alarms, or turn it on or off."""
    _my_alarm(ctx, alarm_id)
    fields = {
        "label": label,
        "time": _clock(time) if time is not None else None,
        "repeat_days": _weekdays(repeat_days) if repeat_days is not None else None,
        "enabled": is_enabled,
        "snooze_minutes": snooze_minutes,
    }
    rows.change_alarm(ctx.state, alarm_id, **{name: value for name, value in fields.items() if value is not None})
    return {"message": "Alarm updated.", "alarm_id": alarm_id}


@phone.api(returns={"message": "Alarm deleted.", "alarm_id": 1})
def delete_alarm(ctx: Ctx, alarm_id: AlarmId) -> Json:
    """Delete one of your alarms."""
    _my_alarm(ctx, alarm_id)
    rows.delete_alarm(ctx.state, alarm_id)
    return {"message": "Alarm deleted.", "alarm_id": alarm_id}


def _now(now: datetime) -> Json:
    return {"date": now.date().isoformat(), "time": f"{now:%H:%M}", "weekday": DAYS[now.weekday()]}


@phone.api(login=False, returns={"date": "2025-01-31", "time": "10:00", "weekday": "friday"})
def show_current_date_and_time(ctx: Ctx) -> Json:
    """Show today's date, the time and the day of the week."""
    return _now(ctx.now)
