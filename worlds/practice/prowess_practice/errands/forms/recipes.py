"""Ways to give an exact text: with a sample in it that is replaced, or in pieces that are put together."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from prowess_practice.errands.forms import pools
from prowess_practice.errands.forms.parts import FormField

Pieces = Mapping[str, str]
_NAMES: tuple[dict[str, str], ...] = (
    {},
    {"form": "pattern", "sample": "example", "start": "lead", "end": "tail"},
    {"form": "wording", "sample": "stand_in", "start": "opening", "end": "closing", "joint": "link"},
    {"form": "model", "first": "first_sample", "second": "second_sample", "start": "left", "end": "right"},
)
"""Other names for what a program takes."""
_TRIES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How the text of a row is made, and how a task says it: FIRST and SECOND are fields, NOUN what the text is."""

    slots: tuple[str, ...]
    code: str
    """The text as an expression."""
    brief: tuple[str, ...]
    """What the text is, in the middle of a sentence."""
    full: tuple[str, ...]
    """Sentences that say the same."""
    draw: Callable[[Random, str, Sequence[FormField]], Pieces]
    """The pieces, for a style and for fields."""
    drops: tuple[tuple[str, str], ...]
    """Edits that must matter."""
    double: bool = False
    """Whether there are two fields."""

    def named(self, turn: int) -> dict[str, str]:
        """What each slot is called."""
        names = _NAMES[turn % len(_NAMES)]
        return {slot: names.get(slot, slot) for slot in self.slots}

    def coded(self, code: str, turn: int, chosen: Sequence[FormField], row: str) -> str:
        """Code with the fields and the names in it."""
        for slot, name in self.named(turn).items():
            code = re.sub(rf"\b{slot}\b", name, code)
        for token, field in zip(("A", "B"), chosen, strict=False):
            code = re.sub(rf"\{{{token}\}}", lambda _, one=field: one.inside, code)  # type: ignore[misc]
            code = re.sub(rf"\b{token}\b", lambda _, one=field: one.value, code)  # type: ignore[misc]
        return re.sub(r"\bROW\b", row, code)

    def said(self, text: str, turn: int, chosen: Sequence[FormField]) -> str:
        """Words with the fields and the names in them."""
        for slot, name in self.named(turn).items():
            text = text.replace(f"{{{slot}}}", f"{{{name}}}")
        for token, field in zip(("FIRST", "SECOND"), chosen, strict=False):
            text = text.replace(token, field.what)
        return text


def _with_sample(rng: Random, style: str, chosen: Sequence[FormField]) -> Pieces:
    for _ in range(_TRIES):
        before, after = pools.frame(rng, style, *pools.money(rng, chosen[0].kind))
        sample = pools.sample(rng, chosen[0].kind)
        form = f"{before}{sample}{after}"
        if (before or after) and form.count(sample) == 1:
            return {"form": form, "sample": sample}
    return {}


def _with_samples(rng: Random, style: str, chosen: Sequence[FormField]) -> Pieces:
    for _ in range(_TRIES):
        kinds = [field.kind for field in chosen]
        (sign, unit), (second_sign, second_unit) = (pools.money(rng, kind) for kind in kinds)
        before, after = pools.frame(rng, style, sign, second_unit)
        link, shut = pools.between(rng)
        first, second = (pools.sample(rng, kind) for kind in kinds)
        form = f"{before}{first}{unit}{link}{second_sign}{second}{shut}{after}"
        if form.count(first) == form.count(second) == 1 and first not in second and second not in first:
            return {"form": form, "first": first, "second": second}
    return {}


def _around(rng: Random, style: str, chosen: Sequence[FormField]) -> Pieces:
    while True:
        before, after = pools.frame(rng, style, *pools.money(rng, chosen[0].kind))
        if before and after:
            return {"start": before, "end": after}


def _joined(rng: Random, style: str, chosen: Sequence[FormField]) -> Pieces:
    before = pools.start(rng, style, chosen[0].kind)
    while True:
        link, shut = pools.between(rng)
        if not shut:
            return {"start": before, "joint": link}


