"""The worlds that are registered here, each in its own words."""

from __future__ import annotations

from collections.abc import Iterator

from prowess.doctor.finding import Finding
from prowess.errors import ProwessError, told
from prowess.worlds import registry
from prowess.worlds.registry import Health


def worlds() -> Iterator[Finding]:
    """One world that breaks does not keep the others from being told."""
    for name in registry.names():
        try:
            lines = list(_lines(name))
        except ProwessError as problem:
            lines = [Health(state="missing", detail=problem.message, remedy=problem.hint)]
        except Exception as problem:  # noqa: BLE001 (a doctor does not faint)
            lines = [Health(state="limited", detail=f"could not be examined: {told(problem)}")]
        for line in lines:
            yield Finding(
                area="worlds", what=line.what or name, state=line.state, detail=line.detail, remedy=line.remedy
            )


def _lines(name: str) -> Iterator[Health]:
    world = registry.world_named(name)
    if world.health:
        yield from world.health()
    else:
        yield Health(state="ok", detail=f"of {registry.package(name)}")
