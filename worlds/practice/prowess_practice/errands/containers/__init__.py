"""Errands on things that are judged by what lies in them: playlists by their songs, projects by their tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from prowess_practice.drills.exports import EXPORTS
from prowess_practice.errands.containers.judges import (
    BESTS,
    ENOUGH,
    FEWEST,
    GREATEST,
    JUDGES,
    LATEST,
    MOST,
    MOSTLY,
    NONE,
    SOME,
    TOTAL,
    Best,
    Judge,
)
from prowess_practice.errands.containers.music import MUSIC
from prowess_practice.errands.containers.pairs import pairs
from prowess_practice.errands.containers.papers import JOTTINGS, PAPERS
from prowess_practice.errands.containers.parts import ContainerKind, Inside, both
from prowess_practice.errands.containers.phone import PHONE
from prowess_practice.errands.containers.program import edits, program, values_of
from prowess_practice.errands.containers.shape import ContainerShape
from prowess_practice.errands.containers.splits import SHARED
from prowess_practice.errands.containers.todo import TODO
from prowess_practice.errands.containers.wallet import MONEY
from prowess_practice.errands.containers.wordings import DELIVERIES, wordings
from prowess_practice.errands.errand import Errand

RARE = frozenset(
    (
        "add_other_songs_of_albums_with_some_songs_not_kept_songs",
        "archive_all_notes_of_tags_with_enough_notes_pinned",
        "befriend_fitting_members_of_groups_with_enough_members_friends",
        "befriend_fitting_members_of_groups_with_mostly_members_related",
        "befriend_paying_contacts_with_enough_payments_sent",
        "befriend_people_without_voice_messages_from_sent_at_related",
        "count_common_notes_of_two_tags",
        "count_common_subtasks_of_two_tasks",
        "count_common_tasks_of_two_labels",
        "count_folders_with_mostly_direct_files_by_ending",
        "count_friends_with_only_payments_in_month_of_created_at",
        "count_genres_with_few_artists_followed",
        "count_labels_with_only_tasks_with_word_in_title",
        "count_lacking_subtasks_of_two_tasks",
        "count_liked_albums_with_enough_songs_liked_songs",
        "count_notes_with_some_lines_with_start",
        "count_sharing_contacts_with_some_balances_under_balance_related",
        "delete_own_projects_with_mostly_tasks_from_due_date_done",
        "duplicate_notes_most_lines_with_word_listed",
        "extend_notes_most_lines_listed",
        "finish_discussed_tasks_with_some_comments_from_written_at_done",
        "follow_albums_with_enough_songs_reviewed_songs_until",
        "follow_fitting_songs_of_playlists_with_mostly_songs_by_artist_name",
        "gap_to_playlist_with_more_songs_by_artist_name",
        "gather_fitting_files_of_top_folders_with_enough_files_with_word_in_path",
        "keep_fitting_albums_of_genres_with_enough_albums_liked_albums",
        "like_albums_without_songs_not_kept_songs_until",
        "like_all_albums_of_artists_with_enough_albums_kept_albums",
        "like_all_payments_of_paying_contacts_with_enough_payments_is_private",
        "list_albums_of_artists_by_total_albums_kept_albums_tracks",
        "list_artists_of_genres_with_enough_artists_followed",
        "list_playlists_with_only_songs_by_artist_name",
        "list_subtasks_of_tasks_with_enough_subtasks_done",
        "mark_fitting_direct_files_of_folders_with_mostly_direct_files_with_word",
        "measure_own_projects_most_tasks_from_due_date_done",
        "mix_fitting_songs_of_albums_with_enough_songs_reviewed_songs",
        "name_folders_fewest_direct_files_by_ending",
        "name_genres_fewest_albums_from_release_date",
        "name_genres_fewest_songs_under_duration",
        "name_genres_greatest_albums_until_release_date_tracks",
        "name_genres_greatest_songs_under_duration_play_count",
        "name_genres_latest_songs_over_play_count",
        "name_genres_most_albums_until_release_date",
        "name_groups_fewest_members_related",
        "name_labels_fewest_tasks_until_due_date_without_date",
        "name_labels_most_tasks_with_word_in_title_done",
        "name_projects_fewest_tasks_until_due_date_not_done",
        "name_tags_latest_notes_from_created_at",
        "name_top_folders_fewest_files_with_word_in_path",
        "paint_new_color_own_projects_with_only_tasks_without_date",
        "pay_all_members_of_groups_without_members_by_person",
        "pay_other_members_of_groups_with_some_members_by_person",
        "pin_fitting_notes_of_tags_with_enough_notes_pinned",
        "rename_suffix_groups_with_only_debts_of_creditor",
        "report_in_extend_note_on_albums_with_some_songs_not_kept_songs",
        "report_in_text_on_genres_with_some_artists_not_followed",
        "review_rating_all_songs_of_albums_without_songs_not_liked_songs",
        "set_alarm_for_groups_with_only_members_friends",
        "sign_folders_fewest_direct_files_with_word",
        "sum_amount_in_friends_with_enough_payments_is_private",
        "sum_play_count_in_playlists_with_enough_songs_liked_songs",
        "tag_new_tag_notes_most_lines_listed",
        "tick_off_tasks_with_few_subtasks_done",
        "top_up_cards_with_few_transfers_in_month_of_created_at",
        "unfollow_artists_with_few_albums_kept_albums",
        "unlabel_fitting_tasks_of_labels_with_mostly_tasks_with_word_in_title_without_date",
        "untick_all_subtasks_of_tasks_with_enough_subtasks_not_done",
    )
)


KINDS: tuple[ContainerKind, ...] = (*MUSIC, *TODO, *PAPERS, *JOTTINGS, *MONEY, *SHARED, *PHONE)
T = TypeVar("T")
_WRITTEN = tuple(export for export in EXPORTS if export.word in DELIVERIES)


def made() -> Iterator[Errand]:
    """All of them, but those that hardly anybody's data serves."""
    yield from (errand for errand in (*_judged(), *pairs()) if errand.name not in RARE)


