"""What commands cost as runs and skill stores grow: processor seconds, peak memory, and how soon something is shown.

    python benchmarks/growth.py                                              # 3,000 and 30,000 episodes, 10,000 skills
    python benchmarks/growth.py --episodes 3000,30000,100000 --skills 10000,100000 --folder /big/disk
    python benchmarks/growth.py --show growth.json                           # the tables of a file again

Runs are made of episodes that the expert really played on desk, told anew under other scenarios; stores of skills made
of desk's programs. Both are written by what writes them at work. Each row is a command in a process of its own, as a
user gives it, with its children; a command that takes longer than --limit seconds by the clock is ended and says so.
"Silent" is the longest time, of processor seconds of the command, in which it showed nothing; after two of them a
person doubts. What grows faster than its data has an exponent above 1 in the last column.

With --json the file says where it comes from: the commit, the seed, the machine and the day.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import pty
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path

from library_corpus import Corpus
from origin import origin

from prowess.files.codec import Played, from_json, line_of, parsed, to_json
from prowess.run import Run
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.record import Actor, Effect, Provenance, Status, Usage
from prowess.types import Origin, Skill

PROWESS = (sys.executable, "-m", "prowess")
BATCH = 500
"""Skills in one transaction."""
FAMILIES = 15
"""Scenarios of the split that the expert plays, where each of its families has one."""
SEED = 0
"""Of what the expert plays. The skills are the same for the same size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a command cost on something of a size."""

    what: str
    size: int
    cpu: float
    """Processor seconds, its children's included."""
    megabytes: float
    """The most memory that its first process held; 0 where it was not measured."""
    silent: float
    """The longest time without a sign, in processor seconds of the command alone."""
    cut: bool = False
    """Whether it was ended before it was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command to measure; in the words, PLACE is the run's folder or the store."""

    what: str
    words: Sequence[str]
    typed: str = ""
    """What the person types meanwhile."""


RUN = (
    Command(what="report", words=(*PROWESS, "report", "PLACE", "--out", "report")),
    Command(what="show, the list", words=(*PROWESS, "show", "PLACE")),
    Command(what="show --failed", words=(*PROWESS, "show", "PLACE", "--failed")),
    Command(what="show one task", words=(*PROWESS, "show", "PLACE", "TASK")),
)
_IN = "import sys; from prowess.store.db import Store; from prowess.store.record import Status; "
_OPEN = f"{_IN}store = Store.open('PLACE', create=False); "


def _skills(*words: str) -> tuple[str, ...]:
    return (*PROWESS, "skills", *words, "--store", "PLACE")


STORE = (
    *(Command(what=f"skills {name}", words=_skills(name)) for name in ("stats", "list", "costs", "uses", "log")),
    Command(what="skills search", words=_skills("search", "pay the rent of the flat")),
    Command(what="skills show", words=_skills("show", "SKILL")),
    Command(
        what="entries of all active",
        words=(sys.executable, "-c", f"{_OPEN}print(len(store.entries(statuses=[Status.ACTIVE])))"),
    ),
    Command(
        what="snapshot and library()",
        words=(sys.executable, "-c", f"{_OPEN}print(len(store.library(store.snapshot('growth').root)))"),
    ),
    Command(what="export jsonl", words=_skills("export", "--format", "jsonl", "--out", "all.jsonl")),
    Command(what="export agent-skills", words=_skills("export", "--out", "folders")),
    Command(what="serve, start to end of input", words=_skills("serve")),
    Command(what="skills review", words=_skills("review"), typed="q\n"),
    Command(what="skills merge", words=_skills("merge")),
    Command(what="skills merge, again", words=_skills("merge")),
)


