"""Show: read one episode, one scenario or one skill of a run in a terminal.

    prowess show runs/expert-evaluate                 what is there
    prowess show runs/expert-evaluate --failed        the tasks that were not solved, and why
    prowess show runs/expert-evaluate pay_back_3_1    one task, turn by turn
    prowess show runs/expert-evaluate pay_people      one skill

Replies, code and observations are what a model and its programs wrote: they are made safe before they are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prowess.errors import RecipeError, unknown
from prowess.figures.measure import Outcome, outcomes
from prowess.files.codec import Played
from prowess.report.records import EpisodeLine, episode_line, state_of
from prowess.report.units import in_sight, units
from prowess.run import Run
from prowess.text.plural import counted
from prowess.text.terminal import console as plain_console
from prowess.text.terminal import safe, say
from prowess.types import Episode, Observation, Skill, Stop, Turn

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

LINES = 40
"""Longest observation shown; the rest is cut with a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a name meant: episodes of one repetition, or the versions of a skill."""

    episodes: tuple[Played, ...] = ()
    skills: tuple[Skill, ...] = ()
    elsewhere: tuple[int, ...] = ()
    """Other repetitions that have it too."""


def show(
    folder: Path | str,
    what: str = "",
    number: int | None = None,
    console: Console | None = None,
    *,
    failed: bool = False,
) -> None:
    """Print what a name means in a run, or what there is when nothing is named; of tasks only those that `failed`."""
    console = console or plain_console()
    run = Run.open(folder)
    if not what:
        list_failed(console, run) if failed else list_run(console, run)
        return
    found = find(run, what, number=number)
    episodes = [played for played in found.episodes if not (failed and played.episode.success)]
    if failed and not episodes:
        say(f"no episode of '{what}' failed")
        return
    for played in episodes:
        show_episode(console, played.episode, place=f"{played.split}, run {played.run}")
    for skill in () if failed else found.skills:
        show_skill(console, skill)
    if found.elsewhere:
        runs = ", ".join(map(str, found.elsewhere))
        say(f"also in run {runs}: choose one with --run")


def find(run: Run, what: str, *, number: int | None = None) -> Selection:
    """What a task id, a scenario or a skill's name means in a run; by default in the first repetition that has it."""
    named = _Named.read(_episodes(run, _near(run, what), naming=what), what)
    if not named.episodes:
        named = _Named.read(_episodes(run, units(run), naming=what), what)
    if not named.having or number not in (None, *named.having):  # all are read to say what there is
        named = _Named.read(_episodes(run, units(run)), what)
    if not named.names:
        raise RecipeError(f"run {run.folder} holds no episode yet")
    if number is not None and number not in named.numbers:
        raise unknown("run number", str(number), map(str, named.numbers))
    if not named.having:
        raise _unknown(what, named.names)
    chosen = min(named.having) if number is None else number
    if chosen not in named.having:
        raise RecipeError(
            f"'{what}' is not in run {chosen}", hint=f"it is in run {', '.join(map(str, sorted(named.having)))}"
        )
    elsewhere = tuple(sorted(named.having - {chosen})) if number is None else ()
    if named.episodes:
        episodes = tuple(played for played in named.episodes if played.run == chosen)
        return Selection(episodes=episodes, elsewhere=elsewhere)
    return Selection(skills=tuple(named.skills[chosen].values()), elsewhere=elsewhere)


def _episodes(run: Run, names: Iterable[str], *, naming: str = "") -> Iterator[Played]:
    for name in names:
        yield from run.episodes(name, naming=naming)


def _near(run: Run, what: str) -> list[str]:
    """The units that are named after the scenario which a name begins with: of an evaluation, all that can hold it.

    >>> _after("dev-run0-pay_back_3")
    'pay_back_3'
    """
    names = run.keys() if run.about.command == "evaluate" else ()
    return [name for name in names if (scenario := _after(name)) and what.startswith(scenario)]