def _judged() -> Iterator[Errand]:
    seen: set[str] = set()
    inside = 0
    for kind in KINDS:
        for one in kind.insides:
            for n, drawn in enumerate(_shapes(kind, one, inside)):
                shape = _slotted(drawn, inside + n)
                if shape.sound and shape.name not in seen:
                    seen.add(shape.name)
                    yield _errand(shape)
            inside += 1


def _errand(shape: ContainerShape) -> Errand:
    return Errand(
        name=shape.name,
        apps=shape.apps,
        slots=shape.slots,
        source=program(shape),
        wordings=wordings(shape),
        values=values_of(shape),
        matters=edits(shape),
        asks=shape.asks,
    )


def _slotted(shape: ContainerShape, turn: int) -> ContainerShape:
    """With a condition that takes a value, where nothing else does: tasks of a scenario must differ in something."""
    if shape.slots:
        return shape
    given = _pick([one for one in shape.inside.conditions if one.slot], turn)
    if given is None or shape.condition is None or shape.inside.small:
        return replace(shape, condition=given)
    return replace(shape, condition=both(given, shape.condition))


def _shapes(kind: ContainerKind, inside: Inside, turn: int) -> Iterator[ContainerShape]:
    """A choice of what can be made: every ending and every deed with some judges and conditions, in turn."""
    yield from _asking(kind, inside, turn)
    yield from _writing(kind, inside, turn)
    for n, deed in enumerate(kind.deeds):
        plain = [one for one in JUDGES if not one.sums and not one.dates]
        for step in range(2):
            by: Judge | Best = plain[(turn + 2 * n + step) % len(plain)]
            condition = _pick(inside.conditions, turn + 3 * n + step)
            chosen = _pick(kind.filters, turn + n) if step else None
            yield ContainerShape(
                kind=kind, inside=inside, by=by, ending="act", condition=condition, deed=deed, filter=chosen
            )
        condition = _pick(inside.conditions, turn + 3 * n + 2)
        by = (MOST, FEWEST)[(turn + n) % 2]
        yield ContainerShape(kind=kind, inside=inside, by=by, ending="act", condition=condition, deed=deed)
    for n, deed in enumerate(inside.deeds):
        scopes = (("fitting", ENOUGH), ("other", SOME), ("all", ENOUGH), ("fitting", MOSTLY), ("all", NONE))
        for step in range(2):
            scope, by = scopes[(turn + n + 2 * step) % len(scopes)]
            condition = _pick(inside.conditions, turn + 2 * n + 3 * step)
            yield ContainerShape(
                kind=kind, inside=inside, by=by, ending="inner", condition=condition, deed=deed, scope=scope
            )
        scope = ("fitting", "all", "other")[(turn + n) % 3] if not deed.ordered else "fitting"
        condition = _pick(inside.conditions, turn + 2 * n + 1)
        yield ContainerShape(
            kind=kind, inside=inside, by=MOST, ending="inner", condition=condition, deed=deed, scope=scope
        )


