"""The worst that API calls can do, told from the verbs in their names.

A guess for a risk policy, never a boundary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

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
_REFERS = re.compile(r"\bapis\b")


def effect_of(apis: Iterable[str], *, source: str = "", known: Mapping[str, Effect] | None = None) -> Effect:
    """The worst of a skill's APIs; `known` says what an API does where its name does not.

    >>> effect_of(["mail.show_inbox", "mail.send_mail"])
    <Effect.IRREVERSIBLE: 'irreversible'>
    """
    found = [(known or {}).get(api) or _effect(api) for api in apis]
    if not found and _REFERS.search(source):  # which one cannot be seen: taken for a change
        return Effect.WRITE
    return max(found, key=_LADDER.index, default=Effect.PURE)


def _effect(api: str) -> Effect:
    name = api.rpartition(".")[2]
    verb = name.partition("_")[0]
    if verb in READS:
        return Effect.READ
    return Effect.IRREVERSIBLE if verb in FINAL or _MONEY.search(name) else Effect.WRITE
