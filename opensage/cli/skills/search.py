"""Finding: `opensage skills search`."""

from __future__ import annotations

from typing import Annotated

import typer

from opensage.cli.skills.json_lines import brief, write_lines
from opensage.cli.skills.options import PLACE, AsJson, Limit, Namespace, StoreFile, opened


def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="A request, or words of a skill.")],
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    meaning: Annotated[
        bool, typer.Option("--meaning", help="Compare meanings, too; loads an embedding model.")
    ] = False,
    limit: Limit = 10,
    json: AsJson = False,
) -> None:
    """Find skills as an agent would for a request; below them, others that have the words and are not offered."""
    from rich.text import Text

    from opensage.cli.skills.jobs.lookup import hits, others
    from opensage.cli.skills.views import pieces
    from opensage.cli.skills.views.text import line
    from opensage.terminal import console

    request = " ".join(words)
    with opened(store) as skills:
        offered = hits(skills, request, namespace=namespace, limit=limit, meaning=meaning)
        rest = others(skills, request, namespace=namespace, limit=limit)
    if json:
        write_lines(
            {**brief(hit.entry), "likeness": hit.likeness, "score": hit.score, "channels": dict(hit.channels)}
            for hit in offered
        )
        write_lines({**brief(entry), "likeness": None, "score": None, "channels": {}} for entry in rest)
        return
    table = pieces.table_of("likeness", "skill", "status", "effect", "digest", right=["likeness"])
    rows = [(f"{hit.likeness:.2f}", hit.entry) for hit in offered] + [("–", entry) for entry in rest]
    for likeness, entry in rows:
        name = Text(line(entry.name), style="bold").append(
            f"\n  {line(entry.version.summary, 60)}", style="not bold dim"
        )
        effect = Text(entry.version.effect, style=pieces.EFFECTS[entry.version.effect])
        table.add_row(likeness, name, pieces.status_text(entry.status), effect, entry.digest[:8])
    console().print(table if rows else Text("nothing found", style="dim"))
