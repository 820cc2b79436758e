"""The tables of studies/qwen, from the lines that study.py wrote.

    python studies/qwen/tables.py rows.jsonl [later.jsonl ...] [--more again.jsonl ...] [--picture FILE.png]
                                       [--waves FILE.png] > tables.md

A line for each way to play: the mean over training seeds, and the standard deviation over them, or over evaluation runs
where there is one seed. Below, SAGE beside its baselines and other trainings beside SAGE, on the scenarios that both
played and of the training seeds that both have: differences with 95% intervals by resampling families, since scenarios
of a family are alike, widened for few of these as in reports. The chance in training is not in them; seeds show it.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from together import together

from prowess.figures.intervals import Apart, tail_of

Row = Mapping[str, Any]
Key = tuple[str, str]

NAMES: Mapping[Key, str] = {
    ("base", "react"): "bare model, ReAct prompt",
    ("base", "skill"): "bare model, skill prompt",
    ("base", "skill, no library"): "bare model, skill prompt, no library",
    ("sft", ""): "+ SFT",
    ("sft", "no library"): "+ SFT, no library",
    ("sft-families", ""): "+ SFT without drills",
    ("sft-rank16", ""): "+ SFT, rank 16",
    ("sft-slow", ""): "+ SFT, rank 16, a third of the rate",
    ("taught", ""): "+ SFT, taught",
    ("taught", "no library"): "+ SFT, taught, no library",
    ("grpo", ""): "GRPO, no library, from the bare model",
    ("sft-grpo", ""): "GRPO, no library, from SFT",
    ("sage", ""): "**SAGE**",
    ("sage", "no library"): "SAGE, empty library at test",
    ("outcome", ""): "reward: outcome",
    ("chain", ""): "reward: chain",
    ("chain3", ""): "chains of three",
    ("base-start", ""): "start: bare model",
    ("self-distil", ""): "start: self-distilled",
    ("peers", ""): "compared by history",
    ("peers-token", ""): "compared by history, token-mean loss",
    ("rehearse", ""): "demonstrations rehearsed",
    ("rehearse", "no library"): "demonstrations rehearsed, empty library at test",
    ("rehearse-grpo", ""): "GRPO, no library, from SFT, demonstrations rehearsed",
    ("uplift", ""): "reward: measured uplift",
    ("group16-kl", ""): "groups of 16, KL 0.005",
    ("token-mean", ""): "token-mean loss",
    ("minibatches", ""): "four changes of the weights a step",
    ("most4", ""): "learnt from the four of eight that differ most",
    ("drop-flat", ""): "flat groups dropped, clip-higher",
    ("mixed-hybrid", ""): "mixed wording, hybrid retrieval",
    ("overlap", ""): "one step ahead",
}
"""What a label and a way to play are called; retrieval at test is added by its own name."""

END = "to the end"
"""Played until the turns or the context end, as in the paper: nobody is stopped for going in circles."""
WARM = "at temperature 1"
REWORDED = "reworded"
"""The tasks of a scenario in words of their own, one library for the split, hybrid retrieval."""
MANNERS = (END, WARM, REWORDED)
"""What is played so is compared with what is played so."""

FIGURES = (
    ("tgc", "TGC", 100),
    ("sgc", "SGC", 100),
    ("steps", "steps", 1),
    ("tokens", "tokens", 1),
    ("solved_steps", "steps if solved", 1),
    ("solved_tokens", "tokens if solved", 1),
    ("use", "use", 100),
)
"""Figure, heading, and what it is multiplied by. A column that no line has (older studies) is left out."""
SPLITS = ("test_normal", "test_challenge", "known", "fresh")
SAGE: Key = ("sage", "")
GRPO: Key = ("sft-grpo", "")
UNTRAINED = ("base", "sft", "sft-families", "sft-rank16", "sft-slow", "taught")
"""What reinforcement may begin with."""
BASELINES: Sequence[Key] = (("grpo", ""), ("sft-grpo", ""), ("sft", ""), ("taught", ""), ("sage", "no library"))
WANTED = {"sgc": 8.9, "steps": 26.0, "tokens": 59.0}
"""What the paper reports of SAGE against GRPO on test-normal: points of SGC, per cent fewer steps and tokens."""
RESAMPLES = 10_000


def read(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The lines of several files; a later line of an evaluation takes the place of an earlier one, an error of none."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in _lines(paths):
        if "error" not in row or "error" in found.get(_key(row), {"error": ""}):
            found[_key(row)] = row
    return list(found.values())


def with_more(rows: Iterable[dict[str, Any]], paths: Iterable[Path]) -> list[dict[str, Any]]:
    """And those of evaluations played once more: of the same weights in the same way, all runs make one line."""
    found = {_key(row): row for row in rows}
    for row in chain.from_iterable(read([path]) for path in paths):  # a study that went on wrote some lines twice
        before = found.get(_key(row), {"error": ""})
        if "error" in before:
            found[_key(row)] = row
        elif "error" not in row:
            if lost := {"runs", "scenarios"} - (before.keys() & row.keys()):
                raise SystemExit(f"error: --more: {_key(row)} stands in an older line without its {min(lost)}")
            found[_key(row)] = together(before, row)
    return list(found.values())


def _lines(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        try:
            lines = path.read_bytes().splitlines()
        except OSError as error:
            raise SystemExit(f"error: {path}: {error.strerror}") from None
        if not lines:
            raise SystemExit(f"error: {path}: it has no line: study.py adds one when an evaluation is done")
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                _key(row)
            except (ValueError, TypeError, KeyError):
                raise SystemExit(f"error: {path}:{number}: not a line of study.py's: {line[:60]!r}") from None
            yield row


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("model", "label", "seed", "play", "split"))


def plays_of(rows: Iterable[Row], model: str, split: str) -> dict[Key, list[Row]]:
    """The evaluations of a model on a split by the way to play: those that are named above first, then by manner."""
    by_play: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        if (row["model"], row["split"]) == (model, split) and "error" not in row:
            by_play[row["label"], row["play"]].append(row)
    return {key: by_play[key] for key in (*NAMES, *sorted(by_play.keys() - NAMES.keys(), key=_place)) if key in by_play}


def _place(key: Key) -> tuple[int, int, str, str]:
    """What is played in the same manner stands together, in the order of the labels above."""
    manner = next((place for place, one in enumerate(MANNERS, start=1) if key[1].endswith(one)), 0)
    labels = [*dict.fromkeys(label for label, _ in NAMES)]
    return (manner, labels.index(key[0]) if key[0] in labels else len(labels), *key)


def name_of(key: Key) -> str:
    if key in NAMES:
        return NAMES[key]
    if manner := next((one for one in MANNERS if key[1].endswith(one)), ""):
        return f"{name_of((key[0], key[1].removesuffix(manner).removesuffix(', '))).strip('*')}, {manner}"
    return f"{NAMES.get((key[0], ''), key[0]).strip('*')}, retrieval {key[1]}"


def table(rows: Iterable[Row], model: str, split: str) -> str:
    """A Markdown table of one model on one split."""
    plays = plays_of(rows, model, split)
    figures = [figure for figure in FIGURES if any(figure[0] in row for mine in plays.values() for row in mine)]
    heads = [*(head for _, head, _ in figures), "training", "seeds", "episodes"]
    lines = [f"| | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for key, mine in plays.items():
        broken = sum(row.get("errors", 0) for row in mine)
        count = f"{sum(row['episodes'] for row in mine)}" + (f" ({broken} broke)" if broken else "")
        cells = [*(_cell(mine, name, times) for name, _, times in figures), trained(mine), f"{len(mine)}", count]
        lines.append(f"| {name_of(key)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(rows: Sequence[Row], name: str, times: int) -> str:
    """The mean over seeds; the spread over seeds if there are several, over evaluation runs if not."""
    there = [row[name] for row in rows if name in row and not math.isnan(row[name]["value"])]
    if not there:
        return ""
    values = [one["value"] * times for one in there]
    spread = stdev(values) if len(values) > 1 else there[0]["sd"] * times
    digits = 1 if times == 100 or fmean(values) < 100 else 0
    return f"{fmean(values):.{digits}f}" + ("" if math.isnan(spread) else f" ± {spread:.{digits}f}")


def trained(rows: Sequence[Row]) -> str:
    """How long reinforcement took on average: the equal time of a comparison, or not."""
    minutes, steps = (fmean(row.get(name) or 0 for row in rows) for name in ("train_seconds", "train_steps"))
    return f"{minutes / 60:.0f} min" + (f", {steps:.0f} steps" if steps else "") if minutes else ""


# ---------------------------------------------------------------------------------------------------- differences


def paired(ours: Sequence[Row], theirs: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    """Of two trainings the seeds that both have, if there are any; what was not trained has no seed of its own.
    How long they took does not tell: of adapters that were trained elsewhere it is not known."""
    seeds = {row["seed"] for row in ours} & {row["seed"] for row in theirs}
    if not seeds or any(row["label"] in UNTRAINED for row in (*ours, *theirs)):
        return ours, theirs
    return [row for row in ours if row["seed"] in seeds], [row for row in theirs if row["seed"] in seeds]


def difference(ours: Sequence[Row], theirs: Sequence[Row]) -> dict[str, tuple[float, float, float]]:
    """Points of SGC more, and per cent fewer steps and tokens, each with its interval; NaN where there is none."""
    import numpy as np

    mine, other = _scenarios(ours), _scenarios(theirs)
    both = sorted(mine.keys() & other.keys())
    if not both:  # lines without scenarios: the means alone
        means = {name: [fmean(row[name]["value"] for row in rows) for rows in (ours, theirs)] for name in WANTED}
        return {name: (_gap(name, *pair), math.nan, math.nan) for name, pair in means.items()}
    families = sorted({_family(scenario) for scenario in both})
    count = len(families)
    member = np.array([[_family(scenario) == family for scenario in both] for family in families], dtype=float)
    picks = np.random.default_rng(0).multinomial(count, [1 / count] * count, size=RESAMPLES) @ member
    found = {}
    for name in WANTED:
        a, b = (np.array([one[scenario][name] for scenario in both]) for one in (mine, other))
        size = picks.sum(axis=1)
        low = high = math.nan
        if count > 1:  # one alone says nothing of others
            ends = [tail_of(count), 1 - tail_of(count)]
            gaps = _gap(name, picks @ a / size, picks @ b / size)
            more = _apart(name, ours, theirs).wider(float(gaps.var()), count - 1)
            low, high = np.quantile(gaps, ends) + np.array([-more, more])
        found[name] = (float(_gap(name, a.mean(), b.mean())), float(low), float(high))
    return found


def _apart(name: str, ours: Sequence[Row], theirs: Sequence[Row]) -> Apart:
    """What whole evaluations differ by, of either side, in the unit of the gap: with one library for a split all
    scenarios of an evaluation share it. Of SGC, without what its scenarios would differ by alone; of steps and tokens,
    with it, as lines do not tell how these differ from run to run."""
    a, b = (fmean(row[name]["value"] for row in rows) for rows in (ours, theirs))
    factors = (100.0, 100.0) if name == "sgc" else (100 / b, 100 * a / b**2)
    parts = [
        (factor**2 * _between(name, row) / len(rows) ** 2, len(row["runs"]) - 1)
        for factor, rows in zip(factors, (ours, theirs), strict=True)
        for row in rows
        if len(row.get("runs", ())) > 1
    ]
    total = sum(part for part, _ in parts)
    if not total:
        return Apart()
    return Apart(variance=total, freedom=total**2 / sum(part**2 / freedom for part, freedom in parts))


def _between(name: str, row: Row) -> float:
    """The variance that differences between whole evaluations give a line's figure."""
    count, shares = len(row["runs"]), [one["sgc"] for one in row.get("scenarios", {}).values()]
    chance = sum(share * (1 - share) for share in shares) / len(shares) ** 2 * count / (count - 1) if shares else 0.0
    return max(0.0, row[name]["sd"] ** 2 - (chance if name == "sgc" else 0.0)) / count


