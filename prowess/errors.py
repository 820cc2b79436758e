"""What can go wrong, classed by who must act.

    ProwessError
    ├── RecipeError      the user: a recipe, an option or a file they named is wrong
    │   ├── NotInstalled the user: something optional is not installed
    │   │   └── MissingExtra an extra of ours
    │   └── NotThere     the user: what they named is not there, or something else (a StoreError, too)
    ├── SandboxError     the machine or the jailed code: an interpreter could not start, or died
    ├── WorldError       the world's author: opening, executing or grading a task broke
    ├── PolicyError      whoever serves the model: the endpoint failed, refused or timed out
    │   ├── Unanswered       nobody, or whoever serves it: it may be better later
    │   └── ContextOverflow  nobody: the episode no longer fits the model and ends there
    ├── PolicyGone       nobody, or whoever ended it: no conversation will be answered any more, and all plays end
    │   └── BudgetSpent  the user: what they were ready to pay is spent
    └── StoreError       the disk: a run or a library cannot be read or written

The first line of a message says what happened and names the value given; hints say what to do.
"""

from __future__ import annotations

import math
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from traceback import walk_tb


class ProwessError(Exception):
    """A failure with a plain message and, where there is one, a hint."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class RecipeError(ProwessError):
    """The recipe, an option or a named file is wrong: the user can mend it."""


class NotInstalled(RecipeError):
    """Something optional is asked for and not installed; the hint is the command that installs it."""

    several: Sequence[NotInstalled] = ()
    """Where it is several things: an error for each."""


class MissingExtra(NotInstalled):
    """It is an extra of ours."""

    def __init__(self, what: str, extra: str) -> None:
        hint = f"pip install 'prowess[{extra}]'"
        if extra == "vllm":  # it wants other versions than the rest has
            hint = f"make gpu, or in an environment of its own: {hint}; without it, slowly: --set sampling.engine=local"
        elif extra == "cluster":
            hint = f"make cluster, or in an environment of its own: {hint}"
        super().__init__(f"{what} needs the extra '{extra}'", hint=hint)
        self.what, self.extra = what, extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        """It may travel between processes, like the others."""
        return type(self), (self.what, self.extra)


def all_missing(missing: Sequence[NotInstalled]) -> NotInstalled:
    """One error for all that is not installed, with one command that installs it.

    >>> print(all_missing([MissingExtra("sinks.wandb", "wandb"), MissingExtra("the model 'tiny'", "learn")]))
    sinks.wandb needs the extra 'wandb'; the model 'tiny' needs the extra 'learn'
    hint: pip install 'prowess[learn,wandb]'
    """
    if len(missing) == 1:
        return missing[0]
    missing = [one for error in missing for one in (error.several or [error])]
    extras = sorted({one.extra for one in missing if isinstance(one, MissingExtra)})
    others = [one.hint for one in missing if not isinstance(one, MissingExtra)]
    commands = [*([f"pip install 'prowess[{','.join(extras)}]'"] if extras else []), *others]
    whole = NotInstalled("; ".join(one.message for one in missing), hint=" && ".join(commands))
    whole.several = missing
    return whole


def check_all(looks: Iterable[Callable[[], object]]) -> None:
    """Look for several things, and say all at once which of them are not installed."""
    missing: list[NotInstalled] = []
    for look in looks:
        try:
            look()
        except NotInstalled as error:
            missing.append(error)
    if missing:
        raise all_missing(missing)


class SandboxError(ProwessError):
    """An interpreter for model-written code could not start, or died."""


class WorldError(ProwessError):
    """Opening, executing or grading a task broke on the world's side."""


class PolicyError(ProwessError):
    """The model's side failed: no answer, a refusal, a time-out."""


class Unanswered(PolicyError):
    """No answer after every try, and not for anything in this conversation: it may be better later."""


class ContextOverflow(PolicyError):
    """The conversation no longer fits the model's context."""


