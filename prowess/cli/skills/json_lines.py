"""What the commands say of skills to scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prowess.files.codec import to_json
from prowess.types import Json

if TYPE_CHECKING:
    from prowess.store.standing import Entry, Statistics


def brief(entry: Entry) -> dict[str, Json]:
    """What a script needs of a skill to go on."""
    return {
        "id": entry.id,
        "namespace": entry.namespace,
        "name": entry.name,
        "status": str(entry.status),
        "digest": entry.digest,
        "number": entry.number,
        "effect": str(entry.version.effect),
        "summary": entry.version.summary,
        "aliases": list(entry.aliases),
        "holders": list(entry.holders),
        "approved": entry.approved,
    }


def figures(statistics: Statistics) -> dict[str, Json]:
    """Counts, and what follows from them."""
    counts: dict[str, Json] = to_json(statistics)
    return counts | {
        "success": statistics.success,
        "uplift": statistics.uplift,
        "uplift_error": statistics.uplift_error,
    }
