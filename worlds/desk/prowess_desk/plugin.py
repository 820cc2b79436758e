"""Desk as a world that recipes name. What is heavy is imported inside the functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prowess.seeds import derive
from prowess.types import Policy, Suite
from prowess.worlds.expert import ExpertSettings
from prowess.worlds.registry import WorldPlugin
from prowess_desk.settings import DeskSettings

if TYPE_CHECKING:
    from prowess.sandbox import Sandbox


def suite(settings: DeskSettings, sandbox: Sandbox) -> Suite:
    from prowess_desk.engine.world import DeskSuite

    return DeskSuite(settings, sandbox)


def expert(settings: DeskSettings, how: ExpertSettings) -> Policy:
    from prowess_desk.expert.expert import Expert

    return Expert(how)


def lesson(settings: DeskSettings, number: int) -> DeskSettings:
    """Other people and values, without the drills and errands that demonstrations show."""
    return replace(settings, drills=0, errands=0, seed=derive(settings.seed, "teach", number) % 2**31)


WORLD = WorldPlugin(settings=DeskSettings, suite=suite, expert=expert, lesson=lesson)
