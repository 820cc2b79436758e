"""The world that skills are offered in, as far as they are tried there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prowess.sandbox import SandboxSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where skills are tried: the world that they are offered in."""

    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    world: str = ""
    version: str = ""
    """Of the world."""
    fingerprints: Callable[[], Mapping[str, str]] = dict
    """Of the world's APIs as they are now; asked once, where a skill is tried."""
    imports: tuple[str, ...] = ()
    """Import statements that the world's interpreter runs at the start."""