SAMPLE = Recipe(
    slots=("form", "sample"),
    code="form.replace(sample, A)",
    brief=(
        '"{form}", where "{sample}" stands for the FIRST',
        '"{form}", but with the FIRST in place of "{sample}"',
        '"{form}" (the "{sample}" in it is a sample: the FIRST goes there)',
    ),
    full=(
        'The NOUN must read exactly "{form}", only that the FIRST comes instead of "{sample}".',
        'If the FIRST were "{sample}", the NOUN would be "{form}", to the letter.',
        'This is a sample of the NOUN: "{form}". Keep all of it but "{sample}", for which you put the FIRST.',
        'With "{sample}" as the FIRST, the NOUN is "{form}"; do it in just this form.',
        'Copy the NOUN from here: "{form}". Only "{sample}" changes, as it stands for the FIRST.',
    ),
    draw=_with_sample,
    drops=(("sample, A", "sample, sample"), ("form.replace(sample, A)", "A")),
)
SAMPLES = Recipe(
    slots=("form", "first", "second"),
    code="form.replace(first, A).replace(second, B)",
    brief=(
        '"{form}", where "{first}" stands for the FIRST and "{second}" for the SECOND',
        '"{form}", but with the FIRST in place of "{first}" and the SECOND in place of "{second}"',
        '"{form}" (these are samples: the FIRST goes where "{first}" is, and the SECOND where "{second}" is)',
    ),
    full=(
        'The NOUN must read exactly "{form}", only that the FIRST comes instead of "{first}" and the SECOND instead of'
        ' "{second}".',
        'If the FIRST were "{first}" and the SECOND were "{second}", the NOUN would be "{form}", to the letter.',
        'This is a sample of the NOUN: "{form}". Keep all of it but "{first}", for which you put the FIRST, and'
        ' "{second}", for which you put the SECOND.',
        'With "{first}" as the FIRST and "{second}" as the SECOND, the NOUN is "{form}"; do it in just this form.',
        'Copy the NOUN from here: "{form}". Only "{first}" changes, as it stands for the FIRST, and "{second}", which'
        " stands for the SECOND.",
    ),
    draw=_with_samples,
    drops=(("first, A", "first, first"), ("second, B", "second, second")),
    double=True,
)
AROUND = Recipe(
    slots=("start", "end"),
    code='f"{start}{A}{end}"',
    brief=(
        '"{start}", the FIRST and "{end}", put together without anything in between',
        'the FIRST with "{start}" right before it and "{end}" right after it',
    ),
    full=(
        'Begin the NOUN with "{start}" and end it with "{end}"; in between there is only the FIRST.',
        'The NOUN is made of "{start}", the FIRST and "{end}", in this order and without further spaces.',
        'In the NOUN, put exactly "{start}" before the FIRST and exactly "{end}" after it.',
    ),
    draw=_around,
    drops=(("{start}", ""), ("{end}", "")),
)
BEFORE = Recipe(
    slots=("start",),
    code='f"{start}{A}"',
    brief=('"{start}" directly followed by the FIRST', 'the FIRST with "{start}" right before it'),
    full=(
        'Begin the NOUN with "{start}"; then comes the FIRST, and nothing after that.',
        'The NOUN is made of "{start}" and the FIRST, without anything in between.',
        'The NOUN is the FIRST, but beginning with "{start}".',
    ),
    draw=lambda rng, style, chosen: {"start": pools.start(rng, style, chosen[0].kind)},
    drops=(("{start}", ""),),
)
AFTER = Recipe(
    slots=("end",),
    code='f"{A}{end}"',
    brief=('the FIRST directly followed by "{end}"', 'the FIRST with "{end}" right after it'),
    full=(
        'The NOUN begins with the FIRST and ends with "{end}", with nothing in between.',
        'The NOUN is made of the FIRST and "{end}", put together just like that.',
        'The NOUN is the FIRST, but ending in "{end}".',
    ),
    draw=lambda rng, style, chosen: {"end": pools.end(rng, style, chosen[0].kind)},
    drops=(("{end}", ""),),
)
JOINED = Recipe(
    slots=("start", "joint"),
    code='f"{start}{A}{joint}{B}"',
    brief=(
        '"{start}", the FIRST, "{joint}" and the SECOND, put together without anything in between',
        '"{start}" directly followed by the FIRST, then "{joint}" directly followed by the SECOND',
    ),
    full=(
        'Begin the NOUN with "{start}"; then come the FIRST, "{joint}" and the SECOND, without further spaces.',
        'The NOUN is made of four parts: "{start}", the FIRST, "{joint}" and the SECOND, in this order, as they are.',
        'The NOUN has "{start}" right before the FIRST, and "{joint}" between that and the SECOND, with which it ends.',
    ),
    draw=_joined,
    drops=(("{start}", ""), ("{joint}", " ")),
    double=True,
)
_SPELT = (
    ("a space", " ", "", ""),
    ("a colon and a space", ": ", "", ""),
    ("a space, a dash and a space", " - ", "", ""),
    ("a comma and a space", ", ", "", ""),
    ("a colon and a space", ": ", "a full stop", "."),
    ("a space", " ", "a question mark", "?"),
    ("a space", " ", "an exclamation mark", "!"),
    ("a space and an opening bracket", " (", "a closing bracket", ")"),
    ("a space", " ", "three dots", "..."),
)


