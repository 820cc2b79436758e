"""A world that breaks on a call: its episodes are graded, its author is told, and nobody gains by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from synthetic import episode as played_before
from synthetic import task as some_task
from toy import agent_with

from prowess.errors import RecipeError, WorldError
from prowess.figures.measure import Played, measure, metrics_of
from prowess.figures.tables.measures import measures_grid
from prowess.files.codec import from_json, to_json
from prowess.play.rollout import chains_of, play_groups
from prowess.sandbox import ApiFailure, Interpreter, Sandbox, SandboxSettings, open_sandbox
from prowess.types import Completion, Episode, Json, Message, Observation, Stop, Task, Verdict
from prowess.worlds import breaks
from prowess.worlds.check import check, describe, examine


class Shop:
    """A suite whose worlds look nothing up that is not there, but for `item`: that raises a KeyError."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def splits(self) -> tuple[str, ...]:
        return ("train",)

    def tasks(self, split: str) -> list[Task]:
        if split != "train":
            raise WorldError("there is train, and nothing else")
        return [Task(id="buy_1", scenario="buy", instruction="Buy a pen.")]

    def open(self, task: Task) -> ShopWorld:
        return ShopWorld(self._sandbox.open())


class ShopWorld:
    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self.done, self.bought = False, ""

    def execute(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, self._call), done=self.done)

    def evaluate(self) -> Verdict:
        return Verdict(passed=("opened",), failed=() if self.bought == "pen" and self.done else ("bought",))

    def close(self) -> None:
        self._interpreter.close()

    def _call(self, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
        match app, api:
            case "shop", "engine":
                raise WorldError("the engine is gone")
            case "shop", "buy":
                self.bought = {"pen": "pen"}[arguments["item"]]
            case "supervisor", "complete_task":
                self.done = True
            case "api_docs", "show_app_descriptions":
                return [{"name": "shop"}]
            case "api_docs", "show_api_descriptions":
                return [{"name": "buy"}]
            case "api_docs", "show_api_doc":
                return {"parameters": [{"name": "item"}]}
            case _:
                raise ApiFailure(f"There is no {app}.{api}.")
        return "ok"


LINE = ShopWorld._call.__code__.co_firstlineno + 5


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    sandbox = open_sandbox(SandboxSettings())
    yield Shop(sandbox)
    sandbox.close()


def play(shop: Shop, *blocks: str, times: int = 1) -> list[Episode]:
    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        return Completion(text=f"```python\n{blocks[len(messages) // 2 - 1]}\n```")

    (group,) = play_groups(agent_with(policy), shop, chains_of(shop, "train"), size=times, seed=0, workers=1)
    return [rollout.episodes[0] for rollout in group.rollouts]


def test_an_episode_whose_world_broke_on_a_call_goes_on_and_is_graded(shop: Shop) -> None:
    (solved,) = play(shop, "apis.shop.buy(item='ink')", "apis.shop.buy(item='pen')\napis.supervisor.complete_task()")
    assert (solved.stop, solved.success, solved.erred) == (Stop.COMPLETED, True, True)
    assert "ink" not in solved.turns[0].observation.text.replace("item='ink'", "")
    (not_solved,) = play(shop, "try:\n    apis.shop.buy()\nfinally:\n    apis.supervisor.complete_task()")
    assert (not_solved.stop, not_solved.success, not_solved.error) == (Stop.COMPLETED, False, "")


def test_an_outage_still_ends_the_episode_in_an_error(shop: Shop) -> None:
    (episode,) = play(shop, "apis.shop.engine()")
    assert (episode.stop, episode.error) == (Stop.ERROR, "WorldError: the engine is gone")


def test_the_author_is_told_once_of_each_place(
    shop: Shop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaks, "_told", set())
    play(shop, "apis.shop.buy(item='ink')", "apis.shop.buy()\n", "apis.supervisor.complete_task()", times=3)
    (said,) = capsys.readouterr().err.splitlines()
    assert f"shop.buy: KeyError: 'ink' (test_breaks.py:{LINE})" in said and "ApiFailure" in said


def test_calls_that_a_world_broke_on_are_kept_and_counted(shop: Shop) -> None:
    episodes = play(shop, "apis.shop.buy(item='ink')", "apis.shop.buy()", "apis.supervisor.complete_task()", times=2)
    assert [from_json(Episode, to_json(episode)) for episode in episodes] == episodes
    sound = played_before(some_task("a", 1))
    assert "breaks" not in str(to_json(sound))
    (row,) = measure(Played(run=0, split="train", episode=episode) for episode in [*episodes, sound])
    assert metrics_of(row)["play/breaks"] == row.breaks == 4
    assert "calls the world broke on" in [line.head for line in measures_grid([row]).rows]
    lines = len(measures_grid([row]).rows)
    (row,) = measure([Played(run=0, split="train", episode=sound)])
    assert row.breaks == 0 and len(measures_grid([row]).rows) == lines - 1


def test_check_finds_a_world_that_breaks_on_odd_arguments(shop: Shop) -> None:
    (problem,) = check(shop)
    assert (problem.rule, problem.where) == ("answers", "split 'train', task 'buy_1', calls with odd arguments")
    assert f"shop.buy: KeyError: 'item' (test_breaks.py:{LINE})" in problem.found


class Unlisted(Shop):
    """The same without documentation."""

    def open(self, task: Task) -> ShopWorld:
        world = super().open(task)
        call = world._call
        world._call = lambda app, api, given: call("no" if app == "api_docs" else app, api, given)  # type: ignore[method-assign]
        return world


def test_apis_that_a_world_does_not_list_are_tried_where_they_are_named(shop: Shop) -> None:
    unlisted = Unlisted(shop._sandbox)
    assert describe(examine(unlisted)).splitlines()[0] == "no problems"
    found = examine(unlisted, apis=["shop.buy"])
    assert [problem.rule for problem in found.problems] == ["answers"]
    assert "note: no api_docs, so only supervisor.complete_task, shop.buy were tried;" in describe(found)


def test_a_name_that_is_no_api_is_told(shop: Shop) -> None:
    with pytest.raises(RecipeError, match=r"'buy' is no API; APIs are named as app\.api"):
        examine(shop, apis=["buy"])
