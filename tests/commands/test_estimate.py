"""What a collection will take, told before it begins, and how far off that is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from served_expert import served_expert
from typer.testing import CliRunner

from prowess.cli import app
from prowess.commands.collect.estimate import OUTPUT, REPLY, told
from prowess.pipeline.estimate import estimated
from prowess.pipeline.recipe import Recipe
from prowess.recipe import read
from prowess.run import Run

SETS = (
    *('policy.name="endpoint"', 'policy.endpoint.model="m"', "policy.endpoint.price_in=3"),
    *("policy.endpoint.price_out=15", "collect.count=1", "workers=1", 'suite.desk.part="starter"'),
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served_expert() as url:
        yield url


def test_nothing_is_played_and_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)  # the address of OpenAI, which would want it
    sets = [part for one in (*SETS, "collect.scenarios=2") for part in ("--set", one)]
    done = CliRunner().invoke(app, ["collect", "expert", *sets, "--estimate", "--turns", "4"])
    assert done.exit_code == 0, done.output + str(done.exception)
    first, second, third, fourth = done.stdout.splitlines()
    assert first == "6 tasks with 1 try each, 4.0 replies a try (assumed; --turns N)"
    assert second.startswith("first prompt: ") and second.endswith(" tokens, the mean of 6")
    assert third.startswith("reads ") and fourth.startswith("costs ")
    assert fourth.endswith(" if every task takes all 10 tries")
    assert not (tmp_path / "runs").exists()


def test_it_is_the_sum_of_what_each_reply_reads_and_writes(tmp_path: Path) -> None:
    recipe = read(Recipe, "expert", [*SETS, "collect.scenarios=2"])
    found = estimated(recipe, tmp_path / "none", turns=3)
    reads = 3 * found.prompt + (REPLY + OUTPUT) * (1 + 2)
    assert (found.tasks, found.tries, found.episodes) == (6, 1.0, 0)
    assert found.read == pytest.approx(6 * reads) and found.written == 6 * 3 * REPLY
    assert found.cost == pytest.approx(3e-6 * found.read + 15e-6 * found.written)
    assert estimated(read(Recipe, "expert", [*SETS, "agent.turns=2"]), tmp_path / "none").turns == 2.0


def test_a_pilot_of_two_scenarios_tells_what_all_will_cost(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.chdir(tmp_path)
    sets = [*SETS, f'policy.endpoint.url="{url}"']
    given = [part for one in (*sets, "collect.scenarios=2") for part in ("--set", one)]
    pilot = CliRunner().invoke(app, ["collect", "expert", *given, "--out", "pilot"])
    assert pilot.exit_code == 0 and "estimate: 6 tasks with 1 try each, 6.0 replies a try (assumed" in pilot.stderr
    episodes = [played.episode for played in Run.open("pilot").episodes()]
    cost = sum(3e-6 * one.prompt_tokens + 15e-6 * one.reply_tokens for one in episodes)
    found = estimated(read(Recipe, "expert", [*sets, "collect.scenarios=6"]), Path("pilot"))
    assert (found.tasks, found.episodes) == (18, len(episodes))
    assert found.cost == pytest.approx(3 * cost * 6 / len(episodes) * found.tries)
    assert told(found)[0].endswith(f"(as {len(episodes)} episodes of this run)")
