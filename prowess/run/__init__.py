"""A run is a folder one can read with `less` and `zless`, and continue after a `kill -9` at any moment.

    recipe.toml            the resolved recipe: what was asked for
    run.json               what made it: command, versions, seed, library digest, status
    metrics.jsonl          one line per step: {"step": 3, "play/tgc": 0.93, ...}; of a step with several, all count
    episodes/KEY.jsonl.gz  one file per unit of work (`dev-run0-<scenario>`), one line per episode
    library/               the skills
    weights.json           which weights played, where they are a checkpoint of ours: {"of": "...", "digest": "..."}
    report.md  report.html  plots/

Every file but metrics.jsonl appears whole or not at all (temporary file, fsync, rename). metrics.jsonl is appended to;
a last line cut short by a crash is ignored on reading and cut off before the next append. So a unit of work is done
exactly when its file exists, and a run is resumed by doing the units that `has` says are missing.

One process writes a run at a time (an advisory lock on `.lock`); any number may read it meanwhile.
"""

from __future__ import annotations

from prowess.run.about import About, Status
from prowess.run.folder import discard, is_blank, is_held, is_run
from prowess.run.metrics import StepMetrics
from prowess.run.recipe import differences, flat
from prowess.run.run import Run

__all__ = ["About", "Run", "Status", "StepMetrics", "differences", "discard", "flat", "is_blank", "is_held", "is_run"]
