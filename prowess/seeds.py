"""Seeds are derived from what they are for, never shared.

The same purpose gives the same draw whatever else happens, so a run does not depend on how many workers played it.
"""

from __future__ import annotations

import hashlib
import random


def derive(*purpose: int | str) -> int:
    """A 63-bit seed for a purpose, such as `derive(seed, "play", scenario, 3)`.

    Parts are told apart by type and length, so ("a", "b") and ("ab",) differ, and so do 1 and "1".
    """
    digest = hashlib.blake2b(digest_size=8)
    for part in purpose:
        text = f"{type(part).__name__}:{part}".encode()
        digest.update(len(text).to_bytes(4, "big") + text)
    return int.from_bytes(digest.digest(), "big") >> 1


def draw(*purpose: int | str) -> random.Random:
    """A random generator of its own for a purpose."""
    return random.Random(derive(*purpose))
