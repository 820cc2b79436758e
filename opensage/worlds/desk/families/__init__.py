"""Every scenario family of desk, by name."""

from __future__ import annotations

from collections.abc import Mapping

from opensage.worlds.desk.families import (
    challenge_chores,
    challenge_errands,
    challenge_orders,
    challenge_questions,
    challenge_records,
    challenge_requests,
    challenge_reviews,
    dev_money,
    dev_music,
    normal_mixed,
    normal_music,
    normal_papers,
    normal_phone,
    normal_splits,
    normal_todo,
    normal_wallet,
    train_files,
    train_music,
    train_notes,
    train_paying,
    train_phone,
    train_playlists,
    train_splits,
    train_texts,
    train_todo,
    train_wallet,
)
from opensage.worlds.desk.family import Family, by_name

FAMILIES: Mapping[str, Family] = by_name(
    challenge_chores.FAMILIES,
    challenge_errands.FAMILIES,
    challenge_orders.FAMILIES,
    challenge_questions.FAMILIES,
    challenge_records.FAMILIES,
    challenge_requests.FAMILIES,
    challenge_reviews.FAMILIES,
    normal_mixed.FAMILIES,
    normal_music.FAMILIES,
    normal_papers.FAMILIES,
    normal_phone.FAMILIES,
    normal_splits.FAMILIES,
    normal_todo.FAMILIES,
    normal_wallet.FAMILIES,
    train_music.FAMILIES,
    train_playlists.FAMILIES,
    train_wallet.FAMILIES,
    train_paying.FAMILIES,
    train_phone.FAMILIES,
    train_texts.FAMILIES,
    train_notes.FAMILIES,
    train_files.FAMILIES,
    train_todo.FAMILIES,
    train_splits.FAMILIES,
    dev_music.FAMILIES,
    dev_money.FAMILIES,
)
