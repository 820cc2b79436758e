"""The local policy at play: tokens per CPU second, pass by pass, beside another checkout that plays the same chains.

    python benchmarks/passes.py runs/quickstart/sft [--beside ../other-checkout] [--rounds 3] [--recipe quickstart]

`step` plays a training step of the recipe: chains of two tasks, eight rollouts of each. `evaluation` plays scenarios
of three tasks, each once. Both need a model that has learnt something, for its replies are as long as they are in use.
The two checkouts take turns (A B B A), with the same interpreter, seeds and worlds, so a machine that is busy is busy
for both. Torch has one thread, and what the policy takes is counted in the thread that calls it. The whole process has
the host's side of the sandbox besides, and not what runs in it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CALLS = ("replies", "admit", "advance")
"""What the policies of both checkouts are called with, if they know it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkpoint", type=Path, help="the folder of a model, such as that of a run of sft")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="compare with another checkout")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--recipe", default=str(ROOT / "recipes" / "quickstart.toml"))
    parser.add_argument("--scenarios", type=int, default=128, help="of an evaluation")
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help="over the recipe")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        once(options)
        return
    places = {"here": ROOT} | ({"beside": options.beside.resolve()} if options.beside else {})
    found: dict[str, list[dict[str, Any]]] = {place: [] for place in places}
    for number in range(options.rounds):
        for place in list(places)[:: -1 if number % 2 else 1]:
            found[place].append(played(places[place], number))
            print(json.dumps({"place": place, **found[place][-1]}), flush=True)
    for shape in next(iter(found.values()))[0]:
        show(shape, {place: [one[shape] for one in rounds] for place, rounds in found.items()})


def played(place: Path, seed: int) -> dict[str, Any]:
    """Both shapes, played in a process of its own with the code of a checkout."""
    paths = [place, *sorted((place / "worlds").iterdir())]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-P", str(Path(__file__).resolve()), *sys.argv[1:], "--once", "--set", f"seed={seed}"]
    told = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    answer: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return answer


def show(shape: str, rounds: Mapping[str, Sequence[Mapping[str, float]]]) -> None:
    """The medians of a shape, and the ratios of rounds that were played side by side."""
    for place, some in rounds.items():
        median = {name: statistics.median(one[name] for one in some) for name in some[0]}
        print(
            f"{shape}, {place}: {median['tokens']:.0f} tokens in {median['passes']:.0f} passes; policy "
            f"{median['policy']:.2f} CPU s, {median['tokens'] / median['policy']:.0f} tokens a CPU s; whole "
            f"{median['cpu']:.2f} CPU s, {median['wall']:.2f} s by the clock"
        )
    if len(rounds) > 1:
        here, beside = rounds["here"], rounds["beside"]
        for name in ("policy", "cpu", "wall"):
            ratios = sorted(
                (mine["tokens"] / mine[name]) / (other["tokens"] / other[name])
                for mine, other in zip(here, beside, strict=True)
            )
            middle = statistics.median(ratios)
            print(f"  tokens a second, {name}, here / beside: {middle:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def once(options: argparse.Namespace) -> None:
    """Play with the code that is imported, and print what it took."""
    from dataclasses import replace

    from prowess.commands.evaluate import play_split
    from prowess.commands.train.chains import chains_for
    from prowess.models.load import load
    from prowess.pipeline.parts import parts_of
    from prowess.pipeline.recipe import Recipe
    from prowess.play.rollout import chains_of, play_groups
    from prowess.policies.local import LocalPolicy
    from prowess.recipe import read

    recipe = read(Recipe, options.recipe, options.set)
    brain = load(replace(recipe.model, name=str(options.checkpoint.resolve())))
    policy = LocalPolicy(brain, recipe.speech)
    used = timed(policy)
    told = {}
    with parts_of(recipe, policy) as live:
        chains = chains_for(live.suite, recipe.train, seed=recipe.seed)
        scenarios = chains_of(live.suite, recipe.evaluate.split)[: options.scenarios]

        def step() -> Sequence[Any]:
            groups = play_groups(
                live.agent, live.suite, chains, size=recipe.train.group, seed=recipe.seed, workers=recipe.threads
            )
            return [episode for group in groups for episode in group.episodes]

        def evaluation() -> Sequence[Any]:
            found = play_split(
                live.agent, live.suite, scenarios, recipe.evaluate, seed=recipe.seed, workers=recipe.threads
            )
            return [one.episode for one in found]

        play_split(live.agent, live.suite, scenarios[:4], recipe.evaluate, seed=recipe.seed, workers=2)  # warms up
        for shape in (step, evaluation):
            told[shape.__name__] = measured(shape, policy, used)
    print(json.dumps(told))


def timed(policy: Any) -> list[float]:
    """Let a policy note how many CPU seconds its calls take, in the thread that calls it."""
    used = [0.0]

    def wrapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def answer(*given: Any) -> Any:
            begun = time.thread_time()
            try:
                return call(*given)
            finally:
                used[0] += time.thread_time() - begun

        return answer

    for name in CALLS:
        if hasattr(policy, name):
            setattr(policy, name, wrapped(getattr(policy, name)))
    return used


def measured(play: Callable[[], Sequence[Any]], policy: Any, used: list[float]) -> dict[str, float]:
    """What a shape takes, and how much was said in it."""
    used[0], said, passes = 0.0, policy.tally.decoded, policy.tally.passes
    cpu, begun = time.process_time(), time.perf_counter()
    episodes = play()
    return {
        "wall": time.perf_counter() - begun,
        "cpu": time.process_time() - cpu,
        "policy": used[0],
        "tokens": policy.tally.decoded - said,
        "passes": policy.tally.passes - passes,
        "solved": sum(episode.success for episode in episodes),
        "episodes": len(episodes),
    }


if __name__ == "__main__":
    main()
