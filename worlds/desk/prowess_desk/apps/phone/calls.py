"""The API on the log of calls."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.phone.app import END, NumberFilter, phone, shown_end, somebody_else
from prowess_desk.apps.phone.rows import Call
from prowess_desk.engine.api import Ctx, OneOf, PageIndex, PageLimit, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import DayFilter, period, within


@phone.api(
    returns=[
        {
            "call_id": 1,
            "caller": END,
            "callee": END,
            "direction": "outgoing or incoming",
            "is_missed": False,
            "duration": "seconds",
            "started_at": "2025-01-31T10:00:00",
        }
    ]
)
def show_call_log(
    ctx: Ctx,
    phone_number: NumberFilter = None,
    direction: Annotated[str | None, "only these calls", OneOf(("outgoing", "incoming"))] = None,
    is_missed: Annotated[bool | None, "only missed or only answered calls"] = None,
    from_date: DayFilter = None,
    to_date: DayFilter = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your calls by other side, direction, day, and whether they were missed, latest first."""
    since, until = period(from_date, to_date)
    me = ctx.me.id
    other = somebody_else(ctx, phone_number).id if phone_number is not None else None
    found = [
        call
        for call in ctx.state[Call].of(me)
        if (other is None or other in call.parties)
        and (direction is None or (call.caller == me) == (direction == "outgoing"))
        and (is_missed is None or (call.seconds == 0) == is_missed)
        and (since is until is None or within(call.started_at, since, until))
    ]
    found.sort(key=lambda call: (call.started_at, call.id), reverse=True)
    return [
        {
            "call_id": call.id,
            "caller": shown_end(ctx.state[Person][call.caller]),
            "callee": shown_end(ctx.state[Person][call.callee]),
            "direction": "outgoing" if call.caller == me else "incoming",
            "is_missed": call.seconds == 0,
            "duration": call.seconds,
            "started_at": call.started_at.isoformat(),
        }
        for call in page(found, page_index, page_limit)
    ]
