"""Two scenarios with one library: what does not fit is left alone, what is offered is not written again."""

from __future__ import annotations

from functools import partial

import pytest

from opensage.agent import played
from opensage.collect import CollectSettings, play_tries, succeeded, units_of
from opensage.recipe import parse
from opensage.types import Episode
from opensage.wiring import Recipe, demonstrating, parts_of

FAMILIES = ("like_artist", "text_relation")


@pytest.fixture(scope="module")
def episodes() -> tuple[Episode, ...]:
    names = ", ".join(f'"{name}"' for name in FAMILIES)
    sets = (f"suite.desk.families=[{names}]", "suite.desk.scenarios=1", "policy.name=expert", "collect.crossed=1.0")
    more = ('expert.styles=["observer"]', "collect.length=2", "collect.count=1")
    recipe = demonstrating(parse(Recipe, "", (*sets, *more)))
    with parts_of(recipe) as live:
        (unit,) = units_of(live.suite, recipe.collect)
        good = partial(succeeded, checked=True)
        tries = play_tries(live.agent, live.suite, unit.chain, tries=1, seed=0, good=good)
        return tuple(played(tries, live.agent.policy))


def test_both_scenarios_are_solved_in_turn(episodes: tuple[Episode, ...]) -> None:
    assert [episode.task.id.rpartition("_")[2] for episode in episodes] == ["1", "1", "2", "2"]
    assert all(episode.success for episode in episodes)
    assert episodes[0].task.scenario != episodes[1].task.scenario


def test_a_library_that_does_not_fit_is_read_beyond(episodes: tuple[Episode, ...]) -> None:
    first, second, *_ = episodes
    assert first.offered == () and {"login", "all_pages"} < set(second.offered)
    codes = [turn.code for turn in second.turns]
    assert "show_api_descriptions" in codes[0], "it begins with the documentation, as who has nothing"
    assert not any("def login(" in code for code in codes), "what is offered is not defined again"
    looked = next(code for code in codes if "access_token=login(" in code)
    assert "def " not in looked, "it looks at the data with the helpers that are there"


def test_of_two_functions_the_one_that_fits_is_called(episodes: tuple[Episode, ...]) -> None:
    for first, later in (episodes[::2], episodes[1::2]):
        own = {skill.name for skill in first.learned} - {"login", "all_pages"}
        assert set(later.offered) > own
        assert {call.name for call in later.called} & own and len(later.turns) == 2


def test_only_what_is_crossed_is_offered_across_scenarios() -> None:
    names = [demonstrating(parse(Recipe, "", (f"collect.crossed={x}",))).retrieval.name for x in (0.0, 0.5)]
    assert names == ["scenario", "everything"]
    assert CollectSettings().crossed == 0
