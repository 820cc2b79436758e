"""Connections to the file: one for each thread, transactions that nest, and SQLite's refusals in words."""

from __future__ import annotations

import errno
import os
import shutil
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from prowess.errors import UNFORESEEN, MissingExtra, NotThere, StoreError, words_of
from prowess.files.disk import storing
from prowess.store.db.rows import CHANGED
from prowess.store.db.schema import APPLICATION, SCHEMA, VERSION

try:
    import apsw
except ImportError:
    raise MissingExtra("the skill store", "skills") from None

from prowess.store.db import filled, index, log, pages  # after it was said which extra is missing
from prowess.store.db.faults import fault_behind

_OPEN: dict[Path, int] = {}
"""Which process opened each file that is open. A fork copies SQLite's knowledge of locks, but not the locks."""
_USERS: Counter[Path] = Counter()


CHECKPOINT = 16_384
"""Pages in the write-ahead log before they are copied into the file: what is written twice meanwhile is copied once."""


ROOM = 65_536
"""Bytes that SQLite needs to open a store, for what its processes share beside the file. With less it speaks of an I/O
error, not of a full disk."""


class Connection(apsw.Connection):
    """A connection that keeps what the text index has to learn until the transaction ends, see `index.settle`."""

    def __init__(self, path: str, flags: int) -> None:
        super().__init__(path, flags)
        self.waiting: index.Waiting = []


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """How a file looked: another time, size or file, and it was written to."""

    at: int
    size: int
    inode: int


