"""Of two named things the better one by some measure is found; something is done with it, and with the other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.listing import Action
from prowess_practice.errands.branches.draws import KINDS, Kind, asked
from prowess_practice.errands.branches.part import Drawing, apps_of, body, capital, function, told
from prowess_practice.errands.branches.pile import kind_of, looked
from prowess_practice.errands.branches.sort import MOVES, acting, word_of
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.scene import flush


@dataclass(frozen=True, slots=True, kw_only=True)
class Merit:
    """By what one of two things is the better one."""

    word: str
    wins: str
    """`has more songs`; with a comma at the end where something is set between commas."""
    value: str
    """What is compared, `ROW` standing for the thing, or `SIDE` for `first` and `second` where `look` gives it."""
    look: str = ""
    """Lines that look into a thing."""
    apps: tuple[str, ...] = ()
    sign: str = ">"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivals:
    """Two things of a kind."""

    word: str
    kind: str
    what: str
    """`my playlists`"""
    who: str = "that"
    merits: tuple[Merit, ...]
    acts: tuple[Action, ...]
    given: str = ""
    """What the listing is called with, besides the token."""
    where: str = "True"
    """Which things will do, `one` standing for the thing."""

    @property
    def listed(self) -> Kind:
        return KINDS[self.kind]


_FRAMES = (
    'Compare "FIRST" and "SECOND", two of WHAT: ACT(the one REL WINS)REST(, and ).',
    'Which of WHAT WINS, "FIRST" or "SECOND"? ACT(that one).REST( After that, ).',
    'Take "FIRST" and "SECOND" from among WHAT and find out which of the two WINS. ACT(that one).REST( Then ).',
    'This is about two of WHAT, "FIRST" and "SECOND". ACT(whichever of them WINS)REST(, and ).',
)


def duels(rivals: Iterable[Rivals], each: int) -> Iterator[Errand]:
    """Each merit with some actions, and every other time one for the other thing, too."""
    turn = 0
    for pair in rivals:
        for n, merit in enumerate(pair.merits):
            for step in range(each):
                first = pair.acts[(2 * n + step) % len(pair.acts)]
                second = pair.acts[(2 * n + step + 1 + (n + step) % (len(pair.acts) - 1)) % len(pair.acts)]
                both = turn % 3 != 0 and first is not second and first.slot != (second.slot or None)
                turn += 1
                yield _errand(pair, merit, first, second if both else None, turn)


def _errand(pair: Rivals, merit: Merit, first: Action, second: Action | None, turn: int) -> Errand:
    acts = (first, second) if second else (first,)
    rest = f"_and_{word_of(second)}_for_other" if second else ""
    name = f"{word_of(first)}_for_{merit.word}_{pair.word}{rest}"
    slots = {f"first_{pair.word}": str, f"second_{pair.word}": str, **acting(*acts)}
    apps = apps_of((pair.listed.app,), merit.apps, (one.app for one in acts if one.app))
    wordings = tuple(_worded(pair, merit, first, second, frame) for frame in _FRAMES)
    about = told(f"{wordings[0]} Return the {pair.listed.key} of the one found.")
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "str", about, apps, _program(pair, merit, acts)),
        wordings=wordings,
        values=_values(pair, acts),
        matters=((_test(merit), _test(merit).replace(f" {merit.sign} ", " < " if merit.sign == ">" else " > ")),),
    )


def _side(text: str, side: str) -> str:
    return text.replace("ROW", side).replace("SIDE", side)


def _test(merit: Merit) -> str:
    return f"    if {_side(merit.value, 'first')} {merit.sign} {_side(merit.value, 'second')}:\n"


def _program(pair: Rivals, merit: Merit, acts: tuple[Action, ...]) -> str:
    one = pair.listed
    code = f"{one.rows} = {one.listed(pair.given)}\n"
    for side in ("first", "second"):
        code += f'{side} = next(one for one in {one.rows} if one["{one.key}"] == {side}_{pair.word})\n'
    for side in ("first", "second") if merit.look else ():
        code += f"{_side(merit.look, side)}\n"
    choice = "        better, other = first, second\n    else:\n        better, other = second, first\n"
    done = "".join(f"{_call(act, pair, thing)}\n" for act, thing in zip(acts, ("better", "other"), strict=False))
    if len(acts) == 1:
        choice = "        better = first\n    else:\n        better = second\n"
    return f'{body(code)}{_test(merit)}{choice}{body(done)}    return better["{one.key}"]\n'


def _call(act: Action, pair: Rivals, thing: str) -> str:
    app = act.app or pair.listed.app
    return f"apis.{app}.{act.api}(access_token={app}_token, {act.arguments.replace('ROW', thing)})"


def _worded(pair: Rivals, merit: Merit, first: Action, second: Action | None, frame: str) -> str:
    start = frame.index("ACT(")
    end = frame.index(")", start)
    words = looked(first, frame[start + 4 : end])
    words = capital(words) if frame[:start].endswith((". ", "? ")) else words
    head, _, tail = frame[end + 1 :].partition("REST(")
    link, _, stop = tail.partition(")")
    rest = ""
    if second:
        rest = f"{link}{looked(second, 'the other one')}{'.' if head else ''}"
    frame = f"{frame[:start]}{words}{head}{rest}{'' if head else stop}"
    frame = frame.replace("FIRST", f"{{first_{pair.word}}}").replace("SECOND", f"{{second_{pair.word}}}")
    frame = frame.replace("WHAT", pair.what).replace("REL", pair.who).replace("WINS", merit.wins)
    return frame.replace(",,", ",").replace(",.", ".")


def _values(pair: Rivals, acts: tuple[Action, ...]) -> Drawing:
    one = pair.listed
    source = (
        f'def names():\n    {one.app}_token = login(app="{one.app}")\n    rows = {one.listed(pair.given)}\n'
        f'    return [one["{one.key}"] for one in rows if {pair.where}]\n'
    )

    def values(draw: Draw) -> Values | None:
        known = [name for name in asked(source, draw) if '"' not in name]
        if len(known) < 2:
            return None
        first, second = draw.rng.sample(known, 2)
        found: dict[str, Any] = {f"first_{pair.word}": first, f"second_{pair.word}": second}
        found |= {act.slot: kind_of(act)(draw.rng.choice(act.choices)) for act in acts if act.slot}
        if any(act.api in MOVES for act in acts):
            flush(draw)
        return found

    return values
