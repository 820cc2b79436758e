"""What the commands say of skills to scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prowess.files.codec import to_json
from prowess.types import Json

if TYPE_CHECKING:
    from prowess.cli.skills.jobs.dossier import Dossier
    from prowess.store.search.offer import Hit
    from prowess.store.standing import Entry, Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillLine:
    """What a script needs of a skill to go on."""

    id: str
    """The skill's id: it stays the same for all its versions."""
    namespace: str
    """The world or app that it is of."""
    name: str
    """The function's name."""
    status: str
    """Where this version stands: `candidate`, `review`, `probation`, `active`, `stale`, `suspended`, `rejected` ..."""
    digest: str
    """SHA-256 of this version."""
    number: int
    """Which of the skill's versions, counted from 1."""
    effect: str
    """What it may change: `pure`, `read`, `write` or `irreversible`."""
    summary: str
    """The docstring's first sentence, at most 120 characters."""
    aliases: tuple[str, ...]
    """Other names of the skill."""
    holders: tuple[str, ...]
    """Who pins the skill."""
    approved: bool
    """Whether a person has approved this very digest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLine:
    """How a search found a skill. Of skills that hold the words and are not offered, nothing is known of this."""

    likeness: float | None
    """How well it fits the request, 0 to 1; null where it is not offered."""
    score: float | None
    """Likeness, weighed with its worth; null where it is not offered."""
    channels: Mapping[str, float]
    """What each channel of the search saw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLine:
    """All that is known of a skill."""

    version: Json
    """Its code and what was read from it: a version of a skill."""
    versions: Json
    """All its versions: `number` and `digest`."""
    statistics: Json
    """Its worth, of this version."""
    provenances: Json
    """Where this code was written, each time."""
    trials: Json
    """Calls that test it."""
    verifications: Json
    """What the checks said."""
    edges: Json
    """How it is tied to other versions."""
    similar: Json
    """Versions that are like it: `digest`, and `how`."""


def brief(entry: Entry) -> dict[str, Json]:
    """What a script needs of a skill to go on."""
    line: dict[str, Json] = to_json(
        SkillLine(
            id=entry.id,
            namespace=entry.namespace,
            name=entry.name,
            status=str(entry.status),
            digest=entry.digest,
            number=entry.number,
            effect=str(entry.version.effect),
            summary=entry.version.summary,
            aliases=entry.aliases,
            holders=entry.holders,
            approved=entry.approved,
        )
    )
    return line


def found_as(hit: Hit | None) -> dict[str, Json]:
    """How a skill was found, or that it is not offered."""
    line: dict[str, Json] = to_json(
        FoundLine(likeness=hit.likeness, score=hit.score, channels=dict(hit.channels))
        if hit
        else FoundLine(likeness=None, score=None, channels={})
    )
    return line


def known_of(known: Dossier) -> dict[str, Json]:
    """All that is known of a skill."""
    from prowess.cli.json_lines import as_json

    line: dict[str, Json] = as_json(
        {
            "version": known.entry.version,
            "versions": [{"number": one.number, "digest": one.digest} for one in known.versions],
            "statistics": figures(known.statistics),
            "provenances": known.provenances,
            "trials": known.trials,
            "verifications": known.verifications,
            "edges": known.edges,
            "similar": [{"digest": one.entry.digest, "how": one.how} for one in known.similar],
        }
    )
    return to_json(KnownLine(**line))  # type: ignore[no-any-return]


def figures(statistics: Statistics) -> dict[str, Json]:
    """Counts, and what follows from them."""
    counts: dict[str, Json] = to_json(statistics)
    return counts | {
        "success": statistics.success,
        "uplift": statistics.uplift,
        "uplift_error": statistics.uplift_error,
    }
