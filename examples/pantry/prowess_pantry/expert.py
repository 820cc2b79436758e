"""Who shows how the pantry is filled, and mends what a model gets wrong there: `collect` and `teach` ask it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prowess.errors import PolicyError
from prowess.text.tokens import estimated
from prowess.types import Completion, Message
from prowess.worlds.expert import ExpertSettings, Step, follows, heard

STOCK = '''
def stock(goods: str, bags: int) -> None:
    """Bring some goods up to this number of bags."""
    there = apis.pantry.show()[goods]
    if there < bags:
        apis.pantry.add(goods=goods, bags=bags - there)


'''.lstrip()


@dataclass(frozen=True, slots=True)
class Expert:
    """The policy. It keeps nothing between calls: the conversation says how far it has come."""

    how: ExpertSettings

    def at(self, temperature: float) -> Expert:
        return Expert(self.how.at(temperature))

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        talk = heard(messages)
        return estimated(Completion(text=self._next(talk.opening, talk.replies).reply), messages)

    def _next(self, opening: str, replies: Sequence[str]) -> Step:
        found = re.findall(r"there are (\d+) bags of (\w+)", opening)
        if not found:
            raise PolicyError("the expert knows tasks of the pantry alone")
        bags, goods = found[-1]
        luck = self.how.draws(opening)
        look = Step(thought=luck.choice(("I look first.", "What is there?")), code="print(apis.pantry.show())")
        written = "" if "def stock(" in opening else STOCK
        fill = Step(thought=f"I fill up the {goods}.", code=f"{written}stock({goods!r}, {bags})")
        finish = Step(thought="That is done.", code="apis.supervisor.complete_task()")
        # It may take over from a model that went wrong: then its own replies are those after the model's.
        for own in range(len(replies) + 1):
            plan = [fill, finish] if own else [look, fill, finish]
            if follows(since := replies[own:], plan):
                return plan[min(len(since), len(plan) - 1)]
        return fill
