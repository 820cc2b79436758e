"""How an errand on days is asked for."""

from __future__ import annotations

import re

from prowess_practice.errands.calendars.choice import Choice
from prowess_practice.errands.calendars.sink import Sink
from prowess_practice.errands.calendars.source import Source
from prowess_practice.errands.transfers.parts import capital

_SHORT = 4
"""Words that may stand between a verb and what belongs to it."""


def doing(do: str, rows: str) -> str:
    """What is done, with the rows in their place: `rate them with 3 stars`, but `rate with 3 stars the songs that`."""
    if len(rows.split()) < _SHORT:
        do = re.sub(r"\[(.+?)\] ALL", r"ALL \1", do)
    if rows in ("them", "these"):
        do = re.sub(r"\bthe ((?:due )?\w+) of ALL\b", r"their \1", do)
        do = re.sub(r"\ball (\w+) of ALL\b", r"all their \1", do)
    return re.sub(r"\bALL\b", lambda _: rows, do.replace("[", "").replace("]", ""))


def tidy(text: str) -> str:
    """Without commas that stand before other marks."""
    text = re.sub(r" {2,}", " ", text)
    text = re.sub(r",(?=[.,:;?])", "", text)
    return text.replace(", (", " (").strip()


def worded(source: Source, choice: Choice, sink: Sink, when: str, turn: int) -> tuple[str, ...]:
    """Some ways to ask for it; the turn says which of them."""
    many = source.many
    clause = source.say(choice.says)
    whole, those = f"the {many} {clause}", f"those {clause}"
    rests = [source.say(one.replace("WHENSAYS", when)) for one in sink.rest]
    do = source.say(sink.do)
    first, second = rests[0], rests[-1]
    direct = (
        f"{capital(doing(do, whole))}.{first}",
        f"Please {doing(do, whole)}.{first}",
        f"I would like you to {doing(do, whole)}.{first}",
    )
    looking = (
        f"Go through the {many} and {doing(do, those)}.{second}",
        f"Look at the {many}. {capital(doing(do, those))}.{second}",
        f"Of the {many}, only {those} matter now: {doing(do, 'them')}.{second}",
    )
    asking = (
        f"It is about {whole}: please {doing(do, 'them')}.{first}",
        f"Among the {many} there are some {clause}. Please {doing(do, 'them')}.{first}",
        f"Find {whole}. Then {doing(do, 'all of them' if ' of ALL' not in do else 'them')}.{first}",
    )
    could = (
        f"Could you {doing(do, whole)}?{second}",
        f"Take {whole} and leave out all the others. Then {doing(do, 'these')}.{second}",
        f"There are {many}, and I mean {those}. Would you {doing(do, 'them')}?{second}",
    )
    return tuple(
        tidy(text) for text in (direct[turn % 3], looking[turn // 3 % 3], asking[turn // 9 % 3], could[turn // 27 % 3])
    )
