"""What a program reads that can be looked at before it is written: with the task's own values, some rows of each.

    notes = all_pages(apis.notes.list_notes, access_token=token, tag=tag)
    texts = [apis.notes.show_note(access_token=token, note_id=note["note_id"])["content"] for note in notes]

    rows = apis.notes.list_notes(access_token=login(app="notes"), tag='garden', page_limit=3)
    print(rows)
    print(apis.notes.show_note(access_token=login(app="notes"), note_id=rows[0]["note_id"]))

A value that the program itself looks up first is left out, where the API allows that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prowess.text.syntax import tree_of
from prowess_desk.engine.desk import APPS
from prowess_desk.expert.needs import READS, SHARED, api_of
from prowess_desk.families.toolbox import TOOLBOX

MOST = 3
"""Things looked at, at most."""
ROWS = 3
"""Rows of a listing."""


def looks(main: str, call: str) -> list[str]:
    """Lines that show what a function will read, for a call of it."""
    view = _View(given=given_in(call), rows=_rows(main), picks=_picks(main))
    nodes = [node for node in ast.walk(tree_of(main)) if isinstance(node, ast.Call)]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if len(view.seen) < MOST:
            view.look(node)
    return view.lines()


def given_in(call: str) -> dict[str, object]:
    """The values of a call's arguments."""
    node = tree_of(call).body[0]
    assert isinstance(node, ast.Expr)
    assert isinstance(node.value, ast.Call)
    return {word.arg: ast.literal_eval(word.value) for word in node.value.keywords if word.arg}


def _rows(main: str) -> dict[str, str]:
    """From which API's answer a variable has its rows, or is one of them."""
    found: dict[str, str] = {}
    for target, value in sorted(_bindings(main), key=lambda one: one[0].lineno):
        api = found.get(value.id, "") if isinstance(value, ast.Name) else ""
        if isinstance(value, ast.Call):
            api = api_of(value)
        if api and isinstance(target, ast.Name):
            found.setdefault(target.id, api)
    return found


def _picks(main: str) -> dict[str, ast.expr]:
    """Which field of a row a variable holds: `note_id = next(note["note_id"] for note in notes if ...)`."""
    return {
        target.id: value.args[0].elt
        for target, value in _bindings(main)
        if isinstance(target, ast.Name)
        and isinstance(value, ast.Call)
        and ast.unparse(value.func) == "next"
        and isinstance(value.args[0], ast.GeneratorExp)
    }


def _bindings(main: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What gets its value, or its values one by one, from what."""
    for node in ast.walk(tree_of(main)):
        if isinstance(node, ast.Assign):
            yield node.targets[0], node.value
        elif isinstance(node, ast.For | ast.comprehension):
            yield node.target, node.iter


@dataclass(slots=True, kw_only=True)
class _View:
    """What is looked at so far: the API or function, and the call that shows it."""

    given: Mapping[str, object]
    rows: Mapping[str, str]
    picks: Mapping[str, ast.expr]
    seen: dict[str, str] = field(default_factory=dict)
    first: str = ""
    """The listing whose first row another look is about."""

    def look(self, node: ast.Call) -> None:
        helper = node.func.id if isinstance(node.func, ast.Name) and node.func.id not in SHARED else ""
        name = helper or api_of(node)
        if name in self.seen:
            return
        if helper in TOOLBOX:
            words = self._known(node.keywords)
            if len(words) == len(node.keywords):
                self.seen[name] = f"{name}({', '.join(words.values())})"
        elif shown := self._asked(name, node):
            self.seen[name] = shown

    def lines(self) -> list[str]:
        found = []
        for name, shown in self.seen.items():
            found += [f"rows = {shown}", "print(rows)"] if name == self.first else [f"print({shown})"]
        return found

    def _asked(self, name: str, node: ast.Call) -> str:
        """An API's call; empty where it does more than read, or needs what is not known yet."""
        app, _, short = name.partition(".")
        api = APPS[app].apis.get(short) if app in APPS else None
        if api is None or not api.login or not short.startswith(READS):
            return ""
        words = {one.name: one.required for one in api.parameters}
        known = self._known([word for word in node.keywords if word.arg in words])
        missing = {word for word, required in words.items() if required} - known.keys() - {"access_token"}
        for word in node.keywords:
            if word.arg in missing and (value := self._of_a_row(word.value)):
                known[word.arg] = f"{word.arg}={value}"
        if missing - known.keys():
            return ""
        pages = [f"page_limit={ROWS}"] if "page_limit" in words else []
        return f"apis.{name}({', '.join([_token(app), *known.values(), *pages])})"

    def _known(self, words: Sequence[ast.keyword]) -> dict[str, str]:
        """Arguments whose values are in the task or in the program."""
        found = {}
        for word in words:
            if isinstance(word.value, ast.Constant) and word.arg:
                found[word.arg] = f"{word.arg}={word.value.value!r}"
            elif isinstance(word.value, ast.Name) and word.value.id in self.given and word.arg:
                found[word.arg] = f"{word.arg}={self.given[word.value.id]!r}"
        return found

    def _of_a_row(self, value: ast.expr) -> str:
        """A field of a row, of the first row then, if its listing is looked at."""
        value = self.picks.get(value.id, value) if isinstance(value, ast.Name) else value
        if not (isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name)):
            return ""
        listing = self.rows.get(value.value.id, "")
        if listing not in self.seen or self.first not in ("", listing) or "page_limit=" not in self.seen[listing]:
            return ""
        self.first = listing
        return f"rows[0][{ast.unparse(value.slice)}]".replace("'", '"')


def _token(app: str) -> str:
    return f'access_token=login(app="{app}")'
