"""What a person decides: `prowess skills approve | reject | retire | restore | move | pin | unpin | undo`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from prowess.cli.skills.names import each_exactly, found, held, statuses_in
from prowess.cli.skills.options import PLACE, Digests, Named, Namespace, StoreFile, Who, Why, again, opened, person
from prowess.text.terminal import say

if TYPE_CHECKING:
    from prowess.store.db import Store
    from prowess.store.record import Event

Active = Annotated[bool, typer.Option("--active", help="Make it active at once, without probation.")]
Holder = Annotated[str, typer.Option("--by", metavar="HOLDER", help="Who holds it. (default: the user's name)")]
Held = Annotated[str, typer.Argument(metavar="SKILL", help="A skill, or the root of a snapshot for all it holds.")]


def approve(digests: Digests, store: StoreFile = PLACE, active: Active = False, who: Who = "", why: Why = "") -> None:
    """Approve versions, so that they go on: from review to probation, from probation to active.

    An approval holds for its digest: any other version, and any edit, needs one of its own.

    Of several, either all are approved, or none is and the reason is reported.
    """
    from prowess.store.curate.review import approve as allow
    from prowess.store.curate.review import sight_of
    from prowess.store.record import Status

    to = Status.ACTIVE if active else None
    with opened(store) as skills:
        with skills.many():
            each = each_exactly(skills, digests)
            done = [
                event
                for digest in each
                for event in allow(skills, sight_of(skills, digest), who=person(who), why=why, to=to)
            ]
        tell(skills, done)


def reject(digests: Digests, store: StoreFile = PLACE, who: Who = "", why: Why = "") -> None:
    """Refuse versions that are not in use yet. They are kept and can be restored.

    Of several, either all are refused, or none is and the reason is reported.
    """
    from prowess.store.curate.review import reject as refuse
    from prowess.store.curate.review import sight_of

    with opened(store) as skills:
        with skills.many():
            each = each_exactly(skills, digests)
            done = [
                event for digest in each for event in refuse(skills, sight_of(skills, digest), who=person(who), why=why)
            ]
        tell(skills, done)


def retire(skill: Named, store: StoreFile = PLACE, namespace: Namespace = None, who: Who = "", why: Why = "") -> None:
    """Retire a skill. This is refused if another skill, a pin or a live run refers to it."""
    move(skill, "retired", store, namespace, who, why)


def restore(
    skill: Named,
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    to: Annotated[str, typer.Option("--to", metavar="STATUS", help="Where to. (default: probation or candidate)")] = "",
    who: Who = "",
    why: Why = "",
) -> None:
    """Bring a skill back from retirement, suspension or refusal. By default it must earn its place again."""
    from prowess.store.curate.review import restore as bring_back

    target = statuses_in([to])[0] if to else None
    with opened(store) as skills:
        digest = found(skills, skill, namespace).digest
        tell(skills, [bring_back(skills, digest, who=person(who), why=why, to=target)])


def move(
    skill: Named,
    to: Annotated[str, typer.Argument(metavar="STATUS", help="suspended, deprecated, revoked, stale ...")],
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    who: Who = "",
    why: Why = "",
) -> None:
    """Move a version to any status that the rules of its life allow a person."""
    from prowess.store.record import Actor

    target = statuses_in([to])[0]
    with opened(store) as skills:
        digest = found(skills, skill, namespace).digest
        tell(skills, [skills.move(digest, target, actor=Actor.PERSON, who=person(who), why=why)])


def pin(skill: Held, store: StoreFile = PLACE, namespace: Namespace = None, by: Holder = "", why: Why = "") -> None:
    """Keep a skill, or all of a snapshot, from being retired."""
    with opened(store) as skills:
        tell(skills, [skills.pin(held(skills, skill, namespace), person(by), why=why)])


def unpin(skill: Held, store: StoreFile = PLACE, namespace: Namespace = None, by: Holder = "", why: Why = "") -> None:
    """Remove the pin of a skill or a snapshot."""
    with opened(store) as skills:
        tell(skills, [skills.unpin(held(skills, skill, namespace), person(by), why=why)])


def undo(
    events: Annotated[
        list[int], typer.Argument(metavar="EVENT...", help="Numbers of events, from `prowess skills log`.")
    ],
    store: StoreFile = PLACE,
    who: Who = "",
    why: Why = "",
) -> None:
    """Take changes back by new events, with what followed from them. If one cannot be undone, none is."""
    with opened(store) as skills:
        with skills.many():
            done = [one for event in events for one in skills.undo(event, who=person(who), why=why)]
        tell(skills, done)


def tell(store: Store, events: Iterable[Event]) -> None:
    """Say what was done, and how to take it back."""
    from prowess.cli.skills.views.text import line
    from prowess.store.record import Kind

    done: list[int] = []
    for event in events:
        name = line(store.skill(event.skill).name) if event.skill else f"snapshot {event.digest[:12]}"
        match event.kind:
            case Kind.REVIEWED:
                what = {"approve": "approved", "refuse": "refused"}.get(event.after, "verdict taken back")
            case Kind.MOVED:
                what = f"{event.before} → {event.after}"
            case Kind.PINNED:
                what = f"pinned by {line(event.after)}" if event.after else f"no longer pinned by {line(event.before)}"
            case _:
                what = f"{event.kind} {line(event.before) or '·'} → {line(event.after) or '·'}"
        version = f" {event.digest[:12]}" if event.digest and event.skill else ""
        print(f"{name}{version}: {what}")
        if not event.undoes and not event.cause:
            done.insert(0, event.id)
    if done:
        say(f"to take it back: prowess skills undo {' '.join(map(str, done))}{again(store.path)}")
