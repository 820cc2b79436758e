"""What each metric in a run's metrics.jsonl means, and its unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["share", "number", "count", "tokens", "seconds", "ms", "tokens/s", "GiB", "nats"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a metric says, in which unit."""

    unit: Unit
    text: str


_PLAYED = {
    "tgc": Meaning("share", "tasks solved, every check passed"),
    "sgc": Meaning("share", "scenarios (in training: chains) of which every task was solved"),
    "steps": Meaning("number", "replies per task"),
    "tokens": Meaning("tokens", "said per task"),
    "use": Meaning("share", "episodes that called a library skill, of those that were offered one"),
    "success_given_use": Meaning("share", "tasks solved, of those that called a library skill"),
    "erred": Meaning("share", "episodes in which some code failed"),
    "mended": Meaning("share", "tasks solved, of those"),
    "errors": Meaning("count", "episodes that ended in an error of world, sandbox or policy; in no other figure"),
    "breaks": Meaning("count", "API calls that the world broke on, which failed for it: a fault of the world's"),
}
_EVALUATED = {
    "solved_steps": Meaning("number", "replies per solved task"),
    "solved_tokens": Meaning("tokens", "said per solved task"),
    "cost": Meaning("number", "of a task's tokens, read and said, where the recipe has prices"),
    "use_overall": Meaning("share", "episodes that called a library skill, of all"),
    "library": Meaning("count", "skills saved"),
    "combining": Meaning("share", "skills that call two or more different APIs"),
    "episodes": Meaning("count", "episodes played"),
}

MEANINGS = {
    "reward/mean": Meaning("number", "mean reward of an episode"),
    "reward/outcome": Meaning("number", "the part for what was reached"),
    "reward/generation": Meaning("number", "the part for skills that served a later task"),
    "reward/usage": Meaning("number", "the part for solving a task with an earlier skill"),
    "reward/chain": Meaning("number", "the part for chains solved as a whole"),
    "reward/penalty": Meaning("number", "the part for replies without code"),
    **{f"play/{name}": one for name, one in (_PLAYED | _EVALUATED).items()},
    "play/no_code": Meaning("share", "episodes ended by a reply without code"),
    "play/repeats": Meaning("share", "episodes ended because the same code saw the same again (`agent.repeats`)"),
    "play/overlong": Meaning("share", "episodes ended by a limit of length, of whatever kind"),
    "play/flat": Meaning("share", "groups in which all that is compared is alike: nothing to learn from"),
    "play/rounds": Meaning("count", "rounds of chains, the first included (`train.refill`)"),
    "play/groups": Meaning("count", "groups played in all rounds, flat ones included (`train.refill`)"),
    "play/uplift": Meaning("number", "outcome with the library less that of the control arm (`train.masked`)"),
    "play/tokens_per_second": Meaning("tokens/s", "said, all conversations together"),
    "play/engine_idle": Meaning("share", "time in which vLLM had nothing to do"),
    "play/again": Meaning("count", "requests that a server was sent once more (`sampling.engine = 'server'`)"),
    "play/servers": Meaning("count", "servers that played (`sampling.engine = 'server'`)"),
    "play/lost_servers": Meaning("count", "servers that were lost meanwhile"),
    "play/rows": Meaning("number", "conversations that talked at once"),
    "play/pass_ms": Meaning("ms", "each of them waited for a token"),
    "play/reading_ms": Meaning("ms", "the same in passes in which somebody new was read"),
    "play/reading": Meaning("share", "vLLM's time in these passes"),
    "play/cached": Meaning("share", "prompt tokens that were not computed again"),
    **{f"eval/{name}": one for name, one in (_PLAYED | _EVALUATED).items()},
    "learn/loss": Meaning("number", "what goes down; with one pass per batch it is near 0, and no measure of learning"),
    "learn/held_out": Meaning("nats", "loss of imitation on scenarios that it does not see"),
    "learn/nll": Meaning("nats", "negative log-probability per token learned from"),
    "learn/entropy": Meaning("nats", "entropy per token learned from"),
    "learn/kl": Meaning("nats", "KL to the start per token, where `loss.kl` is not 0"),
    "learn/ratio": Meaning("number", "probability of a token now, over that before the step"),
    "learn/clip_low": Meaning("share", "tokens clipped because their ratio fell too far"),
    "learn/clip_high": Meaning("share", "tokens clipped because their ratio rose too far"),
    "learn/mismatch": Meaning("nats", "gap between the sampler's and the learner's log-probabilities"),
    "learn/mismatch_kl": Meaning("nats", "the same as a KL"),
    "learn/capped": Meaning("share", "tokens whose correction `loss.tis` caps, or would cap at 2"),
    "learn/grad_norm": Meaning("number", "length of the gradient before it is clipped"),
    "learn/skipped": Meaning("count", "updates left out because loss or gradient was not a number"),
    "learn/rate": Meaning("number", "the learning rate"),
    "learn/samples": Meaning("count", "samples learned from"),
    "learn/tokens": Meaning("tokens", "that bear loss"),
    "learn/fed": Meaning("tokens", "computed, prompts included"),
    "learn/shared": Meaning("share", "tokens not computed, because samples begin alike"),
    "learn/padding": Meaning("share", "tokens of padding; there is none"),
    "learn/micro_tokens": Meaning("tokens", "in one forward pass, as it is now"),
    "learn/checkpointing": Meaning("number", "1 where activations are computed again to save memory"),
    "learn/tokens_per_second": Meaning("tokens/s", "computed while learning"),
    "learn/peak_gb": Meaning("GiB", "most memory that learning took on the GPU"),
    "learn/ranks": Meaning("count", "processes that learned together (`learner.engine = 'verl'`)"),
    "learn/imbalance": Meaning("number", "the largest rank's tokens over the mean: others waited for it"),
    "learn/dummies": Meaning("count", "passes of ranks that had nothing left to feed, all together"),
    "learn/seconds": Meaning("seconds", "the learner's step"),
    "time/play": Meaning("seconds", "the learner waited for rollouts"),
    "time/rollouts": Meaning("seconds", "playing the rollouts took"),
    "time/learn": Meaning("seconds", "rewards and learning"),
    "time/wait": Meaning("seconds", "before a score, until rollouts under way were done"),
    "time/evaluate": Meaning("seconds", "the score"),
    "collect/conversations": Meaning("count", "lines of the data set"),
    "collect/chains": Meaning("count", "chains played, once per temperature"),
    "collect/kept": Meaning("count", "chains of which something is kept"),
    "collect/tries": Meaning("count", "episodes played"),
    "collect/errors": Meaning("count", "episodes that broke"),
    "collect/helped": Meaning("count", "conversations in which a teacher stepped in"),
    "collect/dropped": Meaning("count", "episodes of kept scenarios left out for a flaw"),
    "work/proposed": Meaning("count", "skills that the tasks since the last round wrote"),
    "work/admitted": Meaning("count", "skills that passed the gates"),
    "work/rejected": Meaning("count", "skills that the gates refused"),
    "work/waiting": Meaning("count", "skills that wait for a person"),
    "work/promoted": Meaning("count", "skills promoted by the evidence"),
    "work/suspended": Meaning("count", "skills suspended by the evidence"),
}
"""By the metric's name, in the order of reading."""