def spent(command: Command, place: Path, at: Path, limit: float, size: int, named: dict[str, str]) -> Row:
    """Run a command on a terminal, and look at when it shows something."""
    words = [word.replace("PLACE", str(place)) for word in command.words]
    words = [next((word.replace(key, name) for key, name in named.items() if key in word), word) for word in words]
    ours, its = pty.openpty()
    serve = "serve" in command.what
    before = os.times()
    process = subprocess.Popen(
        words,
        cwd=at,
        stdin=subprocess.DEVNULL if serve else its,
        stdout=its,
        stderr=its,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(its)
    if command.typed:
        os.write(ours, command.typed.encode())
    began, seen, silent, peak, cut = time.monotonic(), 0.0, 0.0, 0.0, False
    while True:
        ready = select.select([ours], [], [], 0.02)[0]
        now, peak = _cpu(process.pid) or seen, max(peak, _peak(process.pid))
        if ready:
            with suppress(OSError):
                if os.read(ours, 1 << 16):
                    silent, seen = max(silent, now - seen), now
                    continue
        if ready or os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        if time.monotonic() - began > limit:
            os.killpg(process.pid, signal.SIGKILL)
            cut = True
            break
        silent = max(silent, now - seen)
    _, status = os.waitpid(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    os.close(ours)
    after = os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return Row(what=command.what, size=size, cpu=cpu, megabytes=peak, silent=silent, cut=cut)


def _peak(pid: int) -> float:
    """The most memory that a process that runs has held, in MB. What `wait4` says counts the process that began it."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
    return 0.0


def _cpu(pid: int) -> float:
    """Processor seconds of a process that runs."""
    with suppress(OSError, IndexError, ValueError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


# --- runs -----------------------------------------------------------------------------------------------------------


def evaluated(at: Path, scenarios: int) -> tuple[Path, Row]:
    """What the expert plays, and what that cost. The split is given as many scenarios as are asked for."""
    values = (
        f"seed={SEED}",
        f"evaluate.scenarios={scenarios}",
        f"suite.desk.scenarios={math.ceil(scenarios / FAMILIES)}",
    )
    sets = [word for value in values for word in ("--set", value)]
    words = (*PROWESS, "evaluate", "expert", *sets, "--out", "PLACE", "--force")
    row = spent(Command(what="evaluate expert", words=words), at / "played", at, 3600, 0, {})
    return at / "played", replace(row, size=sum(1 for _ in Run.open(at / "played").episodes()))


def run_of(played: Path, folder: Path, size: int) -> Path:
    """A run of so many episodes, in ten repetitions of its scenarios."""
    source = Run.open(played)
    units = [list(source.episodes(key)) for key in source.keys()]  # noqa: SIM118 (it is no mapping)
    each = len(units[0])
    with Run.create(folder, command="evaluate", recipe_toml='name = "growth"\n', seed=SEED) as run:
        for number in range(size // each):
            place, repetition = divmod(number, 10)
            scenario = f"{units[place % len(units)][0].episode.task.scenario}-{place}"
            told = [_told(one, scenario, repetition) for one in units[place % len(units)]]
            run.write_episodes(f"dev-run{repetition}-{scenario}", told)
    return folder


def _told(played: Played, scenario: str, repetition: int) -> Played:
    task = played.episode.task
    named = replace(task, scenario=scenario, id=f"{scenario}_{task.id.rpartition('_')[2]}")
    return replace(played, run=repetition, episode=replace(played.episode, task=named))


def packing(folder: Path, episodes: int, rounds: int = 5) -> str:
    """What gzip gives and costs on some episodes of a run: bytes, and milliseconds to write and to read each."""
    run = Run.open(folder)
    names = run.keys()
    units = [list(run.episodes(name)) for name in islice(names, episodes // 3)]
    count = sum(map(len, units))
    spent: dict[str, list[tuple[float, float]]] = {"plain": [], "gzip": []}
    size = dict.fromkeys(spent, 0)
    for _ in range(rounds):
        for way in spent:
            began = time.process_time()
            texts = ["".join(f"{line_of(to_json(played))}\n" for played in unit).encode() for unit in units]
            held = [gzip.compress(text, 6, mtime=0) for text in texts] if way == "gzip" else texts
            wrote = time.process_time()
            for text in held:
                for line in (gzip.decompress(text) if way == "gzip" else text).splitlines():
                    from_json(Played, parsed(line))
            spent[way].append((1000 * (wrote - began) / count, 1000 * (time.process_time() - wrote) / count))
            size[way] = sum(map(len, held)) // count
    lines = ["| episodes | bytes each | ms to write | ms to read |", "|---|---|---|---|"]
    for way, times in spent.items():
        write, read = (statistics.median(part) for part in zip(*times, strict=True))
        lines.append(f"| {way} | {size[way]:,} | {write:.2f} | {read:.2f} |")
    return "\n".join(lines)


# --- stores ---------------------------------------------------------------------------------------------------------


def store_of(path: Path, size: int) -> str:
    """A store of so many skills, most of them active, some waiting for a person; the name of one."""
    made = _made(Corpus(size))
    with Store.open(path) as store:
        for start in range(0, size, BATCH):
            skills = list(islice(made, min(BATCH, size - start)))
            with store.many(apart=False):
                digests = [store.propose(skill, _from(skill)).digest for skill in skills]
                for number, digest in enumerate(digests):
                    irreversible = store.version(digest).version.effect is Effect.IRREVERSIBLE
                    if number % 100 == 0:
                        store.move(digest, Status.VERIFIED, Status.REVIEW, actor=Actor.GATE)
                        continue
                    if irreversible:
                        store.review(digest, "approve", who="growth")
                    store.move(digest, Status.VERIFIED, Status.PROBATION, Status.ACTIVE, actor=Actor.PERSON)
                store.use(
                    Usage(episode=f"e/{digest}", digest=digest, run="growth", task="t", called=1, success=True)
                    for digest in digests[::2]
                )
    return skills[-1].name


def _made(corpus: Corpus) -> Iterator[Skill]:
    for number in range(10**9):
        one = corpus.made(number)
        if found := skills_in(one.source):  # where words were exchanged so that it is still a program
            yield replace(
                found[-1], origin=Origin(task=f"t_{number}", scenario=one.scenario, instruction=one.instruction)
            )


def _from(skill: Skill) -> Provenance:
    return Provenance(run="growth", episode=f"growth/{skill.origin.task}/0", task=skill.origin.task, world="desk")


# --- tables ---------------------------------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """Markdown: a line for each command, a column for each size, and how the cost grew from the first to the last."""
    sizes = sorted({row.size for row in rows})
    lines = [
        "| command | " + " | ".join(f"{size:,}" for size in sizes) + " | silent | memory, MB | grows by |",
        "|---" * (len(sizes) + 4) + "|",
    ]
    for what in dict.fromkeys(row.what for row in rows):
        here = {row.size: row for row in rows if row.what == what}
        cells = [_cell(here[size]) if size in here else "" for size in sizes]
        last = here[max(here)]
        memory = f"{last.megabytes:.0f}" if last.megabytes else ""
        silent = max(row.silent for row in here.values())
        lines.append(f"| {what} | {' | '.join(cells)} | {silent:.1f} | {memory} | {_exponent(here)} |")
    return "\n".join(lines)


def _cell(row: Row) -> str:
    return f"not done after {row.cpu:.0f}" if row.cut else f"{row.cpu:.1f}"


def _exponent(here: dict[int, Row]) -> str:
    """k in cost ~ size ** k between the two largest sizes that were done; start-up is left out of neither."""
    done = sorted(size for size, row in here.items() if not row.cut)
    if len(done) < 2:
        return ""
    small, large = here[done[-2]], here[done[-1]]
    return f"{math.log(large.cpu / small.cpu) / math.log(large.size / small.size):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", default="3000,30000", help="sizes of runs, 0 for none")
    parser.add_argument("--skills", default="10000", help="sizes of stores, 0 for none")
    parser.add_argument("--played", default="10,100", help="scenarios that the expert really plays")
    parser.add_argument("--only", default="", help="only commands whose name holds this")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a command is ended")
    parser.add_argument("--folder", type=Path, help="keep what is made here, and use it again")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--show", type=Path, help="print the tables of such a file, and measure nothing")
    parser.add_argument("--packing", type=Path, metavar="RUN", help="what gzip gives on a run's episodes, and no more")
    given = parser.parse_args()
    if given.packing:
        print(packing(given.packing, 3000))
        return
    if given.show:
        told = json.loads(given.show.read_text())
        print("".join(f"{key}: {told[key]}\n" for key in told if key not in ("runs", "stores")))
        for part in ("runs", "stores"):
            print(f"{table([Row(**row) for row in told[part]])}\n")
        return
    with tempfile.TemporaryDirectory() as bare:
        at = (given.folder or Path(bare)).resolve()
        at.mkdir(parents=True, exist_ok=True)
        about = origin(SEED)
        found: dict[str, list[Row]] = {"runs": [], "stores": []}

        def keep(part: str, row: Row) -> None:
            found[part].append(row)
            print(f"{row.what} at {row.size:,}: {_cell(row)} CPU s, silent {row.silent:.1f}", flush=True)
            if given.json:
                rows = {name: [asdict(one) for one in part] for name, part in found.items()}
                given.json.write_text(json.dumps(about | rows, indent=1) + "\n")

        def measure(part: str, command: Command, place: Path, size: int, named: dict[str, str]) -> None:
            with tempfile.TemporaryDirectory(dir=at) as fresh:  # what is exported lands here
                keep(part, spent(command, place, Path(fresh), given.limit, size, named))

        for scenarios in _sizes(given.played):
            played, row = evaluated(at, scenarios)
            keep("runs", row)
        for size in _sizes(given.episodes):
            folder = at / f"run-{size}"
            if not folder.exists():
                run_of(played, folder, size)
            task = next(Run.open(folder).episodes()).episode.task.id
            for command in RUN:
                if given.only in command.what:
                    measure("runs", command, folder, size, {"TASK": task})
        for size in _sizes(given.skills):
            path = at / f"skills-{size}.db"
            name = path.with_suffix(".name")
            if not name.exists():
                name.write_text(store_of(path, size))
            path.with_name(f"{path.name}.builds").unlink(missing_ok=True)  # what an earlier merge kept
            for command in STORE:
                if given.only in command.what:
                    measure("stores", command, path, size, {"SKILL": name.read_text()})
        for rows in found.values():
            print(f"\n{table(rows)}" if rows else "")


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",") if int(size)]


if __name__ == "__main__":
    main()
