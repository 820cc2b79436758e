"""Where skills were offered or held back, and what they cost, a line each."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from prowess.cli.skills.views.tables import WIDE, share_text, stacked, status_text, table_of, uplift_cell
from prowess.cli.skills.views.text import line, moment
from prowess.store.standing import Cost, Statistics, Use

_FIGURES = frozenset({"place", "score", "called", "tokens", "offered", "solved", "unused tokens", "uplift"})


def uses(rows: Sequence[Use], *, width: int) -> RenderableType:
    """Uses one by one: with what score, whether called, how it ended."""
    wide = width >= WIDE
    where = ("run", "task") if wide else ()
    table = table_of("when", "skill", *where, "arm", "place", "score", "called", "end", right=_FIGURES)
    for one in rows:
        use = one.usage
        places = (Text(line(use.run.partition("@")[0])), Text(line(use.task)))
        end = Text("solved", style="green") if use.success else Text("not solved", style="red")
        if use.error:
            end.append(f", it raised {line(use.error, 40)}", style="red")
        table.add_row(
            Text(moment(use.at), style="dim"),
            *((_name(one), *places) if wide else (stacked(_name(one), *places),)),
            use.arm,
            str(use.rank + 1) if use.arm == "offered" else "–",
            f"{use.score:.2f}" if use.score else "–",
            str(use.called),
            end,
        )
    return table if rows else Text("no use", style="dim")


def costs(rows: Sequence[tuple[Cost, Statistics]], *, width: int) -> RenderableType:
    """What versions cost in prompts, and what they were worth."""
    wide = width >= WIDE
    heads = ("skill", "status", "digest") if wide else ("skill",)
    table = table_of(*heads, "tokens", "offered", "called", "solved", "unused tokens", "uplift", right=_FIGURES)
    for one, worth in rows:
        stands = (status_text(one.status), Text(one.digest[:8]))
        table.add_row(
            *((_name(one), *stands) if wide else (stacked(_name(one), Text(" ").join(stands)),)),
            f"{one.tokens:,}",
            str(one.offered),
            str(one.called),
            share_text(one.called_successes, one.called),
            f"{one.unused:,}",
            uplift_cell(worth),
        )
    return table if rows else Text("nothing was offered yet", style="dim")


def _name(one: Use | Cost) -> Text:
    return Text(f"{line(one.name)}@{one.number}", style="bold")
