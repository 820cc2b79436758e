"""Worlds that are installed apart."""

from __future__ import annotations

from collections.abc import Iterator

from prowess.doctor.finding import Finding


def appworld() -> Iterator[Finding]:
    from prowess_appworld.inventory import inventory_of
    from prowess_appworld.place import SETUP, home, place_in

    from prowess.errors import RecipeError

    place = place_in(home())
    found = inventory_of(place)
    if not (found.version or found.splits):
        detail = "not installed: the benchmark of the paper, played like the embedded world"
        yield Finding(area="worlds", what="AppWorld", state="missing", detail=detail, remedy=SETUP)
        return
    splits = ", ".join(f"{split} {count}" for split, count in found.splits.items())
    detail = f"{found.version or 'not installed'} in {home()}; data: {splits or 'none'}"
    if found.splits:
        detail += f"; official evaluation of {found.official}, by replay of {found.replay} of {found.tasks} tasks"
    try:
        place.check()
        trouble = "" if found.apps else "its apps are not unpacked"
    except RecipeError as problem:
        trouble = problem.message
    yield Finding(
        area="worlds",
        what="AppWorld",
        state="limited" if trouble else "ok",
        detail=f"{detail}; {trouble}" if trouble else detail,
        remedy=SETUP if trouble else "",
    )
