"""Every scenario family of desk, by name."""

from __future__ import annotations

from collections.abc import Mapping

from opensage.worlds.desk.family import Family

FAMILIES: Mapping[str, Family] = {}
