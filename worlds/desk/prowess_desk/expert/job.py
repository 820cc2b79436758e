"""What the expert understood of a task, and the blocks of code it writes from that."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from prowess.text.syntax import tree_of
from prowess.worlds.expert import Step
from prowess_desk.engine.family import Family, Function, Values, needed, source_of
from prowess_desk.families.toolbox import TOOLBOX

IMPORTS = {
    "Any": "from typing import Any",
    "Counter": "from collections import Counter",
    "date": "from datetime import date",
    "datetime": "from datetime import datetime",
    "defaultdict": "from collections import defaultdict",
    "re": "import re",
    "timedelta": "from datetime import timedelta",
}
"""What the programs may import, by the name they use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the expert understood of a conversation's opening."""

    family: Family
    values: Values
    offered: frozenset[str]
    rng: Random
    instruction: str = ""

    @property
    def call(self) -> str:
        return self.family.program.call.format(**self.values)

    @property
    def reuses(self) -> bool:
        """True when the library already offers the function that does the job."""
        return self.family.program.name in self.offered

    def source(self, names: Sequence[str] | None = None) -> str:
        """The functions to define: those named, or all that the library does not offer."""
        functions = functions_of(self.family)
        wanted = [name for name in functions if name not in self.offered] if names is None else names
        return written(tuple(source_of(functions[name]) for name in wanted))

    def using(self, *, show: bool = True) -> str:
        """The line that calls the function and keeps its result."""
        if self.family.asks:
            return f"answer = {self.call}" + ("\nprint(answer)" if show else "")
        return f"print({self.call})" if show else self.call

    @property
    def completing(self) -> str:
        return f"apis.supervisor.complete_task({'answer=answer' if self.family.asks else ''})"

    def pick(self, *sentences: str) -> str:
        return self.rng.choice(sentences)


def functions_of(family: Family) -> dict[str, Function]:
    """Everything a family's program is made of, helpers first."""
    own = family.program.functions
    return {name: TOOLBOX[name] for name in needed(own, TOOLBOX)} | {each.__name__: each for each in own}


@lru_cache(maxsize=4096)
def written(sources: tuple[str, ...]) -> str:
    """Functions as one block, with the imports they need."""
    text = "\n\n\n".join(sources)
    names = {node.id for node in ast.walk(tree_of(text)) if isinstance(node, ast.Name)}
    imports = [IMPORTS[name] for name in sorted(IMPORTS) if name in names]
    return "\n".join(imports) + "\n\n\n" + text if imports else text


def finish(job: Job) -> Step:
    """The reply that completes the task."""
    return Step(
        thought=job.pick("That is done.", "Everything is in place.", "The task is complete."), code=job.completing
    )


def reused(job: Job) -> list[Step]:
    """Call what the library offers, look at the result, and complete in a reply of its own."""
    name = job.family.program.name
    return [
        Step(
            thought=job.pick(
                f"The library offers `{name}`: I call it with this task's values.", f"`{name}` fits here."
            ),
            code=job.using(),
        ),
        finish(job),
    ]


def defined(job: Job) -> str:
    """Code that defines the functions and calls the one that does the job."""
    return f"{job.source()}\n\n\n{job.using()}"


def listings(job: Job, apps: Sequence[str] = ()) -> str:
    """Code that lists the APIs of the apps that the task needs, or of some."""
    named = apps or job.family.apps
    return "\n".join(f'print(apis.api_docs.show_api_descriptions(app_name="{app}"))' for app in named)


def doc(api: str) -> str:
    """Code that shows the document of one API."""
    app, name = api.split(".")
    return f'print(apis.api_docs.show_api_doc(app_name="{app}", api_name="{name}"))'
