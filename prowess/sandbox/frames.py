"""Frames between host and jail: four bytes of length, then JSON. Never pickle.

The host reads what hostile code may have written: every read and write has a deadline, every frame a largest
size, and anything that is not a well-formed frame raises `Damaged`.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import json
import math
import select
import socket
import struct
import time
from typing import Any, NoReturn

_LENGTH = struct.Struct("!I")
_CHUNK = 1 << 16


class Damaged(Exception):
    """The other side sent something that is not a frame, or not one that is allowed."""


class Late(Exception):
    """The other side did not read or write in time."""


class Gone(Exception):
    """The other side closed the connection."""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(text: str) -> float:
    """A number that can be sent back: `1e999` is none."""
    number = float(text)
    return number if -math.inf < number < math.inf else _refuse(text)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)


def packed(value: Any) -> bytes:
    """A value as a frame. Raises TypeError or ValueError for what JSON cannot hold."""
    body = _ENCODER.encode(value).encode("utf-8")
    return _LENGTH.pack(len(body)) + body


def unpacked(body: bytes | bytearray) -> Any:
    """The value of a frame's body. Raises Damaged for anything malformed, however deep."""
    try:
        value = _DECODER.decode(body.decode("utf-8"))
        if b"\\u" in body:  # only an escape can smuggle in half of a surrogate pair
            _ENCODER.encode(value).encode("utf-8")
    except (ValueError, RecursionError, MemoryError) as error:
        raise Damaged(f"not a JSON frame: {type(error).__name__}") from None
    return value


def depth_exceeds(value: Any, limit: int) -> bool:
    """True when lists and dicts are nested deeper than the limit."""
    level = [value]
    for _ in range(limit):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        if not inner:
            return False
        level = inner
    return any(isinstance(item, (dict, list)) for item in level)


class Channel:
    """One end of a connection that carries frames."""

    __slots__ = ("_bytes", "_limit", "_poll", "_socket")

    def __init__(self, end: socket.socket, *, limit: int) -> None:
        end.setblocking(False)
        self._socket = end
        self._limit = limit
        self._bytes = bytearray()
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)

    def send(self, frame: bytes, *, deadline: float) -> None:
        """Write a frame that `packed` made, or raise Late or Gone."""
        view = memoryview(frame)
        while view:
            try:
                view = view[self._socket.send(view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)
            except OSError as error:
                raise Gone(str(error)) from None

    def receive(self, *, deadline: float) -> Any:
        """The next frame's value, or raise Late, Gone or Damaged."""
        while True:
            held = self._bytes
            if len(held) >= 4:
                (size,) = _LENGTH.unpack_from(held)
                if size > self._limit:
                    raise Damaged(f"a frame of {size} bytes, at most {self._limit} are allowed")
                if len(held) >= 4 + size:
                    body = held[4 : 4 + size]
                    del held[: 4 + size]
                    return unpacked(body)
            self._wait(select.POLLIN, deadline)
            try:
                some = self._socket.recv(_CHUNK)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Gone(str(error)) from None
            if not some:
                raise Gone("connection closed")
            held += some

    def expect_silence(self) -> None:
        """Raise Gone when the other side has left, Damaged when it sent what nobody asked for."""
        if not self._bytes and not self._poll.poll(0):
            return
        try:
            held = bool(self._bytes) or bool(self._socket.recv(1, socket.MSG_PEEK))
        except OSError as error:
            raise Gone(str(error)) from None
        raise Damaged("a message outside a step") if held else Gone("connection closed")

    def close(self) -> None:
        self._socket.close()

    def _wait(self, event: int, deadline: float) -> None:
        left = deadline - time.monotonic()
        if event != select.POLLIN:
            self._poll.modify(self._socket, event)
        try:
            if left <= 0 or not self._poll.poll(left * 1000 + 1):
                raise Late("deadline passed")
        finally:
            if event != select.POLLIN:
                self._poll.modify(self._socket, select.POLLIN)
