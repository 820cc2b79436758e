"""Skills for others and from others: `prowess skills export | import`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prowess.cli.skills.names import found
from prowess.cli.skills.options import PLACE, Namespace, StoreFile, Who, again, opened
from prowess.text.plural import counted
from prowess.text.terminal import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prowess.errors import RecipeError
    from prowess.store.db import Store
    from prowess.store.exchange import Refusal

FORMATS = ("agent-skills", "wheel", "jsonl")

TOLD = 10
"""So many refused lines or folders are told one by one."""


def export(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[SKILL]...", help="Skills; nothing for all active ones.")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="agent-skills (folders), wheel or jsonl.")
    ] = "agent-skills",
    out: Annotated[Path, typer.Option("--out", metavar="PATH", help="A folder; for jsonl a file.")] = Path("exported"),
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    probation: Annotated[bool, typer.Option("--probation", help="Of all, also those on probation.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Over what such folders hold.")] = False,
    name: Annotated[str, typer.Option("--name", help="The wheel's name.")] = "prowess-skills",
    version: Annotated[str, typer.Option("--version", help="The wheel's version. (default: from what is in it)")] = "",
) -> None:
    """Write skills as Agent Skills folders, as a wheel, or as SAGE's JSONL, and print what was written."""
    from prowess.cli.skills.jobs.totals import totals_of
    from prowess.errors import unknown
    from prowess.store.exchange import export_folders, export_jsonl, export_wheel
    from prowess.text.terminal import progress

    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    with opened(store) as skills:
        digests = _chosen(skills, names or (), namespace, probation)
        there = {} if names else totals_of(skills, namespace).statuses
        if not digests:
            raise _nothing(there, store, namespace, probation)
        match format:
            case "wheel":
                written: tuple[Path, ...] = (export_wheel(skills, digests, out, name=name, version=version),)
            case "jsonl":
                path = out if out.suffix else out.with_suffix(".jsonl")
                with progress(len(digests), f"export to {path}") as bar:
                    export_jsonl(skills, digests, path, watch=bar.advance)
                written = (path,)
            case _:
                with progress(None, f"export to {out}") as bar:
                    written = export_folders(skills, digests, out, replace=replace, watch=bar.advance)
    for path in written:
        print(path)
    left = 0 if probation else there.get("probation", 0)
    more = f"; left out: {left} on probation (--probation takes them, too)" if left else ""
    say(f"{counted(len(digests), 'skill')}{more}")


def import_skills(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders of skills, or JSONL files.")],
    store: StoreFile = PLACE,
    namespace: Annotated[
        str,
        typer.Option(
            "--namespace",
            help="The world of what a JSONL file holds. (default: what its lines say, or the only one in the store)",
        ),
    ] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Take in nothing if one folder or line is refused.")] = False,
    who: Who = "",
) -> None:
    """Take skills in as candidates, which must pass the gates like any other. Their code is not executed.

    What is no skill is refused and told, and the exit code is then 1. A command that was stopped goes on where it was.
    """
    from contextlib import nullcontext
    from functools import partial

    from prowess.errors import RecipeError
    from prowess.store.exchange import Refusal, import_folders
    from prowess.store.exchange.jsonl import looked_at, take_in
    from prowess.store.exchange.parcels import skill_folders
    from prowess.text.terminal import progress_of_many, safe

    for path in paths:  # before a store is begun for nothing
        if not path.exists():
            raise RecipeError(f"there is nothing at {path}", hint="name a folder with SKILL.md, or a JSONL file")
        if path.is_dir():
            skill_folders(path)
    look = partial(looked_at, namespace=namespace, known=_worlds(store))
    lines = {path: look(path) for path in paths if not path.is_dir()}
    for path in lines:
        if not lines[path].total:
            raise RecipeError(f"{path} holds no skill", hint="a JSONL file has a skill on each line")
    refused: list[Refusal] = []
    done = count = 0
    with opened(store, create=True) as skills, skills.many() if strict else nullcontext():
        for path in paths:
            outcomes = (
                import_folders(skills, path, who=who, strict=strict, watch=progress_of_many)
                if path.is_dir()
                else take_in(skills, lines[path], who=who, strict=strict, watch=progress_of_many)
            )
            for one in outcomes:
                if isinstance(one, Refusal):
                    count += 1
                    refused += [one] if len(refused) < TOLD else []
                else:
                    done += 1
                    print(safe(f"{one.source}: {one.message}"))
    if count:
        say(_refusals(refused, count, done))
    say(f"to go on: prowess skills admit{again(store)}")
    raise typer.Exit(1 if count else 0)


def _worlds(path: Path) -> Sequence[str]:
    """The worlds of a store that may not be there yet."""
    if not path.exists():
        return ()
    with opened(path) as skills:
        return skills.namespaces()


def _refusals(first: Sequence[Refusal], count: int, done: int) -> str:
    """What to say of what was refused: how many, and the first of them."""
    from prowess.cli.skills.views.text import line

    told = [f"error: {count} of {count + done} are refused, nothing of them is in the store"]
    told += [f"  {line(one.why.message, 300)}" for one in first]
    told += [f"  and {count - len(first)} more"] if count > len(first) else []
    hint = line(first[0].why.hint, 300) or "leave them out, or take the originals"
    return "\n".join([*told, f"hint: {hint}; the same command then takes in what is missing"])


def _nothing(there: Mapping[str, int], store: Path, namespace: str | None, probation: bool) -> RecipeError:
    """What to say where no skill is exported: which leave unnamed, what there is instead, and how that leaves."""
    from prowess.errors import RecipeError

    place = f"{store}, namespace '{namespace}'" if namespace is not None else f"{store}"
    if not there:
        return RecipeError(
            f"there is nothing to export: {place} holds no skill",
            hint=f"prowess skills stats{again(store)} tells what there is",
        )
    allowed = "active, or on probation" if probation else "active"
    left = ", ".join(f"{status} {count}" for status, count in there.items())
    name = f"name skills, of whatever status (prowess skills list{again(store)})"
    tried = 0 if probation else there.get("probation", 0)
    return RecipeError(
        f"there is nothing to export: skills that are not named must be {allowed}, and of"
        f" {counted(sum(there.values()), 'skill')} in {place} none is; left out: {left}",
        hint=f"--probation exports those on probation, too: {tried}; or {name}" if tried else name,
    )


def _chosen(store: Store, names: Sequence[str], namespace: str | None, probation: bool) -> list[str]:
    """The digests of the skills that are named, or of all that agents are offered."""
    from prowess.store.record import Status

    if names:
        return [found(store, name, namespace).digest for name in names]
    statuses = [Status.ACTIVE, Status.PROBATION] if probation else [Status.ACTIVE]
    return list(store.heads(statuses=statuses, namespace=namespace))