def _spelt(gap: str, mark: str, last: str, close: str) -> Recipe:
    """A beginning of words, with the marks after it and at the end spelt out in the task."""
    ending = f", and then {last}" if last else ""
    return Recipe(
        slots=("start",),
        code=f'f"{{start}}{mark}{{A}}{close}"',
        brief=(
            f'"{{start}}" followed by {gap}, then the FIRST{ending}',
            f'"{{start}}", {gap}, the FIRST{f" and {last}" if last else ""}, put together in this order',
        ),
        full=(
            f'Begin the NOUN with "{{start}}" and {gap}; then comes the FIRST{ending}.',
            f'The NOUN is made of "{{start}}", {gap}, and the FIRST{f", with {last} at the end" if last else ""}.',
            f'In the NOUN, put "{{start}}" before the FIRST, with {gap} between them'
            f"{f', and {last} after it' if last else ''}.",
        ),
        draw=lambda rng, style, chosen: {"start": pools.words(rng)},
        drops=((f"{{start}}{mark}", ""), *(((f'{{A}}{close}"', '{A}"'),) if close else ())),
    )


def _bare(mark: str, left: str, last: str, right: str) -> Recipe:
    """Nothing but marks around a field, spelt out in the task."""
    first = f"{mark}, then " if mark else ""
    ending = f", then {last}" if last else ""
    around = " and ".join([*([f"{mark} before it"] if mark else []), *([f"{last} after it"] if last else [])])
    return Recipe(
        slots=(),
        code=f'f"{left}{{A}}{right}"',
        brief=(f"{first}the FIRST{ending}", f"the FIRST with {around}"),
        full=(
            f"The NOUN is the FIRST with {around}.",
            f"The NOUN reads: {first}the FIRST{ending}, and nothing else.",
            f"For the NOUN take the FIRST, with {around}.",
        ),
        draw=lambda rng, style, chosen: {"": ""},
        drops=((f'f"{left}{{A}}{right}"', "A"),),
    )


_BARE = (
    _bare("a dash and a space", "- ", "", ""),
    _bare("", "", "a full stop", "."),
    _bare("an asterisk and a space", "* ", "", ""),
    _bare("an opening bracket", "(", "a closing bracket", ")"),
    _bare("", "", "an exclamation mark", "!"),
    _bare("a dash and a space", "- ", "a full stop", "."),
    _bare("a hash sign", "#", "", ""),
    _bare("", "", "a question mark", "?"),
)
_SAID = tuple(_spelt(*each) for each in _SPELT)
RECIPES = (
    *(SAMPLE, SAMPLES, AROUND, SAMPLE, SAMPLES, BEFORE, SAMPLES, SAMPLE, _SAID[1], SAMPLES, SAMPLE, AFTER),
    *(SAMPLE, SAMPLES, JOINED, SAMPLE, SAMPLES, _SAID[4], SAMPLES, SAMPLE, AROUND, SAMPLE, SAMPLES, _SAID[0]),
    *(SAMPLES, SAMPLE, AFTER, SAMPLE, SAMPLES, _SAID[5], SAMPLES, SAMPLE, JOINED, SAMPLE, SAMPLES, BEFORE),
    *(SAMPLE, SAMPLES, _SAID[2], SAMPLES, SAMPLE, _SAID[6], SAMPLE, SAMPLES, _SAID[7], SAMPLE, SAMPLES, _SAID[3]),
    *(SAMPLES, SAMPLE, AROUND, SAMPLE, SAMPLES, _SAID[8], SAMPLE, SAMPLES, _BARE[0], SAMPLE, SAMPLES, BEFORE),
    *(SAMPLE, SAMPLES, _BARE[1], SAMPLES, SAMPLE, AROUND, SAMPLES, SAMPLE, _BARE[2], SAMPLE, SAMPLES, JOINED),
    *(SAMPLES, SAMPLE, _BARE[5], SAMPLE, SAMPLES, AFTER, SAMPLE, SAMPLES, _BARE[3], SAMPLE, SAMPLES, AROUND),
    *(SAMPLE, SAMPLES, _BARE[4], SAMPLES, SAMPLE, _BARE[7], SAMPLE),
)
"""Two thirds with a sample; they take turns."""
