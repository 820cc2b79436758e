"""The tables of docs/results/qwen, from the lines that study.py wrote.

    python docs/results/qwen/tables.py rows.jsonl [more.jsonl ...] > tables.md

A line for each way to play, its mean over seeds and runs with the standard deviation over them; below 100% of the
wanted lines, what is missing is simply not there.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

NAMES: Mapping[tuple[str, str], str] = {
    ("base", "react"): "bare model, ReAct prompt",
    ("base", "skill"): "bare model, skill prompt",
    ("base", "skill, no library"): "bare model, skill prompt, no library",
    ("sft", ""): "+ SFT",
    ("sft", "no library"): "+ SFT, no library",
    ("grpo", ""): "GRPO, no library, from the bare model",
    ("sft-grpo", ""): "GRPO, no library, from SFT",
    ("sage", ""): "**SAGE**",
    ("sage", "no library"): "SAGE, empty library at test",
    ("outcome", ""): "reward: outcome",
    ("chain", ""): "reward: chain",
    ("chain3", ""): "chains of three",
    ("base-start", ""): "start: bare model",
    ("self-distil", ""): "start: self-distilled",
    ("uplift", ""): "reward: measured uplift",
    ("group16-kl", ""): "groups of 16, KL 0.005",
    ("token-mean", ""): "token-mean loss",
    ("drop-flat", ""): "flat groups dropped, clip-higher",
    ("mixed-hybrid", ""): "mixed wording, hybrid retrieval",
    ("overlap", ""): "one step ahead",
}
"""What a label and a way to play are called; retrieval at test is added by its own name."""

FIGURES = (
    ("tgc", "TGC", 100),
    ("sgc", "SGC", 100),
    ("steps", "steps", 1),
    ("tokens", "tokens", 1),
    ("use", "use", 100),
)


def read(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The lines of several files; a later line of the same evaluation takes the place of an earlier one."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found[tuple(row[name] for name in ("model", "label", "seed", "play", "split"))] = row
    return list(found.values())


def table(rows: Sequence[Mapping[str, Any]], model: str, split: str) -> str:
    """A Markdown table of one model on one split."""
    by_play: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        if (row["model"], row["split"]) == (model, split) and "error" not in row:
            by_play[row["label"], row["play"]].append(row)
    order = [*NAMES, *(key for key in by_play if key not in NAMES)]
    lines = [
        "| | " + " | ".join(head for _, head, _ in FIGURES) + " | seeds |",
        "|---" * (len(FIGURES) + 2) + "|",
    ]
    for key in order:
        if mine := by_play.get(key):
            name = NAMES.get(key, f"{key[0]}, retrieval {key[1]}")
            lines.append(f"| {name} | " + " | ".join(_cell(mine, *figure) for figure in FIGURES) + f" | {len(mine)} |")
    return "\n".join(lines)


def _cell(rows: Sequence[Mapping[str, Any]], name: str, _: str, times: int) -> str:
    """The mean over seeds; the spread over seeds if there are several, over evaluation runs if not."""
    values = [row[name]["value"] * times for row in rows if row[name]["value"] == row[name]["value"]]
    if not values:
        return ""
    spread = stdev(values) if len(values) > 1 else rows[0][name]["sd"] * times
    text = f"{fmean(values):.1f}" if times == 100 or fmean(values) < 100 else f"{fmean(values):.0f}"
    return text if spread != spread else f"{text} ± {spread:.1f}"


def main() -> None:
    rows = read(map(Path, sys.argv[1:]))
    for model in dict.fromkeys(row["model"] for row in rows):
        for split in dict.fromkeys(row["split"] for row in rows):
            print(f"### {model}, {split}\n\n{table(rows, model, split)}\n")
    for row in rows:
        if "error" in row:
            print(f"- {row['model']} {row['label']} {row['play']} {row['split']}: {row['error'].splitlines()[0]}")


if __name__ == "__main__":
    main()
