"""The review: a queue in the terminal of what waits for a person, each with all that speaks for and against it.

A verdict binds to the digest on the screen. If the skill has changed since it was shown, the verdict is refused, and
what is true now is shown instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import ClassVar

from rich.console import Group
from rich.text import Text

from prowess.cli.skills.jobs import merges
from prowess.cli.skills.jobs.dossier import dossier_of
from prowess.cli.skills.jobs.queue import Item, queue_of, still
from prowess.cli.skills.options import again
from prowess.cli.skills.views import dossier
from prowess.cli.skills.views.merges import page as merge_page
from prowess.cli.skills.views.text import line
from prowess.errors import MissingExtra, ProwessError, StoreError
from prowess.store.curate import USUAL
from prowess.store.curate.review import Sight, approve, reject, sight_of
from prowess.store.db import Store
from prowess.store.merging.merge import Merge, Trying, accept
from prowess.store.record import Event
from prowess.store.settings import CurateSettings
from prowess.text.terminal import Bar, Figure

try:
    from textual.app import App, ComposeResult
    from textual.binding import Binding, BindingType
    from textual.containers import Horizontal, Vertical, VerticalScroll
    from textual.screen import ModalScreen
    from textual.widgets import Footer, Input, OptionList, Static
    from textual.widgets.option_list import Option
    from textual.worker import Worker, get_current_worker
except ImportError:
    raise MissingExtra("the review", "skills") from None

HELP = """\
a          approve this very version: from review to probation, from probation to active;
           a merge: it takes its parents' place if all their calls come out the same in the sandbox, and the gates agree
r          reject it, with a reason; it is kept, and can be restored
s          skip it for now
up, down   choose another one
space, b   read on, read back
q          quit; what was decided is kept
?          this page; any key closes it

A verdict binds to the digest that is shown. Every step can be taken back: prowess skills undo EVENT
"""


class Asked(ModalScreen[str | None]):
    """Asks for a line of text; escape takes it back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "back")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(Text(self._question))
            yield Input(placeholder="the reason, kept for good; Enter to go on, Esc to go back")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def action_leave(self) -> None:
        self.dismiss(None)


