"""Checksums of a store's pages: a bit that flips on the disk is an error where it is read, never other content.

SQLite's own checksum VFS (cksumvfs, which comes with APSW) keeps eight bytes at the end of each page of the file and
compares them at each read. What is not in the file yet lies in the write-ahead log beside it, see `log`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

import apsw
import apsw.sqlite_extra

from prowess.errors import StoreError
from prowess.text.plural import counted

_RESERVED = 8
"""Bytes of each page that the checksum takes. The VFS works with exactly so many."""
_READ = 256
"""Pages that are read at once."""
MOST = 20
"""So many damaged pages are told."""


@cache
def load() -> None:
    """Put the checksum VFS before all files that APSW opens from now on. Files of others have none, and stay so."""
    try:
        with closing(apsw.Connection("")) as db:
            apsw.sqlite_extra.load(db, "cksumvfs")
    except (apsw.Error, apsw.sqlite_extra.NotAvailable, LookupError) as error:
        raise StoreError(
            f"this build of APSW has no checksums for SQLite's pages: {error}",
            hint="install the wheel: pip install --force-reinstall --only-binary apsw apsw",
        ) from None


def begin(db: apsw.Connection) -> None:
    """Give the pages of a file that is still empty their checksums."""
    size = ctypes.c_int(_RESERVED)
    db.file_control("main", apsw.SQLITE_FCNTL_RESERVE_BYTES, ctypes.addressof(size))


def checked(db: apsw.Connection) -> bool:
    """Whether the checksums of an open file are compared."""
    return bool(db.pragma("checksum_verification") == "1")


def is_damage(error: Exception) -> bool:
    """Whether an error of SQLite comes of a checksum that is wrong."""
    return bool(getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_DATA)


def damage(path: Path) -> tuple[str, ...]:
    """Each page of a store whose checksum is wrong, with what it holds, in words."""
    bad = list(_bad(path))
    if not bad:
        return ()
    holds = _holds(path, bad)
    lines = [f"page {page} is damaged: it holds {holds.get(page, 'nothing that is in use')}" for page in bad[:MOST]]
    more = len(bad) - MOST
    return (*lines, f"{counted(more, 'more page')} are damaged") if more > 0 else tuple(lines)


def _bad(path: Path) -> Iterator[int]:
    """The numbers of pages whose checksum is wrong; looked at twice, as somebody may be writing."""
    # SQLite's own file: to close another one would give its locks up.
    file = apsw.VFSFile("unix", str(path.resolve()), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
    with closing(apsw.Connection("")) as db:
        try:
            size, each = file.xFileSize(), _page_size(file.xRead(100, 0))
            for first in range(0, size, each * _READ):
                block = file.xRead(min(each * _READ, size - first), first)
                for at in range(0, len(block), each):
                    if not _whole(db, block[at : at + each], each):
                        again = file.xRead(min(each, size - first - at), first + at)
                        if not _whole(db, again, each):
                            yield (first + at) // each + 1
        finally:
            file.xClose()


def _page_size(header: bytes) -> int:
    found = int.from_bytes(header[16:18], "big")
    return found if found >= 512 and found & (found - 1) == 0 else 4096


def _whole(db: apsw.Connection, page: bytes, size: int) -> bool:
    return len(page) == size and db.execute("SELECT verify_checksum(?)", (page,)).get == 1


def _holds(path: Path, pages: Sequence[int]) -> dict[int, str]:
    """What pages hold, in words, as far as the file can still tell."""
    marks = ", ".join("?" * len(pages))
    asked = (
        "SELECT d.pageno, coalesce(m.tbl_name, d.name), m.type = 'index' FROM dbstat d"
        f" LEFT JOIN sqlite_schema m ON m.name = d.name WHERE d.pageno IN ({marks})"
    )
    found: dict[int, str] = {}
    with suppress(apsw.Error), closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        db.execute("PRAGMA checksum_verification = OFF")
        for page, table, index in db.execute(asked, tuple(pages)):
            found[page] = ("an index of " if index else "") + _WORDS.get(table.partition("_")[0], f"'{table}'")
        return found
    return found | {page: "what can no longer be told" for page in pages if page not in found}


_WORDS = {
    "sqlite": "the list of all tables",
    "version": "versions of skills: their code",
    "api": "the APIs that skills call",
    "provenance": "where skills came from",
    "trial": "recorded calls",
    "verification": "what checks said",
    "usage": "uses",
    "event": "events",
    "snapshot": "snapshots",
    "segment": "how far journals are taken in",
    "refused": "what journals told in vain",
    "filled": "which world filled the store",
    "skill": "derived rows (skills)",
    "state": "derived rows (states)",
    "name": "derived rows (names)",
    "span": "derived rows (history)",
    "statistics": "derived rows (statistics)",
    "document": "derived rows (texts to search in)",
    "pin": "derived rows (pins)",
    "edge": "derived rows (relations)",
    "text": "the text index",
    "frequency": "the text index (how often words occur)",
    "corpus": "the text index (sizes)",
}
"""Tables in words, by what stands before the first underscore: the text index has several."""
