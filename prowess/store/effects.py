"""The worst that API calls can do, told from the verbs in their names.

A guess for a risk policy, never a boundary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from prowess.skills.reach import Reach
from prowess.store.record import Effect

READS = frozenset("check count describe download fetch find get list login logout read search show track view".split())
"""Verbs that leave the world as it is; a session is not counted as a change."""

FINAL = frozenset(
    "approve book buy cancel clear delete deny forward invite order pay place post publish purchase remove reply "
    "send settle share submit subscribe transfer wipe withdraw".split()
)
"""Verbs that reach other people, move money or destroy: what cannot be taken back."""

_MONEY = re.compile(r"payment|transaction|order|transfer|password")
_LADDER = (Effect.PURE, Effect.READ, Effect.WRITE, Effect.IRREVERSIBLE)


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
    verb = name.partition("_")[0]
    if verb in READS:
        return Effect.READ
    return Effect.IRREVERSIBLE if verb in FINAL or _MONEY.search(name) else Effect.WRITE
