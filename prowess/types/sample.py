"""What a learner is given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sequence to learn from: what was seen and said, and how much each said token counts.

    All have the same length. For a prompt of 3 tokens, a reply of 2, an observation of 1 and a reply of 1, with
    advantage a:

        tokens     p  p  p  r  r  o  r
        weights    0  0  0  a  a  0  a
        logprobs   0  0  0  l  l  0  l
    """

    tokens: tuple[int, ...]
    weights: tuple[float, ...]
    """0 on what the model did not say; the advantage, or 1 in imitation, on what it did."""
    logprobs: tuple[float, ...]
    """The sampler's log-probability of each said token; 0 elsewhere, and where it is not known."""
    said: tuple[bool, ...] = ()
    """True on what the model said. May be left empty where every said token has a weight other than 0."""

    @property
    def mask(self) -> tuple[bool, ...]:
        """True on what the model said: an advantage of 0 teaches nothing, and still counts in token means and KL."""
        return self.said or tuple(map(bool, self.weights))
