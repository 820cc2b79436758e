"""Exact texts that are drawn anew for every case: for each of some rows something is written, to the letter.

A task gives the text with a made-up sample in it, which the program replaces, or in pieces, which it puts together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from prowess_practice.drills.listings import LISTINGS
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.forms.deeds import ANYWHERE, OWN, PERSONAL
from prowess_practice.errands.forms.parts import FormDeed, FormField
from prowess_practice.errands.forms.program import HEADING, FormPlan, done, written
from prowess_practice.errands.forms.recipes import RECIPES, Recipe
from prowess_practice.errands.forms.sources import FormSource, sources
from prowess_practice.errands.reports.sinks import SINKS
from prowess_practice.errands.transfers.parts import Slot

_NAMES = """
task_with_friends_with_word_in_name
copied_note_with_sent_requests_of_payer known_texts_for_payments_from_created_at
last_comment_with_voice_messages_over_duration money_sent_for_payments_from_created_at
new_projects_for_voice_messages_over_duration note_with_expenses_in_group_by_description
note_with_payments_of_related_payer note_with_sent_requests_of_payer note_with_subtasks_in_task_with_word_in_title
redescribed_the_expenses_from_created_at redescribed_the_expenses_over_amount redescribed_the_expenses_under_amount
replace_file_with_files_in_folder_with_word replace_file_with_songs_in_album_over_duration
replace_note_with_songs_in_album_under_duration steps_with_payments_over_amount
steps_with_received_requests_of_requester tagged_note_with_catalogue_songs_by_album_title
tagged_note_with_catalogue_songs_by_artist_name tagged_note_with_voice_messages_over_duration
task_comment_with_friends_with_word_in_name task_with_subtasks_in_task_with_word_in_title
text_by_email_with_payments_over_amount text_by_email_with_payments_under_amount
text_with_expenses_in_group_by_description texts_with_files_in_folder_with_word
texts_with_songs_in_album_over_duration texts_with_songs_in_album_under_duration voice_with_payments_under_amount
voice_with_received_requests_of_requester
"""
RARE = frozenset(f"fill_{name}" for name in _NAMES.split())
"""Left out."""


CONDITIONS = 6
"""Conditions of a listing, at most."""
_ORDERS = ("name", "when", "name", "size", "when")


def made() -> Iterator[Errand]:
    """All of them: every source with some of what can be done, in turn."""
    seen = {*RARE}
    turns = count()
    for place, source in enumerate(sources(LISTINGS, CONDITIONS)):
        for errand in (*_acts(source, place, turns), *_papers(source, place, turns)):
            if errand.name not in seen:
                seen.add(errand.name)
                yield errand


def _acts(source: FormSource, place: int, turns: Iterator[int]) -> Iterator[Errand]:
    own = [deed for deed in OWN if source.kind in deed.rows]
    personal = [deed for deed in PERSONAL if _meets(source, deed)]
    for deeds, most in ((own, 2), (personal, 2), (ANYWHERE, 2)):
        found = 0
        for step in range(len(deeds)):
            turn = next(turns)
            if found == most:
                continue
            deed = deeds[(most * place + step) % len(deeds)]
            if errand := done(_plan(source, turn, deed.style, deed.slots, deed), deed):
                found += 1
                yield errand


def _meets(source: FormSource, deed: FormDeed) -> bool:
    """Whether there is a person behind a row to whom it can be done: messages may be the supervisor's own."""
    if source.kind in ("text", "voice") and "sender" not in source.condition.word:
        return False
    return bool(getattr(source.row, deed.needs)) and not (deed.before and source.row.phone)


def _papers(source: FormSource, place: int, turns: Iterator[int]) -> Iterator[Errand]:
    found = 0
    for step in range(len(SINKS)):
        turn = next(turns)
        sink = SINKS[(2 * place + step) % len(SINKS)]
        if sink.only and not {*sink.only} & {*source.apps}:
            continue
        heading = (HEADING,) if turn % 4 == 0 and sink.item == "line" else ()
        style = "line" if sink.item == "line" else "title"
        errand = written(_plan(source, turn, style, (*sink.slots, *heading)), sink, _ORDERS[turn % len(_ORDERS)])
        if errand:
            found += 1
            yield errand
        if found == 2:
            return


def _plan(source: FormSource, turn: int, style: str, slots: tuple[Slot, ...], deed: FormDeed | None = None) -> FormPlan:
    fields = [one for one in source.fields if not deed or one.kind not in deed.bars]
    recipe = RECIPES[turn % len(RECIPES)]
    if recipe.double and len(fields) < 2:
        recipe = RECIPES[0]
    chosen = _chosen(fields, recipe, turn)
    return FormPlan(source=source, recipe=recipe, chosen=chosen, turn=turn, style=style, slots=slots)


def _chosen(fields: list[FormField], recipe: Recipe, turn: int) -> tuple[FormField, ...]:
    """What names a row more often than the rest, and an amount where there is one."""
    first = 0 if turn % 2 else turn // 2 % len(fields)
    second = (first + 1 + turn // 3 % max(1, len(fields) - 1)) % len(fields)
    amount = next((place for place, one in enumerate(fields) if one.kind == "amount"), -1)
    if amount >= 0 and turn % 3:
        first, second = (first, amount) if recipe.double and first != amount else (amount, second)
    return (fields[first], fields[second]) if recipe.double else (fields[first],)
