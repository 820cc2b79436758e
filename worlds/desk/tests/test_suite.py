"""Which tasks a split of desk has, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest
from prowess_desk.engine.case import SIBLINGS
from prowess_desk.engine.world import DeskSuite
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings

from prowess.errors import RecipeError
from prowess.pipeline.recipe import Recipe
from prowess.recipe import read
from prowess.types import Task

ROOT = Path(__file__).resolve().parents[3]


def tasks(split: str, settings: DeskSettings) -> tuple[Task, ...]:
    return tuple(DeskSuite(settings, None).tasks(split))  # type: ignore[arg-type]  # nothing is opened


def names(found: tuple[Task, ...]) -> set[str]:
    return {task.scenario.split(".")[0] for task in found}


@pytest.mark.parametrize(
    ("split", "settings", "id", "name", "says"),
    [
        ("dev", DeskSettings(), "queue_album.0_1", "Ravin Osterby", "Put all songs of the album"),
        ("dev", DeskSettings(wording="mixed"), "queue_album.0_2", "Cadro Caldford", "After what is queued in my music"),
        ("dev", DeskSettings(part="starter"), "like_artist.dev-0_2", "Lafina Thornwell", "Like every song by Salt & C"),
        ("train", DeskSettings(drills=1), "count_sent_requests_in_month_of_created_at.0_2", "Sara Keler", "I wonder "),
    ],
)
def test_an_id_names_the_same_task_for_good(split: str, settings: DeskSettings, id: str, name: str, says: str) -> None:
    """Runs, stores and published figures name tasks by id: where data or wordings are to change, so must this."""
    suite = DeskSuite(settings, None)  # type: ignore[arg-type]  # nothing is opened
    (task,) = (task for task in suite.tasks(split)[:3] if task.id == id)
    assert (task.facts["name"], task.instruction[: len(says)]) == (name, says)
    assert suite.case(task).me.name == name


def test_drills_and_errands_are_for_train_alone() -> None:
    given = DeskSettings(drills=1, errands=1)
    assert tasks("dev", given) == tasks("dev", DeskSettings())
    assert tasks("train", given)[2 * SIBLINGS :] == tasks("train", DeskSettings())


def test_fresh_families_come_last_and_never_before() -> None:
    some = tasks("train", DeskSettings(scenarios=2, fresh=3))
    kept = {name for name, family in FAMILIES.items() if family.kept and family.split == "train"}
    last = len(kept) * 3 * SIBLINGS
    assert names(some[-last:]) == kept
    assert not names(some[:-last]) & kept
    usual = {task.id: task for task in tasks("train", DeskSettings(scenarios=3))}
    assert all(usual[task.id] == task for task in some), "they are tasks like any others"


def test_which_families_are_fresh_hangs_on_no_seed_and_not_all_or_none_are() -> None:
    train = names(tasks("train", DeskSettings()))
    first, other = (tasks("train", DeskSettings(seed=seed, fresh=1)) for seed in (0, 7919))
    kept = [task.scenario for task in first][-SIBLINGS * sum(FAMILIES[name].kept for name in train) :]
    assert kept == [task.scenario for task in other][-len(kept) :]
    assert len(train) / 8 < len({*kept}) < len(train) / 2


def test_the_recipe_demonstrates_all_that_is_not_fresh_and_reinforces_families_and_fresh_errands() -> None:
    recipe = read(Recipe, ROOT / "recipes/qwen-sage.toml")
    desk = recipe.suite.own
    kept = [family.kept for family in FAMILIES.values() if family.split == "train"]
    assert recipe.collect.scenarios == desk.drills + desk.errands + desk.scenarios * kept.count(False)
    some = desk.fresh_errands + desk.fresh * kept.count(True) + 2 * kept.count(False)
    assert recipe.teach.collect.last == some, "what is fresh, and some of each shown"
    families = desk.scenarios * kept.count(False) + desk.fresh * kept.count(True)
    assert recipe.train.last == families + desk.fresh_errands, "they come last"


def test_fresh_families_are_for_train_alone() -> None:
    assert tasks("dev", DeskSettings(fresh=2)) == tasks("dev", DeskSettings())


def test_a_wrong_number_of_fresh_scenarios_is_told() -> None:
    with pytest.raises(RecipeError, match="fresh is -1"):
        DeskSettings(fresh=-1)


def test_a_family_has_as_many_scenarios_as_are_asked_for_whoever_has_few_contacts() -> None:
    settings = DeskSettings(families=("relate_locals",), scenarios=64)
    assert len(tasks("dev", settings)) == 64 * SIBLINGS


@pytest.mark.parametrize("given", [0, 10**11])
def test_a_wrong_number_of_scenarios_is_told(given: int) -> None:
    with pytest.raises(RecipeError, match=f"scenarios is {given}; allowed is 1 to 10000 of each family"):
        DeskSettings(scenarios=given)
