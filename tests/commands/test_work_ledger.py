"""Files of a stream that only grow: what a kill cut short was never there, and damage is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from prowess.commands.work.ledger import Ledger
from prowess.commands.work.rounds import Round
from prowess.errors import StoreError

ROUNDS = tuple(Round(first=10 * n, root="1f0cé", skills=n) for n in range(3))


def written(path: Path) -> bytes:
    Ledger(path, Round).append(*ROUNDS)
    return path.read_bytes()


def test_a_line_ends_with_the_sum_of_what_is_before_it(tmp_path: Path) -> None:
    lines = written(tmp_path / "a").decode().splitlines()
    assert lines[1] == '{"first": 10, "root": "1f0cé", "skills": 1, "crc": "14421095"}'


def test_every_flipped_bit_is_found(tmp_path: Path) -> None:
    content = written(tmp_path / "a")
    for at in range(len(content)):
        for bit in range(8):
            flipped = content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]
            (tmp_path / "a").write_bytes(flipped)
            with pytest.raises(StoreError, match=r"/a:\d: "):
                Ledger(tmp_path / "a", Round)


def test_what_a_kill_cut_short_was_never_there_and_goes_on_from_there(tmp_path: Path) -> None:
    content = written(tmp_path / "a")
    for end in range(len(content)):
        (tmp_path / "a").write_bytes(content[:end])
        found = Ledger(tmp_path / "a", Round)
        assert tuple(found) == ROUNDS[: content[:end].count(b"\n")]
        found.append(*ROUNDS[len(found) :])
        assert (tmp_path / "a").read_bytes() == content


def test_damage_is_told_with_its_line_and_what_to_do(tmp_path: Path) -> None:
    content = written(tmp_path / "a").replace(b'"skills": 1', b'"skills": 3')
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(StoreError) as told:
        Ledger(tmp_path / "a", Round)
    assert str(told.value) == (
        f"{tmp_path}/a:2: the line is damaged: it is not what was written\n"
        "hint: restore the file from a copy, or begin the run again (--force)"
    )


def test_a_line_written_by_hand_needs_no_sum(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('{"first": 0, "root": "1f0cé", "skills": 0}\n')
    assert tuple(Ledger(tmp_path / "a", Round)) == ROUNDS[:1]
