"""A sequence that is drawn as far as somebody looks, and the tasks of a split as one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from prowess_desk.engine.drawn import Drawn
from prowess_desk.engine.universe import universe
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings

from prowess.play.rollout import chains_of


def letters() -> tuple[Drawn[str], list[str]]:
    """Five letters, and those that were drawn."""
    drawn: list[str] = []

    def source() -> Iterator[str]:
        for letter in "abcde":
            drawn.append(letter)
            yield letter

    return Drawn(source), drawn


def test_nothing_is_drawn_before_it_is_looked_at_and_nothing_twice() -> None:
    found, drawn = letters()
    assert drawn == []
    assert found and drawn == ["a"]
    assert found[1] == "b" and found[0] == "a" and drawn == ["a", "b"]
    assert [*found[:3]] == ["a", "b", "c"] and drawn == ["a", "b", "c"]
    assert [*found] == [*found] == [*"abcde"] and drawn == [*"abcde"]


def test_whole_or_from_the_end_it_is_what_it_was_drawn_from() -> None:
    for ask, told in ((lambda of: of[-1], "e"), (len, 5), (lambda of: [*of[-2:]], ["d", "e"])):
        assert ask(letters()[0]) == told
    assert [*letters()[0][::-2]] == ["e", "c", "a"]
    assert [*letters()[0][-2:3]] == []
    assert not Drawn(lambda: iter(()))
    with pytest.raises(IndexError):
        letters()[0][5]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_it_is_as_long_as_ever_after_drawing_has_failed(failure: type[BaseException]) -> None:
    failures = [failure("at c")]

    def source() -> Iterator[str]:
        for letter in "abcde":
            if letter == "c" and failures:
                raise failures.pop()
            yield letter

    found = Drawn(source)
    with pytest.raises(failure, match="at c"):
        len(found)
    assert [*found[:2]] == ["a", "b"]
    assert len(found) == 5 and [*found] == [*"abcde"]


def test_a_failure_that_lasts_is_told_each_time() -> None:
    def source() -> Iterator[str]:
        yield "a"
        raise ValueError("no data")

    found = Drawn(source)
    for _ in range(2):
        with pytest.raises(ValueError, match="no data"):
            list(found)
    assert found[0] == "a"


def test_several_threads_draw_the_same() -> None:
    drawn: list[int] = []

    def source() -> Iterator[int]:
        for number in range(20):
            time.sleep(0.002)
            drawn.append(number)
            yield number

    found = Drawn(source)
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda _: [*found], range(4))] == [[*range(20)]] * 4
    assert drawn == [*range(20)]


def test_the_first_scenarios_of_a_split_draw_few_universes() -> None:
    suite = DeskSuite(DeskSettings(part="starter", scenarios=48, seed=5), None)  # type: ignore[arg-type]
    before = universe.cache_info().misses
    heard: list[int] = []
    chains = chains_of(suite, "dev", first=9, watch=lambda: heard.append(universe.cache_info().misses - before))
    assert [len(chain) for chain in chains] == [3] * 9
    assert heard == [1] * 7 + [2, 2]  # a chain ends where the next begins
    assert universe.cache_info().misses - before == 2
