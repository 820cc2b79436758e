"""Commands in process groups of their own, killed and begun again, and what their runs came to."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from prowess.files.codec import to_json
from prowess.run import Run
from prowess.run.folder import LOCK

DYING = Path(__file__).with_name("dying.py")
TIMED = ("time/", "learn/seconds", "learn/tokens_per_second")
"""Figures that no two runs share."""
PATIENCE = 60.0
"""Seconds after which a command is killed no more."""
ADOPTING = 36
"""PR_SET_CHILD_SUBREAPER of Linux: processes that lose their parent become this process's children."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An unbroken run: how long it worked, and how often it was about to change a file."""

    seconds: float
    moments: int


class Commands:
    """`prowess` in a folder, with two threads at most for PyTorch, so that sums round alike."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1", "COLUMNS": "120"}

    def __call__(self, *words: str, code: int = 0) -> Ended:
        """To its end, which must be this code."""
        done = subprocess.run(
            [sys.executable, "-m", "prowess", *words],
            cwd=self.place,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert done.returncode == code, f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return Ended(code=done.returncode, out=done.stdout, err=done.stderr)

    def whole(self, out: str, *words: str) -> Whole:
        """To its end, with a count of the moments at which files change. OUT in the words is the run's folder."""
        told = self.place / "moments"
        process = self.start(out, *words, count=told)
        began = self._begun(process, self.place / out)
        _, said = process.communicate(timeout=240)
        assert process.returncode == 0, said
        return Whole(seconds=time.monotonic() - began, moments=int(told.read_text()))

    def start(self, out: str, *words: str, moment: int = 0, count: Path | None = None) -> subprocess.Popen[str]:
        """Begin a command in a process group of its own, which ends at this change of a file."""
        return subprocess.Popen(
            [sys.executable, str(DYING), str(moment), str(self.place), *(word.replace("OUT", out) for word in words)],
            cwd=self.place,
            env={**self.environment, **({"PROWESS_CHAOS_COUNT": str(count)} if count else {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def killed(self, *words: str, draw: Random, whole: Whole, times: int) -> list[Path]:
        """Kill a command so many times, or for a minute, half of them by the clock and half as it changes a file; in
        the end let it end. Where it ended before it was killed, it begins again in another folder: all of these."""
        folders = [self.place / "cut0"]
        began = time.monotonic()
        for number in range(times):
            if number > 1 and time.monotonic() - began > PATIENCE:
                break
            place, before = folders[-1], orphans()
            moment = draw.randint(1, max(2, whole.moments // 2)) if number % 2 else 0
            delay = draw.uniform(0, 0.7) * whole.seconds
            process = self.start(place.name, *words, moment=moment)
            if not moment:
                self._begun(process, place)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(delay)
                kill(process)
            _, said = process.communicate(timeout=240)
            assert process.returncode in (0, -signal.SIGKILL), said
            at = f"at change {moment}" if moment else f"after {delay:.2f} s"
            print(f"{words[0]} in {place.name}: {at}: {'killed' if process.returncode else 'it had ended'}")
            assert orphans(before, patience=10) == set()
            if (place / "run.json").exists():
                list(Run.open(place).episodes())  # whatever is there is whole
            if not process.returncode:
                folders.append(self.place / f"cut{len(folders)}")
        if folders[-1].exists():
            self(*(word.replace("OUT", folders[-1].name) for word in words))
        return [place for place in folders if place.exists()]

    def _begun(self, process: subprocess.Popen[str], folder: Path) -> float:
        """When a command has taken its run's folder, or has ended."""
        deadline = time.monotonic() + 120
        while process.poll() is None and not _held(folder / LOCK, process.pid):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return time.monotonic()


@contextmanager
def adopting() -> Iterator[None]:
    """Be the parent of processes that lose theirs."""
    ctypes.CDLL(None).prctl(ADOPTING, 1, 0, 0, 0)
    try:
        yield
    finally:
        ctypes.CDLL(None).prctl(ADOPTING, 0, 0, 0, 0)


def kill(process: subprocess.Popen[str]) -> None:
    """kill -9 of a process and its group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _held(lock: Path, pid: int) -> bool:
    with suppress(OSError):
        return lock.read_text().strip() == str(pid)
    return False


def orphans(before: Collection[int] = (), *, patience: float = 0) -> set[int]:
    """Processes whose parent is this one, but for those of before; dead ones are waited for, living ones get time."""
    deadline = time.monotonic() + patience
    while True:
        found = set()
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, parent = path.read_text().rpartition(")")[2].split()[:2]
                pid = int(path.parent.name)
                if int(parent) == os.getpid() and pid not in before:
                    found.add(pid)
                    if state == "Z" and patience:
                        with suppress(ChildProcessError):
                            os.waitpid(pid, os.WNOHANG)
        if not found or time.monotonic() >= deadline:
            return found
        time.sleep(0.02)


# --- what a run came to -------------------------------------------------------------------------------------------


def files(folder: Path) -> set[str]:
    """The names of all files below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def metrics(folder: Path) -> list[Mapping[str, str]]:
    """The metrics of a run but for times; as texts, in which nothing is like nothing."""
    return [
        {"step": str(entry.step)}
        | {name: str(value) for name, value in entry.values.items() if not name.startswith(TIMED)}
        for entry in Run.open(folder).metrics()
    ]


def episodes(folder: Path) -> dict[str, list[str]]:
    """The episodes of a run by unit of work, but for their times."""
    run = Run.open(folder)
    names = run.keys()
    return {name: [json.dumps(_timeless(to_json(one))) for one in run.episodes(name)] for name in names}


def _timeless(played: object) -> object:
    assert isinstance(played, dict) and isinstance(played["episode"], dict)
    return {**played, "episode": {**played["episode"], "seconds": 0}}


def same(one: Path, other: Path, *whole: str) -> None:
    """Two runs came to the same: the same files, episodes and metrics; files that begin with `whole` byte for byte."""
    assert files(one) == files(other) != set()
    assert episodes(one) == episodes(other)
    assert metrics(one) == metrics(other)
    for name in sorted(files(one)):
        if name.startswith(whole):
            assert (one / name).read_bytes() == (other / name).read_bytes(), name
    for folder in (one, other):
        assert Run.open(folder).about.status == "finished"
