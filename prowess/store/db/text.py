"""The text index: which words, runs of letters and scenarios the offered versions are found by.

Derived like the rest, and changed in the same transaction (`index`): a version is in it while it may be offered. One
FTS5 table holds all terms of a version, each marked with its channel and namespace, so that a lookup finds versions
of the namespace only:

    q<space>word   a word of an instruction it was written for
    r<space>run_   a run of four letters of those
    s<space>word   a word of its name, summary or source
    c<space>label  a scenario it was written in

FTS5 keeps who has a term, no more (`detail=none`, no content): search scores the texts themselves. How many have a term
is counted over every sixteenth version only, which is enough to tell common terms from rare ones and costs next to
nothing; for a rare term the number is the length of its list.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from prowess.text.ngrams import words

ASKED, RUNS, SAID, LABEL = "q", "r", "s", "c"
"""The channels of terms."""

RUN = 4
"""Letters in a run."""

SAMPLE = 16
"""One version in so many is counted in `frequency`."""

MOST = 8
"""Different instructions, and scenarios, by which one version is found: the first ones."""

LONGEST = 64
"""A word is known by so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What one version is found by."""

    id: int
    """The number of the event that brought the version."""
    digest: str
    skill: str
    namespace: str
    family: str
    """Its alpha hash: clones have the same."""
    asked: tuple[str, ...]
    labels: tuple[str, ...]
    said: str

    @property
    def sampled(self) -> bool:
        return hashlib.sha256(str(self.id).encode()).digest()[0] % SAMPLE == 0


@lru_cache(maxsize=64)
def space_of(namespace: str) -> str:
    """The mark of a namespace in a term."""
    return hashlib.sha256(namespace.encode("utf-8", "backslashreplace")).hexdigest()[:6]


def asked_terms(text: str) -> Counter[str]:
    """The words of an instruction as the index knows them, without marks."""
    found = words(text)
    return Counter([word[:LONGEST] for word in found] if found and max(map(len, found)) > LONGEST else found)


def _short(found: set[str]) -> set[str]:
    return {word[:LONGEST] for word in found} if found and max(map(len, found)) > LONGEST else found


def run_terms(text: str) -> set[str]:
    """The runs of letters of an instruction, likewise; `_` is a space."""
    return _runs(words(text))


def _runs(found: list[str]) -> set[str]:
    line = f"_{'_'.join(found)}_"
    # Shifted copies of the line side by side: quicker than a slice for each place.
    return set(map("".join, zip(*(line[first:] for first in range(RUN)), strict=False)))


def label_term(scenario: str) -> str:
    return hashlib.sha256(scenario.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def said_by(name: str, summary: str, source: str) -> str:
    """What a version says of itself: its name and summary count twice, for they are in the source too."""
    return f"{name} {summary} {source}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """All marked terms of a version, and how many words they come from."""

    line: str
    """The terms with blanks between them."""
    asked: int
    said: int

    @property
    def marked(self) -> list[str]:
        return sorted(self.line.split())


def terms_of(text: Text) -> Terms:
    space = space_of(text.namespace)
    said = words(text.said)
    asked: set[str] = set()
    runs: set[str] = set()
    count = 0
    for instruction in text.asked:
        found = words(instruction)
        count += len(found)
        asked.update(found)
        runs |= _runs(found)
    labels = [label_term(label) for label in text.labels]
    lines: list[str] = []
    for channel, terms in ((LABEL, labels), (ASKED, _short(asked)), (RUNS, runs), (SAID, _short(set(said)))):
        if terms:
            mark = channel + space
            lines.append(mark + f" {mark}".join(terms))
    return Terms(line=" ".join(lines), asked=count, said=len(said))
