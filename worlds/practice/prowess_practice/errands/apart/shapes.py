"""Shapes of texts: how a task describes one, how a program reads a text apart, how such a text is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from prowess_practice.errands.apart import pools

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
class TextShape:
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


def written(shape: TextShape, rng: Random, pieces: Pieces, parts: Mapping[str, str], form: str = "") -> str:
    """A text of this shape, or of another form with the same pieces; `parts` are what KEY and WHAT stand for."""
    form = form or rng.choice([shape.form, shape.turned or shape.form])
    if shape.loose:
        pieces = {"separator": f"{' ' * rng.randint(0, 1)}{pieces['separator']}{' ' * rng.randint(0, 2)}"}
    text = form.format(**pieces).replace("<FIRST>", rng.choice(_FIRST)).replace("<LAST>", rng.choice(_LAST))
    for part, value in parts.items():
        text = text.replace(part, value)
    return text


def _put(rng: Random, word: str, thing: str) -> str:
    """A word somewhere in a text."""
    words = thing.split()
    words.insert(rng.randint(0, len(words)), word)
    return " ".join(words)


def _tagged(rng: Random, pieces: Pieces, things: Sequence[str]) -> tuple[list[str], list[str]]:
    hashtag = pieces["hashtag"]
    good = [_put(rng, hashtag, thing) for thing in things[2:]]
    return good, [_put(rng, f"{hashtag}{rng.choice(_TAILS)}", things[0]), _put(rng, hashtag[1:], things[1])]


def _worded(rng: Random, pieces: Pieces, things: Sequence[str]) -> tuple[list[str], list[str]]:
    word = pieces["wanted"]
    good = [_put(rng, pools.cased(rng, word) if n else word, thing) for n, thing in enumerate(things[2:])]
    return good, [_put(rng, pools.TOPICS[word][0], things[0]), _put(rng, f"{rng.choice(_HEADS)}{word}", things[1])]


def _edged(rng: Random, word: str, things: Sequence[str], *, last: bool) -> tuple[list[str], list[str]]:
    good = [f"{thing} {word}" if last else f"{word} {thing}" for thing in things[2:]]
    longer, other = pools.TOPICS[word][0], things[1]
    inner = _put(rng, word, other.split()[0]) if len(other.split()) < 3 else other.replace(" ", f" {word} ", 1)
    wrong = f"{word} {other}" if last else f"{other} {word}"
    return good, [f"{things[0]} {longer}" if last else f"{longer} {things[0]}", wrong, f"some {inner} again"]


_TAILS = ("s", "2", "-old", "ish", "er")
_HEADS = ("non", "x", "un", "sub", "mid")
HASHTAG = TextShape(
    word="hashtag",
    slots=("hashtag",),
    form="",
    reads=("words = ROW.split()",),
    guard="hashtag in words",
    what='" ".join(word for word in words if word != hashtag)',
    draw=lambda rng, kind: {"hashtag": rng.choice(pools.SIGNS) + rng.choice([*pools.TOPICS])},
    says=(
        'The NOUNS I mean have "{hashtag}" as a word of its own somewhere; the WHAT is all the other words, in their'
        " order.",
        'What counts there are NOUNS in which "{hashtag}" is one of the words, just like that and not as part of a'
        " longer one; without it, such a NOUN is the WHAT.",
        'A NOUN is of interest if one of its words is exactly "{hashtag}". Leave this word out, and you have the WHAT.',
        'Only NOUNS with the word "{hashtag}" matter (a longer word that begins like this does not do); what remains of'
        " such a NOUN without that word is the WHAT.",
    ),
    about="a word with a sign, and WHAT without it",
    keyed=False,
    writes=_tagged,
    matters=(("hashtag in words", "hashtag in ROW"),),
    strips=((" if word != hashtag", ""),),
    safe=False,
)
WORD = TextShape(
    word="word",
    slots=("wanted",),
    form="",
    guard="wanted.lower() in ROW.lower().split()",
    what="ROW",
    draw=lambda rng, kind: {"wanted": rng.choice([*pools.TOPICS])},
    says=(
        'The NOUNS I mean have "{wanted}" as a word of its own, in capitals or not; as part of a longer word it does'
        " not count.",
        'What counts there are NOUNS in which one of the words is "{wanted}" (in capital letters or small ones), not'
        " just part of a word.",
        'A NOUN is of interest if the whole word "{wanted}" is in it, however it is capitalized.',
        'Only NOUNS with the word "{wanted}" matter; capitals make no difference, but longer words that hold it are'
        " other words.",
    ),
    about="a given word",
    keyed=False,
    writes=_worded,
    matters=((".lower().split()", ".lower()"), ("wanted.lower() in ROW.lower()", "wanted in ROW")),
    safe=False,
)


def _edge(word: str, reads: str, said: str, side: str) -> TextShape:
    return TextShape(
        word=word,
        slots=("wanted",),
        form="",
        reads=(reads,),
        guard=f"{said} == wanted",
        draw=lambda rng, kind: {"wanted": rng.choice([*pools.TOPICS])},
        says=(
            f'The NOUNS I mean have "{{wanted}}" as their {said} word; the WHAT is what comes {side} it.',
            f'What counts there are NOUNS whose {said} word is exactly "{{wanted}}"; all {side} it (and the space) is'
            " the WHAT.",
            f'A NOUN is of interest if its {said} word, all of it, is "{{wanted}}". The words {side} it are the WHAT.',
            f'Only NOUNS with "{{wanted}}" as the {said} word matter, and the WHAT is such a NOUN without that word.',
        ),
        about=f"a given {said} word, and WHAT {side} it",
        keyed=False,
        writes=lambda rng, pieces, things: _edged(rng, pieces["wanted"], things, last=side == "before"),
        matters=((f"{said} == wanted", "wanted in ROW"), (f"{said} == wanted", f"wanted in {said}")),
        safe=False,
    )


FIRST_WORD = _edge("first_word", 'first, _, WHAT = ROW.partition(" ")', "first", "after")
LAST_WORD = _edge("last_word", 'WHAT, _, last = ROW.rpartition(" ")', "last", "before")


_NONE: Mapping[str, Sequence[str]] = {}
_BETWEEN = {"count": pools.COUNTED, "time": (": ", " - ", " h: ", " = ", " -> ", " | ", ", ")}
_BEHIND = {"amount": pools.MONEY, "time": pools.CLOCKED, "day": pools.DATED}
_EQUALS = (
    ("=", "; "),
    ("=", ", "),
    (": ", "; "),
    ("=>", " / "),
    ("->", " | "),
    ("~", " + "),
    (" = ", " & "),
)


def _separator(rng: Random, kind: str, special: Mapping[str, Sequence[str]] = _NONE) -> Pieces:
    if kind == "file":
        return {"separator": rng.choice(pools.SAFE)}
    often = special.get(kind, ())
    return {"separator": rng.choice(often if often and rng.random() < 0.6 else pools.SEPARATORS)}


def _around(rng: Random, kind: str) -> Pieces:
    left, right = rng.choice(pools.AROUND).split(",")
    if kind == "file":
        left, right = rng.choice(("[,]", "(,)", "#,_", "v.,--", "{,}", "+,+", "=,=")).split(",")
    return {"left": rng.choice(("$", "€", "USD ", left)) if kind == "amount" else left, "right": right}


def _behind(rng: Random, kind: str) -> Pieces:
    left, right = rng.choice(pools.BEHIND).split(",")
    if kind == "file":
        left, right = rng.choice(("[,]", "(,)", "_(,)", "{,}", "+,+", "=,=")).split(",")
    return {"left": f"{left}$" if kind == "amount" and left[-1] in "([{" else left, "right": right}


def _equal(rng: Random, kind: str) -> Pieces:
    equals, between = rng.choice(_EQUALS)
    return {"equals": equals, "between": between}


BEFORE = TextShape(
    word="before",
    slots=("separator",),
    form="<KEY>{separator}<WHAT>",
    reads=("KEY, mark, WHAT = ROW.partition(separator)",),
    guard="mark",
    draw=lambda rng, kind: _separator(rng, kind, _BETWEEN),
    about="KEY and WHAT around a separator",
    strays=("<KEY>", "<WHAT>"),
)
AFTER = TextShape(
    word="after",
    slots=("separator",),
    form="<WHAT>{separator}<KEY>",
    reads=("WHAT, mark, KEY = ROW.rpartition(separator)",),
    guard="mark",
    draw=lambda rng, kind: _separator(rng, kind, _BEHIND),
    about="WHAT and KEY around a separator",
    strays=("<KEY>", "<WHAT>"),
)
LOOSE = TextShape(
    word="loose",
    slots=("separator",),
    form="<KEY>{separator}<WHAT>",
    reads=("KEY, mark, WHAT = (part.strip() for part in ROW.partition(separator))",),
    guard="mark",
    draw=lambda rng, kind: {"separator": rng.choice(pools.BARE)},
    note='There may be spaces on either side of "{separator}": they belong to no part.',
    about="KEY and WHAT around a separator, with spaces or not",
    strays=("<KEY>", "<WHAT>"),
    loose=True,
    telling=("word", "person"),
    matters=(("(part.strip() for part in ROW.partition(separator))", "ROW.partition(separator)"),),
    safe=False,
)
AROUND = TextShape(
    word="marked",
    slots=("left", "right"),
    form="{left}<KEY>{right}<WHAT>",
    reads=("KEY, mark, WHAT = ROW.removeprefix(left).partition(right)",),
    guard="mark and ROW.startswith(left)",
    draw=_around,
    about="marks around the KEY and WHAT behind",
    strays=("<KEY>{right}<WHAT>", "<WHAT>"),
    matters=((".removeprefix(left)", ""),),
)
BEHIND = TextShape(
    word="bracketed",
    slots=("left", "right"),
    form="<WHAT>{left}<KEY>{right}",
    reads=("WHAT, mark, KEY = ROW.removesuffix(right).rpartition(left)",),
    guard="mark and ROW.endswith(right)",
    draw=_behind,
    about="WHAT and then marks around the KEY",
    strays=("<WHAT>{left}<KEY>", "<WHAT>"),
    matters=((".removesuffix(right)", ""),),
)


def _columns(word: str, key: int, what: int, stray: str, about: str) -> TextShape:
    names = {key: "<KEY>", what: "<WHAT>"}
    return TextShape(
        word=word,
        slots=("separator",),
        form="{separator}".join(names.get(place, "<FIRST>") for place in range(3)),
        reads=("parts = ROW.split(separator)",),
        guard="len(parts) == 3",
        key=f"parts[{key}]",
        what=f"parts[{what}]",
        draw=_separator,
        about=f"three columns, {about}",
        strays=(stray, "<WHAT>"),
    )


COLUMNS = (
    _columns("second", 1, 2, "<FIRST>{separator}<KEY>", "KEY in the second and WHAT in the third"),
    _columns("first", 0, 2, "<KEY>{separator}<WHAT>", "KEY in the first and WHAT in the third"),
    _columns("third", 2, 0, "<WHAT>{separator}<KEY>", "WHAT in the first and KEY in the third"),
)
PAIRS = TextShape(
    word="fields",
    slots=("equals", "between"),
    form="KEY{equals}<KEY>{between}WHAT{equals}<WHAT>",
    turned="WHAT{equals}<WHAT>{between}KEY{equals}<KEY>",
    reads=("fields = dict(part.split(equals, 1) for part in ROW.split(between) if equals in part)",),
    guard="len(fields) == 2",
    key='fields["KEY"]',
    what='fields["WHAT"]',
    draw=_equal,
    note="The two fields may come in any order.",
    about="two fields, KEY and WHAT",
    strays=("KEY{equals}<KEY>", "<WHAT>"),
    kinds=("word", "count", "day", "time", "person"),
    safe=False,
)
PREFIX = TextShape(
    word="bulleted",
    slots=("bullet",),
    form="{bullet}<WHAT>",
    guard="ROW.startswith(bullet)",
    what="ROW.removeprefix(bullet)",
    draw=lambda rng, kind: {"bullet": rng.choice(pools.BULLETS if kind != "file" else pools.SAFE)},
    about="a mark before WHAT",
    keyed=False,
    strays=("<WHAT>", "<WHAT> {bullet}", "<FIRST> {bullet}<WHAT>"),
    matters=(("ROW.startswith(bullet)", "bullet in ROW"),),
    strips=((".removeprefix(bullet)", ""),),
)
SUFFIX = TextShape(
    word="ended",
    slots=("ending",),
    form="<WHAT>{ending}",
    guard="ROW.endswith(ending)",
    what="ROW.removesuffix(ending)",
    draw=lambda rng, kind: {"ending": rng.choice(pools.ENDINGS if kind != "file" else pools.SAFE)},
    about="a mark after WHAT",
    keyed=False,
    strays=("<WHAT>", "<WHAT>{ending} <LAST>", "{ending} <WHAT>"),
    matters=(("ROW.endswith(ending)", "ending in ROW"),),
    strips=((".removesuffix(ending)", ""),),
)
_INSIDE = (
    (" (", ") "),
    (" [", "] "),
    (" *", "* "),
    (" {", "} "),
    (" -- ", " -- "),
    (": ", "; "),
    (" = ", ", "),
    (" /", "/ "),
)
INSIDE = TextShape(
    word="inside",
    slots=("left", "right"),
    form="<FIRST>{left}<WHAT>{right}<LAST>",
    reads=("WHAT, mark, _ = ROW.partition(left)[2].partition(right)",),
    guard="mark",
    draw=lambda rng, kind: dict(zip(("left", "right"), rng.choice(_INSIDE), strict=True)),
    about="WHAT between two marks",
    keyed=False,
    strays=("<FIRST> <WHAT> <LAST>", "<FIRST>{left}<WHAT>"),
    matters=(("if mark:", "if left in ROW:"),),
    strips=((".partition(left)[2]", ""),),
    safe=False,
)
KEYED = (BEFORE, AFTER, AROUND, COLUMNS[0], LOOSE, BEHIND, PAIRS, COLUMNS[2], COLUMNS[1])
ALONE = (PREFIX, HASHTAG, WORD, SUFFIX, FIRST_WORD, INSIDE, LAST_WORD)
