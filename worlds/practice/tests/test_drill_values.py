"""Values of drills are drawn from what is remembered: nobody sees in it what another case did or was set up with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from prowess_desk.engine.case import Case, case_of
from prowess_desk.engine.family import Draw
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import Person
from prowess_desk.engine.universe import universe
from prowess_desk.engine.world import DeskSuite
from prowess_desk.families.toolbox import all_pages, apis, login
from prowess_desk.settings import DeskSettings
from prowess_practice.drills import drills
from prowess_practice.drills.direct_calls import looked_up, played

from prowess.seeds import draw

WORLD = universe(11)
ME = WORLD.people[0]


@cache
def cases() -> list[Case]:
    """All of them drawn one after the other, those that act and those that ask in turn."""
    suite = DeskSuite(DeskSettings(drills=60), None)  # type: ignore[arg-type]  # nothing is opened
    return [suite.case(task) for task in suite.tasks("train") if task.scenario.split(".")[0] in drills()]


def library() -> Any:
    return all_pages(apis.music.show_song_library, access_token=login(app="music"))


def playlist() -> Any:
    token = login(app="music")
    first = apis.music.show_playlists(access_token=token)[0]
    return apis.music.show_playlist(access_token=token, playlist_id=first["playlist_id"])["songs"]


def tasks() -> Any:
    return apis.todo.search_tasks(access_token=login(app="todo"), page_limit=20)


def empty_library() -> Any:
    token = login(app="music")
    for song in all_pages(apis.music.show_song_library, access_token=token):
        apis.music.remove_song_from_library(access_token=token, song_id=song["song_id"])


@pytest.mark.parametrize("reading", [library, playlist, tasks])
def test_what_a_reader_does_to_what_it_was_given_reaches_no_other(reading: Callable[[], Any]) -> None:
    real = played(reading, WORLD.state(), ME, {})
    given = looked_up(reading, WORLD.origin, ME.id, {})
    assert len(given) > 2
    with pytest.raises(TypeError):
        given[0]["title"] = "another"
    given.reverse()
    assert given != real
    given.clear()
    assert [dict(row) for row in looked_up(reading, WORLD.origin, ME.id, {})] == [_tupled(row) for row in real]


def _tupled(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(part) if isinstance(part, list) else part for name, part in row.items()}


def test_lists_within_rows_cannot_be_written_either() -> None:
    labelled = next(row for row in looked_up(tasks, WORLD.origin, ME.id, {}) if row["labels"])
    with pytest.raises(AttributeError):
        labelled["labels"].append("mine")


def test_what_acts_is_never_answered_from_memory_nor_remembered() -> None:
    before = looked_up(library, WORLD.origin, ME.id, {})
    state = WORLD.state()
    played(empty_library, state, ME, {})
    assert played(library, state, ME, {}) == []
    assert looked_up(library, WORLD.origin, ME.id, {}) == before
    with pytest.raises(AssertionError, match="does not only read"):
        looked_up(empty_library, WORLD.origin, ME.id, {})


def test_a_drill_is_solved_on_the_state_as_it_is() -> None:
    name = next(name for name in sorted(drills()) if name.startswith("list_library_songs_"))
    case = case_of(drills()[name], 1, 2, 0)
    assert case.answer
    assert case.family.solve(case.start.fork(), case.me, case.values) == case.answer
    other = case.start.fork()
    played(empty_library, other, case.me, {})
    assert case.family.solve(other, case.me, case.values) == []
    assert case.family.solve(case.start.fork(), case.me, case.values) == case.answer


def test_cases_are_what_they_would_be_if_nothing_were_remembered() -> None:
    for case in cases():
        (program,) = case.family.program.functions
        state = case.start.fork()
        answer = played(program, state, case.me, case.values)
        assert not case.start.touched(), case.family.name
        if case.family.asks:
            assert answer == case.answer, case.family.name
            assert not case.goal.touched(), case.family.name
        else:
            assert changes(case.start, state) == changes(case.start, case.goal) != {}, case.family.name


def test_no_values_are_drawn_where_something_was_set_up() -> None:
    state = WORLD.state()
    state[Person].change(ME.id, city="Elsewhere")
    family = next(iter(drills().values()))
    with pytest.raises(AssertionError, match="set up"):
        family.make(Draw(rng=draw(0), state=state, me=ME, people=WORLD.people))
    assert not WORLD.state().fork(now=WORLD.origin.now + timedelta(minutes=1)).untouched, "the clock counts, too"
