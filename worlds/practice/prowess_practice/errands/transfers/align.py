"""An errand written in full, for what no table makes: settings brought in line, doubles, two listings compared."""

from __future__ import annotations

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import Plan, Scene, Slot, described, drawing, entering, program


def written(
    name: str,
    about: str,
    body: str,
    wordings: tuple[str, ...],
    *,
    apps: tuple[str, ...],
    slots: tuple[Slot, ...],
    matters: tuple[tuple[str, str], ...],
    gives: str = "int",
    asks: bool = False,
    scenes: tuple[Scene, ...] = (),
) -> Errand:
    """The errand; its program logs in to all its apps first."""
    kinds = {slot.name: slot.kind for slot in slots}
    lines = "".join(map(entering, apps)) + body.lstrip("\n")
    return Errand(
        name=name,
        apps=apps,
        slots=kinds,
        source=program(name, kinds, gives, described(about), lines),
        wordings=wordings,
        values=drawing(Plan(scenes=scenes, first=slots)),
        matters=matters,
        asks=asks,
    )
