"""Changes by which rows take over a value of another row: of one that the task names, or of one among themselves."""

from __future__ import annotations

from prowess_practice.errands.edits.parts import Change, Target
from prowess_practice.errands.edits.renames import same_as


def like(target: Target, field: str, what: str, model: str, *, bars: tuple[str, ...] = ()) -> Change:
    """The same as a row has that the task names; `model` is what to call that row."""
    slot = f"model_{model.split()[-1]}"
    return Change(
        word=f"copy_{field}",
        says=(
            f'Give WHICH the same {what} as {model} "{{{slot}}}" has.',
            f'TAKE All of them should have the {what} of {model} "{{{slot}}}", whatever they have now.',
            f'Look up the {what} of {model} "{{{slot}}}". That is what WHICH should have, too.',
        ),
        about=f"Copy the {what} of one row to",
        before=(
            f"model = next(one for one in {target.rows} if {target.naming.replace(target.row, 'one', 1)} == {slot})",
        ),
        each=(target.updating(f'{field}=model["{field}"]'),),
        slots=(same_as(slot, target),),
        bars=bars,
    )


def like_first(
    target: Target, field: str, what: str, key: str, which: str, *, last: bool = False, more: str = ""
) -> Change:
    """The same as the first or last of them has, by some order; `more` is said about all of them."""
    pick = "max" if last else "min"
    return Change(
        word=f"even_out_{field}",
        says=(
            f"Give all of WHICH the {what} of the one among them {which}.{more}",
            f"TAKE Find the one among them {which}. All the others should get the {what} of that one, too.{more}",
            f"I want the same {what} for all of WHICH: take over what the one among them {which} has.{more}",
        ),
        about=f"Copy the {what} of one to all the others of",
        before=(f"model = {pick}(CHOSEN, key=lambda {target.row}: {key})",),
        each=(target.updating(f'{field}=model["{field}"]'),),
        matters=((f"model = {pick}(", f"model = {'min' if last else 'max'}("),),
    )
