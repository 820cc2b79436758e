"""A copy of a store that is in use: the state of one moment in a file of its own, whole or not there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import apsw

from prowess.errors import RecipeError, StoreError
from prowess.files.disk import storing, sync_folder
from prowess.text.terminal import Watch, unseen

STEP = 2048
"""Pages that are copied at once."""


def copy(db: apsw.Connection, to: Path, watch: Watch = unseen) -> int:
    """Copy what a connection sees to a new file; how many bytes it has."""
    if to.exists() or to.is_symlink():
        raise RecipeError(f"{to} is there already, and a copy takes the place of nothing", hint="name a new file")
    draft = to.with_name(f".{to.name}.{os.getpid()}.tmp")
    with storing(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            _fill(db, draft, to, watch)
            size = draft.stat().st_size
            os.replace(draft, to)
        finally:
            for end in ("", "-wal", "-shm", "-journal"):
                with suppress(OSError):
                    draft.with_name(draft.name + end).unlink()
        sync_folder(to.parent)
    return size


def _fill(db: apsw.Connection, draft: Path, to: Path, watch: Watch) -> None:
    try:
        other = apsw.Connection(str(draft))
        try:
            pages = int(str(db.execute("PRAGMA page_count").get))  # of the moment that is copied, from here on
            with other.backup("main", db, "main") as copied, watch(pages, f"copy pages to {to}") as bar:
                while not copied.done:
                    copied.step(STEP)
                    bar.advance(min(STEP, pages))
                    pages -= min(STEP, pages)
            found = other.execute("PRAGMA quick_check(1)").get
        finally:
            other.close()
    except apsw.FullError:
        raise StoreError(f"{to}: there is no room for the copy", hint="free some space, or name another disk") from None
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.PermissionsError) as error:
        raise StoreError(f"cannot write the copy {to}: {error}", hint="check its folder, or name another") from None
    if found != "ok":
        raise StoreError(f"the copy is damaged, and so is the store, perhaps: {found}", hint="keep earlier copies")
