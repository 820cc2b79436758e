"""Frames: what the host reads from a hostile connection."""

from __future__ import annotations

import contextlib
import math
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from prowess.sandbox.frames import Channel, Damaged, Gone, Late, depth_exceeds, packed, unpacked


@pytest.fixture
def ends() -> Iterator[tuple[Channel, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours, limit=1000), theirs


def soon(seconds: float = 2.0) -> float:
    return time.monotonic() + seconds


def test_a_frame_comes_back_as_it_was_sent(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    theirs.sendall(packed({"text": "Zoë 🎵\n\0", "list": [1, 2.5, None, True]}))
    assert ours.receive(deadline=soon()) == {"text": "Zoë 🎵\n\0", "list": [1, 2.5, None, True]}


def test_frames_may_come_in_pieces_and_several_at_once(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    data = packed("first") + packed("second")
    sender = threading.Thread(target=lambda: [theirs.send(data[i : i + 1]) for i in range(len(data))])
    sender.start()
    assert [ours.receive(deadline=soon()), ours.receive(deadline=soon())] == ["first", "second"]
    sender.join()


def test_a_frame_larger_than_allowed_is_damage_before_it_is_read(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    theirs.sendall((1001).to_bytes(4, "big"))
    with pytest.raises(Damaged, match="1001 bytes"):
        ours.receive(deadline=soon())


def test_reading_ends_at_its_deadline(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    theirs.sendall(b"\0\0\0\x09half")
    began = time.monotonic()
    with pytest.raises(Late):
        ours.receive(deadline=soon(0.1))
    assert time.monotonic() - began < 1


def test_writing_to_someone_who_never_reads_ends_at_its_deadline(ends: tuple[Channel, socket.socket]) -> None:
    ours, _ = ends
    began = time.monotonic()
    with pytest.raises(Late):
        ours.send(packed("x" * 10_000_000), deadline=soon(0.1))
    assert time.monotonic() - began < 1


def test_waiting_takes_no_time_of_the_processor_also_after_a_message_that_had_to_wait(
    ends: tuple[Channel, socket.socket],
) -> None:
    ours, theirs = ends
    with pytest.raises(Late):
        ours.send(packed("x" * 10_000_000), deadline=soon(0.01))
    theirs.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while theirs.recv(1 << 20):
            pass
    before = time.process_time()
    with pytest.raises(Late):
        ours.receive(deadline=soon(0.3))
    assert time.process_time() - before < 0.02


def test_a_closed_connection_is_told(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    theirs.close()
    with pytest.raises(Gone):
        ours.receive(deadline=soon())
    with pytest.raises(Gone):
        ours.send(packed("x" * 1_000_000), deadline=soon())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nothing",
        b"\xff\xfe",
        b"NaN",
        b"1e999",
        b'{"x": [-1e999]}',
        b"[Infinity]",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000,
        b'"\\ud800"',
        b'{"\\uDC00": 1}',
        b"1" * 5000,
    ],
    ids=lambda body: repr(body[:12]),
)
def test_what_is_not_a_sound_frame_is_damage(body: bytes) -> None:
    with pytest.raises(Damaged):
        unpacked(body)


def test_escaped_characters_that_are_whole_are_sound() -> None:
    assert unpacked(b'"\\ud83c\\udfb5 \\u00e9 \\\\ud800"') == "🎵 é \\ud800"


def test_not_a_number_is_not_sent() -> None:
    with pytest.raises(ValueError, match="JSON"):
        packed(math.nan)


def test_depth_is_counted_in_levels() -> None:
    assert not depth_exceeds({"a": [1]}, 2)
    assert depth_exceeds({"a": [[1]]}, 2)
    assert not depth_exceeds(3, 0)
    assert depth_exceeds([3], 0)
    wide = [[] for _ in range(100_000)]
    assert not depth_exceeds(wide, 2)