class PolicyGone(ProwessError):
    """Whoever answers was closed, or is dead: that ends every play, not one conversation as a PolicyError does."""


class LearnerGone(ProwessError):
    """A process that learns is lost, and its weights with it: the last checkpoint is what there is."""


class BudgetSpent(PolicyGone):
    """What the user was ready to pay is spent: what is done is kept, and a larger budget goes on."""


class StoreError(ProwessError):
    """A run folder or a library cannot be read or written."""


class NotThere(RecipeError, StoreError):
    """What was named is not there, or is something else: the user can name another."""


def unknown(what: str, given: str, known: Iterable[str]) -> RecipeError:
    """An error for a name that does not exist, with the nearest one that does.

    >>> print(unknown("retriever", "scenarios", ["none", "scenario"]))
    unknown retriever 'scenarios'
    hint: did you mean 'scenario'? known: none, scenario
    """
    names = sorted(known)
    near = get_close_matches(given, names, n=1)
    guess = f"did you mean '{near[0]}'? " if near else ""
    if len(names) > 20:  # a list that nobody reads: the nearest ones, and how many there are
        few = get_close_matches(given, names, n=8, cutoff=0.0)
        names = [*sorted(few), f"and {len(names) - len(few)} more"]
    return RecipeError(f"unknown {what} '{given}'", hint=f"{guess}known: {', '.join(names) or 'none'}")


def check_range(settings: object, least: float, *names: str, most: float = math.inf) -> None:
    """Refuse settings that are no finite numbers from `least` to `most`, each by its name, what was given and what is
    allowed; None is a setting that was left out.

    >>> from types import SimpleNamespace
    >>> check_range(SimpleNamespace(turns=0), 1, "turns")
    Traceback (most recent call last):
    prowess.errors.RecipeError: turns is 0; it must be at least 1
    """
    for name in names:
        value = getattr(settings, name)
        if value is None or (least <= value <= most and value < math.inf):
            continue
        finite = "" if abs(value) < math.inf else ", and finite"
        allowed = f"at least {least}{finite}" if most == math.inf else f"between {least} and {most}"
        raise RecipeError(f"{name} is {value}; it must be {allowed}")


UNFORESEEN = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError),
    *(RecursionError, SyntaxError, TypeError, ValueError),
)
"""What code raises on values that it was not made for."""


LIBRARIES = (Path(__file__).parent, *(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")))


GOES_ON = "mend it: the same command then goes on from what is kept"


@contextmanager
def blamed(part: str, *, hint: str = GOES_ON) -> Iterator[None]:
    """Let what a part of somebody else's raises be told with the part's name, and where it was raised:
    `reward 'mine:bonus' failed: KeyError: 'id' (mine.py:5)`. What it wraps is the cause."""
    try:
        yield
    except ProwessError:
        raise
    except (Exception, SystemExit) as problem:
        raise RecipeError(f"{part} failed: {told(problem)}", hint=hint) from problem


def told(problem: BaseException) -> str:
    """What a part of somebody else's raised, and the last line of theirs on the way: `KeyError: 'id' (mine.py:5)`."""
    place = place_of(problem)
    return f"{words_of(problem)}{f' ({place})' if place else ''}"


def words_of(problem: BaseException) -> str:
    """An exception in words: `KeyError: 'id'`, or its name alone where it cannot be said."""
    try:
        return f"{type(problem).__name__}: {problem}"
    except Exception:  # noqa: BLE001 (a stranger's exception)
        return type(problem).__name__


def place_of(problem: BaseException) -> str:
    """The last line of somebody else's that an exception came through, as `mine.py:5`; empty where there is none."""
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(problem.__traceback__)]
    theirs = [at for at in frames if not any(at[0].is_relative_to(folder) for folder in LIBRARIES)]
    return f"{theirs[-1][0].name}:{theirs[-1][1]}" if theirs else ""
