"""Seeds: the same purpose, the same draw; another purpose, another."""

from __future__ import annotations

from prowess.seeds import derive, draw


def test_a_purpose_always_gives_the_same_seed() -> None:
    assert derive(0, "play", "a", 3) == derive(0, "play", "a", 3) == 2370595385891169235


def test_parts_are_told_apart_by_type_and_length() -> None:
    seeds = [derive("a", "b"), derive("ab"), derive(1), derive("1"), derive("a", "", "b"), derive("b", "a")]
    assert len(set(seeds)) == len(seeds)


def test_seeds_fit_what_libraries_take() -> None:
    assert all(0 <= derive(n) < 2**63 for n in range(1000))


def test_draws_do_not_share_state() -> None:
    first, second = draw("a"), draw("a")
    first.random()
    assert second.random() == draw("a").random()
