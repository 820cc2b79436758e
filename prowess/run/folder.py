"""The files of a run's folder: their names, who may write them, and what a killed writer left."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import StoreError
from prowess.files.codec import from_json, parsed
from prowess.files.disk import read_text, storing

ABOUT, RECIPE, METRICS, EPISODES, LIBRARY = "run.json", "recipe.toml", "metrics.jsonl", "episodes", "library"
WEIGHTS = "weights.json"
LOCK = ".lock"
OWN = frozenset(
    {
        *(ABOUT, RECIPE, METRICS, EPISODES, LIBRARY, WEIGHTS, LOCK, "report.md", "report.html", "plots"),
        *("checkpoints", "data", "tensorboard", "wandb", "wandb.id"),
        *("queue.jsonl", "rounds.jsonl", "exposures.jsonl", "care.jsonl", "costs.jsonl"),
        *("work.md", "compare", "compare.md"),
    }
)
"""Names that a run may hold: with any other, a folder without run.json is somebody else's."""
_WRITTEN = (EPISODES, LIBRARY, "checkpoints", "data", "plots")
"""Folders in which files and folders appear whole."""


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run: run.json is written last when one is begun, and deleted last."""
    return (folder / ABOUT).is_file()


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What weights.json holds."""

    of: str
    digest: str


def weights_in(folder: Path) -> tuple[str, str]:
    """Which weights a run's folder notes, and their digest: two empty texts where it notes none."""
    path = folder / WEIGHTS
    if not path.exists() and not path.is_symlink():
        return "", ""
    with reading(path, hint="delete it"):
        noted = from_json(Noted, parsed(read_text(path)))
    return noted.of, noted.digest


def hold(folder: Path) -> int:
    """Take the writer's lock; the kernel gives it back when the process ends, however it ends."""
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
    except BlockingIOError:
        holder = os.pread(handle, 20, 0).decode(errors="replace").strip() or "another one"
        os.close(handle)
        raise StoreError(
            f"run {folder} is being written by process {holder}", hint="wait for it, or name another folder"
        ) from None
    except BaseException:
        os.close(handle)
        raise
    return handle


def is_held(folder: Path) -> bool:
    """Whether a process is writing a run now."""
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def temporary(name: str) -> bool:
    """True for a file or a folder that was not whole yet, or no longer is."""
    return name.startswith(".") and name.endswith(".tmp")


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder that holds what no run wrote."""
    if not folder.exists() or (folder / ABOUT).exists():
        return
    foreign = sorted(name for name in os.listdir(folder) if name not in OWN and not temporary(name))
    if foreign:
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        raise StoreError(
            f"{folder} is not empty and not a run: it holds {', '.join(foreign[:3])}{more}",
            hint="name a new folder; nothing there was touched",
        )


def is_blank(folder: Path) -> bool:
    """Whether a run has nothing to lose: it was begun, and no more."""
    written = {entry.name for entry in folder.iterdir() if not temporary(entry.name)} - {LOCK, RECIPE, ABOUT, WEIGHTS}
    return written <= {EPISODES} and not any((folder / EPISODES).glob("*"))


def empty(folder: Path) -> None:
    """Delete what a run wrote, run.json last: killed in between, the folder is still a run."""
    kept = {LOCK, RECIPE, ABOUT}
    for entry in sorted(folder.iterdir()):
        if entry.name in kept or not (entry.name in OWN or temporary(entry.name)):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    (folder / ABOUT).unlink(missing_ok=True)


def discard(folders: Iterable[Path]) -> None:
    """Delete what some runs wrote, and nothing where one of them is being written."""
    runs = list(folders)
    with ExitStack() as locks:
        for folder in runs:
            locks.callback(os.close, hold(folder))
        for folder in runs:
            with storing(folder):
                empty(folder)


def sweep(folder: Path) -> None:
    """Delete what a killed writer left half written: files, and folders of checkpoints."""
    for place in (folder, *(folder / name for name in _WRITTEN)):
        for entry in place.iterdir() if place.is_dir() else ():
            if not temporary(entry.name):
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink(missing_ok=True)


@contextmanager
def reading(place: object, *, hint: str = "") -> Iterator[None]:
    """Say where in which file a record could not be read, and what to do then."""
    try:
        yield
    except StoreError as error:
        raise StoreError(f"{place}: {error.message}", hint=error.hint or hint) from None