class Help(ModalScreen[None]):
    """What the keys do."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(Text(HELP))

    def on_key(self) -> None:
        self.dismiss(None)


class Review(App[int]):
    """The queue on the left, the dossier of the chosen item on the right. It returns how many were decided."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { background: $primary; color: $text; padding: 0 1; height: 1; text-style: bold; }
    #queue { width: 32; height: 100%; border: none; border-right: solid $primary-darken-2; padding: 0 1; }
    #pane { padding: 0 1; }
    #message { padding: 0 1; height: auto; max-height: 4; background: $surface; }
    Asked, Help { align: center middle; }
    .box { width: 84; max-width: 95%; height: auto; border: round $primary; padding: 1 2; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "approve", "approve"),
        Binding("r", "reject", "reject"),
        Binding("s", "skip", "skip"),
        Binding("space,pagedown", "page(1)", "read on", key_display="space", priority=True),
        Binding("b,pageup", "page(-1)", "back", show=False, priority=True),
        Binding("q", "leave", "quit"),
        Binding("question_mark", "help", "help", key_display="?"),
    ]

    def __init__(
        self,
        store: Store,
        *,
        who: str,
        namespace: str | None = None,
        places: Iterable[Path] = (),
        replaying: Callable[[], AbstractContextManager[Trying]] | None = None,
        settings: CurateSettings = USUAL,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._replaying = replaying
        self._store, self._who, self._namespace, self._places = store, who, namespace, tuple(places)
        self._items: list[Item] = []
        self._seen: Sight | None = None
        self._at = self._decided = 0
        self._done: set[str] = set()
        """Digests that were decided while others were looked for."""
        self._looking = "looking for more"

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal():
            yield OptionList(id="queue")
            with VerticalScroll(id="pane", can_focus=False):
                yield Static(id="dossier")
        yield Static(id="message")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#queue", OptionList).focus()
        self._show(0)
        self.run_worker(self._look, thread=True)

    # --- what waits is looked for beside the screen, and shown as it is found -----------------------

    def _look(self) -> None:
        """Find what waits, in a thread of its own."""
        worker = get_current_worker()
        found: list[Item] = []
        said = 0.0
        try:
            for item in queue_of(self._store, self._settings, namespace=self._namespace, watch=self._watching):
                found.append(item)
                if worker.is_cancelled:
                    return
                if time.monotonic() - said > OFTEN:
                    self.call_from_thread(self._come, found)
                    said, found = time.monotonic(), []
        except _Left:
            return
        except ProwessError as error:
            self.call_from_thread(self._tell, line(str(error)), "bold red")
        self.call_from_thread(self._come, found, last=True)

    @contextmanager
    def _watching(self, total: int | None, description: str) -> Iterator[Bar]:
        """Progress in the title; who leaves the review ends what is looked for."""
        yield _Looking(self, get_current_worker(), total or 0, description)

    def _come(self, items: list[Item], *, last: bool = False) -> None:
        """Show more of what waits, without taking away what somebody is reading."""
        known = {item.digest for item in self._items}
        new = [item for item in items if item.digest not in known and item.digest not in self._done]
        first = not self._items
        self._items += new
        self.query_one("#queue", OptionList).add_options([Option(_label(item)) for item in new])
        if last:
            self._looking = ""
        if first and (self._items or last):
            self._show(0)
            self.query_one("#queue", OptionList).highlighted = 0 if self._items else None
        self._title()

    def looking(self, text: str) -> None:
        """Say what is being looked for."""
        self._looking = text
        self._title()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        at = event.option_list.highlighted  # not the event's: that may be of a list that is gone
        if at is not None and at != self._at:
            self._show(at)

    # --- what is shown ----------------------------------------------------------------------------

    @property
    def chosen(self) -> Item | None:
        """The item whose page is shown."""
        return self._items[self._at] if 0 <= self._at < len(self._items) else None

    def _show(self, at: int) -> None:
        """Show an item, and remember how it stood."""
        self._at = at
        self._title()
        page = self.query_one("#dossier", Static)
        item = self.chosen
        if item is None:
            self._seen = None
            text = "\nLooking for what waits ..." if self._looking else "\nNothing waits. Press q to leave."
            page.update(Text(text, style="bold"))
            return
        try:
            # First how it stands, then what is read: what comes in between makes a verdict void.
            self._seen = None if item.merge else sight_of(self._store, item.digest)
            parts = (
                merge_page(self._store, item.merge)
                if item.merge
                else dossier.page(dossier_of(self._store, item.digest, self._places))
            )
        except ProwessError as error:
            self._seen = None
            page.update(Text(dossier.cut(line(str(error))), style="red"))
            return
        why = Text(f"{item.kind}: {line(item.why)}", style="bold yellow")
        page.update(Group(why, *parts))
        self.query_one("#pane", VerticalScroll).scroll_home(animate=False)

    def _title(self) -> None:
        count = f"{len(self._items)} waiting{f' · {self._looking}' if self._looking else ''}"
        self.query_one("#title", Static).update(
            Text(f"prowess skills review · {line(str(self._store.path))} · {count}")
        )

    def _tell(self, text: str, style: str = "") -> None:
        self.query_one("#message", Static).update(Text(text, style=style))

    # --- what the keys do -------------------------------------------------------------------------

    def action_approve(self) -> None:
        seen, item, who = self._seen, self.chosen, self._who
        if item and item.merge:
            merge = item.merge
            self._decide(lambda: self._merged(merge))
        elif seen:
            self._decide(lambda: approve(self._store, seen, who=who, why="reviewed"))

    def action_reject(self) -> None:
        seen, item, who = self._seen, self.chosen, self._who
        if not item or not (seen or item.merge):
            return

        def verdict(why: str) -> tuple[Event, ...]:
            if item.merge:
                return merges.refuse(self._store, item.merge, who=who, why=why)
            assert seen
            return reject(self._store, seen, who=who, why=why)

        def go_on(reason: str | None) -> None:
            if reason is not None:
                self._decide(lambda: verdict(reason.strip() or "reviewed"))

        self.push_screen(Asked(f"Why is {line(item.name)} ({item.digest[:12]}) rejected?"), go_on)

    def action_skip(self) -> None:
        if self._items:
            self.query_one("#queue", OptionList).highlighted = (self._at + 1) % len(self._items)

    def action_page(self, way: int) -> None:
        pane = self.query_one("#pane", VerticalScroll)
        pane.scroll_relative(y=way * max(1, pane.size.height - 2), animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is asked for, keys are text."""
        return len(self.screen_stack) <= 1 or action not in ("page", "approve", "reject", "skip", "leave", "help")

    def action_help(self) -> None:
        self.push_screen(Help())

    def action_leave(self) -> None:
        self.exit(self._decided)

    def _decide(self, make: Callable[[], tuple[Event, ...]]) -> None:
        """Carry a verdict out; where the store refuses it, say why and show what is true now."""
        at, item = self._at, self.chosen
        assert item
        try:
            events = make()
        except ProwessError as refusal:
            self._tell(line(str(refusal)), "bold red")
            self._refresh(at)
            return
        self._decided += 1
        self._done.add(item.digest)
        if not events:
            self._tell(f"{line(item.name)}: noted, and not proposed again", "green")
            self._items.remove(item)
            self._refresh(at)
            return
        back = " ".join(str(event.id) for event in reversed(events))
        stands = self._store.version(item.digest).status
        undo = f"prowess skills undo {back}{again(self._store.path)}"
        self._tell(f"{line(item.name)} {item.digest[:12]} is {stands} (to undo: {undo})", "green")
        self._refresh(at)

    def _merged(self, merge: Merge) -> tuple[Event, ...]:
        """Accept a merge, if its parents' calls come out the same in the sandbox."""
        if self._replaying is None:
            raise StoreError("a merge is tried in a sandbox, and there is none here", hint="prowess skills merge")
        with self._replaying() as trying:
            done = accept(self._store, merge, trying, who=self._who)
        if done.refused or done.proposal is None:
            raise StoreError(f"not merged: {done.refused}")
        return self._store.events(digest=done.proposal.digest, newest=True, limit=1)

    def _refresh(self, at: int) -> None:
        """The queue without what no longer waits, because it was decided here or elsewhere."""
        kept = still(self._store, self._items)
        listed = self.query_one("#queue", OptionList)
        if len(kept) < listed.option_count:
            listed.clear_options()
            listed.add_options([Option(_label(item)) for item in kept])
        self._items = kept
        self._show(min(at, len(self._items) - 1))
        listed.highlighted = self._at if self._items else None


OFTEN = 0.2
"""Seconds between two looks at what was found."""


class _Left(Exception):
    """Nobody waits for what is looked for any more."""


class _Looking:
    """Progress in the title of a review."""

    def __init__(self, app: Review, worker: Worker[object], total: int, description: str) -> None:
        self._app, self._worker, self._total, self._description = app, worker, total, description
        self._done, self._said = 0, 0.0

    def advance(self, count: int = 1, **figures: Figure) -> None:
        if self._worker.is_cancelled:
            raise _Left
        self._done += count
        if time.monotonic() - self._said > OFTEN:
            self._said = time.monotonic()
            self._app.call_from_thread(self._app.looking, f"{self._description}: {self._done} of {self._total}")


def _label(item: Item) -> Text:
    mark, style = {"review": ("●", "yellow"), "promotion": ("▲", "cyan"), "merge": ("⋈", "magenta")}[item.kind]
    label = Text().append(f"{mark} ", style=style).append(line(item.name, 26), style="bold")
    return label.append(f"\n  {line(item.why, 26)}\n", style="dim")
