"""The families that checkpoints are chosen by."""

from __future__ import annotations

from prowess_desk.families.dev import files, money, music, phone, todo

FAMILIES = (
    *music.FAMILIES,
    *money.FAMILIES,
    *phone.FAMILIES,
    *files.FAMILIES,
    *todo.FAMILIES,
)
