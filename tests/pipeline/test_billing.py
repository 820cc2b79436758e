"""What a served model costs: beside the tokens, over all commands that go on with a run, and up to the budget."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from served_expert import served_expert
from typer.testing import CliRunner, Result

from prowess.cli import app
from prowess.commands.work.ledger import Ledger
from prowess.errors import BudgetSpent, RecipeError
from prowess.figures.measure import measure, outcomes_of
from prowess.policies.endpoint.endpoint import Endpoint
from prowess.policies.endpoint.meter import Charge
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.report import build
from prowess.run import Run
from prowess.types import Completion

pytest.importorskip("openai")

PRICES = EndpointSettings(model="m", url="http://localhost:9/v1", price_in=3.0, price_out=15.0, budget=0.001)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served_expert() as url:
        yield url


def command(name: str, url: str, *sets: str) -> Result:
    """A command of a recipe whose model is served there, for 3 and 15 a million tokens."""
    given = (
        *('policy.name="endpoint"', 'policy.endpoint.model="expert"', f'policy.endpoint.url="{url}"'),
        *("policy.endpoint.price_in=3", "policy.endpoint.price_out=15"),
        *('suite.desk.families=["like_artist", "rate_album"]', "workers=1", *sets),
    )
    sets = [part for one in given for part in ("--set", one)]
    return CliRunner().invoke(app, [name, "expert", *sets, "--out", "run"])


def charges(folder: Path) -> Charge:
    return sum(Ledger(folder / "costs.jsonl", Charge), Charge())


def test_an_evaluation_tells_what_it_cost_beside_its_tokens(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command("evaluate", url, "evaluate.split=train", "evaluate.scenarios=1")
    assert done.exit_code == 0, done.output + str(done.exception)
    run = Run.open("run")
    episodes = [played.episode for played in run.episodes()]
    cost = sum(3e-6 * episode.prompt_tokens + 15e-6 * episode.reply_tokens for episode in episodes)
    assert charges(run.folder).cost == pytest.approx(cost) and cost > 0
    assert f"cost: {cost:.4f} for " in done.stderr
    (row,) = measure(outcomes_of(run))
    assert row.cost.value == pytest.approx(cost / len(episodes))
    assert f"cost per task {row.cost.value:.4f}" in " ".join(done.stdout.split())
    assert run.metrics()[-1].values["play/cost"] == pytest.approx(row.cost.value)
    assert f"cost per task | {row.cost.value:.4f}" in build(["run"]).markdown


def test_a_collection_ends_at_its_budget_and_a_larger_one_goes_on(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ("collect.count=1", "collect.scenarios=2")
    whole = command("collect", url, *few)
    assert whole.exit_code == 0, whole.output
    (tmp_path / "run").rename(tmp_path / "whole")
    cost = charges(tmp_path / "whole").cost

    budget = 0.7 * cost
    ended = command("collect", url, *few, f"policy.endpoint.budget={budget}")
    assert isinstance(ended.exception, BudgetSpent)
    assert str(ended.exception).startswith(f"the budget of {budget:g} is spent: ")
    assert f"budget={2 * budget:g} goes on from here" in str(ended.exception)
    assert "stopped at the budget; what is done is kept" in ended.stderr
    kept, spent = Run.open("run").keys(), charges(tmp_path / "run").cost
    assert len(kept) == 1, "of two scenarios"
    assert budget <= spent < cost, "no request was sent beyond it"

    again = command("collect", url, *few, f"policy.endpoint.budget={budget}")
    assert isinstance(again.exception, BudgetSpent), "what was spent before counts"
    assert charges(tmp_path / "run").cost == spent

    more = command("collect", url, *few, f"policy.endpoint.budget={3 * cost}")
    assert more.exit_code == 0, more.output + str(more.exception)
    assert charges(tmp_path / "run").cost > cost, "the scenario that was broken off was played again"
    data = Path("data/sft.jsonl")
    assert (tmp_path / "run" / data).read_text() == (tmp_path / "whole" / data).read_text()


def test_work_ends_with_what_a_task_cost_at_both_ends(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("apsw")
    monkeypatch.chdir(tmp_path)
    done = command("work", url, "work.tasks=2", "retrieval.name=store")
    assert done.exit_code == 0, done.output + str(done.exception)
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("tokens per task: ")]
    first, last = (played.episode for played in Run.open("run").episodes())
    costs = [3e-6 * one.prompt_tokens + 15e-6 * one.reply_tokens for one in (first, last)]
    assert line.endswith(f"; cost per task: {costs[0]:.4f}, then {costs[1]:.4f}")


def test_copies_at_other_temperatures_share_what_was_spent() -> None:
    endpoint = Endpoint(PRICES)
    other = endpoint.at(0.5)
    other.meter.add(Completion(text="", prompt_tokens=100, reply_tokens=100))
    assert endpoint.meter.spent == Charge(read=100, written=100, cost=0.0018)
    told = r"the budget of 0\.001 is spent: 0\.0018 for 100 tokens read and 100 written"
    with pytest.raises(BudgetSpent, match=told):
        endpoint((), seed=0)
    endpoint.close()


def test_a_budget_without_prices_is_refused() -> None:
    with pytest.raises(RecipeError, match="budget is 5, and there is no price"):
        EndpointSettings(budget=5.0)
    with pytest.raises(RecipeError, match="price_in is -1"):
        EndpointSettings(price_in=-1.0)
    with pytest.raises(RecipeError, match="budget is -1"):
        EndpointSettings(price_in=1.0, budget=-1.0)


def test_without_prices_no_table_tells_of_money(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sets = ("policy.endpoint.price_in=0", "policy.endpoint.price_out=0", "evaluate.split=train", "evaluate.scenarios=1")
    done = command("evaluate", url, *sets)
    assert done.exit_code == 0 and "cost" not in done.output
    assert not (tmp_path / "run/costs.jsonl").exists()
