"""Every scenario family of desk, by name."""

from __future__ import annotations

from collections.abc import Mapping

from opensage.worlds.desk.families import (
    train_music,
    train_playlists,
)
from opensage.worlds.desk.family import Family, by_name

FAMILIES: Mapping[str, Family] = by_name(
    train_music.FAMILIES,
    train_playlists.FAMILIES,
)
