"""Journals: what many workers have to tell, without waiting for the store.

A worker appends to a segment, a file of its own; each line is a record behind its checksum, and on disk before it is
acknowledged:

    9f86d081884c7d65 {"segment": "5b1f...", "worker": "3"}      the first line: which segment this is
    60303ae22b998861 {"kind": "account", "data": {...}, "ahead": {...}}     with what its code says, see `ahead`

One process ingests a folder of them. How far each segment has been read is noted in the very transaction that takes
its records in, so each record counts exactly once, whoever is killed and when. A record that the store refuses is noted
with the reason and does not hold up the others.

A segment is never continued: who opens a journal again, or could not write to it, begins the next one. So a torn line
is the last of its segment, was never acknowledged, and is left alone.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import apsw

from prowess.errors import ProwessError, StoreError, words_of
from prowess.files.codec import from_json, line_of, parsed, to_json
from prowess.files.disk import storing, sync_folder, write_all
from prowess.store.canon import legible
from prowess.store.db.ahead import ahead, versions_in
from prowess.store.db.arrivals import Arrivals, Told
from prowess.store.db.store import Store
from prowess.store.record import Account, Trial, Usage, Verification
from prowess.types import Json

SUFFIX = ".journal"
_LOCK = ".ingest"
_BATCH = 500
"""Records in one transaction of the ingesting side."""

Record = Account | Usage | Verification | Trial
_KINDS: dict[str, type[Any]] = {"account": Account, "usage": Usage, "verification": Verification, "trial": Trial}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_WORKER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.]{0,99}")


class Busy(StoreError):
    """Another process takes the journals in: it may be over soon."""


class Journal:
    """One worker's way to tell the store; its threads may share it."""

    __slots__ = ("_guard", "_handle", "folder", "path", "worker")

    def __init__(self, folder: str | Path, worker: str) -> None:
        if not _WORKER.fullmatch(worker):
            raise StoreError(f"'{worker}' cannot name a worker", hint="letters, digits, dots and underscores only")
        self.folder, self.worker = Path(folder), worker
        self._guard = threading.Lock()
        self._handle = -1
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._guard:
            handle, self._handle = self._handle, -1
            if handle >= 0:
                os.close(handle)

    def append(self, *records: Record) -> None:
        """Write records; all of them are on disk when this returns."""
        lines = [_told(record) for record in records]
        with self._guard:
            if self._handle < 0:
                raise StoreError(f"the journal {self.path} is closed")
            try:
                self._write(lines)
            except StoreError:
                # Half a line may stand there now: nothing may follow it.
                os.close(self._handle)
                self._handle = -1
                with suppress(StoreError):
                    self._begin()
                raise

    def _write(self, lines: Sequence[Json]) -> None:
        with storing(self.path):
            write_all(self._handle, b"".join(_line(line) for line in lines))
            os.fsync(self._handle)

    def _begin(self) -> None:
        """The next segment."""
        with storing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            number = 1 + max((_number(path) for path in self.folder.glob(f"{self.worker}-*{SUFFIX}")), default=0)
            while self._handle < 0:
                self.path = self.folder / f"{self.worker}-{number:06d}{SUFFIX}"
                with suppress(FileExistsError):  # another process of the same name was faster
                    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
                    self._handle = os.open(self.path, flags, 0o666)
                    with suppress(OSError):  # some network disks cannot
                        fcntl.flock(self._handle, fcntl.LOCK_SH)  # while it may still be written to, see `clear`
                number += 1
            sync_folder(self.folder)
        self._write([{"segment": uuid.uuid4().hex, "worker": self.worker}])


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What became of the journals of a folder."""

    records: int = 0
    """Taken in now, for the first time."""
    refused: int = 0
    """Those among them that the store refused; why is in its table `refused` ..."""
    why: str = field(default="", compare=False)
    """... and here of the first."""
    torn: tuple[str, ...] = ()
    """Journals with lines that cannot be taken in: the power went as they were written, or the disk changed them."""

    def __add__(self, more: Ingested) -> Ingested:
        return Ingested(
            records=self.records + more.records,
            refused=self.refused + more.refused,
            why=self.why or more.why,
            torn=self.torn + more.torn,
        )


def ingest(store: Store, folder: str | Path) -> Ingested:
    """Take in what the journals of a folder tell now and the store does not know yet. One process at a time."""
    path = Path(folder)
    done = Ingested()
    with storing(path), _alone(path):
        # As far as they are written now: a busy worker would keep this going for ever.
        sizes = {segment: segment.stat().st_size for segment in sorted(path.glob(f"*{SUFFIX}"))}
        known = _known(store)
        for segment, size in sizes.items():
            if _read_to(segment, known) >= size:  # no transaction for what was taken in long ago
                continue
            while (batch := _batch(store, segment, size)).records:
                done += batch
        known = _known(store)
        torn = [segment.name for segment in sizes if _torn(segment, known)]
    return done + Ingested(torn=tuple(torn))


def _torn(path: Path, known: Mapping[str, int]) -> bool:
    """Whether a journal that nobody writes to holds whole lines that are never taken in.

    Half a line at its end is what a kill leaves of one that was not acknowledged. A whole one has its end, or would
    have it but for the end's own byte.
    """
    at = _read_to(path, known)
    with path.open("rb") as file, suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.seek(at)
        rest = file.read()
        return b"\n" in rest or _content(rest[:-1] + b"\n") is not None
    return False


def clear(store: Store, folder: str | Path) -> int:
    """Delete the journals that are taken in to their ends and that nobody writes to any more; how many."""
    path, gone = Path(folder), 0
    with storing(path), _alone(path):
        known = _known(store)
        for segment in sorted(path.glob(f"*{SUFFIX}")):
            with segment.open("rb") as file, suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _read_to(segment, known) >= os.fstat(file.fileno()).st_size:
                    segment.unlink()
                    gone += 1
    return gone


def _known(store: Store) -> dict[str, int]:
    """How far each segment has been read."""
    return {str(id): int(str(offset)) for id, offset in store.db.execute("SELECT id, offset FROM segment")}


def _read_to(path: Path, known: Mapping[str, int]) -> int:
    """How far this one has been read; 0 for one that is new, or not begun yet."""
    with path.open("rb") as file:
        header = _header(file.readline())
    return known.get(header["segment"], 0) if header is not None else 0


def _batch(store: Store, path: Path, size: int) -> Ingested:
    """Take in the next records of a segment, and note how far that is, in one transaction."""
    with path.open("rb") as file:
        first = file.readline()
        header = _header(first)
        if header is None:  # not begun yet, or never
            return Ingested()
        try:
            return _taken(store, file, header, len(first), size, apart=False)
        except _Refused:  # which is rare: once more, so that it fails alone
            return _taken(store, file, header, len(first), size, apart=True)


def _taken(store: Store, file: BinaryIO, header: Mapping[str, str], begin: int, size: int, *, apart: bool) -> Ingested:
    segment, refused = header["segment"], list[str]()
    with store.many(apart=apart):
        at = store.db.execute("SELECT offset FROM segment WHERE id = ?", (segment,)).get or begin
        file.seek(at)
        lines = _lines(file, size)
        told = [_record(line) for line in lines]
        with _together(apart=apart):
            arrivals = None if apart else Arrivals(store.db, [one for one in told if isinstance(one, tuple)])
            for line, one in zip(lines, told, strict=True):
                if reason := one if isinstance(one, str) else _take(store, one, arrivals):
                    refused.append(legible(reason))
                    store.db.execute("INSERT INTO refused VALUES (?, ?, ?)", (segment, at, refused[-1]))
                at += len(line)
            if arrivals is not None:
                arrivals.write()
        if lines:
            store.db.execute("INSERT OR REPLACE INTO segment VALUES (?, ?, ?)", (segment, header["worker"], at))
    return Ingested(records=len(lines), refused=len(refused), why=refused[0] if refused else "")


class _Refused(Exception):
    """The store has refused a record, among others that it took."""


_UNFIT = (ProwessError, KeyError, ValueError, TypeError, OverflowError, apsw.ConstraintError)
"""What comes of a record that no worker of ours wrote: text that cannot be kept, the same twice, and the like."""


@contextmanager
def _together(*, apart: bool) -> Iterator[None]:
    """Records that are taken in together fail together; which of them it was is found out by taking each `apart`."""
    try:
        yield
    except _UNFIT as error:
        if apart:
            raise
        raise _Refused from error


def _lines(file: BinaryIO, size: int) -> list[bytes]:
    """The next lines that begin before `size`, up to one that is torn or being written."""
    lines: list[bytes] = []
    while len(lines) < _BATCH and file.tell() < size and (line := file.readline()).endswith(b"\n"):
        if file.tell() >= size and _content(line) is None:
            break  # the last one: torn, where a power cut has left its end and not its middle
        lines.append(line)
    return lines


def _record(line: bytes) -> Told | Usage | Verification | Trial | str:
    """What a line tells, an account with what was read ahead of it; or why it tells nothing."""
    content = _content(line)
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        return "the line is damaged"
    try:
        record = from_json(_KINDS[content["kind"]], content["data"])
        return (record, versions_in(record, content.get("ahead"))) if isinstance(record, Account) else record
    except (ProwessError, KeyError) as error:
        return str(error)


def _take(store: Store, record: Told | Usage | Verification | Trial, arrivals: Arrivals | None) -> str:
    """Give a record to the store, together with others where there are `arrivals`; why it was refused, or nothing."""
    if arrivals is not None:
        if isinstance(record, tuple) and arrivals.add(store.now(), *record):
            return ""
        arrivals.write()
    try:
        if isinstance(record, tuple):
            proposals = store.take(*record)
            if arrivals is not None:
                arrivals.know(record[0], proposals)
        elif isinstance(record, Usage):
            store.use([record])
        elif isinstance(record, Verification):
            store.verify(record)
        else:
            store.test(record)
    except _UNFIT as error:
        if arrivals is not None:
            raise _Refused from error
        return str(error) if isinstance(error, ProwessError) else words_of(error)
    return ""


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Busy(f"the journals in {folder} are being taken in by another process", hint="wait for it") from None
    finally:
        os.close(handle)


def _told(record: Record) -> Json:
    kind, read = _NAMES[type(record)], None
    if isinstance(record, Account):
        record, read = ahead(record)
    line: Json = {"kind": kind, "data": to_json(record)}
    if read is not None:
        line["ahead"] = read
    return line


def _line(data: Json) -> bytes:
    text = line_of(data).encode()
    return _checksum(text) + b" " + text + b"\n"


def _content(line: bytes) -> Json:
    """What a line holds, or None where it is torn or damaged."""
    checksum, _, text = line.removesuffix(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != _checksum(text):
        return None
    try:
        return parsed(text)
    except StoreError:  # no worker of ours wrote it
        return None


def _header(line: bytes) -> dict[str, str] | None:
    """What a segment's first line says of it, or None where it is torn, damaged or not there."""
    found = _content(line)
    if not isinstance(found, dict):
        return None
    segment, worker = found.get("segment"), found.get("worker")
    if not isinstance(segment, str) or not isinstance(worker, str) or not f"{segment}{worker}".isascii():
        return None
    return {"segment": segment, "worker": worker}


def _checksum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()


def _number(path: Path) -> int:
    number = path.name.removesuffix(SUFFIX).rpartition("-")[2]
    return int(number) if number.isdigit() else 0
