"""A library of any size made of the desk programs: word-realistic, the same for the same size.

There are two. In `topics`, one topic for each 50 skills is made first: a desk program and its request, of whose words
(in names, APIs, docstring and request alike) most are exchanged for others, drawn with the frequencies of natural text.
Some topics have thousands of skills and most a few (Zipf's law). In `programs`, the 98 desk programs are all the topics
there are, so that every word of a topic is common.
"""

from __future__ import annotations

import builtins
import inspect
import itertools
import keyword
import re
import textwrap
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, Literal, cast

import numpy as np

from prowess.skills.extract import skills_in
from prowess.store.canon import summary_of, version_of
from prowess.store.db.text import said_by
from prowess.types import Origin, Skill

SIZE = 384
"""Numbers in a vector: MiniLM's."""

WORDS = 60_000
"""The vocabulary, of which a word's frequency falls with its rank as in natural text."""

EACH = 50
"""Skills that a topic has on average, where topics are made."""

OWN = 0.7
"""The share of a program's words that a topic exchanges for its own."""

_SYLLABLES = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "on", "us")]


_KEPT = {
    *("apis", "self", *keyword.kwlist, *dir(builtins)),
    *(name for kind in (str, list, dict, set, tuple) for name in dir(kind)),
}
"""Words that a program needs to stay one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What a skill may be about."""

    name: str
    docstring: str
    source: str
    asked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One skill of the library, or a request for one."""

    number: int
    topic: int
    instruction: str
    name: str
    docstring: str
    source: str
    scenario: str

    @property
    def summary(self) -> str:
        return self.docstring


@dataclass(frozen=True)
class Corpus:
    """So many skills."""

    size: int
    kind: Literal["topics", "programs"] = "topics"

    @cached_property
    def programs(self) -> list[Topic]:
        """Each desk program, and a request for it."""
        from prowess_desk.engine.world import DeskSuite
        from prowess_desk.families import FAMILIES
        from prowess_desk.settings import DeskSettings

        suite = DeskSuite(DeskSettings(wording=cast(Literal["mixed"], "mixed")), cast(Any, None))
        asked = {
            task.scenario.rpartition(".")[0]: task.instruction
            for split in suite.splits()
            for task in suite.tasks(split)
        }
        found = []
        for name, family in FAMILIES.items():
            (skill,) = skills_in(textwrap.dedent(inspect.getsource(family.program.functions[-1])))
            version = version_of(skill, namespace="desk")
            found.append(Topic(name=skill.name, docstring=version.docstring, source=version.source, asked=asked[name]))
        return found

    @cached_property
    def topics(self) -> list[Topic]:
        if self.kind == "programs":
            return self.programs
        return [self._topic(number) for number in range(max(self.size // EACH, len(self.programs)))]

    def _topic(self, number: int) -> Topic:
        """A program with most of its words exchanged, each for the same word wherever it stands."""
        chance = Random(f"topic {number}")
        program = chance.choice(self.programs)
        texts = (program.name, program.docstring, program.source, program.asked)
        words = sorted({word for text in texts for word in re.findall(r"[A-Za-z]{3,}", text)} - _KEPT)
        own = [word for word in words if chance.random() < OWN]
        drawn = chance.choices(self.vocabulary, cum_weights=self.weights, k=len(own))
        other = dict(zip(own, drawn, strict=True))
        name, docstring, source, asked = (
            re.sub(r"[A-Za-z]{3,}", lambda found: other.get(found[0], found[0]), text) for text in texts
        )
        return Topic(name=name, docstring=docstring, source=source, asked=asked)

    def drawn(self, chance: Random) -> int:
        """One of the topics: of those that are made, some far more often than others."""
        if self.kind == "programs":
            return chance.randrange(len(self.topics))
        return bisect(self.shares, chance.random() * self.shares[-1])

    @cached_property
    def shares(self) -> list[float]:
        return list(itertools.accumulate(1 / (rank + 20) for rank in range(len(self.topics))))

    @cached_property
    def vocabulary(self) -> list[str]:
        chance = Random(1)
        found = {"".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(WORDS)}
        return sorted(found, key=lambda word: (len(word), word))

    @cached_property
    def weights(self) -> list[float]:
        return list(itertools.accumulate(1 / (rank + 20) for rank in range(len(self.vocabulary))))

    def made(self, number: int, kind: str = "skill") -> Made:
        """The skill of a number: a program with words of its own."""
        chance = Random(f"{kind} {number}")
        topic = self.drawn(chance)
        about = self.topics[topic]
        drawn = chance.choices(self.vocabulary, cum_weights=self.weights, k=10)
        name = f"{about.name}_{drawn[0]}_{drawn[1]}_{number}"
        docstring = f"{_mixed(summary_of(about.docstring).rstrip('.'), drawn[2:4], chance)} for {drawn[4]}."
        source = about.source.replace(about.docstring, docstring).replace(about.name, name)
        return Made(
            number=number,
            topic=topic,
            instruction=_mixed(about.asked, drawn[5:10], chance),
            name=name,
            docstring=docstring,
            source=source.replace("found", drawn[6]).replace("token", f"token_{drawn[7]}"),
            scenario=f"{topic}.{number // 1000}",
        )

    def all(self, first: int = 0, last: int | None = None) -> Iterator[Made]:
        return (self.made(number) for number in range(first, self.size if last is None else min(last, self.size)))

    def instructions(self) -> list[str]:
        return [one.instruction for one in self.all()]

    def saids(self) -> Iterator[str]:
        return (said_by(one.name, one.summary, one.source) for one in self.all())

    def queries(self, count: int) -> list[Made]:
        """Requests of people who want something like what is there: a known one, with other words in places."""
        chance = Random("queries")
        found = []
        for number in range(count):
            known = self.made(chance.randrange(self.size))
            fresh = chance.choices(self.vocabulary, cum_weights=self.weights, k=2)
            asked = _mixed(known.instruction, fresh, Random(number))
            found.append(replace(known, instruction=asked, scenario=""))
        return found

    def skills(self, batch: int, count: int) -> Iterator[Skill]:
        """More skills, as an agent would leave them."""
        for number in range(batch * count, (batch + 1) * count):
            one = self.made(number, "more")
            origin = Origin(task=f"more_{number}", scenario=one.scenario, instruction=one.instruction)
            found = skills_in(one.source.replace(one.name, f"more_{one.name}"))
            if found:  # where words were exchanged so that it is still a program
                yield replace(found[-1], origin=origin)

    def near(self, topic: int, number: int) -> Any:
        """A vector near the centre of its topic."""
        noise = np.random.default_rng(number).standard_normal(SIZE, dtype=np.float32)
        vector = self.centres[topic] + 0.7 * noise / np.sqrt(SIZE)
        return vector / np.linalg.norm(vector)

    @cached_property
    def centres(self) -> Any:
        found = np.random.default_rng(7).standard_normal((len(self.topics), SIZE), dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def matrix(self) -> Any:
        """A unit vector for each skill, in order."""
        topics = np.array([self.drawn(Random(f"skill {number}")) for number in range(self.size)])
        noise = np.random.default_rng(3).standard_normal((self.size, SIZE), dtype=np.float32)
        noise *= np.float32(0.7 / np.sqrt(SIZE))
        noise += self.centres[topics]
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        return noise


def _mixed(text: str, drawn: list[str], chance: Random) -> str:
    """A text with some of its longer words exchanged."""
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if len(word.strip(".,:;?!\"'()")) > 3]
    for place, word in zip(chance.sample(places, min(len(places), len(drawn))), drawn, strict=False):
        words[place] = word
    return " ".join(words)
