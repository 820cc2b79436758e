"""From figures to lines: in which order, how many, in which form, and how a task says all that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prowess_practice.errands.reports.parts import SHOWN, FigureTable, LineSink, Paper, plainly, sentences
from prowess_practice.errands.reports.report import FLOOR, TOP
from prowess_practice.errands.transfers.parts import Slot, capital, one_of, turn_of

ENDS = (("greatest", "smallest"), ("latest", "earliest"))
"""How the ends of an order are called, of numbers and of days."""
WEEK = '    week = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]\n'
HEADING = one_of("heading", "By the numbers", "As of today", "The figures", "Current state", "At a glance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a line is written."""

    word: str
    pattern: str
    words: str
    """The same in words, with NAME and FIGURE."""
    line: str
    """With SHOWN for the figure."""
    kinds: tuple[str, ...]
    numbered: bool = False


def _form(word: str, pattern: str, words: str, kinds: str = "int money mean share day text") -> Form:
    line = pattern.replace("NAME", "{name}").replace("FIGURE", "{SHOWN}").replace("RANK", "{rank}")
    return Form(
        word=word, pattern=pattern, words=words, line=line, kinds=tuple(kinds.split()), numbered="RANK" in pattern
    )


FORMS = (
    _form("colon", "NAME: FIGURE", "NAME, a colon, a space and FIGURE"),
    _form("times", "FIGURE x NAME", 'FIGURE, then " x " (a small x between two spaces), then NAME', "int"),
    _form("brackets", "NAME (FIGURE)", "NAME, a space and, in round brackets, FIGURE"),
    _form(
        "dash",
        "NAME - FIGURE",
        'NAME, then " - " (a hyphen between two spaces), then FIGURE',
        "int money mean share text",
    ),
    _form("numbered", "RANK. NAME: FIGURE", "RANK, a full stop, a space, NAME, a colon, a space and FIGURE"),
    _form("equals", "NAME = FIGURE", 'NAME, then " = ", then FIGURE', "int money mean share text"),
    _form("bar", "FIGURE | NAME", 'FIGURE, then " | ", then NAME', "int money mean share day"),
    _form("dollars", "NAME: $FIGURE", "NAME, a colon, a space, a dollar sign and directly after it FIGURE", "money"),
    _form("square", "[FIGURE] NAME", "FIGURE in square brackets, a space and NAME", "int money mean share day"),
    _form("bullet", "* NAME, FIGURE", "an asterisk, a space, NAME, a comma, a space and FIGURE"),
    _form("ranked", "RANK) NAME / FIGURE", 'RANK, a closing round bracket, a space, NAME, then " / ", then FIGURE'),
    _form("arrow", "NAME -> FIGURE", 'NAME, then " -> ", then FIGURE'),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How the lines of a report are made of its figures."""

    form: Form
    order: str
    """down, up, name or back: by figure or by name, from either end."""
    cut: str = ""
    """top or least."""
    extra: str = ""
    """heading or total."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        found = [{"top": TOP, "least": FLOOR}[self.cut]] if self.cut else []
        return (*found, HEADING) if self.extra == "heading" else tuple(found)


def fits(style: Style, table: FigureTable) -> bool:
    """Whether a table can be told in this style."""
    by_figure = style.order in ("down", "up")
    return (
        table.kind in style.form.kinds
        and not (by_figure and table.kind == "text")
        and not (style.cut == "least" and table.kind not in ("int", "money"))
        and not (style.extra == "total" and (not table.adds or style.cut or style.form.numbered))
        and not (style.cut == "top" and not by_figure and not table.dated)
        and not (table.signed and (style.form.word == "dollars" or style.cut == "least"))
        and (table.counted or style.form.word != "times")
    )


def ranking(table: FigureTable, order: str) -> tuple[str, tuple[str, str]]:
    """Lines that give the names in their order, and an edit that breaks it."""
    if order in ("down", "up") and table.kind == "day":
        end = ", reverse=True" if order == "down" else ""
        line = f"    ranked.sort(key=lambda name: figures[name]{end})\n"
        return f"    ranked = sorted(figures)\n{line}", (line.strip(), "")
    if order in ("down", "up"):
        key = f"({'-' if order == 'down' else ''}figures[name], name)"
        return f"    ranked = sorted(figures, key=lambda name: {key})\n", (key, "name")
    if table.weekly:
        days, other = ("week", "sorted(week)") if order == "name" else ("reversed(week)", "week")
        line = f"    ranked = [day for day in {days} if day in figures]\n"
        return f"{WEEK}{line}", (f"for day in {days}", f"for day in {other}")
    if order == "name":
        return "    ranked = sorted(figures)\n", ("sorted(figures)", "sorted(figures, reverse=True)")
    return "    ranked = sorted(figures, reverse=True)\n", ("(figures, reverse=True)", "(figures)")


def lined(table: FigureTable, style: Style) -> Paper:
    """The lines of a report."""
    rank, broken = ranking(table, style.order)
    names = "ranked[:top]" if style.cut == "top" else "ranked"
    test = " if figures[name] >= least" if style.cut == "least" else ""
    line = style.form.line.replace("SHOWN", table.shown)
    loop = f"for rank, name in enumerate({names}, 1)" if style.form.numbered else f"for name in {names}"
    if style.form.numbered and test:
        rank += "    ranked = [name for name in ranked if figures[name] >= least]\n"
        test = ""
    code = f'{table.code}{rank}    lines = [f"{line}" {loop}{test}]\n'
    matters = [*table.matters, broken]
    if style.cut == "top":
        matters.append(("ranked[:top]", "ranked"))
    if style.cut == "least":
        matters.append((" if figures[name] >= least", ""))
    if style.extra == "heading":
        code += "    lines.insert(0, heading)\n"
    if style.extra == "total":
        code += f'    lines.append(f"Total: {{sum(figures.values()){SHOWN.get(table.kind, "")}}}")\n'
    return Paper(
        word=table.word,
        apps=table.told,
        rows=table.rows,
        code=code,
        about=f"{table.about}{_about(table, style)}",
        texts=_texts(table, style),
        slots=style.slots,
        figures=table.code,
        kind=table.kind,
        alone=table.alone,
        matters=tuple(matters),
    )


def _about(table: FigureTable, style: Style) -> str:
    first, last = ENDS[table.kind == "day"]
    name, back = ("by name", "by name backwards")
    if table.weekly:
        name, back = ("from Monday on", "from Sunday back")
    elif table.dated:
        name, back = ("from the earliest on", "from the latest back")
    order = {"down": f"{first} first", "up": f"{last} first", "name": name, "back": back}
    cut = {"top": ", the first so many", "least": ", those of at least so much", "": ""}
    extra = {"heading": ", under a heading", "total": ", with the total", "": ""}
    return f", {order[style.order]}{cut[style.cut]}{extra[style.extra]},"


def order_said(table: FigureTable, style: Style, n: int, items: str) -> str:
    """In one of four ways."""
    first, last = ENDS[table.kind == "day"]
    if style.order in ("down", "up"):
        end = first if style.order == "down" else last
        tie = "the earliest first" if table.dated else "from A to Z"
        return (
            f"The {items} are sorted by FIGURE, the {end} first, and equal ones by NAME, {tie}.",
            f"Sort them by the figure, the {end} first; where figures are equal, by {table.by}, {tie}.",
            f"The {end} FIGURE comes first, and where FIGURE is the same, NAME decides ({tie}).",
            f"Begin with the {end} FIGURE and go on in that order, with ties in the order of NAME ({tie}).",
        )[n]
    if table.dated:
        end = "earliest" if style.order == "name" else "latest"
        return (
            f"The {items} are sorted by NAME, the {end} first.",
            f"Sort them by {table.by}, the {end} first.",
            f"The {end} NAME comes first, and so on.",
            f"Begin with the {end} NAME and go on in that order.",
        )[n]
    ends = ("Monday to Sunday", "Sunday to Monday") if table.weekly else ("A to Z", "Z to A")
    way = f"from {ends[style.order == 'back']}"
    return (
        f"The {items} are sorted by NAME {way}.",
        f"Sort them by {table.by}, {way}.",
        f"NAME decides on the order: {way}.",
        f"The {items} go {way} by NAME.",
    )[n]


def cut_said(style: Style, n: int, items: str) -> str:
    """What is left out, in one of four ways."""
    if style.cut == "top":
        return (
            f"Only the first {{top}} {items} are kept.",
            "Then drop all but the first {top}.",
            f"I need no more than the first {{top}} {items}.",
            f"Stop after {{top}} {items}.",
        )[n]
    if style.cut == "least":
        return (
            f"There are only {items} with a FIGURE of {{least}} or more.",
            "Leave out whatever has a figure below {least}.",
            f"Where FIGURE is less than {{least}}, there is no {items.replace('entries', 'entry').removesuffix('s')}.",
            "Skip everything with a FIGURE under {least}.",
        )[n]
    return ""


def extra_said(table: FigureTable, style: Style, n: int, items: str, item: str) -> str:
    """What comes before or after."""
    if style.extra == "heading":
        uncounted = " that is not counted" if style.form.numbered else ""
        return (
            f'Before all others, there is an additional first {item} that says "{{heading}}".',
            f'Put "{{heading}}" before them, as a {item} of its own{uncounted}.',
            f'Before these comes a further {item} with just the words "{{heading}}".',
            f'A further {item} that reads "{{heading}}" goes first.',
        )[n].replace("a entry", "an entry")
    if style.extra == "total":
        form = " with two decimals" if table.kind == "money" else ""
        return (
            f'After them comes one more {item}, "Total: SUM", SUM being the sum of all figures{form}.',
            f'Add a last {item} made of "Total: " and the sum of all figures{form}.',
            f'The last {item} is "Total: SUM", and SUM stands for the sum of all figures{form}.',
            f'At the end, add "Total: SUM" as a further {item}, with the sum of all figures{form} for SUM.',
        )[n]
    return ""


_OVERVIEWS = (
    "I would like an overview of",
    "Please give me a breakdown of",
    "I want to see a list about",
    "Sum up for me",
)
_REPORTS = ("Needed: a report on", "Wanted: a list that tells about", "To be written: a summary of")
_QUESTIONS = ("For EACH, find out", "Work out for EACH", "I wonder about EACH: find")
_ANSWERS = ("tells me the result", "is what I want to read", "is how to write it down", "says it all")


def _texts(table: FigureTable, style: Style) -> Callable[[LineSink], tuple[str, ...]]:
    def texts(sink: LineSink) -> tuple[str, ...]:
        item, items, form = sink.item, sink.items, style.form
        aside = f" without that first {item}" if style.extra == "heading" else ""
        rank = f"RANK is the place in the list{aside}, counted from 1." if form.numbered else ""

        def rest(n: int) -> str:
            return sentences(
                order_said(table, style, n, items),
                cut_said(style, n, items),
                extra_said(table, style, n, items, item),
                rank if n != 1 else "",
                table.hint,
            )

        words = form.words.replace("NAME", table.name).replace("FIGURE", "the figure")
        words = words.replace("RANK", "its place in the list (counted from 1)")
        content = f'one {item} of the form "{form.pattern}" for {table.each}'
        an = "an entry" if item == "entry" else f"a {item}"
        place, turn = sink.place, turn_of(f"{table.word}{sink.word}")
        made = (
            sentences(
                f"{sink.give.replace('CONTENT', content)}.",
                f"NAME is {table.name} and FIGURE is {table.says}.",
                rest(0),
                sink.join,
            ),
            sentences(
                table.lead,
                f"Make {an} of each: {words}.",
                rest(1),
                sink.join,
                sink.finish.replace("ITEMS", items),
            ),
            sentences(
                f"{_OVERVIEWS[turn % 4]} {table.subject} {place}.",
                f'It has {an} for {table.per}, like this: "{form.pattern}".',
                f"There, NAME stands for {table.name} and FIGURE for {table.says}.",
                rest(2),
                sink.join,
            ),
            sentences(
                f"{_REPORTS[turn % 3]} {table.subject}, {place}.",
                f'It takes {an} for {table.per}. Format: "{form.pattern}".',
                f"Here, NAME means {table.name}. FIGURE means {table.says}.",
                rest(2),
                sink.join,
            ),
            sentences(
                f"{_QUESTIONS[turn % 3].replace('EACH', table.each)} {table.says}.",
                f'{capital(an)} "{form.pattern}" {_ANSWERS[turn % 4]}, NAME being {table.name}.',
                rest(3),
                sink.finish.replace("ITEMS", items),
                sink.join,
            ),
        )
        return tuple(plainly(table.kind, table.token(text) if n in (2, 3) else text) for n, text in enumerate(made))

    return texts
