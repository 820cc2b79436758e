"""Options that the commands share, and the store they name."""

from __future__ import annotations

import getpass
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from opensage.skills.record import Status
    from opensage.skills.standing import Entry
    from opensage.skills.store import Store

PLACE = Path("skills.db")

StoreFile = Annotated[
    Path, typer.Option("--store", metavar="PATH", envvar="OPENSAGE_SKILLS", help="The skill store, a file.")
]
Named = Annotated[
    str,
    typer.Argument(metavar="SKILL", help="A name, an old name, NAMESPACE:NAME, an id, NAME@VERSION or a digest."),
]
Digests = Annotated[
    list[str], typer.Argument(metavar="DIGEST...", help="The digests that were looked at, or their beginnings.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts.")]
Who = Annotated[str, typer.Option("--who", help="Who decides. (default: the user's name)")]
Why = Annotated[str, typer.Option("--why", help="The reason, kept for good.")]
Namespace = Annotated[str | None, typer.Option("--namespace", help="Only skills of this world or app.")]
Statuses = Annotated[
    list[str] | None, typer.Option("--status", metavar="STATUS", help="Only skills of this status; may be repeated.")
]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10**9, help="At most so many.")]


def again(path: Path) -> str:
    """What to add to a command for it to mean this store, where that is not the usual one.

    >>> again(Path("skills.db")), again(Path("my skills.db"))
    ('', " --store 'my skills.db'")
    """
    return "" if path == Path(os.environ.get("OPENSAGE_SKILLS", PLACE)) else f" --store {shlex.quote(str(path))}"


@contextmanager
def opened(path: Path, *, create: bool = False) -> Iterator[Store]:
    """The store at a path; only what brings skills in may begin one."""
    from opensage.errors import RecipeError
    from opensage.skills.store import Store

    if not create and not path.exists():
        raise RecipeError(
            f"there is no skill store at {path}",
            hint="name it by --store PATH or OPENSAGE_SKILLS, or begin one: opensage skills propose RUN",
        )
    with Store.open(path, create=create) as store:
        yield store


def found(store: Store, text: str, namespace: str | None = None) -> Entry:
    """The skill that a person means, with its head, or with the version they name by number or digest."""
    from opensage.errors import RecipeError

    name, at, number = text.rpartition("@")
    if not at:
        return store.resolve(text, namespace)
    versions = store.versions(store.resolve(name, namespace).id)
    for entry in versions:
        if str(entry.number) == number:
            return entry
    raise RecipeError(
        f"'{name}' has no version '{number}'", hint=f"it has {', '.join(str(entry.number) for entry in versions)}"
    )


def exactly(store: Store, text: str) -> Entry:
    """The version of a digest. A name is refused: what stands behind it may have changed since it was looked at."""
    from opensage.errors import NotThere, RecipeError

    try:
        entry = found(store, text)
    except NotThere:
        raise store.unknown_digest(text) from None
    if not entry.digest.startswith(text):
        digest = entry.digest[:12]
        raise RecipeError(
            f"'{text}' is not a digest, and a verdict binds to one",
            hint=f"it stands for {digest} now: opensage skills show {digest}, then give that digest",
        )
    return entry


def each_exactly(store: Store, texts: list[str]) -> list[str]:
    """The digests that were given, each once."""
    return list(dict.fromkeys(exactly(store, text).digest for text in texts))


def statuses_in(texts: list[str] | None) -> list[Status]:
    """The statuses that were named."""
    from opensage.errors import unknown
    from opensage.skills.record import Status

    for text in texts or ():
        if text not in set(Status):
            raise unknown("status", text, Status)
    return [Status(text) for text in texts or ()]


def person(who: str) -> str:
    """Who decides: as told, or the user of this terminal."""
    if who:
        return who
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no name for this user id, as in some containers
        return "somebody"
