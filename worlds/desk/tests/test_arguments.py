"""Arguments as large or odd as jailed code may send them: refused in plain words, and the world stays whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings

from prowess.sandbox import Sandbox, SandboxSettings, open_sandbox
from prowess.types import Observation

LOGIN = """
words = {each["account_name"]: each["password"] for each in apis.supervisor.show_account_passwords()}
me = apis.supervisor.show_profile()["email"]
def token(app): return apis[app].login(username=me, password=words[app])["access_token"]
"""


@pytest.fixture(scope="module")
def jail() -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings(kind="jail"))
    yield opened
    opened.close()


@pytest.fixture
def run(jail: Sandbox) -> Iterator[Callable[[str], Observation]]:
    suite = DeskSuite(DeskSettings(families=("like_artist",)), jail)
    world: Any = suite.open(suite.tasks("train")[0])
    world.execute(LOGIN)
    yield world.execute
    world.close()


@pytest.mark.parametrize(
    "call",
    [
        "apis.shop.search_products(access_token=token('shop'), max_price=1e308)",
        "apis.shop.search_products(access_token=token('shop'), max_price=10 ** 400)",
        "apis.notes.show_note(access_token=token('notes'), note_id=-10 ** 400)",
        "apis.notes.create_note(access_token=token('notes'), title='a', content='x' * 100_000)",
        "apis.supervisor.complete_task(answer=[1] * 100_000)",
        "apis.supervisor.complete_task(answer=10 ** 400)",
    ],
)
def test_what_is_too_much_is_refused_and_breaks_nothing(run: Callable[[str], Observation], call: str) -> None:
    seen = run(call)
    assert "Exception: Response status code is 422" in seen.text
    assert run("print(apis.supervisor.show_profile()['email'] == me)").text == "True\n"


def test_a_query_of_very_many_words_costs_no_more_than_others(run: Callable[[str], Observation]) -> None:
    began = time.perf_counter()
    assert run("print(len(apis.api_docs.search_api_docs(query='song ' + 'zq ' * 16_000)))").text == "5\n"
    assert time.perf_counter() - began < 1
