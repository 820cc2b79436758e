"""Sums of a folder's files, as `sha256sum -c` reads them: how damage is found before anything uses a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from prowess.files.disk import sha256_of

SUMS = "SHA256SUMS"


def write_sums(folder: Path, names: Iterable[str]) -> None:
    """Write the sums of some of a folder's files beside them."""
    (folder / SUMS).write_text("".join(f"{sha256_of(folder / name)}  {name}\n" for name in names), encoding="utf-8")


def damage_in(folder: Path, *, among: Callable[[str], bool] = lambda name: True) -> str:
    """What is wrong with a folder that has sums, or nothing; `among` says which of its files are looked at."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        return f"{SUMS} cannot be read: {error}"
    for line in lines:
        found = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
        if not found:
            return f"{SUMS} is corrupt"
        sum, name = found.groups()
        if not among(name):
            continue
        if not (folder / name).is_file():
            return f"{name} is missing"
        if sha256_of(folder / name) != sum:
            return f"{name} is corrupt, it is not what was written"
    return ""