def _after(unit: str) -> str:
    return unit.split("-", 2)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """What episodes hold of a name."""

    episodes: tuple[Played, ...]
    """Those of the task of this name, or of the scenario."""
    skills: Mapping[int, Mapping[tuple[str, str], Skill]]
    """The skills of this name, by repetition."""
    names: Set[str]
    numbers: Set[int]
    """All names, and all repetitions, that were read."""

    @property
    def having(self) -> Set[int]:
        """The repetitions that have it."""
        return {played.run for played in self.episodes} or set(self.skills)

    @classmethod
    def read(cls, episodes: Iterable[Played], what: str) -> _Named:
        tasks: list[Played] = []
        scenarios: list[Played] = []
        skills: dict[int, dict[tuple[str, str], Skill]] = {}
        names: set[str] = set()
        numbers: set[int] = set()
        for played in episodes:
            task = played.episode.task
            names |= {task.id, task.scenario, *(skill.name for skill in played.episode.learned)}
            numbers.add(played.run)
            if task.id == what:
                tasks.append(played)
            elif task.scenario == what:
                scenarios.append(played)
            for skill in played.episode.learned:
                if skill.name == what:
                    skills.setdefault(played.run, {})[task.scenario, skill.source] = skill
        return cls(episodes=tuple(tasks or scenarios), skills=skills, names=names, numbers=numbers)


def _unknown(what: str, names: Iterable[str]) -> RecipeError:
    """The nearest name, without the list of all of them: a run has thousands."""
    error = unknown("task, scenario or skill", what, names)
    guess = error.hint.partition("known:")[0]
    return RecipeError(error.message, hint=f"{guess}name nothing to list what is there")


# --- one run --------------------------------------------------------------------------------------------------------


def list_run(console: Console, run: Run) -> None:
    """Print what a run holds: how each task of each scenario went in each repetition, and the skills saved."""
    from rich.text import Text

    facts = outcomes(_episodes(run, units(run)))
    if not facts:
        console.print(Text(f"{safe(str(run.folder))}: no episode yet ({run.about.status})"), soft_wrap=True)
        return
    with _made_in_sight(console, len(facts)):
        _print_run(console, run, facts)


@contextmanager
def _made_in_sight(console: Console, episodes: int) -> Iterator[None]:
    """Print what is printed inside when all of it is made, and say meanwhile that a long list is being made."""
    with in_sight(f"listing {counted(episodes, 'episode')}", episodes), console.capture() as made:
        yield
    console.file.write(made.get())