def _family(scenario: str) -> str:
    return scenario.rpartition(".")[0] or scenario


def _gap(name: str, ours: Any, theirs: Any) -> Any:
    return 100 * (ours - theirs) if name == "sgc" else 100 * (1 - ours / theirs)


def _scenarios(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Each scenario's means over seeds."""
    found: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for row in rows:
        for scenario, figures in row.get("scenarios", {}).items():
            found[scenario].append(figures)
    return {scenario: {name: fmean(one[name] for one in some) for name in WANTED} for scenario, some in found.items()}


def differences(rows: Iterable[Row], model: str, split: str) -> str:
    """SAGE beside its baselines, then every other training beside SAGE."""
    plays = plays_of(rows, model, split)
    pairs = [(SAGE, key) for key in BASELINES]
    others = [key for key in plays if key != SAGE and key not in BASELINES and not key[1].endswith(MANNERS)]
    pairs += [(key, SAGE) for key in others if key[0] not in (*UNTRAINED, GRPO[0])]
    pairs += [(key, GRPO) for key in others if key[0] == SAGE[0]]
    pairs = [pair for pair in (*pairs, *_alike(plays)) if plays.keys() >= {*pair}]
    if not pairs:
        return ""
    lines = ["| | SGC, points more | steps, % fewer | tokens, % fewer | training |", "|---|---|---|---|---|"]
    for ours, theirs in pairs:
        mine, other = paired(plays[ours], plays[theirs])
        found = difference(mine, other)
        cells = [
            f"{value:+.1f}" + ("" if math.isnan(low) else f" ({low:+.1f} to {high:+.1f})")
            for value, low, high in found.values()
        ]
        both = f"{trained(mine) or 'none'} / {trained(other) or 'none'}"
        lines.append(f"| {name_of(ours)} against {name_of(theirs)} | {' | '.join(cells)} | {both} |")
    judged = [pair for pair in pairs if pair[0][0] == SAGE[0] and "grpo" in pair[1][0] and split == SPLITS[0]]
    verdicts = [_verdict(plays, *pair) for pair in judged]
    return "\n".join(lines) + "".join(f"\n\n{verdict}" for verdict in verdicts)


def waves(rows: Iterable[Row], model: str, split: str) -> str:
    """SAGE with one library for the split, wave by wave: what it is worth before it holds anything, and after."""
    plays = plays_of(rows, model, split)
    heads = ["first wave", "second", "third", "second and third against GRPO"]
    lines = [f"| SGC / steps / tokens | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for key, mine in plays.items():
        manner = next((one for one in (END, WARM) if key[1].endswith(one)), "")
        found = key[1].removesuffix(manner).removesuffix(", ")
        if key[0] != SAGE[0] or found in ("", "no library", REWORDED) or (GRPO[0], manner) not in plays:
            continue
        if not _by_waves(mine):
            continue
        each = [_scenarios(_in_waves(mine, wave)) for wave in range(3)]
        cells = [_means(scenarios) for scenarios in each]
        gap = difference(*(_in_waves(some, 1, 2) for some in paired(mine, plays[GRPO[0], manner])))
        cells.append(" / ".join(f"{value:+.1f} ({low:+.1f} to {high:+.1f})" for value, low, high in gap.values()))
        lines.append(f"| {name_of(key)} | {' | '.join(cells)} |")
    return "\n".join(lines) if len(lines) > 2 else ""


def _by_waves(rows: Iterable[Row]) -> bool:
    """Whether a scenario's number is its wave: three of each family, as in test_normal. On dev, with up to five of
    fewer families, waves of as many begin and end within a number."""
    numbers = Counter(name.rpartition(".")[2] for row in rows for name in row.get("scenarios", {}))
    return numbers.keys() == {"0", "1", "2"} and len({*numbers.values()}) == 1


def _in_waves(rows: Iterable[Row], *numbers: int) -> list[Row]:
    """Lines with the scenarios of some waves alone: the first of each family is in the first wave, and so on."""
    wanted = {str(number) for number in numbers}
    return [
        {**row, "scenarios": {name: one for name, one in there.items() if name.rpartition(".")[2] in wanted}}
        for row in rows
        for there in [row.get("scenarios", {})]
    ]


def _means(scenarios: Mapping[str, Mapping[str, float]]) -> str:
    found = _mean(scenarios)
    return f"{100 * found['sgc']:.1f} / {found['steps']:.1f} / {found['tokens']:.0f}"


def _mean(scenarios: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {name: fmean(one[name] for one in scenarios.values()) for name in WANTED}


def growing(rows: Iterable[Row], model: str, split: str) -> dict[str, list[list[dict[str, float]]]]:
    """For a picture: GRPO, SAGE with a library for each scenario and with one for all, at temperature 1, by wave."""
    plays = plays_of(rows, model, split)
    wanted = {
        "GRPO": (GRPO[0], WARM),
        "SAGE, a library each": (SAGE[0], WARM),
        "SAGE, one library": (SAGE[0], f"query_embedding, {WARM}"),
    }
    return {
        name: [[_mean(_scenarios(_in_waves([row], wave))) for row in plays[key]] for wave in range(3)]
        for name, key in wanted.items()
        if key in plays and _by_waves(plays[key])
    }


def _alike(plays: Collection[Key]) -> list[tuple[Key, Key]]:
    """What SAGE did in some manner beside what its baselines did in the same, and other trainings beside SAGE: with the
    same library, if they were played so, or each with its own."""
    known = dict.fromkeys(label for label, _ in BASELINES)
    return [
        ((label, play), theirs)
        for manner in MANNERS
        for label, play in plays
        if play.endswith(manner) and (label == SAGE[0] or label not in known)
        for other in (known if label == SAGE[0] else [SAGE[0]])
        for theirs in [(other, play if other != label and (other, play) in plays else manner)]
        if theirs in plays and theirs != (label, play)
    ]


def _verdict(plays: Mapping[Key, Sequence[Row]], ours: Key, baseline: Key) -> str:
    """Whether the paper's gains over GRPO are there, figure by figure."""
    mine, other = paired(plays[ours], plays[baseline])
    found = difference(mine, other)
    said = [
        f"{name.upper() if name == 'sgc' else name} {found[name][0]:+.1f} of {wanted:g} "
        f"({'reached' if found[name][0] >= wanted else 'not reached'})"
        for name, wanted in WANTED.items()
    ]
    spent = [fmean(row.get("train_seconds") or 0 for row in rows) for rows in (mine, other)]
    equal = (
        f"; training took {spent[0] / spent[1]:.2f} times as long" if min(spent) else "; training times are not known"
    )
    return f"Must show, {name_of(ours).strip('*')} against {name_of(baseline)}: {', '.join(said)}{equal}."


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("rows", type=Path, nargs="+", metavar="rows.jsonl")
    ask.add_argument(
        "--more", type=Path, nargs="+", default=[], metavar="rows.jsonl", help="the same weights and ways, played again"
    )
    ask.add_argument("--picture", type=Path, help="also draw the first split of each model")
    ask.add_argument("--waves", type=Path, help="also draw what one library is worth as it grows, first split")
    given = ask.parse_args()
    rows = with_more(read(given.rows), given.more)
    splits = sorted(
        {row["split"] for row in rows}, key=lambda split: (SPLITS.index(split) if split in SPLITS else 9, split)
    )
    models = list(dict.fromkeys(row["model"] for row in rows))
    for model in models:
        for split in splits:
            if plays_of(rows, model, split):
                print(f"### {model}, {split}\n\n{table(rows, model, split)}\n")
                if told := differences(rows, model, split):
                    print(f"{told}\n")
                if told := waves(rows, model, split):
                    print(f"{told}\n")
    for row in rows:
        if "error" in row:
            print(f"- {row['model']} {row['label']} {row['play']} {row['split']}: {row['error'].splitlines()[0]}")
    if given.picture:
        from picture import picture

        plays = {
            model: {name_of(key).strip("*"): mine for key, mine in plays_of(rows, model, splits[0]).items()}
            for model in models
        }
        given.picture.write_bytes(picture(plays, splits[0]))
    if given.waves:
        from picture import in_waves

        grown = next((found for model in models if (found := growing(rows, model, splits[0]))), None)
        if not grown:
            raise SystemExit(f"error: --waves: no line of {splits[0]} at temperature 1 tells its waves")
        given.waves.write_bytes(in_waves(grown, f"{splits[0]}, wave by wave"))


if __name__ == "__main__":
    main()
