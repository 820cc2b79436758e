"""One API call handed to a world: answered, refused, or one that the world breaks on.

What a world raises by mistake (a `KeyError` for an argument nobody thought of) fails that call and no more. Were the
episode to end in an error, it would count nowhere, and a policy in training could learn to look for such arguments.
What the world raises on purpose passes: `ApiFailure` refuses, and an error of `prowess.errors` tells an outage.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from prowess.errors import ProwessError, place_of, words_of
from prowess.sandbox.meter import Meter
from prowess.sandbox.settings import ApiCall, ApiFailure
from prowess.types import Break, Json

T = TypeVar("T")

BROKE = "Internal error: the app failed to carry out this call."
"""What the code hears: nothing of the world's inside."""
LONGEST = 300
"""Characters kept of what a world raised: it may repeat an argument of any size."""


def answered(
    call: ApiCall, app: str, api: str, arguments: Mapping[str, Json], *, meter: Meter, packed: Callable[[Json], T]
) -> T:
    """What a world answers, packed to be sent. Raises ApiFailure where it refuses, or breaks, which is noted."""
    began = time.monotonic()
    try:
        try:
            return packed(call(app, api, arguments))
        except ApiFailure as refusal:
            packed(str(refusal))
            raise
    except (ApiFailure, ProwessError):
        raise
    except (Exception, SystemExit) as problem:  # noqa: BLE001 (the edge of a stranger's world)
        words = words_of(problem)
        cut = words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."
        meter.broke(Break(api=f"{app}.{api}", error=cut, place=place_of(problem)))
    finally:
        meter.spent(time.monotonic() - began)
    raise ApiFailure(BROKE)
