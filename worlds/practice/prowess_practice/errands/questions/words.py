"""How a question is asked: in one sentence, or step by step."""

from __future__ import annotations

from prowess_practice.errands.questions.part import REFERENCES, Chain
from prowess_practice.errands.questions.program import whole

FORMS = {
    "number": ("Answer with a number.", "Just give me the number.", "I only need the number."),
    "amount": (
        "Give it in dollars, as a number rounded to two decimals.",
        "Answer with the amount in dollars, rounded to two decimals.",
        "I need it in dollars, rounded to two decimals.",
    ),
    "rounded": (
        "Round it to two decimals.",
        "Give it as a number, rounded to two decimals.",
        "I need it rounded to two decimals.",
    ),
    "percent": (
        "Answer in percent, rounded to a whole number.",
        "Give the percentage as a whole number, rounded.",
        "A whole number of percent, rounded, is what I need.",
    ),
    "name": ("Give the full name.", "Answer with the full name.", "I need the full name."),
    "artist": ("Give the artist's name.", "Answer with the name of the artist.", "I need the artist's name."),
    "title": ("Give the title.", "Answer with the title.", "I only need the title."),
    "called": ("Give its name.", "Answer with the name.", "I need its name, nothing else."),
    "text": ("Give the exact text.", "Answer with the text, word for word.", "I need it word for word."),
    "path": ("Give the full path.", "Answer with the full path.", "I need its full path."),
    "word": ("Answer with that one word.", "One word will do.", "Just name it."),
    "date": (
        "Answer with the date in the form YYYY-MM-DD.",
        "Give the date as YYYY-MM-DD.",
        "I need the date, written YYYY-MM-DD.",
    ),
    "names": ("Answer with a list of names.", "Give me the names as a list.", "I need a list of the names."),
    "titles": ("Answer with a list of titles.", "Give me the titles as a list.", "I need a list of the titles."),
}
"""How the kind of answer is said, three times each."""


def wordings(chain: Chain) -> tuple[str, ...]:
    """Three or four ways to ask for it."""
    work, kind = chain.work, chain.steps[-1].kind
    thing, stepwise, reference = whole(chain), _stepwise(chain), REFERENCES[kind]
    ask, tell = work.asks.replace("X", reference), work.tells.replace("X", reference)
    forms = FORMS[work.form]
    a, b, c = (forms[(chain.turn + n) % 3] for n in range(3))
    short = (f"{work.asks.replace('X', thing)} {a}", f"{work.tells.replace('X', thing)}. {a}")
    long = (
        f"Find {stepwise}. {ask} {b}",
        f"Start with {stepwise}. What I want to know: {_small(ask)} {b}",
        f"First look up {stepwise}. Then {_small(tell)}. {b}",
    )
    topic = (
        f"My question is about {thing}. {ask} {c}",
        f"I am thinking of {thing}. {tell}. {c}",
        f"It is about {thing}: {_small(ask)} {c}",
    )
    certain = work.tells.replace("X", f"a certain {reference.removeprefix('that ')}")
    more = (
        f"{certain}, namely {thing}. {b}",
        f"Can you {_small(certain)}? I mean {thing}. {a}",
        f"Please {_small(certain)}: {thing}. {c}",
    )
    turn = chain.turn
    said = short[turn % 2], long[turn % 3], topic[turn // 2 % 3], more[turn // 3 % 3]
    return said[:3] if reference.startswith("those") else said


def _stepwise(chain: Chain) -> str:
    first, *rest = chain.steps
    thing, kind = first.says, first.kind
    for step in rest:
        if step.says.startswith("X (only"):
            thing = f"{thing}, and keep {step.says.removeprefix('X (').removesuffix(')')}"
            continue
        thing = f"{thing}, and from there go on to {step.says.replace('X', REFERENCES[kind])}"
        kind = step.kind
    return thing


def _small(sentence: str) -> str:
    return sentence if sentence.startswith("I ") else sentence[0].lower() + sentence[1:]
