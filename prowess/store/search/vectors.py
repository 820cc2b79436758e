"""Meaning: a vector for each offered version, in a file beside the store, caught up with its events.

The index is usearch's, with vectors of eight-bit numbers. `NAME.vectors.json` says which file holds it, which model
made it and the event it stands at; it is replaced last, so that a killed writer leaves the old one in force. What is
missing, of another model or of another store is made anew: nothing here is more than a copy.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from prowess.errors import MissingExtra
from prowess.files.disk import sha256_of

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

Side = Literal["query", "document"]

LOOKED_AT = 256
"""How many vectors a search holds on its way: .98 of the ten nearest in large clusters, .96 with usearch's own 64."""

BESIDE = 4
"""Requests that are embedded at once, at most."""

SAVE_EVERY = 0.05
"""Saved on the way when so large a share of the vectors is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A model that turns texts into unit vectors."""

    model: str
    """Its name: vectors of another are no use."""
    vector: Callable[[str, Side], NDArray[Any]]


class Vectors:
    """The vectors of one store, for the threads of one process."""

    def __init__(self, path: Path, meaning: Meaning) -> None:
        self._note = path.with_name(f"{path.name}.vectors.json")
        self._meaning = meaning
        self._lock = threading.Lock()
        # Models let other threads work while they compute, and so does SQLite.
        self._beside = ThreadPoolExecutor(max_workers=BESIDE, thread_name_prefix="embedding")
        self._index: Any = None
        self._event = 0
        self._unsaved = 0

    def __len__(self) -> int:
        return len(self._index) if self._index is not None else 0

    def catch_up(self, db: apsw.Connection, most: int | None = None) -> int:
        """Follow the store's events, embedding at most so many texts; how many versions are still to come."""
        with self._lock:
            if self._index is None or not self._same(db):
                self._open(db)
            waiting = _changed(db, self._event)
            now = waiting if most is None else waiting[:most]
            for change in now:
                self._follow(change)
            if len(now) == len(waiting):
                self._event = _last(db)
            if now and self._unsaved > max(SAVE_EVERY * len(self._index), 256):
                self._keep(db)
            return len(waiting) - len(now)

    def save(self, db: apsw.Connection) -> None:
        """Write the vectors beside the store, if they changed."""
        with self._lock:
            if self._index is not None and self._unsaved:
                self._keep(db)

    def ahead(self, text: str) -> Callable[[], NDArray[Any]]:
        """Begin to embed a request beside other work; what comes back waits for its vector."""
        return self._beside.submit(self._meaning.vector, text, "query").result

    def nearest(self, vector: NDArray[Any], count: int) -> dict[int, float]:
        """The nearest versions by their ids, with the cosine."""
        with self._lock:
            if not len(self):
                return {}
            found = self._index.search(_eighths(vector), count)
            return {int(key): 1.0 - float(far) for key, far in zip(found.keys, found.distances, strict=True)}

    def cosines(self, vector: NDArray[Any], ids: Sequence[int]) -> dict[int, float]:
        """The cosine of each of these versions that has a vector."""
        vector = np.asarray(vector, dtype=np.float32)
        with self._lock:
            known = [id for id in ids if self._index is not None and id in self._index]
            if not known:
                return {}
            rows = np.asarray(self._index.get(np.array(known, dtype=np.uint64)), dtype=np.float32)
        sizes = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
        return dict(zip(known, (float(one) for one in rows @ vector / np.maximum(sizes, 1e-9)), strict=True))

    def _follow(self, change: _Change) -> None:
        if change.text is None:
            if change.id in self._index:
                self._index.remove(change.id)
                self._unsaved += 1
        elif change.id not in self._index:
            self._index.add(change.id, _eighths(self._meaning.vector(change.text, "document")))
            self._unsaved += 1
        self._event = max(self._event, change.event)

    def _same(self, db: apsw.Connection) -> bool:
        """Whether the store has not gone back behind the vectors, as a copy put in its place would."""
        return _last(db) >= self._event

    def _open(self, db: apsw.Connection) -> None:
        size = len(self._meaning.vector("a text to see how long vectors are", "query"))
        self._index, self._event, self._unsaved = _new_index(size), 0, 0
        try:
            note = json.loads(self._note.read_text())
            same = note["model"] == self._meaning.model and note["size"] == size and note["mark"] == _mark(db, note)
            file = self._note.with_name(note["file"])
            if same and note["whole"] == _whole(note, file):
                self._index.load(str(file))
                self._event = int(note["event"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError):
            self._index = _new_index(size)  # no file, or one that cannot be read

    def _keep(self, db: apsw.Connection) -> None:
        with suppress(OSError, RuntimeError):  # where nothing can be written, nothing is kept
            self._save(db)

    def _save(self, db: apsw.Connection) -> None:
        file = self._note.with_name(f"{self._note.stem}-{self._event}-{os.getpid()}")
        self._index.save(str(file))
        note = {
            "model": self._meaning.model,
            "size": int(self._index.ndim),
            "event": self._event,
            "file": file.name,
            "count": len(self._index),
        }
        note["mark"] = _mark(db, note)
        note["whole"] = _whole(note, file)
        draft = self._note.with_name(f"{self._note.name}.{os.getpid()}")
        draft.write_text(json.dumps(note))
        draft.replace(self._note)
        for old in self._note.parent.glob(f"{self._note.stem}-*"):
            if old != file:
                with suppress(OSError):
                    old.unlink()
        self._unsaved = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    id: int
    event: int
    text: str | None
    """What to embed, or None for a version that is not to be found."""


_CHANGED = """
WITH moved AS (SELECT digest, max(id) AS event FROM event WHERE id > ? AND kind = 'moved' GROUP BY digest)
SELECT v.id, m.event, d.id IS NULL, d.asked, v.name, v.docstring, v.source
FROM moved m JOIN version v ON v.digest = m.digest LEFT JOIN document d ON d.id = v.id ORDER BY m.event
"""


def _changed(db: apsw.Connection, event: int) -> list[_Change]:
    """Versions whose status changed after an event, in that order."""
    rows: Any = db.execute(_CHANGED, (event,))
    return [
        _Change(id=id, event=last, text=None if out else text_of(json.loads(asked)[:1], name, docstring, source))
        for id, last, out, asked, name, docstring, source in rows
    ]


def text_of(asked: Sequence[str], name: str, docstring: str, source: str) -> str:
    """What a version means: what was asked for when it was first written, and what it says and does."""
    return "\n".join([*asked, name.replace("_", " "), docstring, source])


def _last(db: apsw.Connection) -> int:
    return int(str(db.execute("SELECT coalesce(max(id), 0) FROM event").get))


def _mark(db: apsw.Connection, note: Any) -> Any:
    """What the store says of the event that the vectors stand at: another store says something else."""
    row = db.execute("SELECT at || ' ' || digest FROM event WHERE id = ?", (note["event"],)).get
    return row if row is not None else ""


def _whole(note: Mapping[str, Any], file: Path) -> str:
    """A digest of what a note says and of its file: a bit that flips on the disk makes the vectors anew."""
    told = json.dumps({key: value for key, value in note.items() if key != "whole"}, sort_keys=True)
    return hashlib.sha256(f"{told} {sha256_of(file)}".encode()).hexdigest()


def _new_index(size: int) -> Any:
    with suppress(ImportError):
        importlib.import_module("torch")  # first, if at all: after usearch it never ends loading (seen on aarch64)
    try:
        library: Any = importlib.import_module("usearch.index")
    except ImportError:
        raise MissingExtra("search by meaning", "skills") from None
    return library.Index(ndim=size, metric="cos", dtype="i8", expansion_search=LOOKED_AT)


def _eighths(vector: NDArray[Any]) -> NDArray[np.int8]:
    """A vector in whole numbers from -127 to 127, all of which are used: the cosine does not see its length.

    >>> _eighths(np.array([0.1, -0.2, 0.0])).tolist(), _eighths(np.zeros(2)).tolist()
    ([64, -127, 0], [0, 0])
    """
    most = float(np.abs(vector).max()) or 1.0
    return np.round(np.asarray(vector, dtype=np.float32) * (127.0 / most)).astype(np.int8)
