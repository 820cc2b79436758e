"""Questions about texts that are read apart."""

from __future__ import annotations

from typing import Any

from prowess_practice.errands.apart.use import Keys, Use


def _asking(*questions: str) -> tuple[str, ...]:
    one, two, three = questions
    return (
        f"Look at PLACE. SAYS {one}",
        f"I have a question about PLACE. SAYS {two}",
        f"Please read through PLACE. SAYS Tell me this: {three}",
    )


def _single_top(keys: Keys) -> bool:
    return len({*keys}) == len(keys)


def _single_most(keys: Keys) -> bool:
    counts = sorted((keys.count(key) for key in {*keys}), reverse=True)
    return len(counts) > 1 and counts[0] > counts[1]


def _ask(word: str, about: str, keeps: str, returns: str, gives: str, kinds: str, *questions: str, **other: Any) -> Use:
    fields: dict[str, Any] = {"returns": returns, "gives": gives, "kinds": tuple(kinds.split()), **other}
    return Use(word=word, about=about, keeps=keeps, frames=_asking(*questions), asks=True, **fields)


def _first(word: str, about: str, keeps: str, kinds: str, *questions: str) -> Use:
    """Which of all comes first."""
    drops = (("max(found)", "min(found)"),)
    about, clear = f"name the {about} of", _single_top
    return _ask(
        *(word, about, keeps, "max(found)[1]", "str", kinds, *questions), tested=False, clear=clear, matters=drops
    )


ASKS = (
    _ask(
        *("count", "count", "ROW", "len(found)", "int", ""),
        *("How many ALL are there?", "What is the number of ALL?", "how many ALL do you find?"),
    ),
    _ask(
        *("list", "list what is in", "WHAT", "found", "list", ""),
        "Give me a list with the WHAT of EACH.",
        "What is the WHAT in ALL, one by one? Answer with a list.",
        "for EACH, what is the WHAT? I want all of them in a list.",
    ),
    _ask(
        *("total", "add up the numbers in", "VALUE", "round(sum(found), 2)", "float", "count amount"),
        "What do you get if you add up the KEY of EACH?",
        "How much is it if you take the KEY in ALL together?",
        "what is the sum over ALL, taking the KEY of each?",
    ),
    _first(
        *("top", "largest", "(VALUE, WHAT)", "count amount"),
        "Among ALL, which WHAT goes with the greatest KEY?",
        "Which WHAT has the highest KEY of ALL?",
        "if you compare the KEY in ALL, which WHAT comes first, with the largest one?",
    ),
    _ask(
        *("most_common", "name the most frequent KEY of", "KEY", "max(found, key=found.count)", "str", "word person"),
        "Which KEY occurs most often in ALL?",
        "What is the most frequent KEY in ALL?",
        "among ALL, which KEY is there more often than any other?",
        tested=False,
        clear=_single_most,
        matters=(("max(found, key=found.count)", "min(found, key=found.count)"),),
    ),
    _first(
        *("last", "latest", "(KEY, WHAT)", "day time"),
        "Among ALL, which WHAT has the latest KEY?",
        "Which WHAT goes with the latest KEY of ALL?",
        "if you put ALL in order of the KEY, which WHAT comes last?",
    ),
)
"""The first three are the most useful ones."""
