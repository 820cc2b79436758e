"""Does task 400 cost less than task 1? Streams with and without a library, and policies by whose library they use.

    python studies/work/study.py --out runs/work-study --start runs/quickstart/train

Stages are folders below --out; what is finished is not done again. `--only experts` leaves out the trained model.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from prowess.commands.dataset import Conversation, conversation_of, flaw_of, write_dataset
from prowess.commands.work import compare, curve, picture
from prowess.figures.plots import sheet
from prowess.figures.tables import markdown
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.starts import best_of
from prowess.pipeline.suites import suite_in
from prowess.play.prompts import prompt_named
from prowess.recipe import read
from prowess.run import Run, Status, is_run
from prowess.seeds import draw

HERE = Path(__file__).parent
STREAM, HELD_OUT = 420, 80
LIBRARY = ["retrieval.name=store", "retrieval.threshold=0.25", "retrieval.smoke=0", "work.approve=study"]
LIBRARY += [f"work.tasks={STREAM}"]
DESK = ["suite.desk.scenarios=4", "suite.desk.wording=mixed", *LIBRARY]
STYLES = {"student": "student", "hasty": "hasty"}
TINY = ["policy.name=local", "retrieval.top=3", *LIBRARY, "work.tasks=240"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/work-study"))
    parser.add_argument("--start", type=Path, default=Path("runs/quickstart/train"), help="a run of quickstart")
    parser.add_argument("--only", choices=["experts", "trained", "write"], default="")
    given = parser.parse_args()
    out: Path = given.out
    out.mkdir(parents=True, exist_ok=True)
    if given.only in ("", "experts"):
        experts(out)
    if given.only in ("", "trained"):
        trained(out, given.start)
    written(out)


def experts(out: Path) -> None:
    """A careful reader and one with a bad habit work through all of desk, and are then lent each other's library."""
    queue = every_task(out / "queue.txt", DESK)
    for name, style in STYLES.items():
        sets = [*DESK, f"expert.styles=['{style}']", f"work.queue={queue}"]
        work(out / name, sets, store=out / f"{name}.db")
        if name == "student":
            work(out / f"{name}-bare", [*sets, "work.library=none"], store=out / f"{name}.db")
    for name, other in (("student", "hasty"), ("hasty", "student")):
        sets = [*DESK, f"expert.styles=['{STYLES[name]}']", f"work.queue={queue}"]
        work(out / name, sets, store=out / f"{name}.db", against=out / f"{other}.db")


def trained(out: Path, start: Path) -> None:
    """The model of quickstart learns from an expert's stream to use what a store offers; then it works on its own."""
    demos = [*LIBRARY, "policy.name=expert", "expert.styles=['careful']", "work.mask=0.4"]
    work(out / "demos", demos, recipe="quickstart", store=out / "careful.db")
    sft = out / "tiny-sft"
    if not ended(sft):
        data = out / "demos" / "data"
        write_dataset(data, conversations(out / "demos"))
        sets = [f"sft.data={data / 'sft.jsonl'}", f"model.name={best_of(start)}", "sft.epochs=4"]
        call("sft", "quickstart", *given(sets), "--out", str(sft))
    sets = [*TINY, f"model.name={best_of(sft)}", "work.split=test_normal"]
    work(out / "tiny", sets, recipe="quickstart", store=out / "tiny.db")
    work(out / "tiny-bare", [*sets, "work.library=none"], recipe="quickstart", store=out / "tiny.db")
    work(out / "tiny", sets, recipe="quickstart", store=out / "tiny.db", against=out / "careful.db")


def every_task(path: Path, sets: Sequence[str]) -> Path:
    """All tasks of all splits of desk in a drawn order, as a queue."""
    if not path.exists():
        with suite_in(read(Recipe, "expert", list(sets))) as suite:
            ids = [task.id for split in suite.splits() for task in suite.tasks(split)]
        draw(0, "queue").shuffle(ids)
        path.write_text("".join(f"{id}\n" for id in ids))
    return path


