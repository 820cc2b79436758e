"""Shapes that are a matter of words: one that stands alone, or first, or last, and is no part of a longer one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from prowess_practice.errands.apart import pools
from prowess_practice.errands.apart.shape import Pieces, Shape


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
HASHTAG = Shape(
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
WORD = Shape(
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


def _edge(word: str, reads: str, said: str, side: str) -> Shape:
    return Shape(
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
