"""The families of test_normal: nothing of them is ever shown."""

from __future__ import annotations

from prowess_desk.families.normal import groups, mixed, music, papers, phone, splits, todo, wallet

FAMILIES = (
    *groups.FAMILIES,
    *mixed.FAMILIES,
    *music.FAMILIES,
    *papers.FAMILIES,
    *phone.FAMILIES,
    *splits.FAMILIES,
    *todo.FAMILIES,
    *wallet.FAMILIES,
)
