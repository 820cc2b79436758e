"""Every scenario family of desk, by name."""

from __future__ import annotations

from collections.abc import Mapping

from prowess.worlds.desk.families import challenge, dev, normal, train
from prowess.worlds.desk.family import Family, by_name

FAMILIES: Mapping[str, Family] = by_name(challenge.FAMILIES, normal.FAMILIES, train.FAMILIES, dev.FAMILIES)
