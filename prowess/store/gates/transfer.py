"""The gate of transfer: it helped in a task other than the one it was written for."""

from __future__ import annotations

from prowess.store.gates.context import Context, Subject
from prowess.store.gates.replay import TRIALS, repeated
from prowess.store.record import Verification


def transfer(subject: Subject, context: Context) -> Verification:
    """Whether it does its work for a sibling task. Nothing known: no verdict, and probation will tell."""
    trials = [trial for trial in subject.trials if trial.kind == "sibling"]
    if trials and context.sandbox is not None:
        for trial in trials[:TRIALS]:
            played = repeated(subject.version, trial, context, context.sandbox)
            if played.readable and played.problem:
                return subject.says(
                    "transfer", "fail", {"task": trial.task, "call": trial.call, "problem": played.problem}
                )
        tasks = sorted({trial.task for trial in trials})
        return subject.says("transfer", "pass", {"tasks": tasks, "calls": [trial.call for trial in trials[:TRIALS]]})
    if subject.helped:
        return subject.says("transfer", "pass", {"episodes of other tasks it helped in": subject.helped})
    return subject.says("transfer", "abstain", {"why": "no other task has used it yet"})
