"""Two scenarios with one library: what does not fit is left alone, what is offered is not written again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from prowess_desk.expert.expert import Expert

from prowess.commands.collect import CollectSettings, units_of
from prowess.commands.collect.tries import play_tries, succeeded
from prowess.pipeline.parts import demonstrating, parts_of
from prowess.pipeline.recipe import Recipe
from prowess.play import played
from prowess.recipe import parse
from prowess.seeds import derive
from prowess.skills.library import Library
from prowess.types import Episode, Skill
from prowess.worlds.expert import ExpertSettings

FAMILIES = ("like_artist", "text_relation")
HELPERS = {"login", "all_pages"}


@pytest.fixture(scope="module", params=[0, 1])
def episodes(request: pytest.FixtureRequest) -> tuple[Episode, ...]:
    """With one seed the second scenario begins with all that the first has saved, with the other with its helpers."""
    names = ", ".join(f'"{name}"' for name in FAMILIES)
    sets = (f"suite.desk.families=[{names}]", "suite.desk.scenarios=1", "policy.name=expert", "collect.crossed=1.0")
    more = ('expert.styles=["observer"]', "collect.length=2", "collect.count=1")
    recipe = demonstrating(parse(Recipe, "", (*sets, *more)))
    seed = next(seed for seed in range(99) if derive(seed, "helpers") % 2 == request.param)
    with parts_of(recipe) as live:
        (unit,) = units_of(live.suite, recipe.collect)
        good = partial(succeeded, checked=True)
        tries = play_tries(live.agent, live.suite, unit.chain, tries=1, seed=seed, good=good)
        return tuple(played(tries, live.agent.policy))


def test_both_scenarios_are_solved_in_turn(episodes: tuple[Episode, ...]) -> None:
    assert [episode.task.id.rpartition("_")[2] for episode in episodes] == ["1", "1", "2", "2"]
    assert all(episode.success for episode in episodes)
    assert episodes[0].task.scenario != episodes[1].task.scenario


def test_a_library_that_does_not_fit_is_read_beyond(
    episodes: tuple[Episode, ...], request: pytest.FixtureRequest
) -> None:
    first, second, *_ = episodes
    bare = request.node.callspec.params["episodes"]
    assert first.offered == ()
    assert set(second.offered) == (HELPERS if bare else {skill.name for skill in first.learned})
    codes = [turn.code for turn in second.turns]
    assert "show_api_descriptions" in codes[0], "it begins with the documentation, as who has nothing"
    assert not any("def login(" in code for code in codes), "what is offered is not defined again"
    looked = next(code for code in codes if "access_token=login(" in code)
    assert "def " not in looked, "it looks at the data with the helpers that are there"


def test_of_two_functions_the_one_that_fits_is_called(episodes: tuple[Episode, ...]) -> None:
    for first, later in (episodes[::2], episodes[1::2]):
        own = {skill.name for skill in first.learned} - HELPERS
        assert set(later.offered) > own
        assert {call.name for call in later.called} & own and len(later.turns) == 2


def test_helpers_of_somebody_else_are_not_taken_for_ones_own() -> None:
    foreign = Skill(name="login", source='def login(app_name):\n    """Log in."""\n    return app_name')
    recipe = parse(Recipe, "", ("suite.desk.scenarios=1", "policy.name=expert", "retrieval.name=everything"))
    expert = Expert(ExpertSettings(styles=("observer",)))
    with parts_of(recipe) as live:
        task = next(task for task in live.suite.tasks("train") if task.scenario.startswith("like_artist"))
        world = live.suite.open(task)
        try:
            episode = replace(live.agent, policy=expert).play(task, world, Library((foreign,)), seed=0)
        finally:
            world.close()
    assert episode.offered == ("login",) and episode.success
    assert "def login(app: str)" in "".join(turn.code for turn in episode.turns)


def test_only_what_is_crossed_is_offered_across_scenarios() -> None:
    names = [demonstrating(parse(Recipe, "", (f"collect.crossed={x}",))).retrieval.name for x in (0.0, 0.5)]
    assert names == ["scenario", "everything"]
    assert CollectSettings().crossed == 0
