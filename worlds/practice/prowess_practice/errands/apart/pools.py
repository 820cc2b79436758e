"""What texts with a shape are made of: topics and words that hold them, things to do, separators; drawn anew."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from prowess_desk.families.papers import CHORES

from prowess_practice.errands.forms.pools import sample

TOPICS: Mapping[str, tuple[str, ...]] = {
    "home": ("homework", "nursing home"),
    "work": ("homework", "workshop"),
    "car": ("care", "carpet"),
    "art": ("party", "martial art"),
    "tax": ("taxi", "property tax"),
    "plan": ("plants", "plan b"),
    "book": ("bookshop", "cook book"),
    "sun": ("sunday", "sun roof"),
    "team": ("steam", "dream team"),
    "club": ("clubhouse", "book club"),
    "rent": ("parents", "car rent"),
    "pet": ("carpet", "pet shop"),
    "bill": ("billiards", "phone bill"),
    "camp": ("campus", "base camp"),
    "kit": ("kitchen", "tool kit"),
    "ring": ("spring", "key ring"),
}
"""Topics, and others that hold them: as a part of a word, and as one word of two."""
ASIDES = ("see below", "to be continued", "more another time", "written in a hurry", "thanks again", "as discussed")
"""Texts without any shape."""
SEPARATORS = " | , :: , / , ~ , -> , >> , = ,: , - ,; , # , & , => , .. , + ,::, ^ , * ".split(",")
BARE = "| :: ~ / ; >> => # & + ^ = -> * !".split()
"""Separators with or without spaces around them."""
AROUND = "[,] |(,) |{,} |- ,: |* , = |@,: |no. ,: |+ , - |#, |on , - |+,: |~ , ~ |-- ,; |/,/ ".split("|")
BEHIND = " (,)| [,]| {,}| *,*| ~,~| /,/| -- ,!| (= ,)| _,_| (for ,)| #,.| @,;".split("|")
BULLETS = "- |* |+ |> |[ ] |[x] |( ) |-> |!! |=> |~ |>> |o |# |@ |.. |1) |? |TODO: |ok: |NB |(new) |we: |now: ".split(
    "|"
)
ENDINGS = "!|?| *| (yes)| [ok]| ...| #go| ++| (new)| - yes| :-)| / me|; open| (!)| ok| =1| @me".split("|")
SIGNS = "#@+!&*~"
MONEY = ": $| $| - $| = $| (USD) |: EUR | for $| at $| -> $| £|: £| ~ $".split("|")
"""Between something and what it costs."""
COUNTED = " x |x | of |: | times | - |) |. | * | pcs | # ".split("|")
"""Between a number and what is counted."""
CLOCKED = " at | @ |, |: | from | - | ~ | = | -> ".split("|")
DATED = " by | until |: | - | on | -> |, | @ | due ".split("|")
SAFE = "_|__|--|+|=|@|~|..|,|#|^|!".split("|")
"""In names of files."""


def things(rng: Random, count: int) -> list[str]:
    """So many things to do, each another."""
    found = dict.fromkeys(rng.sample(CHORES, min(count, 8)))
    while len(found) < count + 4:
        found[sample(rng, "task")] = None
    return rng.sample([*found], count)


def other_topics(rng: Random, wanted: str, count: int) -> list[str]:
    """Topics that have nothing to do with this one."""
    return rng.sample([one for one in TOPICS if wanted not in one and one not in wanted], count)


def cased(rng: Random, word: str) -> str:
    """A word in other letters."""
    return rng.choice([word.upper(), word.capitalize()])
