"""Shapes of texts: how a task describes one, how a program reads a text apart, how such a text is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

Pieces = Mapping[str, str]
"""Separators and the like, by slot."""
Edit = tuple[str, str]

SAYS = (
    'What counts there are NOUNS of the form "FORM"; all others are to be ignored.',
    'A NOUN of the kind I mean reads "FORM". Any other NOUN does not matter.',
    'The NOUNS I mean look like this: "FORM". Leave the rest of them alone.',
    'Only a NOUN that has the form "FORM" is of interest.',
)
"""For all shapes that have a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """KEY and WHAT are the two parts of a text, ROW the text; in what is said, NOUN is what a text is called."""

    word: str
    slots: tuple[str, ...]
    form: str
    """As it is written and told, parts in angle brackets: `<KEY>{separator}<WHAT>`."""
    reads: tuple[str, ...] = ()
    """Lines that read a text apart."""
    guard: str
    """Whether a text has the shape."""
    key: str = "KEY"
    what: str = "WHAT"
    """The parts, where no variables hold them."""
    draw: Callable[[Random, str], Pieces]
    """Pieces for a kind of key; `file` for names of files."""
    says: tuple[str, ...] = SAYS
    note: str = ""
    """A further sentence."""
    about: str
    """As a docstring says it."""
    keyed: bool = True
    """Whether there are two parts."""
    kinds: tuple[str, ...] = ("word", "count", "amount", "day", "time", "person")
    strays: tuple[str, ...] = ()
    """Forms of texts that are mistaken for it."""
    loose: bool = False
    """Whether there may be spaces around the separator."""
    turned: str = ""
    """Another form that is as good."""
    matters: tuple[Edit, ...] = ()
    """Edits that matter where the key does."""
    telling: tuple[str, ...] = ("word", "count", "amount", "person")
    """The kinds of key with which they do."""
    strips: tuple[Edit, ...] = ()
    """Edits that matter where WHAT is used."""
    writes: Callable[[Random, Pieces, Sequence[str]], tuple[list[str], list[str]]] | None = None
    """Texts with these things in them, and others that do not count; none where the form says it."""
    safe: bool = True
    """Whether it makes sense in names of files."""


_FIRST = "ask Mona|see Hugo|from Ines|old|for Greta|maybe|new|by Emil".split("|")
_LAST = "then rest|or else|and go|today|all|here|soon|both".split("|")


def written(shape: Shape, rng: Random, pieces: Pieces, parts: Mapping[str, str], form: str = "") -> str:
    """A text of this shape, or of another form with the same pieces; `parts` are what KEY and WHAT stand for."""
    form = form or rng.choice([shape.form, shape.turned or shape.form])
    if shape.loose:
        pieces = {"separator": f"{' ' * rng.randint(0, 1)}{pieces['separator']}{' ' * rng.randint(0, 2)}"}
    text = form.format(**pieces).replace("<FIRST>", rng.choice(_FIRST)).replace("<LAST>", rng.choice(_LAST))
    for part, value in parts.items():
        text = text.replace(part, value)
    return text
