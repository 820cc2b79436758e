"""What people see while a command works: progress on stderr, and text made safe to print.

Data goes to stdout, everything else to stderr, so that `prowess ... > file` keeps only the data. On a terminal
progress is a bar; in a log file it is a plain line every now and then.
"""

from __future__ import annotations

import math
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol, TextIO

from prowess.text.invisible import spelled

if TYPE_CHECKING:
    from rich.console import Console

Figure = float | int | str
"""A live figure beside the bar, such as tgc=0.93."""

_SEQUENCE = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def safe(text: str) -> str:
    """Text that can only be read: no escape sequences or control characters, and always UTF-8.

    Line ends and tabs stay. Of sequences that carry text (titles, links) the text stays visible, and what reorders
    text or cannot be seen is spelled out (`unseen`), so nothing hides.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", spelled(_CONTROL.sub("", _SEQUENCE.sub("", text))))


def say(text: object) -> None:
    """Tell the person at the terminal something that is no data: on standard error, whatever the text holds."""
    print(safe(str(text)), file=sys.stderr)


def console(*, stderr: bool = False) -> Console:
    """A console that prints plain text as it is: no markup, no emoji codes, no colouring of numbers."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


class Bar(Protocol):
    """Progress that is told what was done."""

    def advance(self, count: int = 1, **figures: Figure) -> None:
        """Count work as done, with figures to show beside it. May be called from any thread."""
        ...


class _Unseen:
    def advance(self, count: int = 1, **figures: Figure) -> None:
        pass


@contextmanager
def unseen(total: int | None, description: str) -> Iterator[Bar]:
    """Progress that nobody is shown."""
    yield _Unseen()


Watch = Callable[[int | None, str], AbstractContextManager[Bar]]
"""How the progress of some work is shown: `progress`, `unseen`, or a screen's own way."""


@contextmanager
def progress(
    total: int | None,
    description: str,
    *,
    done: int = 0,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Bar]:
    """Show the progress of `total` units of work on stderr; `done` of them were there before (a resumed run).

    Without a total there is no share and no time left, only what is done and how fast.
    """
    stream = stream or sys.stderr
    if stream.isatty():
        with _on_terminal(total, safe(description), done, stream) as bar:
            yield bar
        return
    lines = LogLines(total, safe(description), done=done, stream=stream, clock=clock)
    try:
        yield lines
    except BaseException:
        lines.say("stopped")
        raise
    lines.say("done")


MANY = 100
"""Fewer of them are done before anybody looks."""


@contextmanager
def progress_of_many(total: int | None, description: str) -> Iterator[Bar]:
    """Progress that is shown where there is much to do."""
    with (unseen if total is not None and total < MANY else progress)(total, description) as bar:
        yield bar


PATIENCE = 0.7
"""Seconds of the processor that pass before something is shown. Imports take about as long, and after two a person
doubts."""


@contextmanager
def progress_where_slow(
    total: int | None, description: str, *, clock: Callable[[], float] = time.process_time
) -> Iterator[Bar]:
    """Progress that is shown where there is still something to do after a while."""
    began = clock()
    with ExitStack() as shown:

        class _Late:
            done = 0
            bar: Bar | None = None

            def advance(self, count: int = 1, **figures: Figure) -> None:
                if self.bar is None and clock() - began >= PATIENCE:
                    self.bar = shown.enter_context(progress(total, description, done=self.done))
                self.done += count
                if self.bar is not None:
                    self.bar.advance(count, **figures)

        yield _Late()


class LogLines:
    """Progress as lines for a log file: every 5% or so, now and then while it is slow, and where it tells of its first
    unit before that is done.

    At most one line a second, and at least one every ten (later, every twentieth of the time passed): a run of a day
    writes some hundred lines.
    """

    def __init__(
        self,
        total: int | None,
        description: str,
        *,
        done: int,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._description, self._stream, self._clock = total, description, stream, clock
        self._done = self._resumed = self._said = done
        self._began = self._last = clock()
        self._figures: dict[str, Figure] = {}
        self._silent = True
        self._lock = threading.Lock()

    def advance(self, count: int = 1, **figures: Figure) -> None:
        with self._lock:
            self._done += count
            self._figures |= figures
            now = self._clock()
            waited = now - self._last
            total = self._total or math.inf
            stepped = self._done - self._said >= 0.05 * total and waited >= 1
            due = stepped or waited >= max(10.0, 0.05 * (now - self._began)) or (self._silent and not count)
            if due and self._done < total:  # the last line is `say`'s
                self._last, self._said = now, self._done
                self._print(now, "")

    def say(self, word: str) -> None:
        with self._lock:
            self._print(self._clock(), word)

    def _print(self, now: float, word: str) -> None:
        self._silent = False
        took = now - self._began
        rate = (self._done - self._resumed) / took if took > 0 else 0.0
        share = f" ({self._done / self._total:.0%})" if self._total else ""
        parts = [f"{self._done}" if self._total is None else f"{self._done}/{self._total}{share}"]
        if word:
            parts += [f"{word} in {_duration(took)}"]
        elif rate > 0:
            parts += [_rate(rate)]
            parts += [f"{_duration((self._total - self._done) / rate)} left"] if self._total else []
        if shown := figures_text(self._figures):
            parts += [shown]
        print(f"{self._description}: {', '.join(parts)}", file=self._stream, flush=True)


@contextmanager
def _on_terminal(total: int | None, description: str, done: int, stream: TextIO) -> Iterator[Bar]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False, style="bold"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        TextColumn("{task.fields[shown]}", markup=False, style="cyan"),
    )
    # What is printed meanwhile goes above the bar, but data for a file goes to the file.
    with Progress(*columns, console=Console(file=stream), redirect_stdout=sys.stdout.isatty()) as display:
        task = display.add_task(description, total=total, completed=done, shown="")
        figures: dict[str, Figure] = {}
        lock = threading.Lock()

        class _Bar:
            def advance(self, count: int = 1, **more: Figure) -> None:
                with lock:  # of two threads, neither may find the figures changing under it
                    figures.update(more)
                    display.update(task, advance=count, shown=figures_text(figures))

        yield _Bar()


def figures_text(figures: dict[str, Figure]) -> str:
    """Live figures as one line; one that is an empty text is not shown.

    >>> figures_text({"tgc": 0.9333, "errors": 0, "playing": ""})
    'tgc 0.933, errors 0'
    """
    return ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {safe(str(value))}"
        for name, value in figures.items()
        if value != ""
    )


def _rate(per_second: float) -> str:
    if per_second >= 1:
        return f"{per_second:.1f}/s"
    return f"{60 * per_second:.1f}/min" if per_second >= 1 / 60 else f"{3600 * per_second:.1f}/h"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
