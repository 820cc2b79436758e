"""Every scenario family of desk, by name."""

from __future__ import annotations

from collections.abc import Mapping

from prowess_desk.engine.family import Family, by_name
from prowess_desk.families import challenge, dev, normal, train

FAMILIES: Mapping[str, Family] = by_name(challenge.FAMILIES, normal.FAMILIES, train.FAMILIES, dev.FAMILIES)
