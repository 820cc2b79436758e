"""The review: a queue in the terminal of what waits for a person, each with all that speaks for and against it.

A verdict binds to the digest on the screen. If the skill has changed since it was shown, the verdict is refused, and
what is true now is shown instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar

from rich.console import Group
from rich.text import Text

from prowess.cli.skills.jobs import merges
from prowess.cli.skills.jobs.dossier import dossier_of
from prowess.cli.skills.jobs.queue import Item, queue_of, waits
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

try:
    from textual.app import App, ComposeResult
    from textual.binding import Binding, BindingType
    from textual.containers import Horizontal, Vertical, VerticalScroll
    from textual.screen import ModalScreen
    from textual.widgets import Footer, Input, OptionList, Static
    from textual.widgets.option_list import Option
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

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal():
            yield OptionList(id="queue")
            with VerticalScroll(id="pane", can_focus=False):
                yield Static(id="dossier")
        yield Static(id="message")
        yield Footer()

    def on_mount(self) -> None:
        self._items = list(queue_of(self._store, self._settings, namespace=self._namespace))
        self.query_one("#queue", OptionList).focus()
        self._refresh(0)

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
        self._at, count = at, len(self._items)
        title = f"prowess skills review · {line(str(self._store.path))} · {count} waiting"
        self.query_one("#title", Static).update(Text(title))
        page = self.query_one("#dossier", Static)
        item = self.chosen
        if item is None:
            self._seen = None
            page.update(Text("\nNothing waits. Press q to leave.", style="bold"))
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
        self._items = [item for item in self._items if waits(self._store, item)]
        listed = self.query_one("#queue", OptionList)
        listed.clear_options()
        listed.add_options([Option(_label(item)) for item in self._items])
        self._show(min(at, len(self._items) - 1))
        listed.highlighted = self._at if self._items else None


def _label(item: Item) -> Text:
    mark, style = {"review": ("●", "yellow"), "promotion": ("▲", "cyan"), "merge": ("⋈", "magenta")}[item.kind]
    label = Text().append(f"{mark} ", style=style).append(line(item.name, 26), style="bold")
    return label.append(f"\n  {line(item.why, 26)}\n", style="dim")
