"""The leak gate on programs that it was not made with: what it lets through, and what it refuses without reason.

    python benchmarks/leak.py           40 programs in AppWorld's style, written without a look at the gate
    python benchmarks/leak.py --desk    desk's programs, as they are and spoilt, split by split (half a minute)

A program with a value of its episode should be refused. In doubt, the gate abstains and names the value.
"""

from __future__ import annotations

import argparse
import ast
import json
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from prowess_desk.engine.world import DeskSuite
from prowess_desk.expert.expert import Expert
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings

from prowess.play import Agent
from prowess.play.prompts import prompt_named
from prowess.sandbox import SandboxSettings, open_sandbox
from prowess.skills.extract import skills_in
from prowess.skills.library import Library
from prowess.store.canon import version_of
from prowess.store.db import Store, account_of
from prowess.store.gates.admission import replay_settings, subject_of
from prowess.store.gates.context import Context, Subject, words_in
from prowess.store.gates.leak import leak
from prowess.store.record import Provenance, Trial
from prowess.store.settings import GateSettings
from prowess.worlds.expert import ExpertSettings

UNSEEN = Path(__file__).with_name("leak_unseen.toml")
VERDICTS = {"fail": "refused", "abstain": "in doubt", "pass": "passed"}


def subject_from(program: dict[str, Any]) -> Subject:
    """A program of the file as it would come to the gate."""
    skill = skills_in(program["source"])[-1]
    version = version_of(skill, namespace="appworld")
    api = version.apis[0] if version.apis else "spotify.show_song"
    answers = tuple({"api": api, "answer": json.loads(text)} for text in program["seen"])
    return Subject(
        version=version,
        skill=program["name"],
        provenances=(Provenance(world="appworld", instruction=program["instruction"]),),
        trials=(Trial(digest=version.digest, call=f"{version.name}()", answers=answers),),
    )


def unseen(context: Context) -> None:
    """Every program of the file that is not judged as it should be, then the counts."""
    counts: Counter[tuple[bool, str]] = Counter()
    for program in tomllib.loads(UNSEEN.read_text())["program"]:
        said = leak(subject_from(program), context, GateSettings())
        spoilt = bool(program["leaks"])
        counts[spoilt, said.verdict] += 1
        if said.verdict != ("fail" if spoilt else "pass"):
            named = [one["value"] for one in said.evidence.get("values", ())]
            print(f"  {program['name']}: {VERDICTS[said.verdict]}, leaks {program['leaks']}, named {named}")
    told("with a value of the episode", {verdict: counts[True, verdict] for verdict in VERDICTS})
    told("clean", {verdict: counts[False, verdict] for verdict in VERDICTS})


def told(what: str, counts: dict[str, int]) -> None:
    total = sum(counts.values())
    print(f"{what}: {total}; " + ", ".join(f"{VERDICTS[verdict]} {counts[verdict]}" for verdict in VERDICTS))


def desk() -> None:
    """The expert's program of every family, as it is and with each parameter in turn replaced by its value."""
    splits = {family.program.name: family.split for family in FAMILIES.values()}
    good: Counter[tuple[str, str]] = Counter()
    bad: Counter[tuple[str, str]] = Counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "skills.db") as store,
        closing(open_sandbox(replay_settings(SandboxSettings()))) as sandbox,
    ):
        suite = DeskSuite(DeskSettings(), sandbox)
        context = Context(vocabulary=words_in(suite.documents()))
        agent = Agent(
            policy=Expert(ExpertSettings(styles=("student",))),
            retrieve=lambda library, task: (),
            prompt=prompt_named("skill"),
        )
        tasks = [task for split in suite.splits() for task in suite.tasks(split)]
        for task in tasks:
            if task.id.endswith(".0_1"):
                with closing(suite.open(task)) as world:
                    store.take(account_of(agent.play(task, world, Library(), seed=1), run="r", world="desk"))
        scenarios = {task.id: task.scenario for task in tasks}
        for entry in store.entries():
            if entry.version.name not in splits:
                continue
            subject = subject_of(store, entry, Context())
            home = subject.provenances[0].task
            others = [one for one in tasks if one.scenario == scenarios[home] and one.id != home]
            subject = replace(subject, siblings=tuple(one.instruction for one in others))
            split = splits[entry.version.name]
            good[split, leak(subject, context, GateSettings()).verdict] += 1
            for spoilt in spoiled(subject):
                bad[split, leak(spoilt, context, GateSettings()).verdict] += 1
    for split in dict.fromkeys(splits.values()):
        told(f"{split}, clean", {verdict: good[split, verdict] for verdict in VERDICTS})
        told(f"{split}, with a value", {verdict: bad[split, verdict] for verdict in VERDICTS})


def spoiled(subject: Subject) -> Iterator[Subject]:
    """The program with each of its parameters, in turn, replaced by the value of the recorded call."""
    if not subject.trials:
        return
    call: Any = ast.parse(subject.trials[0].call).body[0]
    for word in call.value.keywords:
        tree = ast.parse(subject.version.source)
        main = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == subject.version.name)
        if main.args.defaults:
            continue
        main.args.args = [one for one in main.args.args if one.arg != word.arg]
        main.body = [Put(word.arg, word.value).visit(node) for node in main.body]
        yield replace(subject, version=replace(subject.version, source=ast.unparse(ast.fix_missing_locations(tree))))


class Put(ast.NodeTransformer):
    """A name replaced by a value."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id == self.name else node


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--desk", action="store_true", help="desk's programs instead")
    given = parser.parse_args()
    if given.desk:
        desk()
    else:
        unseen(Context())


if __name__ == "__main__":
    main()