class Connections:
    """The connections of one store in this process."""

    __slots__ = ("__weakref__", "_all", "_at_rest", "_closed", "_guard", "_here", "_place", "path", "wait")

    def __init__(self, path: Path, *, create: bool, wait: float) -> None:
        self.path, self.wait = path, wait
        self._here = threading.local()
        self._all: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._guard = threading.Lock()
        self._closed = False
        self._at_rest: _Seen | None = None
        self._place = path.resolve()
        if not create and not path.exists():
            raise NotThere(f"no skill store at {path}", hint="name another file, or let it be created")
        with storing(path):
            if path.is_dir():
                raise NotThere(f"{path} is a folder, not a skill store", hint="name a file in it")
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._prepare()
        except BaseException:
            if not _USERS[self._place]:
                _OPEN.pop(self._place, None)
            raise
        _USERS[self._place] += 1

    def open(self) -> Connection:
        """A new connection, set up; whoever asks for it closes it."""
        if self._closed:
            raise StoreError(f"the skill store {self.path} is closed")
        if _OPEN.setdefault(self._place, os.getpid()) != os.getpid():
            raise StoreError(
                f"the skill store {self.path} was open when this process was forked from another",
                hint="start processes with spawn, or fork before the store is opened",
            )
        pages.load()
        with self.telling():
            self._at_rest = self._rests()
            db = self._here.last = Connection(*self._address())
            db.set_busy_timeout(int(self.wait * 1000))
            # How a question is answered does not depend on what it is asked with. Otherwise SQLite prepares a question
            # over two tables anew for every value, which takes three times as long as the answer.
            db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            # What another program may have written into the schema calls no function with side effects.
            db.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            # What a commit has acknowledged is on disk, also after a power cut.
            db.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536")
            db.execute(f"PRAGMA temp_store = FILE; PRAGMA wal_autocheckpoint = {CHECKPOINT}")
        with self._guard:
            self._all.add(db)
        return db

    def _rests(self) -> _Seen | None:
        """How the file looks where this user may not write and nobody else does; otherwise nothing.

        SQLite wants to write beside the file even to read it, as others might be writing. What rests is read as it is
        instead, and looked at again when something was read.
        """
        places = (self._place, self._place.parent)
        if not self._place.exists() or all(os.access(one, os.W_OK, effective_ids=True) for one in places):
            return None
        if self._place.with_name(f"{self._place.name}-wal").exists():
            return None
        seen = self._place.stat()
        return _Seen(at=seen.st_mtime_ns, size=seen.st_size, inode=seen.st_ino)

    def _address(self) -> tuple[str, int]:
        """What SQLite is to open, and how."""
        if self._at_rest is None:
            return str(self.path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        return f"file:{quote(str(self._place))}?immutable=1", apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI

    def here(self) -> Connection:
        """This thread's connection."""
        db: Connection | None = getattr(self._here, "db", None)
        if db is not None and self._at_rest is not None and not db.in_transaction and self._rests() != self._at_rest:
            db = None  # somebody writes now, or has written
        if db is None or self._closed or _OPEN.get(self._place) != os.getpid():
            db = self._here.db = self.open()
            self._here.depth, self._here.joined = 0, False
        return db

    @contextmanager
    def writing(self, *, apart: bool = True) -> Iterator[Connection]:
        """A transaction that writes; inside another one, a part of it that fails alone.

        Not `apart`: what is written inside has no parts, so that SQLite need not copy each page before each of them. If
        any of it fails, all of it is taken back.
        """
        with self.telling():
            db = self.here()
            depth: int = self._here.depth
            if depth < 0:
                raise StoreError("cannot write while reading", hint="leave the reading first")
            if self._here.joined:
                try:
                    yield db
                except BaseException:
                    self._here.failed = True
                    raise
                return
            begin, end, back = (
                ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
                if depth == 0
                else (f"SAVEPOINT s{depth}", f"RELEASE s{depth}", f"ROLLBACK TO s{depth}; RELEASE s{depth}")
            )
            before = db.waiting.copy()
            db.execute(begin)
            self._here.depth, self._here.joined, self._here.failed = depth + 1, not apart, False
            try:
                yield db
                if self._here.failed:
                    raise StoreError("a part of this failed, so nothing of it is kept", hint="take each part apart")
                if depth == 0:
                    index.settle(db)
                db.execute(end)
            except BaseException:
                db.waiting[:] = before  # also what was written since then comes back by this
                with suppress(apsw.Error):  # a full disk may have rolled back already
                    if db.in_transaction:
                        db.execute(back)
                raise
            finally:
                self._here.depth, self._here.joined, self._here.failed = depth, False, False

    @contextmanager
    def reading(self, *, whole: bool = False) -> Iterator[apsw.Connection]:
        """One consistent view, whatever others write meanwhile; `whole`: with what the text index is still to learn."""
        with self.telling():
            db = self.here()
            if db.in_transaction:
                if whole:
                    index.settle(db)
                yield db
                return
            db.execute("BEGIN")
            self._here.depth = -1
            try:
                yield db
                if self._at_rest is not None and self._rests() != self._at_rest:
                    raise StoreError(
                        f"the skill store {self.path} was written to while it was read", hint="give the command again"
                    )
            finally:
                self._here.depth = 0
                with suppress(apsw.SQLError):  # a page that cannot be read has ended it already
                    db.execute("ROLLBACK")

    def close(self) -> None:
        """Close every thread's connection."""
        with self._guard:
            if self._closed or _OPEN.get(self._place) != os.getpid():
                return
            self._closed = True
            for db in list(self._all):
                db.close()
        _USERS[self._place] -= 1
        if not _USERS[self._place]:
            del _OPEN[self._place]

    @contextmanager
    def telling(self) -> Iterator[None]:
        """SQLite's errors as ours, and what comes of rows that are not ours as the fault of these."""
        try:
            yield
        except apsw.NotADBError:
            raise NotThere(f"{self.path} is not a skill store: it is not an SQLite file", hint=_OTHER) from None
        except apsw.BusyError:
            raise StoreError(
                f"the skill store {self.path} has been busy for {self.wait:g} s",
                hint="another process holds a long transaction: wait for it, then try again",
            ) from None
        except apsw.FullError:
            raise self._full() from None
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.PermissionsError) as error:
            if pages.is_damage(error):
                raise self._damaged("; ".join(pages.damage(self.path)[:3]) or words_of(error)) from None
            if isinstance(error, apsw.ReadOnlyError) or self._at_rest is not None:
                raise StoreError(
                    f"the skill store {self.path} cannot be written to by this user",
                    hint="let its owner do it, or work on a copy: prowess skills backup FILE, then --store FILE",
                ) from None
            if self._quota_is_used_up():
                raise self._full(f"the disk quota for the skill store {self.path} is used up") from None
            if isinstance(error, apsw.IOError) and self._free() < ROOM:
                raise self._full() from None
            with storing(self.path):
                if not os.access(self._place.parent, os.W_OK, effective_ids=True):
                    raise StoreError(
                        f"the skill store {self.path} was left by a process that was killed, and this user may not"
                        " write to its folder, as reading on takes",
                        hint="let its owner look first: prowess skills list",
                    ) from None
            raise StoreError(f"cannot use the skill store {self.path}: {error}", hint="check its folder") from None
        except apsw.CorruptError as error:
            raise self._damaged(str(error)) from None
        except apsw.Error as error:
            if getattr(self._here, "depth", 0) > 0:  # whoever began the transaction has all of it taken back
                raise
            raise StoreError(f"the skill store {self.path} refuses this: {words_of(error)}", hint=CHANGED) from error
        except UNFORESEEN as error:
            if getattr(self._here, "depth", 0) > 0 or self._closed:
                raise
            if (fault := fault_behind(self.here(), self.path, error)) is None:
                raise
            raise fault from error

    def _damaged(self, what: str) -> StoreError:
        return StoreError(
            f"the skill store {self.path} is damaged: {what}",
            hint="put a copy in its place (`prowess skills backup` makes them); `prowess skills ingest` then"
            " takes in anew what the journals beside it tell, `prowess skills propose RUN` what runs wrote",
        )

    def _quota_is_used_up(self) -> bool:
        """Whether this is what the system said last. SQLite knows a full disk, and takes this for a broken one."""
        db: Connection | None = getattr(self._here, "last", None)
        with suppress(apsw.ConnectionClosedError):
            return db is not None and db.system_errno == errno.EDQUOT
        return False

    def _full(self, what: str = "") -> StoreError:
        return StoreError(
            what or f"the disk of the skill store {self.path} is full ({self._free() // 1024} KiB are free)",
            hint="nothing that it held is lost, only what was being written is not in it: free some space in"
            f" {self._place.parent}, then give the same command again",
        )

    def _free(self) -> int:
        """Bytes that are free where the file lies."""
        with storing(self.path):
            return shutil.disk_usage(self._place.parent).free

    def _prepare(self) -> None:
        """Make an empty file a store; refuse one that is none, or of another schema."""
        if not _USERS[self._place] and (torn := log.damage(self._place)):  # before SQLite leaves out what follows
            raise self._damaged(torn)
        db = self.open()
        try:
            with self.telling():
                if not self._empty(db):
                    self._compare(db)
                    return
                pages.begin(db)
                _to_wal(db, time.monotonic() + self.wait)
                db.execute("BEGIN IMMEDIATE")
                try:
                    if self._empty(db):  # looked at again under the lock: another process may have been faster
                        db.execute(SCHEMA)
                        db.execute(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}")
                    self._compare(db)
                    db.execute("COMMIT")
                except BaseException:
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                    raise
        finally:
            db.close()

    def _compare(self, db: apsw.Connection) -> None:
        """Refuse a file whose tables are others than ours, or in which other things happen than we write."""
        if not pages.checked(db):
            raise self._damaged("its pages have no checksums")
        found, made, may = _schema(db), _made(), _made() | _may()
        wrong = [
            f"no {_named(key)} with {part.columns}"
            for key, part in made.items()
            if key not in found or found[key].columns != part.columns
        ]
        # What is not ours may do what we do not write: triggers, views, indexes over expressions, generated columns.
        wrong += [_a(key) for key in found if key not in may]
        wrong += [f"{_a(key)} that is defined otherwise" for key, part in found.items() if part != may.get(key)]
        if wrong:
            raise StoreError(
                f"the skill store {self.path} is not as prowess makes them: it has {wrong[0]}",
                hint=CHANGED,
            )

    def _empty(self, db: apsw.Connection) -> bool:
        """Whether nothing is in the file yet; what is no store of this schema is refused."""
        mark, version = db.pragma("application_id"), int(str(db.pragma("user_version")))
        if mark != APPLICATION:
            if version or db.execute("SELECT count(*) FROM sqlite_schema").get:
                raise NotThere(f"{self.path} is not a skill store: it is another program's database", hint=_OTHER)
            return True
        if version != VERSION:
            raise StoreError(
                f"the skill store {self.path} has schema {version}, this version of prowess reads {VERSION}",
                hint="use the version of prowess that wrote it: export its skills there, and import them here",
            )
        return False


