"""What took long to find out, kept beside the store: `NAME.builds`, a line for each answer, with its checksum.

Each answer follows from code alone, which its digest names, so none is ever wrong later. The file may be deleted at any
time. What cannot be read in it was never there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from prowess.files.disk import write_all


def kept(path: Path, form: str) -> dict[str, str]:
    """The answers of a form that a file holds, by the digests of what was asked."""
    try:
        lines = path.read_bytes().decode("ascii", "replace").split("\n")
    except OSError:
        return {}
    parts = (line.rpartition(" ") for line in lines)
    answers = (told.split(" ") for told, _, sum in parts if told and sum == _sum(told))
    return {digest: answer.removeprefix(form) for digest, answer in answers if answer.startswith(form)}


def keep(path: Path, form: str, found: Mapping[str, str]) -> None:
    """Add to a file, so that of several at once none loses anything; where it cannot be written, nothing is kept."""
    if not found:
        return
    told = [f"{digest} {form}{answer}" for digest, answer in found.items()]
    text = "".join(f"\n{one} {_sum(one)}" for one in told) + "\n"  # first: what was torn ends there
    with suppress(OSError):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            write_all(handle, text.encode())
        finally:
            os.close(handle)


def _sum(told: str) -> str:
    return f"{crc32(told.encode('ascii', 'replace')):08x}"
