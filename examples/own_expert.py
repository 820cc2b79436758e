"""Who shows how the pantry of own_world.py is filled: a policy in a few lines, for `prowess collect` and `learn`.

PYTHONPATH=examples prowess learn examples/pantry.toml --split test
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from prowess.types import Completion, Message

STOCK = '''
def stock(goods: str, bags: int) -> None:
    """Bring some goods up to this number of bags."""
    there = apis.pantry.show()[goods]
    apis.pantry.add(goods=goods, bags=bags - there)


'''


def expert(recipe: object) -> Callable[..., Completion]:
    """What a recipe names: `policy.name = "own_expert:expert"`. A large model behind an endpoint would do as well."""

    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        opening = next(message.content for message in messages if message.role == "user")
        bags, goods = re.findall(r"there are (\d+) bags of (\w+)", opening)[-1]
        written = "" if "def stock(" in opening else STOCK.lstrip()
        code = f"{written}stock({goods!r}, {bags})\napis.supervisor.complete_task()"
        return Completion(text=f"I fill the shelf.\n```python\n{code}\n```")

    return policy