LABELS = {
    "reward/mean": "reward",
    "reward/outcome": "reward for the outcome",
    "reward/generation": "reward for skills that served",
    "reward/usage": "reward for using a skill",
    "reward/chain": "reward for whole chains",
    "reward/penalty": "penalty for no code",
    "tgc": "tasks solved",
    "sgc": "scenarios solved",
    "steps": "steps per task",
    "tokens": "tokens per task",
    "use": "skill use when offered",
    "use_overall": "skill use overall",
    "success_given_use": "solved given skill use",
    "erred": "episodes with an error in code",
    "mended": "solved after an error",
    "errors": "episodes that broke",
    "breaks": "calls the world broke on",
    "solved_steps": "steps if solved",
    "solved_tokens": "tokens if solved",
    "cost": "cost per task",
    "library": "library size",
    "combining": "skills combining APIs",
    "play/no_code": "ended without code",
    "play/repeats": "ended by repeats",
    "play/overlong": "ended by a limit",
    "play/flat": "groups that teach nothing",
    "play/uplift": "uplift by the library",
    "play/tokens_per_second": "tokens said per second",
    "learn/held_out": "loss on held-out scenarios",
    "learn/nll": "surprise per token",
    "learn/kl": "KL to the start",
    "learn/ratio": "probability ratio",
    "learn/clip_low": "clipped, fell too far",
    "learn/clip_high": "clipped, rose too far",
    "learn/mismatch": "gap of sampler and learner",
    "learn/mismatch_kl": "gap of sampler and learner, KL",
    "learn/capped": "corrections capped",
    "learn/grad_norm": "gradient norm",
    "learn/skipped": "updates left out",
    "learn/rate": "learning rate",
    "learn/tokens": "tokens learned from",
    "learn/fed": "tokens computed",
    "learn/shared": "tokens shared",
    "learn/tokens_per_second": "tokens learned per second",
    "learn/peak_gb": "peak memory",
    "learn/seconds": "time of the update",
    "time/play": "time waiting for rollouts",
    "time/rollouts": "time of rollouts",
    "time/learn": "time of learning",
    "time/wait": "time waiting before a score",
    "time/evaluate": "time of the score",
}
"""What a person calls a metric, by its name or, where play and scores share it, by the part after the slash. Others are
called by that part."""
WHERE = {"eval": ", on the split"}


def label_of(name: str) -> str:
    """What a person calls a metric.

    >>> label_of("learn/mismatch"), label_of("eval/tgc"), label_of("learn/loss"), label_of("mine/new_thing")
    ('gap of sampler and learner', 'tasks solved, on the split', 'loss', 'new thing')
    """
    area, _, rest = name.rpartition("/")
    return LABELS.get(name) or LABELS.get(rest, rest.replace("_", " ")) + WHERE.get(area, "")


def key_of(name: str) -> str:
    """A metric's raw name, with its unit where that is no bare number.

    >>> key_of("play/tokens"), key_of("reward/mean"), key_of("learn/nobody-knows")
    ('play/tokens, tokens', 'reward/mean', 'learn/nobody-knows')
    """
    unit = MEANINGS[name].unit if name in MEANINGS else "number"
    return name if unit in ("share", "number", "count") or name.endswith("_per_second") else f"{name}, {unit}"
