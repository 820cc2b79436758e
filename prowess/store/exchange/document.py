"""`references/PROVENANCE.json`: what is known of an exported version besides its code, written in one way only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, get_args, get_type_hints

from prowess.errors import StoreError
from prowess.store.record import Effect, Provenance, Trial, Version
from prowess.types import Json

FORMAT = 1
_IMPORTED = "prowess-import"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One exported version. Its source is in `scripts/skill.py`, from a line on."""

    digest: str
    namespace: str
    name: str
    imports: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    docstring: str = ""
    apis: tuple[str, ...] = ()
    effect: Effect = Effect.PURE
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    line: int = 1
    provenance: tuple[Provenance, ...] = ()
    trials: tuple[Trial, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the files that are made from this one."""


def document_of(
    version: Version,
    *,
    line: int,
    provenance: Sequence[Provenance],
    trials: Sequence[Trial],
    files: Mapping[str, str],
) -> Document:
    return Document(
        digest=version.digest,
        namespace=version.namespace,
        name=version.name,
        imports=version.imports,
        dependencies=version.dependencies,
        docstring=version.docstring,
        apis=version.apis,
        effect=version.effect,
        fingerprints=version.fingerprints,
        line=line,
        provenance=tuple(provenance),
        trials=tuple(trials),
        files=files,
    )


def written(document: Document) -> bytes:
    """The file. It ends with a digest of the rest, so that a change does not go unnoticed."""
    content: dict[str, Json] = {"format": FORMAT, **asdict(document)}
    for trial in content["trials"]:
        del trial["digest"]  # the version's
    return _page({**content, "sha256": _sum(content)})


def read(content: bytes, where: str) -> Document:
    """A document out of a file that anybody may have written."""
    try:
        found = json.loads(content)
        format = found.pop("format")
        if format != FORMAT:
            raise StoreError(f"'{where}' has format {format!r}, this version reads {FORMAT}")
        checksum = found.pop("sha256")
        if checksum != _sum({"format": FORMAT, **found}):
            raise StoreError(
                f"'{where}' was changed after the export",
                hint="take the original; only scripts/skill.py may be changed, and then becomes a new version",
            )
        return _document(found)
    except StoreError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, MemoryError) as error:
        raise StoreError(f"'{where}' is not the record of an exported skill: {error}") from error


def _document(found: dict[str, Any]) -> Document:
    provenance = tuple(_checked(Provenance, one) for one in _list(found.pop("provenance")))
    trials: tuple[Trial, ...] = tuple(
        _checked(Trial, {**one, "digest": found["digest"], "answers": tuple(_list(one["answers"]))})
        for one in _list(found.pop("trials"))
    )
    for at, trial in enumerate(trials):
        if trial.fault:
            raise ValueError(f"trials[{at}]: {trial.fault}")
    texts = {name: tuple(_list(found.pop(name))) for name in ("imports", "dependencies", "apis")}
    maps = {name: dict(found.pop(name)) for name in ("fingerprints", "files")}
    for text in [
        *(text for part in texts.values() for text in part),
        *(v for part in maps.values() for v in part.values()),
    ]:
        if not isinstance(text, str):
            raise TypeError(f"expected text, not {text!r}")
    rest = {"effect": Effect(found.pop("effect")), "provenance": provenance, "trials": trials}
    document: Document = _checked(Document, {**found, **texts, **maps, **rest})
    return document


def _checked(kind: Any, found: Mapping[str, Any]) -> Any:
    """A value of a kind, its plain fields of the right type."""
    for name, wanted in get_type_hints(kind).items():
        if name in found and wanted in (str, int) and type(found[name]) is not wanted:
            raise TypeError(f"{name} is {found[name]!r}")
        if name in found and wanted is int and found[name] >> 63 not in (0, -1):
            raise ValueError(f"{name} is too large")
        if name == "kind" and found.get(name) not in get_args(wanted):
            raise ValueError(f"{name} is {found.get(name)!r}")
    known = {one.name for one in fields(kind)}
    if extra := found.keys() - known:
        raise ValueError(f"unknown: {', '.join(sorted(extra))}")
    return kind(**found)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"expected a list, not {value!r}")
    return value


# --- provenance that travels ----------------------------------------------------------------------


def imported(provenance: Provenance, who: str) -> Provenance:
    """A provenance as it is kept after an import: what a file says of itself, and which file."""
    claims = {name: getattr(provenance, name) for name in ("kind", "who", "note")}
    return replace(provenance, kind="import", who=who, note=json.dumps({_IMPORTED: claims}, sort_keys=True))


def told(provenance: Provenance) -> Provenance:
    """The inverse: what the exporter had said."""
    if provenance.kind == "import" and provenance.note.startswith(f'{{"{_IMPORTED}":'):
        try:
            found = json.loads(provenance.note)
            return _as_told(provenance, **found[_IMPORTED])
        except (ValueError, TypeError, KeyError, RecursionError):
            return provenance
    return provenance


def _as_told(provenance: Provenance, *, kind: Any, who: Any, note: Any) -> Provenance:
    if (
        kind not in get_args(get_type_hints(Provenance)["kind"])
        or not isinstance(who, str)
        or not isinstance(note, str)
    ):
        raise ValueError("not what an import wrote")
    return replace(provenance, kind=kind, who=who, note=note)


def _sum(content: Json) -> str:
    return hashlib.sha256((json.dumps(content, indent=1, sort_keys=True) + "\n").encode()).hexdigest()


def _page(content: Json) -> bytes:
    """Objects keep the order of their keys: recorded answers are given again to code that may print them."""
    return (json.dumps(content, indent=1) + "\n").encode()