def _print_run(console: Console, run: Run, facts: Sequence[Outcome]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    numbers = sorted({fact.run for fact in facts})
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("scenario", overflow="fold")
    for head in (*(f"run {number}" for number in numbers), "skills"):
        table.add_column(head, justify="right" if head == "skills" else "left")
    split = ""
    places: dict[tuple[str, str], list[Outcome]] = {}
    for fact in facts:
        places.setdefault((fact.split, fact.scenario), []).append(fact)
    for place, here in places.items():
        if place[0] != split:
            split = place[0]
            table.add_section()
            table.add_row(Text(safe(split), style="bold"))
        marks = [
            Text(" ").join(_mark(fact.success, fact.broken) for fact in here if fact.run == number)
            for number in numbers
        ]
        saved = {name for fact in here for name, _ in fact.learned}
        table.add_row(Text(f" {safe(place[1])}"), *marks, Text(f"{len(saved)}", style="cyan"))
    console.print(Text(safe(_headline(facts, run)), style="bold"))
    console.print(table)
    _print_names(console, "skills", sorted({name for fact in facts for name, _ in fact.learned}), "cyan")
    console.print(Text("✔ solved  ✘ not solved  ! error; name a task, a scenario or a skill to read it", style="dim"))


def list_failed(console: Console, run: Run) -> None:
    """Print the episodes that did not solve their task: how each ended, and the first check that failed."""
    from rich.text import Text

    lines = [episode_line(played) for played in _episodes(run, units(run)) if not played.episode.success]
    if not lines:
        console.print(Text(f"{safe(str(run.folder))}: no task failed" if run.keys() else "no episode yet"))
        return
    with _made_in_sight(console, len(lines)):
        _print_failed(console, lines)


def _print_failed(console: Console, lines: Sequence[EpisodeLine]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("task", "run", "ended", "replies", "why"):
        table.add_column(head, justify="right" if head in ("run", "replies") else "left", overflow="fold")
    for line in lines:
        more = f" and {len(line.failed) - 1} more" if len(line.failed) > 1 else ""
        why = line.error or (f"{line.failed[0]}{more}" if line.failed else "")
        style = "bold red" if line.error else ""
        cells = (line.task, str(line.run), line.stop, str(line.turns), why)
        table.add_row(*(Text(safe(cell), style=style if cell is why else "") for cell in cells))
    console.print(table)
    console.print(Text(f"{counted(len(lines), 'episode')} did not solve the task; name one to read it", style="dim"))


def _headline(facts: Sequence[Outcome], run: Run) -> str:
    """What a run came to, in a line."""
    graded = [fact for fact in facts if not fact.broken]
    solved = sum(fact.success for fact in graded)
    share = f" ({solved / len(graded):.1%})" if graded else ""
    broke = f", {counted(len(facts) - len(graded), 'error')}" if len(graded) < len(facts) else ""
    return f"{run.about.command}, {state_of(run)}: {solved} of {counted(len(graded), 'episode')} solved{share}{broke}"


def _mark(success: bool, broken: bool) -> Text:
    from rich.text import Text

    if broken:
        return Text("!", style="bold red")
    return Text("✔", style="green") if success else Text("✘", style="red")


# --- one episode ----------------------------------------------------------------------------------------------------


def show_episode(console: Console, episode: Episode, *, place: str = "") -> None:
    """Print one episode: the task, every turn with its code and what came of it, the verdict."""
    from rich.panel import Panel
    from rich.text import Text

    task = episode.task
    head = Text(safe(task.instruction))
    about = [place, f"scenario {task.scenario}", f"difficulty {task.difficulty}"]
    head.append("\n" + safe(" · ".join(part for part in about if part)), style="dim")
    for name, value in task.facts.items():
        head.append(f"\n{safe(name)}: {safe(value)}", style="dim")
    console.print(Panel(head, title=Text(safe(task.id), style="bold"), title_align="left"))
    _print_names(console, "skills offered", episode.offered, "cyan")
    _print_names(console, "skills that did not load", episode.dropped, "yellow")
    for number, turn in enumerate(episode.turns):
        _show_turn(console, episode, number, turn)
    _show_end(console, episode)


def _show_turn(console: Console, episode: Episode, number: int, turn: Turn) -> None:
    from rich.rule import Rule
    from rich.text import Text

    said = turn.completion
    title = Text(f"turn {number + 1} of {len(episode.turns)}", style="bold")
    title.append(f"  {counted(said.reply_tokens, 'token')}", style="dim")
    title.append("  the teacher" if said.teacher else "", style="yellow")
    console.print(Rule(title, align="left", style="dim"))
    if prose := _prose(said.text, turn.code):
        console.print(Text(safe(prose)))
    if turn.code:
        console.print(code_block(turn.code))
    if turn.observation:
        console.print(_observation(turn.observation))
    for use in episode.called:
        if use.turn == number:
            line = Text(f"called skill {safe(use.name)}", style="cyan")
            line.append(f", written in {safe(use.origin)}" if use.origin else "", style="dim")
            line.append(f", raised {safe(use.error)}" if use.error else "", style="red")
            console.print(line)
    for skill in episode.learned:
        if skill.origin.turn == number:
            console.print(Text(f"saved skill {safe(skill.name)}", style="green"))


def _prose(reply: str, code: str) -> str:
    """What a reply says before its code; the whole reply when it has none."""
    return (reply.partition("```")[0] if code else reply).strip()


def code_block(source: str) -> RenderableType:
    """Code, coloured and safe to print."""
    from rich.padding import Padding
    from rich.syntax import Syntax

    text = safe(source).strip("\n").expandtabs(4)
    return Padding(Syntax(text, "python", theme="ansi_dark", background_color="default", word_wrap=True), (0, 0, 0, 2))


def _observation(seen: Observation) -> RenderableType:
    from rich.panel import Panel
    from rich.text import Text

    lines = safe(seen.text).rstrip().split("\n")
    text = Text("\n".join(lines[:LINES]))
    if len(lines) > LINES:
        text.append(f"\n… {counted(len(lines) - LINES, 'more line')}", style="dim")
    if seen.fatal:
        text.append(f"\n{safe(seen.fatal)}", style="bold red")
    notes = [counted(len(seen.apis), "API call")] if seen.apis else []
    notes += [f"the world broke on {counted(len(seen.breaks), 'call')}"] if seen.breaks else []
    notes += [f"{counted(seen.denied, 'operation')} refused"] if seen.denied else []
    notes += ["task marked complete"] if seen.done else []
    return Panel(
        text,
        title=Text("failed" if seen.failed else "observation"),
        subtitle=Text(" · ".join(notes)) if notes else None,
        title_align="left",
        subtitle_align="right",
        border_style="red" if seen.failed else "dim",
    )


def _show_end(console: Console, episode: Episode) -> None:
    from rich.rule import Rule
    from rich.text import Text

    console.print(Rule(Text("verdict", style="bold"), align="left", style="dim"))
    if episode.stop is Stop.ERROR:
        console.print(Text(f"! error: {safe(episode.error)}", style="bold red"))
    else:
        console.print(_verdict_line(episode))
    for check in episode.verdict.failed:
        console.print(Text(f"  ✘ {safe(check)}", style="red"))
    for check in episode.verdict.passed:
        console.print(Text(f"  ✔ {safe(check)}", style="green"))
    _print_names(console, "skills saved", [skill.name for skill in episode.learned], "green")
    console.print()


def _verdict_line(episode: Episode) -> Text:
    from rich.text import Text

    verdict = episode.verdict
    line = Text(
        "✔ solved" if verdict.success else "✘ not solved", style="bold green" if verdict.success else "bold red"
    )
    total = len(verdict.passed) + len(verdict.failed)
    line.append(
        f"  {len(verdict.passed)} of {counted(total, 'check')} passed; stopped: {episode.stop.value}; ", style="dim"
    )
    turns, tokens = counted(len(episode.turns), "turn"), counted(episode.reply_tokens, "token")
    line.append(f"{turns}, {tokens}, {episode.seconds:.1f} s", style="dim")
    return line


def _print_names(console: Console, label: str, names: Sequence[str], style: str) -> None:
    from rich.text import Text

    if names:
        line = Text(f"{label}: ", style="dim")
        console.print(line.append(safe(", ".join(names)), style=style))


# --- one skill ------------------------------------------------------------------------------------------------------


def show_skill(console: Console, skill: Skill) -> None:
    """Print one skill: what it does, where it comes from, which APIs it calls, its code."""
    from rich.panel import Panel
    from rich.text import Text

    head = Text(safe(skill.docstring).strip() or "no docstring")
    origin = skill.origin
    if origin.task:
        head.append(f"\nwritten in {safe(origin.task)}, turn {origin.turn + 1}", style="dim")
        head.append(f", for: {safe(origin.instruction)}" if origin.instruction else "", style="dim")
    if skill.apis:
        head.append(f"\nAPIs: {safe(', '.join(skill.apis))}", style="dim")
    console.print(Panel(head, title=Text(safe(skill.name), style="bold"), title_align="left"))
    console.print(code_block(skill.code))
    console.print()
