"""Collecting: play, try again, keep what succeeded (`collect`), and what it is made of, a noun a file."""

from __future__ import annotations

from prowess.commands.collect.collect import collect
from prowess.commands.collect.harvest import Collected, data_in
from prowess.commands.collect.settings import CollectSettings
from prowess.commands.collect.units import units_of

__all__ = ["CollectSettings", "Collected", "collect", "data_in", "units_of"]
