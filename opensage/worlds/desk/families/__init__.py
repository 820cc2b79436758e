"""Every scenario family of desk, by name."""

from __future__ import annotations

from collections.abc import Mapping

from opensage.worlds.desk.families import (
    challenge_orders,
    challenge_records,
    train_music,
    train_playlists,
    train_wallet,
)
from opensage.worlds.desk.family import Family, by_name

FAMILIES: Mapping[str, Family] = by_name(
    challenge_orders.FAMILIES,
    challenge_records.FAMILIES,
    train_music.FAMILIES,
    train_playlists.FAMILIES,
    train_wallet.FAMILIES,
)