def conversations(folder: Path) -> Iterator[Conversation]:
    """What is worth imitating of a stream."""
    recipe = read(Recipe, str(folder / "recipe.toml"))
    prompt = prompt_named(recipe.agent.prompt)
    for played in Run.open(folder).episodes():
        if flaw_of(played.episode, recipe.agent) is None:
            yield conversation_of(played.episode, prompt, recipe.agent, split=played.split, temperature=0.0)


def work(
    folder: Path, sets: Iterable[str], *, store: Path, recipe: str = "expert", against: Path | None = None
) -> None:
    """One run of `prowess work`, unless it is there."""
    done = ended(folder) and (against is None or (folder / "compare.md").exists())
    if not done:
        more = ["--compare", str(against), "--compare-tasks", str(HELD_OUT)] if against else []
        call("work", recipe, *given(sets), "--store", str(store), "--out", str(folder), *more)


def ended(folder: Path) -> bool:
    return is_run(folder) and Run.open(folder).about.status is Status.FINISHED


def given(sets: Iterable[str]) -> list[str]:
    return [part for one in sets for part in ("--set", one)]


def call(*command: str) -> None:
    print("prowess", *command, file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-m", "prowess", *command], check=True, stdout=subprocess.DEVNULL)


# --- what is written ---------------------------------------------------------------------------------


def written(out: Path) -> None:
    """Curves, the comparison, every task as CSV, and the tables, beside this file."""
    streams = {
        name: curve.points_of(Run.open(out / folder))
        for name, folder in (
            ("student, library grows", "student"),
            ("student, no library", "student-bare"),
            ("hasty, library grows", "hasty"),
            ("tiny (trained), library grows", "tiny"),
            ("tiny (trained), no library", "tiny-bare"),
        )
        if ended(out / folder)
    }
    parts = {"experts": ("student", "hasty"), "trained": ("tiny",)}
    for part, names in parts.items():
        some = {name: points for name, points in streams.items() if name.split(",")[0].split(" ")[0] in names}
        if some:
            (HERE / f"{part}.svg").write_text(sheet(picture.stream(some)))
    table = {
        policy: {kind: curve.points_of(Run.open(home)) for kind, home in homes(out / policy).items()}
        for policy in ("student", "hasty", "tiny")
        if (out / policy / "compare.md").exists()
    }
    if table:
        (HERE / "libraries.svg").write_text(sheet(picture.libraries(table)))
        (HERE / "libraries.csv").write_text(
            curve.csv_of({f"{policy}: {kind}": points for policy, row in table.items() for kind, points in row.items()})
        )
    (HERE / "streams.csv").write_text(curve.csv_of(streams))
    texts = [markdown(curve.table(streams)), markdown(compare.table(table)), growth(out)]
    (HERE / "tables.md").write_text("\n\n".join(texts) + "\n")


def homes(folder: Path) -> Mapping[str, Path]:
    return {kind: folder / "compare" / compare.folder_of(kind) for kind in compare.KINDS}


def growth(out: Path) -> str:
    """What became of the libraries, from the last round of each stream."""
    lines = [
        "| stream | rounds | skills offered at the end | root | on their way |",
        "| --- | ---: | ---: | --- | --- |",
    ]
    for name in ("student", "hasty", "tiny"):
        if ended(out / name):
            rounds = [json.loads(line) for line in (out / name / "rounds.jsonl").read_text().splitlines()]
            totals: dict[str, float] = {}
            last: dict[str, float] = {}
            for entry in Run.open(out / name).metrics():
                found = {key: value for key, value in entry.values.items() if key.startswith(("work/", "library/"))}
                last = {key: value for key, value in found.items() if key.startswith("library/")} or last
                for key, value in found.items():
                    if key.startswith("work/") and key != "work/waiting":
                        totals[key] = totals.get(key, 0) + value
            told = ", ".join(f"{key.partition('/')[2]} {value:.0f}" for key, value in [*totals.items(), *last.items()])
            lines.append(
                f"| {name} | {len(rounds) - 1} | {rounds[-1]['skills']} | `{rounds[-1]['root'][:16]}` | {told} |"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
