"""What contenders of benchmarks/gpu.py came to, as tables."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gpu_cases import Case, case_of
from rich.console import Console
from rich.markup import escape
from rich.table import Table

DROPPED = {"A": 2, "B": 2, "C": 1, "F": 1}
"""First turns that do not count, of each label; never more than half of them."""


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What one contender made of a case."""

    case: Case
    contender: str
    turns: list[dict[str, Any]] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)
    error: str = ""
    log: str = ""
    """The end of its log, if it failed."""

    @property
    def name(self) -> str:
        return f"{self.case.part}, LoRA {self.case.rank}" if self.case.rank else self.case.part

    def counted(self, label: str = "") -> list[dict[str, Any]]:
        """The turns of a label without those that warm up."""
        mine = [turn for turn in self.turns if turn.get("label", "") == label and "error" not in turn]
        return mine[min(DROPPED.get(self.case.part, 0), len(mine) // 2) :]

    def median(self, what: str | Callable[[dict[str, Any]], float], label: str = "") -> float | None:
        value = what if callable(what) else lambda turn: turn[what]
        found = [value(turn) for turn in self.counted(label)]
        return statistics.median(found) if found else None


def written(outcomes: Sequence[Outcome]) -> str:
    """All that is known, as JSON."""
    known = [asdict(each) for each in outcomes]
    return json.dumps(known, indent=1) + "\n"


def outcomes_in(file: Path) -> list[Outcome]:
    """The same, read again."""
    if not file.is_file():
        sys.exit(
            f"error: there are no results at {file}\nhint: name the folder of a run, or a results.json, with --out"
        )
    known = json.loads(file.read_text(encoding="utf-8"))
    return [Outcome(**each | {"case": case_of(json.dumps(each["case"]))}) for each in known]


def table(title: str, *headings: str) -> Table:
    made = Table(title=title, title_justify="left")
    for number, heading in enumerate(headings):
        made.add_column(heading, justify="right" if number else "left")
    return made


def number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def steps(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    """A and B, with how much longer TRL takes."""
    for name in dict.fromkeys(each.name for each in outcomes if each.case.part in "AB"):
        both = [each for each in outcomes if each.name == name]
        case = both[0].case
        what = (
            f"{case.prompts} openings x {case.group} replies of {case.reply} tokens"
            if case.part == "A"
            else f"{case.chains} chains of 2 tasks x {case.group} rollouts, {case.turns} turns at most"
        )
        shown = table(f"{name}: a step; {what}", "", *(_side(each) for each in both), "times as fast")
        lines: list[tuple[str, str | Callable[[dict[str, Any]], float], int, bool | None]] = [
            ("step, s", "seconds", 2, False),
            ("  weights to vLLM, s", "weights", 3, False),
            ("  generate, s", "generate", 2, False),
            ("    of it vLLM idle, s", "idle", 2, None),
            ("  learn, s", "learn", 2, False),
            ("generated tokens/s", lambda turn: turn["said"] / turn["generate"], 0, True),
            ("trained tokens/s", lambda turn: turn["trained"] / turn["learn"], 0, True),
            ("tokens of the step/s, end to end", lambda turn: turn["trained"] / turn["seconds"], 0, True),
            ("tokens said in a step", "said", 0, None),
            ("tokens trained in a step", "trained", 0, None),
            ("memory taken on the device, GiB", "memory", 1, None),
        ]
        for label, value, digits, more in lines:
            shown.add_row(*_row(label, [each.median(value) for each in both], digits, more))
        yield shown


def _side(outcome: Outcome) -> str:
    way = outcome.turns[-1].get("way") if outcome.turns else None
    return f"{outcome.contender} ({way})" if way else outcome.contender


def sampling(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    """C, with ours as a share of the best that vLLM does alone with the same seeds and log-probabilities."""
    mine = [each for each in outcomes if each.case.part == "C"]
    if not mine:
        return
    case = mine[0].case
    shown = table(
        f"C: sampling, tokens/s; replies of {case.reply} tokens", "", *(f"{one} in flight" for one in case.flights)
    )
    found: dict[str, list[float | None]] = {}
    for each in mine:
        for kind in ("", ", no seeds, no log-probabilities"):
            rates = [each.median("rate", f"{flight} in flight{kind}") for flight in case.flights]
            if any(rates):
                found[each.contender + kind] = rates
                shown.add_row(each.contender + kind, *(number(rate, 0) for rate in rates))
    ours = found.get("our policy")
    for rival in [name for name in found if name.startswith("vLLM")] if ours else []:
        pairs = zip(ours or [], found[rival], strict=True)
        shown.add_row(f"ours / {rival}", *(number(one / two) if one and two else "-" for one, two in pairs))
    yield shown


def learning(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    """D."""
    for each in outcomes:
        if each.case.part == "D" and each.turns:
            top = each.turns[0]
            title = f"D: learning; products: {top['layers']:.3g} TFLOP/s as in the layers, {top['large']:.3g} large"
            headings = ("micro", "s", "tokens/s", "computed/s", "TFLOP/s", "of the layers'", "of large", "GiB")
            shown = table(title, "", *headings)
            for turn in each.turns[1:]:
                if "error" in turn:
                    shown.add_row(turn["label"], f"{turn['micro']:,}", "failed")
                    continue
                shown.add_row(
                    turn["label"],
                    f"{turn['micro']:,}",
                    number(turn["seconds"]),
                    number(turn["rate"], 0),
                    number(turn["fed_rate"], 0),
                    number(turn["tflops"], 1),
                    f"{turn['share']:.0%}",
                    f"{turn['of_best']:.0%}",
                    number(turn["memory"], 1),
                )
            yield shown


def weights(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    """E."""
    for each in outcomes:
        if each.case.part == "E" and each.turns:
            flight = next((turn["flight"] for turn in each.turns if "flight" in turn), 0)
            headings = ("weights, ms", "sleep, ms", "wake, ms", f"tokens/s, {flight} in flight", "start, s", "GiB")
            shown = table("E: weights to the engine", "", *headings)
            for turn in each.turns:
                if "error" in turn:
                    shown.add_row(turn["label"], "failed")
                    continue
                times = [turn.get(name) for name in ("weights", "sleep", "wake")]
                shown.add_row(
                    turn["label"],
                    *(number(None if one is None else 1000 * one, 1) for one in times),
                    number(turn["rate"], 0),
                    number(turn["start"], 1),
                    number(turn["memory"], 1),
                )
            yield shown


def ahead(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    """F, with how much faster steps are one ahead."""
    for each in outcomes:
        if each.case.part == "F" and each.turns:
            labels = [*dict.fromkeys(turn["label"] for turn in each.turns)][::-1]
            what = f"{each.case.chains} chains of 2 tasks x {each.case.group} rollouts, {each.case.turns} turns at most"
            shown = table(f"{each.name}: a step of ours; {what}", "", *labels, "times as fast")
            lines: list[tuple[str, str | Callable[[dict[str, Any]], float], int, bool | None]] = [
                ("step, s", "seconds", 2, False),
                ("  until its rollouts are there, s", "play", 2, None),
                ("  learn, s", "learn", 2, None),
                ("tokens of the step/s, end to end", lambda turn: turn["trained"] / turn["seconds"], 0, True),
                ("gap of log-probabilities", "mismatch", 4, None),
                ("memory taken on the device, GiB", "memory", 1, None),
            ]
            for name, value, digits, more in lines:
                shown.add_row(*_row(name, [each.median(value, label) for label in labels], digits, more))
            yield shown


def _row(name: str, sides: Sequence[float | None], digits: int, more: bool | None) -> list[str]:
    """A line of two sides, and how many times as fast the first of two is; `more` says whether more is faster."""
    ratio = ""
    if more is not None and len(sides) == 2 and all(sides):
        mine, theirs = float(sides[0] or 0), float(sides[1] or 0)
        ratio = number(mine / theirs if more else theirs / mine)
    return [name, *(number(side, digits) for side in sides), ratio]


def show(outcomes: Sequence[Outcome]) -> None:
    console = Console(width=150)
    for about in {json.dumps(each.about): each.about for each in outcomes if each.about}.values():
        console.print(escape(", ".join(f"{name} {value}" for name, value in about.items())))
    for part in (steps, sampling, learning, weights, ahead):
        for each in part(outcomes):
            console.print(each)
    for each in outcomes:
        for turn in each.turns:
            if "error" in turn:
                console.print(escape(f"{each.name}, {turn['label']}: {turn['error']}"))
        if each.error:
            console.print(escape(f"{each.name}, {each.contender}: {each.error}\n{each.log}"))
