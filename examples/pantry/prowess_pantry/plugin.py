"""What the entry point of this package names. What is heavy is imported inside the functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prowess.seeds import derive
from prowess.types import Policy, Suite
from prowess.worlds.expert import ExpertSettings
from prowess.worlds.registry import Commands, WorldPlugin
from prowess_pantry.settings import PantrySettings

if TYPE_CHECKING:
    import typer

    from prowess.sandbox import Sandbox


def suite(settings: PantrySettings, sandbox: Sandbox) -> Suite:
    from prowess_pantry.world import Pantry

    return Pantry(settings, sandbox)


def expert(settings: PantrySettings, how: ExpertSettings) -> Policy:
    from prowess_pantry.expert import Expert

    return Expert(how)


def lesson(settings: PantrySettings, number: int) -> PantrySettings:
    """A round of teaching plays with goods and amounts that are new."""
    return replace(settings, seed=derive(settings.seed, "teach", number) % 2**31)


def commands() -> typer.Typer:
    from prowess_pantry.commands import app

    return app


WORLD = WorldPlugin(
    settings=PantrySettings,
    suite=suite,
    expert=expert,
    lesson=lesson,
    commands=Commands(help="The pantry: list its tasks.", app=commands),
)
