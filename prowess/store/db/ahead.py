"""What an account's code says of itself, read by whoever writes the journal: the one who ingests has less time.

Reading code (parsing it, hashing the tree, finding APIs and words) takes longer than all rows of a proposal. A worker
has time for it when its episode is over, so a journal's line carries beside each skill what `canon.version_of` made of
it, and the store takes that over:

    {"form": "2.2 3.11", "versions": [{"digest": "5b1f...", "apis": ["mail.show_inbox"], "effect": "read", ...}]}

Why this may be trusted: a journal is written by our own process that played the episode, never by the agent's code,
which runs in a jail without a way to that folder; each line has a checksum; and who could write a journal could tell
anything else as well. What is cheap is checked all the same: that it was read in the form of today, by the same
version of Python, and that its digest is the SHA-256 of the very code in the line, which the store works out anyway.
Source, imports and names are taken from the skill, never from here; the worker writes the skill itself with its
statements in order, so that nobody has to parse it again to find out. Where anything is missing or does not fit, the
store reads the code itself. `Store.rebuild(verify=True)` reads all code again and says what differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from prowess.files.codec import to_json
from prowess.store.canon import FORM as CANON
from prowess.store.canon import READING, Address, fingerprints_of, version_of
from prowess.store.record import Account, Effect, Version
from prowess.types import Json

FORM = f"{READING}.{CANON} {sys.version_info.major}.{sys.version_info.minor}"
"""How the code was read. By which Python, too: all that are known agree, and one that comes may not."""

_CARRIED = frozenset("docstring signature schema summary apis effect helpers tokens ast_hash alpha_hash".split())
"""Fields of a version that follow from its code and take long; the others are quick, or the store's own."""


def ahead(account: Account) -> tuple[Account, Json]:
    """An account as it is written, its code canonical, and what a line carries beside it, if it learned anything."""
    versions = [version_of(skill, namespace=account.namespace) for skill in account.learned]
    told = [_carried(version) for version in versions]
    if not any(told):
        return account, None
    learned = tuple(
        replace(skill, source=version.source) if version.ast_hash and version.source != skill.source else skill
        for skill, version in zip(account.learned, versions, strict=True)
    )
    return replace(account, learned=learned), {"form": FORM, "versions": told}


def _carried(version: Version) -> Json:
    if not version.ast_hash:  # it does not parse, and its description is not all from its code
        return None
    found = to_json(version)
    return {"digest": version.digest, **{name: found[name] for name in sorted(_CARRIED)}}


def versions_in(account: Account, told: Json) -> Sequence[Version | None]:
    """The versions that were told beside an account, where they fit; None for each that has to be read again."""
    listed = told.get("versions") if isinstance(told, dict) and told.get("form") == FORM else None
    if not isinstance(listed, list) or len(listed) != len(account.learned):
        return [None] * len(account.learned)
    return list(_fitting(account, listed))


_KINDS = dict.fromkeys("docstring signature summary effect ast_hash alpha_hash".split(), str) | {
    "tokens": int,
    "schema": dict,
    "apis": list,
    "helpers": list,
}


def _version(address: Address, name: str, told: Json) -> Version | None:
    """A version with what was told of it; what is not of the right type is not taken."""
    if not all(type(told[key]) is kind for key, kind in _KINDS.items()) or told["effect"] not in _EFFECTS:
        return None
    if not set(map(type, [*told["apis"], *told["helpers"]])) <= {str}:
        return None
    return Version(
        digest=address.digest,
        namespace=address.namespace,
        name=name,
        source=address.source,
        imports=address.imports,
        docstring=told["docstring"],
        signature=told["signature"],
        schema=told["schema"],
        summary=told["summary"],
        apis=tuple(told["apis"]),
        effect=_EFFECTS[told["effect"]],
        helpers=tuple(told["helpers"]),
        tokens=told["tokens"],
        ast_hash=told["ast_hash"],
        alpha_hash=told["alpha_hash"],
    )


_EFFECTS = {str(effect): effect for effect in Effect}


def _fitting(account: Account, listed: Sequence[Json]) -> Iterator[Version | None]:
    for skill, told in zip(account.learned, listed, strict=True):
        address = Address.of(skill, namespace=account.namespace, form=1)  # written in order
        if not isinstance(told, dict) or told.keys() != _CARRIED | {"digest"} or told["digest"] != address.digest:
            yield None
            continue
        version = _version(address, skill.name, told)
        if version is None:
            yield None
            continue
        if account.fingerprints:
            version = replace(version, fingerprints=fingerprints_of(version.apis, account.fingerprints))
        yield version
