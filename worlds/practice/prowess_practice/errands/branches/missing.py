"""Something is looked for and used; where it is missing, it is made first, and something else may be done besides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import indent

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.branches.find import Find
from prowess_practice.errands.branches.finds import FINDS
from prowess_practice.errands.branches.part import (
    Deed,
    Drawing,
    apps_of,
    body,
    capital,
    chosen,
    disjoint,
    function,
    kinds,
    provided,
    told,
)
from prowess_practice.errands.errand import Errand

_FRAMES = (
    "CAPFIND. If GAP, DEED, too.",
    "There is one thing to do, and perhaps a second. The first: FIND. The second, only if GAP: DEED.",
    "CAPFIND. In case GAP, there is more to do: DEED. Otherwise this is all.",
)


def found_or_made(deeds: tuple[Deed, ...], each: int) -> Iterator[Errand]:
    """What is looked for, with some deeds that are done only where it is missing, taken in turn."""
    for n, find in enumerate(FINDS):
        fitting = [one for one in deeds[3 * n :] + deeds[: 3 * n] if _fits(find.deed, one)]
        for more in fitting[: 5 * each : 5]:
            yield _errand(find, more)


def _fits(find: Deed, other: Deed) -> bool:
    """Whether another deed shares no app and no slot with it."""
    return disjoint(find.slots, other.slots) and not {*find.apps} & {*other.apps}


def _errand(find: Find, more: Deed) -> Errand:
    main = find.deed
    name = f"{main.word}_and_perhaps_{more.word}"
    slots = kinds(*main.slots, *more.slots)
    apps = apps_of(main.apps, more.apps)
    code = re.sub(r"(?m)^    MISSING\n", lambda match: indent(more.code, "    "), main.code)
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "None", told(_worded(find, more, _FRAMES[0])), apps, body(code)),
        wordings=tuple(_worded(find, more, frame) for frame in _FRAMES),
        values=_values(main, more),
        matters=(find.test,),
    )


def _worded(find: Find, more: Deed, frame: str) -> str:
    frame = frame.replace("CAPFIND", capital(find.deed.says)).replace("FIND", find.deed.says)
    return frame.replace("DEED", more.says).replace("GAP", find.gap)


def _values(find: Deed, more: Deed) -> Drawing:
    def values(draw: Draw) -> Values | None:
        provided(draw, (find, more))
        return chosen(draw, (*find.slots, *more.slots))

    return values
