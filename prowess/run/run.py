"""A run folder, for reading or for writing."""

from __future__ import annotations

import gzip
import json
import os
import threading
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote, unquote

from prowess.errors import NotThere, StoreError
from prowess.files.codec import Played, from_json, line_of, page_of, parsed, to_json
from prowess.files.disk import read_text, storing, write_whole
from prowess.run.about import About, Status, new_about, read_about
from prowess.run.folder import (
    ABOUT,
    EPISODES,
    LIBRARY,
    METRICS,
    RECIPE,
    empty,
    hold,
    is_blank,
    is_run,
    reading,
    refuse_foreign,
    sweep,
)
from prowess.run.metrics import StepMetrics, append, entries, mend, rewind, torn
from prowess.run.recipe import differences, toml
from prowess.types import Json

UNIT = ".jsonl.gz"
"""How the file of a unit of work ends."""
_EFFORT = 6
"""Of gzip, from 1 to 9: an episode's tenth is left."""
_NAMED = 8
"""Runs that are named where one has to be chosen."""
_DAMAGED = "the file is damaged: delete it, and the command that made the run plays again what it held"


class Run:
    """A run folder, opened for reading (`Run.open`) or held for writing (`Run.create`, best in a `with`)."""

    __slots__ = ("_appending", "_lock", "about", "folder")

    def __init__(self, folder: Path, about: About, lock: int | None = None) -> None:
        self.folder = folder
        self.about = about
        self._lock = lock
        self._appending = threading.Lock()

    @classmethod
    def create(
        cls,
        folder: str | Path,
        *,
        command: str,
        recipe_toml: str,
        seed: int,
        library: str = "",
        resume: bool = False,
        force: bool = False,
        free: Collection[str] = (),
    ) -> Run:
        """Begin a run in a new or empty folder, and hold it for writing.

        A folder that already holds a run is continued with `resume` when its recipe is the same (keys in `free`, such
        as `workers`, may differ), or emptied and begun again with `force`. One that failed before it wrote
        anything is begun again with any recipe. Others' files are never touched.
        """
        path = Path(folder)
        if resume and force:
            raise StoreError(f"run {path}: asked both to resume it and to begin it again", hint="choose one")
        with storing(path, hint="name another folder, in which files can be made"):
            if path.exists() and not path.is_dir():
                raise NotThere(f"run {path} is a file, not a folder", hint="name another folder")
            refuse_foreign(path)
            path.mkdir(parents=True, exist_ok=True)
            lock = hold(path)
        try:
            # Looked at again under the lock: another process may have begun a run in between.
            if (path / ABOUT).exists():
                if not (resume or force):
                    about = read_about(path)
                    raise StoreError(
                        f"{path} already holds a run ({about.command}, {about.status}, begun {about.created})",
                        hint="resume it, or --force to delete it and begin again, or another folder",
                    )
                if resume and not is_blank(path):
                    return cls._resume(path, recipe_toml, command, free, lock)
            with storing(path):
                empty(path)
                (path / EPISODES).mkdir(exist_ok=True)
                write_whole(path / RECIPE, recipe_toml)
            run = cls(path, new_about(command, seed, library), lock)
            # Last, because its presence is what makes the folder a run.
            run._write_about()
        except BaseException:
            os.close(lock)
            raise
        return run

    @classmethod
    def _resume(cls, path: Path, recipe_toml: str, command: str, free: Collection[str], lock: int) -> Run:
        about = read_about(path)
        if about.command != command:
            raise NotThere(f"{path} holds a run of '{about.command}', not '{command}'", hint="another folder")
        changed = differences(toml(read_text(path / RECIPE), path / RECIPE), toml(recipe_toml, "the recipe given"))
        if kept := [line for key, line in changed.items() if key not in free]:
            raise NotThere(
                f"cannot resume {path} with another recipe:\n  " + "\n  ".join(kept),
                hint="give the same recipe, or --force to delete this one and begin again, or another folder",
            )
        with storing(path):
            sweep(path)
            mend(path / METRICS)
            (path / EPISODES).mkdir(exist_ok=True)
        run = cls(path, replace(about, status=Status.RUNNING), lock)
        run._write_about()
        return run

    @classmethod
    def open(cls, folder: str | Path) -> Run:
        """Read a run; a process that is writing it is not disturbed."""
        path = Path(folder)
        if not path.exists():
            raise NotThere(f"no run at {path}: there is no such folder", hint="name the folder that --out named")
        if not is_run(path):
            raise NotThere(f"no run at {path}: it has no {ABOUT}", hint=_instead(path))
        return cls(path, read_about(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None and self.about.status is Status.RUNNING:
            if error is None:
                self.finish(Status.FINISHED)
            else:
                # The first error is the one to tell: a full disk may well refuse this write too.
                with suppress(StoreError):
                    self.finish(Status.INTERRUPTED)
        self.close()

    def close(self) -> None:
        """Let other processes write the run."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # --- the units of work ----------------------------------------------------------------------------

    def has(self, key: str) -> bool:
        """True once the unit of work is written, whole."""
        return self._file(key).is_file()

    def keys(self) -> tuple[str, ...]:
        """The units of work that are written, sorted."""
        if not (self.folder / EPISODES).exists():  # killed as it was emptied to be begun again
            return ()
        with storing(self.folder / EPISODES):
            names = [name for name in os.listdir(self.folder / EPISODES) if not name.startswith(".")]
        stems = [name.removesuffix(UNIT) for name in names if name.endswith(UNIT)]
        return tuple(sorted(unquote(stem, errors="surrogatepass") for stem in stems))

    def write_episodes(self, key: str, episodes: Iterable[Played]) -> None:
        """Write a unit of work, whole or not at all; one of the same key is replaced."""
        self._need_lock()
        text = "".join(f"{line_of(to_json(played))}\n" for played in episodes)
        with storing(self.folder):
            # Without the time, so that equal episodes are equal files.
            write_whole(self._file(key), gzip.compress(text.encode(), _EFFORT, mtime=0))

    def drop(self, key: str) -> None:
        """Take back a unit of work, which is to be done again; one that is not there is fine."""
        self._need_lock()
        with storing(self._file(key)):
            self._file(key).unlink(missing_ok=True)

    def episodes(self, key: str | None = None, *, naming: str = "") -> Iterator[Played]:
        """The episodes of a unit of work, or of all of them in the order of `keys()`.

        With `naming` only those in whose record this text stands somewhere: the others are not decoded.
        """
        needle = json.dumps(naming, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass")
        for each in self.keys() if key is None else (key,):
            path = self._file(each)
            with storing(path), _unpacking(path):
                lines = BytesIO(gzip.decompress(path.read_bytes()))
            for number, line in enumerate(lines, start=1):
                if needle not in line:
                    continue
                with reading(f"{path}:{number}", hint=_DAMAGED):
                    played = from_json(Played, parsed(line))
                yield played

    def _file(self, key: str) -> Path:
        """The file of a unit of work: its key, with what a file name cannot hold written as %XX."""
        name = quote(key, safe=" +,=@", errors="surrogatepass")
        name = "%2E" + name[1:] if name.startswith(".") else name
        if not name or len(name) > 200:
            raise StoreError(f"'{key}' cannot name a unit of work: it must have 1 to 200 characters")
        return self.folder / EPISODES / f"{name}{UNIT}"

    # --- metrics, texts, status -----------------------------------------------------------------------

    def log(self, step: int, metrics: Mapping[str, float]) -> None:
        """Append the metrics of a step; on disk when this returns."""
        self._need_lock()
        with self._appending:
            append(self.folder / METRICS, step, metrics)

    def metrics(self) -> tuple[StepMetrics, ...]:
        """The metrics by step, ascending. Where a resumed run logged a step again, the later values count."""
        return entries(self.folder / METRICS)

    @property
    def torn(self) -> bool:
        """Whether the last line of the metrics has no end: a writer was killed over it, or is just at it."""
        return torn(self.folder / METRICS)

    def rewind(self, step: int) -> None:
        """Take back the metrics of this step and all later ones, whose work is to be done again."""
        self._need_lock()
        rewind(self.folder / METRICS, step)

    def write_text(self, name: str, text: str) -> Path:
        """Write a file of the run by its name (`report.md`, `plots/work.svg`), whole or not at all. Needs no lock, so
        that a report can be made of a run at work."""
        path = self.folder / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise StoreError(f"'{name}' is not a name inside run {self.folder}")
        with storing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode(errors="backslashreplace"))
        return path

    def start_library(self, digest: str) -> None:
        """Note the digest of the library that the run starts from."""
        self._need_lock()
        self.about = replace(self.about, library=digest)
        self._write_about()

    def finish(self, status: Status | str = Status.FINISHED) -> None:
        """Note how the run ended."""
        self._need_lock()
        self.about = replace(self.about, status=Status(status))
        self._write_about()

    @property
    def library(self) -> Path:
        """The folder of the run's skills."""
        return self.folder / LIBRARY

    @property
    def recipe(self) -> Mapping[str, Json]:
        """The resolved recipe, read back."""
        return toml(read_text(self.folder / RECIPE), self.folder / RECIPE)

    def _write_about(self) -> None:
        with storing(self.folder / ABOUT):
            write_whole(self.folder / ABOUT, page_of(to_json(self.about)))

    def _need_lock(self) -> None:
        if self._lock is None:
            raise StoreError(f"run {self.folder} is open for reading only", hint="Run.create(..., resume=True) writes")


@contextmanager
def _unpacking(path: Path) -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise StoreError(f"{path}: {error}", hint=_DAMAGED) from None


def _instead(path: Path) -> str:
    """What to name instead of a folder that is no run: `learn` and `ablate` keep several in one."""
    inside = sorted(str(about.parent) for depth in ("*", "*/*") for about in path.glob(f"{depth}/{ABOUT}"))
    if not inside:
        return "name the folder that --out named"
    more = f" and {len(inside) - _NAMED} more" if len(inside) > _NAMED else ""
    return f"name one of the runs in it: {', '.join(inside[:_NAMED])}{more}"
