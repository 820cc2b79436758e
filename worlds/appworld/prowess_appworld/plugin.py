"""AppWorld as a world that recipes name. What is heavy is imported inside the functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from prowess.types import Policy, Suite
from prowess.worlds.expert import ExpertSettings
from prowess.worlds.registry import Commands, Health, WorldPlugin
from prowess_appworld.settings import IMPORTS, AppWorldSettings

if TYPE_CHECKING:
    import typer

    from prowess.sandbox import Sandbox


def suite(settings: AppWorldSettings, sandbox: Sandbox) -> Suite:
    from prowess_appworld.world import AppWorldSuite

    return AppWorldSuite(settings, sandbox)


def expert(settings: AppWorldSettings, how: ExpertSettings) -> Policy:
    from prowess_appworld.demonstrator.expert import AppWorldExpert

    return AppWorldExpert(settings, how)


def health() -> Iterable[Health]:
    from prowess_appworld.inventory import health

    return health()


def commands() -> typer.Typer:
    from prowess_appworld.commands import app

    return app


WORLD = WorldPlugin(
    settings=AppWorldSettings,
    suite=suite,
    expert=expert,
    imports=IMPORTS,
    commands=Commands(help="AppWorld, the benchmark of the paper: set it up, and verify it.", app=commands),
    health=health,
)
