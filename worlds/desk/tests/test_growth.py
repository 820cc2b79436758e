"""What calls cost where accounts hold much, and how much accounts may hold."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from crowded import FILLED, ME, WORLD, Crowd, account
from prowess_desk.apps import todo
from prowess_desk.engine.desk import call
from prowess_desk.engine.grading import changes

from prowess.types import Json

SMALL, LARGE = 1_000, 10_000
"""How much an account holds. From one to the other, n log n grows by 13, and n squared by 100."""
WORST = 30.0
FLOOR = 0.0003
"""Seconds below which a small call counts as this long: clocks and caches are coarse."""


def seconds(work: Callable[[], object]) -> float:
    gc.disable()
    began = time.process_time()
    work()
    done = time.process_time() - began
    gc.enable()
    return done


def growth(least: Callable[[int], float]) -> float:
    """How much longer it takes with ten times as much; measured again where it may be the machine."""
    found = least(LARGE) / max(least(SMALL), FLOOR)
    for _ in range(3):
        if WORST < found < 2 * WORST:
            found = min(found, least(LARGE) / max(least(SMALL), FLOOR))
    return found


def documented(app: str) -> dict[str, set[str]]:
    """The APIs of an app, and the names of what each takes, as the world tells them."""

    def ask(api: str, **given: Json) -> Any:
        return call(WORLD.state(), Crowd(0).session(), "api_docs", api, given)

    names = [each["name"] for each in ask("show_api_descriptions", app_name=app)]
    docs = {name: ask("show_api_doc", app_name=app, api_name=name) for name in names}
    return {name: {each["name"] for each in doc["parameters"]} for name, doc in docs.items()}


@pytest.mark.slow
@pytest.mark.parametrize("app", FILLED)
def test_no_call_takes_more_than_n_log_n(app: str) -> None:
    crowds = {n: Crowd(n) for n in (SMALL, LARGE)}
    calls = {n: FILLED[app](crowd) for n, crowd in crowds.items()}
    slow = {}
    for api, takes in documented(app).items():

        def least(n: int, api: str = api, takes: set[str] = takes) -> float:
            """The quickest of some calls, each of which finds the same."""
            given = {**(account(app) if api == "login" else calls[n].get(api, {}))}
            if "access_token" in takes:
                given["access_token"] = "0"
            times: list[float] = []
            while len(times) < (3 if sum(times) < 1 else 1):
                state, session = crowds[n].state.fork(), crowds[n].session()
                times.append(seconds(partial(call, state, session, app, api, given)))
            return min(times)

        ratio = growth(least)
        if ratio > WORST:
            slow[f"{app}.{api}"] = round(ratio)
    assert not slow, "so many times longer with ten times as much in the account"


@pytest.mark.slow
def test_grading_takes_no_more_than_n_log_n_where_many_rows_point_to_a_large_one() -> None:
    def least(n: int) -> float:
        start = WORLD.state()
        end = start.fork()
        task = todo.add_task(end, ME.id, "large", subtasks=[f"step {number}" for number in range(n)])
        for number in range(n - 1):
            todo.comment(end, task.id, f"comment {number}")
        return min(seconds(lambda: changes(start, end)) for _ in range(3))

    assert growth(least) < WORST