def _asking(kind: ContainerKind, inside: Inside, turn: int) -> Iterator[ContainerShape]:
    measure = inside.measures[turn % len(inside.measures)] if inside.measures else None
    for n, ending in enumerate(("count", "names", "count", "names")):
        judge = JUDGES[(turn + 3 * n) % len(JUDGES)]
        condition = None if judge.sums or judge.dates else _pick(inside.conditions, turn + n)
        chosen = _pick(kind.filters, turn) if n == 2 else None
        yield ContainerShape(
            kind=kind,
            inside=inside,
            by=judge,
            ending=ending,
            condition=condition,
            filter=chosen,
            measure=measure if judge.sums else None,
        )
    if inside.name:
        for n, judge in enumerate((ENOUGH, TOTAL)):
            yield ContainerShape(
                kind=kind,
                inside=inside,
                by=judge,
                ending="rows",
                condition=_pick(inside.conditions, turn + n),
                measure=measure if judge.sums else None,
            )
    for n, best in enumerate(BESTS):
        condition = _pick((None, *inside.conditions), turn + n) if inside.whole else _pick(inside.conditions, turn + n)
        if best is FEWEST:
            condition = condition or _pick(inside.conditions, turn)
        chosen = _pick(kind.filters, turn + 1) if n == 2 else None
        given = measure if best.sums else None
        yield ContainerShape(
            kind=kind, inside=inside, by=best, ending="best", condition=condition, measure=given, filter=chosen
        )
    for n, each in enumerate(inside.measures):
        if each.sum:
            judge = (SOME, ENOUGH, MOSTLY)[(turn + n) % 3]
            condition = _pick(inside.conditions, turn + 2 + n)
            yield ContainerShape(kind=kind, inside=inside, by=judge, ending="sum", condition=condition, measure=each)
            condition = _pick((None, *inside.conditions), turn + n)
            yield ContainerShape(
                kind=kind, inside=inside, by=GREATEST, ending="number", condition=condition, measure=each
            )
        if inside.name:
            condition = _pick((None, *inside.conditions), turn + 1 + n)
            by = MOST if n or not inside.dated else LATEST
            yield ContainerShape(kind=kind, inside=inside, by=by, ending="extreme", condition=condition, measure=each)
    yield ContainerShape(
        kind=kind, inside=inside, by=MOST, ending="number", condition=_pick(inside.conditions, turn + 1)
    )


def _writing(kind: ContainerKind, inside: Inside, turn: int) -> Iterator[ContainerShape]:
    """Names and numbers, written down elsewhere."""
    for n in range(3):
        export = _WRITTEN[(turn + 2 * n) % len(_WRITTEN)]
        judge = (ENOUGH, NONE, SOME, MOSTLY)[(turn + n) % 4]
        condition = _pick(inside.conditions, turn + 2 * n)
        yield ContainerShape(kind=kind, inside=inside, by=judge, ending="export", condition=condition, export=export)
    lined = [export for export in _WRITTEN if export.word != "task"]
    measure = inside.measures[(turn + 1) % len(inside.measures)] if inside.measures else None
    for n, judge in enumerate((SOME, TOTAL)):
        yield ContainerShape(
            kind=kind,
            inside=inside,
            by=judge,
            ending="report",
            condition=_pick(inside.conditions, turn + 2 * n + 1),
            measure=measure if judge.sums else None,
            export=lined[(turn + n) % len(lined)],
        )


def _pick(choices: Sequence[T], turn: int) -> T | None:
    return choices[turn % len(choices)] if choices else None
