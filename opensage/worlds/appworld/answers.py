"""What a question's answer is made of: a field of what was read, a count, a sum, the greatest or the least."""

from __future__ import annotations

from opensage.worlds.appworld.origins import Explainer, Expression


def answer_of(explainer: Explainer) -> Expression:
    """Python for the answer of every task; the answers themselves where nothing explains them."""
    wanted = [sibling.answer for sibling in explainer.reader.scenario.siblings]
    return explainer.literal(wanted, "answer")
