"""The worst that API calls can do, told from the verbs in their names.

A guess for a risk policy, never a boundary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

from prowess.skills.reach import Reach
from prowess.store.record import Effect

READS = frozenset("check count describe download fetch find get list login logout read search show track view".split())
"""Verbs that leave the world as it is; a session is not counted as a change."""

FINAL = frozenset(
    "approve book broadcast buy cancel checkout clear delete deny destroy donate drop email empty erase forward invite "
    "notify order pay place post publish purchase purge refund remove reply revoke sell send settle share submit "
    "subscribe transfer unsubscribe wipe withdraw".split()
)
"""Verbs that reach other people, move money or destroy: what cannot be taken back."""
_ANYWHERE = FINAL - set("book clear drop email empty order place post reply share submit".split())
"""Those that are hardly ever nouns: they count behind other words, too (`bulk_delete_notes`)."""

_MONEY = re.compile(r"payment|transaction|order|transfer|password")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_JOINING = frozenset({"and", "or", "then"})
_CHANGING = FINAL | set("add change create edit mark move rename replace save set update write".split())
_LADDER = (Effect.PURE, Effect.READ, Effect.WRITE, Effect.IRREVERSIBLE)
WORST = _LADDER[-1]


def effect_of(reach: Reach, known: Mapping[str, Effect] | None = None) -> Effect:
    """The worst that code can do by what it reaches; `known` says what an API does where its name does not.

    What cannot be seen is taken for the worst.

    >>> effect_of(Reach(apis=("mail.show_inbox", "mail.send_mail"))), effect_of(Reach(anything=True))
    (<Effect.IRREVERSIBLE: 'irreversible'>, <Effect.IRREVERSIBLE: 'irreversible'>)
    """
    if reach.anything:
        return Effect.IRREVERSIBLE
    given = known or {}
    return worst(
        [*(given.get(api) or _effect(api) for api in reach.apis), *(_hidden(api, given) for api in reach.hidden)]
    )


def worst(effects: Iterable[Effect]) -> Effect:
    return max(effects, key=_LADDER.index, default=Effect.PURE)


def _hidden(api: str, known: Mapping[str, Effect]) -> Effect:
    """What an API can do in the worst of the apps that have one of its name."""
    told = [effect for name, effect in known.items() if name.endswith(f".{api}")]
    return worst(told) if told else _effect(api)


def _effect(api: str) -> Effect:
    name = api.rpartition(".")[2]
    words = [word.lower() for word in _WORD.findall(name)]  # of `send_mail` and of `sendMail`
    if words[:2] == ["check", "out"]:
        words[:2] = ["checkout"]
    first, *rest = words or [""]
    final = first in FINAL or not _ANYWHERE.isdisjoint(rest)
    second = {word for before, word in pairwise(rest) if before in _JOINING}
    if first in READS and _CHANGING.isdisjoint(second):
        return Effect.READ
    return Effect.IRREVERSIBLE if final or _MONEY.search(name.lower()) else Effect.WRITE
