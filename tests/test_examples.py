"""The examples of parts and of the loop run, and the manual quotes them as they are."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import prowess
from prowess.types import Rollout

ROOT = Path(__file__).parent.parent

SMALL: dict[str, Any] = {
    "name": "small",
    "workers": 2,
    "suite.desk.part": "starter",
    "agent.prompt": "brief",
    "agent.turns": 3,
    "collect.scenarios": 1,
    "collect.count": 1,
    "expert.styles": ["careful"],
    "model.tiny.hidden": 32,
    "model.tiny.layers": 1,
    "model.tiny.heads": 2,
    "model.tiny.kv_heads": 1,
    "model.tiny.inner": 64,
    "train.start": "base",
    "train.steps": 1,
    "train.chains": 1,
    "train.group": 2,
    "evaluate.scenarios": 1,
}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A recipe that learns in seconds, its texts collected, in a folder from which the examples can be imported."""
    pytest.importorskip("torch")
    monkeypatch.syspath_prepend(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    prowess.collect("quickstart", SMALL)
    # The expert needs no limits; they keep a model that cannot play yet short.
    return {**SMALL, "agent.reply_tokens": 16, "agent.context_tokens": 400}


def test_a_reward_of_ones_own_pays_what_its_docstring_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    import own_reward

    with prowess.open_suite("desk", part="starter") as suite:
        agent = prowess.Agent(policy=prowess.policy("expert"), retrieve=prowess.retriever("scenario"))
        rollout = prowess.rollout(agent, suite, prowess.chains_of(suite, "train")[0])
    turns = [len(episode.turns) for episode in rollout.episodes]
    reused = [bool(episode.called) for episode in rollout.episodes]
    assert own_reward.frugal(rollout) == pytest.approx(
        [1 - 0.1 * max(0, count - 2) + 0.5 * used for count, used in zip(turns, reused, strict=True)]
    )
    assert reused[0] is False and any(reused)


@pytest.mark.slow
def test_a_training_pays_what_a_reward_of_ones_own_says(small: dict[str, Any]) -> None:
    run = prowess.train("quickstart", {**small, "reward.name": "own_reward:frugal"})
    (step,) = run.metrics
    assert step.values["play/no_code"] > 0, "for which the usual reward pays -1"
    assert step.values["reward/mean"] == 0


def test_a_retriever_of_ones_own_offers_what_shares_words_with_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    settings = {"retrieval.name": "own_retriever:by_words", "evaluate.scenarios": 1, "suite.desk.part": "starter"}
    run = prowess.evaluate("expert", settings, out=tmp_path / "run")
    first, second, *_ = run.episodes()
    learned = {skill.name for skill in first.learned}
    assert first.offered == () and "login" in learned
    assert set(second.offered) == learned - {"login"}, "a task about songs says nothing of logging in"


def varied(rollout: Rollout) -> list[float]:
    """A reward in which the rollouts of a model that cannot play yet differ, so that there is something to learn."""
    return [float(sum(sum(turn.completion.tokens) for turn in one.turns) % 7) for one in rollout.episodes]


@pytest.mark.slow
def test_a_training_goes_down_a_loss_of_ones_own(small: dict[str, Any]) -> None:
    run = prowess.train(
        "quickstart", {**small, "reward.name": "test_examples:varied", "loss.kind": "own_loss:asymmetric"}
    )
    (step,) = run.metrics
    assert step.values["learn/grad_norm"] > 0
    assert step.values["learn/loss"] < 0, "of two advantages of one size, praise counts twice as much as blame"


def test_a_loss_of_ones_own_halves_blame() -> None:
    torch = pytest.importorskip("torch")
    from prowess.learners.losses import LossSettings

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "examples")
        import own_loss
    old = torch.tensor([-1.0, -1.0, -1.0])
    new = torch.tensor([-1.0, -1.0, -1.0 + math.log(1.5)])
    found = own_loss.asymmetric(new, old, torch.tensor([1.0, -1.0, 1.0]), torch.tensor([0, 1, 1]), LossSettings())
    assert found.tolist() == pytest.approx([-1.0, 0.5, -1.2])


def test_the_loop_from_python_plays_and_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.syspath_prepend(ROOT / "examples")
    import loop

    steps = loop.main(epochs=2, steps=2)
    assert len(steps) == 2
    assert all(step["learn/samples"] == 2 * 8 * 2 for step in steps), "chains, rollouts and tasks"
    assert all(-1 <= step["reward"] <= 3 and math.isfinite(step["learn/loss"]) for step in steps)


def test_the_manual_quotes_the_loop_as_it_is() -> None:
    page = (ROOT / "docs/extend/loop.md").read_text(encoding="utf-8")
    quoted = page.partition("```python\n")[2].partition("```\n")[0]
    assert quoted == (ROOT / "examples/loop.py").read_text(encoding="utf-8")