_OTHER = "name another file"
_SCHEMA = (
    "SELECT m.type, m.name, coalesce(m.sql, ''),"
    " (SELECT group_concat(c.name, ', ') FROM pragma_table_xinfo(m.name) c WHERE m.type = 'table')"
    " FROM sqlite_schema m ORDER BY m.rowid"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A table, an index or the like, as a file's schema tells it."""

    columns: str
    sql: str


def _schema(db: apsw.Connection) -> dict[tuple[str, str], _Part]:
    """The parts of a file's schema, by their types and names."""
    rows = db.execute(_SCHEMA)
    return {(str(kind), str(name)): _Part(columns=str(cols or ""), sql=str(sql)) for kind, name, sql, cols in rows}


def _named(key: tuple[str, str]) -> str:
    kind, name = key
    return f"{kind} {name!r:.80}"


def _a(key: tuple[str, str]) -> str:
    return f"{'an' if key[0] == 'index' else 'a'} {_named(key)}"


@cache
def _made() -> dict[tuple[str, str], _Part]:
    """The schema of a store of today."""
    with closing(apsw.Connection(":memory:")) as db:
        db.execute(SCHEMA)
        return _schema(db)


@cache
def _may() -> dict[tuple[str, str], _Part]:
    """What a store may have besides."""
    with closing(apsw.Connection(":memory:")) as db:
        db.execute(filled.TABLE)
        return _schema(db)


def _to_wal(db: apsw.Connection, deadline: float) -> None:
    """Change the file's journal mode; several that begin at once get in each other's way, so it is tried again."""
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL").get  # noqa: B018 (fetches)
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
