"""What an engine has done is counted, and passes in which somebody is read apart from the others."""

from __future__ import annotations

import pytest

from prowess.policies.vllm.question import Work, one_pass


def test_passes_that_read_are_counted_apart() -> None:
    work = Work() + one_pass(0.03, reading=True) + one_pass(0.01, reading=False) + one_pass(0.02, reading=False)
    assert (work.passes, work.reading_passes) == (3, 1)
    assert work.seconds == pytest.approx(0.06) and work.reading == pytest.approx(0.5)
    assert work.pass_seconds == pytest.approx(0.015), "of those in which nobody was read"
    assert work.reading_pass_seconds == pytest.approx(0.03)


def test_what_was_done_since_then_leaves_out_what_was_before() -> None:
    before = one_pass(5.0, reading=True) + one_pass(7.0, reading=False)
    later = before + one_pass(0.25, reading=False)
    assert later.since(before) == one_pass(0.25, reading=False)


def test_nothing_done_is_no_division_by_zero() -> None:
    assert (Work().pass_seconds, Work().reading_pass_seconds, Work().reading) == (0.0, 0.0, 0.0)
