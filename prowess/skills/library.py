"""The library: the skills an agent has, as one immutable value, and the folder it is kept in.

A skill is known by its scenario and its name. A second one of the same scenario and name takes the place of the first
(the last good one wins, and stands where the first stood); one name in two scenarios is two skills.

On disk a library is a folder to read and to diff, never to execute:

    index.json                        what each file is: name, origin, digests
    wrapped.top_songs-5f0c2ab1.py     one skill, below a comment that says where it comes from

The files are named by their content and the index is replaced last, in one step. Whatever happens while saving, the
folder holds either the old library or the new one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from prowess.errors import NotThere, StoreError
from prowess.files.disk import storing, sync_folder, write_whole
from prowess.types import Origin, Skill

FORMAT = 1
"""Version of the folder's layout."""

_INDEX = "index.json"
_SAFE_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}\.py")


@dataclass(frozen=True, slots=True)
class Library:
    """Skills in the order in which they first came, at most one for each scenario and name."""

    skills: tuple[Skill, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "skills", tuple({_key(skill): skill for skill in self.skills}.values()))

    def __len__(self) -> int:
        return len(self.skills)

    def __iter__(self) -> Iterator[Skill]:
        return iter(self.skills)

    def add(self, *skills: Skill) -> Library:
        """A library that has these too; the last of a scenario and name wins."""
        return Library((*self.skills, *skills)) if skills else self

    def merge(self, other: Library) -> Library:
        """A library with the skills of both; where both have one, the other's."""
        return self.add(*other.skills)

    def named(self, name: str) -> tuple[Skill, ...]:
        """The skills of this name, one for each scenario that has one."""
        return tuple(skill for skill in self.skills if skill.name == name)

    @property
    def digest(self) -> str:
        """SHA-256 of the content, whatever the order in which it came."""
        digest = hashlib.sha256()
        for record in sorted(_canonical(skill) for skill in self.skills):
            digest.update(record)
            digest.update(b"\n")
        return digest.hexdigest()

    def save(self, folder: Path | str) -> None:
        """Write to a folder, in place of the library that is there; other files in it are left alone."""
        folder = Path(folder)
        files = [_file(skill) for skill in self.skills]
        index = {
            "format": FORMAT,
            "digest": self.digest,
            "skills": [_entry(skill, file) for skill, file in zip(self.skills, files, strict=True)],
        }
        with storing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            before = _listed(folder)
            for file in files:
                if not _holds(folder / file.name, file.content):
                    write_whole(folder / file.name, file.content, last=False)
            sync_folder(folder)
            write_whole(folder / _INDEX, json.dumps(index, indent=1) + "\n")
            for name in before - {file.name for file in files}:
                (folder / name).unlink(missing_ok=True)

    @classmethod
    def load(cls, folder: Path | str) -> Library:
        """Read a folder that `save` wrote. Nothing in it is executed, and nothing that was changed is accepted."""
        folder = Path(folder)
        index = _index(folder)
        try:
            library = cls(tuple(_skill(folder, entry) for entry in index["skills"]))
            digest, listed = index["digest"], len(index["skills"])
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"'{folder / _INDEX}' is not a library index: {error!r}") from error
        if library.digest != digest or len(library) != listed:
            raise StoreError(f"'{folder / _INDEX}' does not match its digest: it was edited or damaged", hint=_RESTORE)
        return library


_RESTORE = "restore the folder from a copy, or save the library again"


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """What is written for one skill."""

    name: str
    content: bytes
    line: int
    """Where the source starts, counted from 1, below the comment and the imports."""


def _key(skill: Skill) -> tuple[str, str]:
    return skill.origin.scenario, skill.name


def _canonical(skill: Skill) -> bytes:
    return json.dumps(asdict(skill), sort_keys=True, separators=(",", ":")).encode()


def _file(skill: Skill) -> _File:
    # JSON text is plain ASCII on one line, so no origin can break out of its comment.
    origin = skill.origin
    above = [
        f"# skill {json.dumps(skill.name)}",
        f"# from task {json.dumps(origin.task)} of scenario {json.dumps(origin.scenario)}, turn {origin.turn}",
        f"# {json.dumps(origin.instruction)}",
        *skill.imports,
        "",
        "",
    ]
    head = "\n".join(above) + "\n"
    content = f"{head}{skill.source}\n".encode("utf-8", "surrogatepass")
    words = ".".join(word for word in (_plain(origin.scenario), _plain(skill.name)) if word)
    # The key is hashed too: two skills may have equal content and, once made plain, equal names.
    mark = hashlib.sha256(_canonical(skill) + content).hexdigest()[:12]
    return _File(name=f"{words or 'skill'}-{mark}.py", content=content, line=head.count("\n") + 1)


def _plain(text: str) -> str:
    """What of a name is safe in a file name everywhere."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", text)[:40]


def _entry(skill: Skill, file: _File) -> dict[str, Any]:
    entry = asdict(skill)
    del entry["source"]
    return entry | {"file": file.name, "line": file.line, "sha256": hashlib.sha256(file.content).hexdigest()}


def _skill(folder: Path, entry: Mapping[str, Any]) -> Skill:
    name = entry["file"]
    if not isinstance(name, str) or not _SAFE_FILE.fullmatch(name) or (folder / name).is_symlink():
        raise StoreError(f"'{folder / _INDEX}' names a file outside the library: {name!r}", hint=_RESTORE)
    path = folder / name
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise StoreError(f"the library misses the file '{path}'", hint=_RESTORE) from error
    except OSError as error:
        raise StoreError(f"cannot read '{path}': {error}") from error
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise StoreError(f"'{path}' was edited: its digest differs from the index", hint=_RESTORE)
    lines = content.decode("utf-8", "surrogatepass").removesuffix("\n").split("\n")
    return Skill(
        name=_text(entry["name"]),
        source="\n".join(lines[int(entry["line"]) - 1 :]),
        imports=tuple(_text(text) for text in entry["imports"]),
        docstring=_text(entry["docstring"]),
        apis=tuple(_text(text) for text in entry["apis"]),
        origin=Origin(**entry["origin"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, not {value!r}")
    return value


def _index(folder: Path) -> dict[str, Any]:
    path = folder / _INDEX
    try:
        index = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotThere(
            f"'{folder}' is not a library: it has no {_INDEX}", hint="the folder 'library' of a run is one"
        ) from error
    except OSError as error:
        raise StoreError(f"cannot read '{path}': {error}") from error
    except (ValueError, RecursionError) as error:
        raise StoreError(f"'{path}' is not JSON: {error}", hint=_RESTORE) from error
    if not isinstance(index, dict):
        raise StoreError(f"'{path}' is not a library index")
    if index.get("format") != FORMAT:
        raise StoreError(
            f"'{path}' has format {index.get('format')!r}, this version reads {FORMAT}",
            hint="read it with the version of prowess that wrote it",
        )
    return index


def _listed(folder: Path) -> set[str]:
    """Files of the library that is in the folder now, as far as its index can be read."""
    try:
        names = {entry["file"] for entry in _index(folder)["skills"]}
    except (StoreError, KeyError, TypeError):
        return set()
    return {name for name in names if isinstance(name, str) and _SAFE_FILE.fullmatch(name)}


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and not path.is_symlink() and path.read_bytes() == content
