"""Hostile programs made by chance: system calls, their flags and what the kernel lends, in any combination.

    python tests/sandbox/generated.py --seconds 600 --seed 7        hunt for longer, as this user
    python tests/sandbox/generated.py --seed 7 --show 123           print one of the programs

A program is determined by the seed and its number. Each runs beside a sibling that must go on, and is followed by an
episode that must work. What is left behind is counted afterwards (`ledger`).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from attacks import RAW
from ledger import Group, Ledger, excess, taken

from prowess.errors import ProwessError
from prowess.sandbox import Interpreter, Sandbox, SandboxSettings, open_sandbox
from prowess.sandbox.syscalls import _NUMBERS, ALLOWED, FATAL, MISSING
from prowess.types import Observation

MEMORY_MB = 96
MOST_MB = 2 * MEMORY_MB
"""What an episode may cost the machine at any moment: its memory, and as much that the kernel has for it."""
SETTINGS: dict[str, Any] = {
    "step_seconds": 1.0,
    "grace_seconds": 2.0,
    "memory_mb": MEMORY_MB,
    "cpu_seconds": 20,
    "start_seconds": 60.0,
    "api_calls_step": 50,
    "output_chars": 50_000,
    "frame_bytes": 1_000_000,
}

PRELUDE = f"""{RAW}
import ctypes, errno, fcntl, gc, mmap, os, random, select, signal, socket, sys, threading, time
LIBRARY = os.path.dirname(os.__file__)
KEPT, HELD = [], []
BUFFER = ctypes.create_string_buffer(1 << 16)
PAGE = (ctypes.addressof(BUFFER) + 4095) & ~4095
CODE = ctypes.cast(libc.pause, ctypes.c_void_p).value
MAP, UNMAP, PROTECT = (ctypes.CDLL(None, use_errno=True)[name] for name in ("mmap", "munmap", "mprotect"))
MAP.restype, MAP.argtypes = ctypes.c_void_p, [ctypes.c_size_t] * 6
UNMAP.argtypes = PROTECT.argtypes = [ctypes.c_size_t] * 3
libc.pthread_self.restype = ctypes.c_long
libc.syscall.restype = ctypes.c_long
def go(number, *arguments):
    if number is not None: libc.syscall(*[ctypes.c_long(a if a < 2**63 else a - 2**64) for a in (number, *arguments)])
def quietly(what, *arguments):
    try: return what(*arguments)
    except (OSError, ValueError, RuntimeError, MemoryError, TypeError, OverflowError): return None
def until_refused(what, most):
    for n in range(most):
        if what(n) is None: break
"""

_WORDS = (
    *("0", "0", "0", "1", "2", "3", "3", "4", "5", "7", "63", "64", "1000000", "2**32 - 1", "2**64 - 1", "2**64 - 100"),
    *(
        "4096",
        "8192",
        "1 << 16",
        "1 << 20",
        "1 << 30",
        "1 << 47",
        "2**63",
        "PAGE",
        "PAGE",
        "PAGE + 1",
        "CODE",
        "id(go)",
    ),
    *(
        "os.getpid()",
        "os.getppid()",
        "2**64 - os.getpid()",
        "libc.pthread_self()",
        "0x21",
        "0x22",
        "0x40022",
        "0x3D0F00",
    ),
)
_FLAGS: dict[str, tuple[tuple[str, ...], ...]] = {
    # The arguments whose meaning decides what a call does: for each a few values, beside those that chance brings.
    "mmap": (
        ("0", "0", "1 << 32", "CODE & ~4095"),
        ("4096", "1 << 20", "32 << 20", "1 << 31"),
        ("0", "1", "3", "7"),
        ("0x22", "0x21", "0x2", "0x20022", "0x40022", "0x122", "0x10022", "0x32", "0x28", "0x8022"),
        ("2**64 - 1", "3", "5"),
        ("0",),
    ),
    "mremap": (("PAGE",), ("0", "4096"), ("4096", "1 << 24"), ("0", "1", "2", "3", "4", "5"), ("0", "1 << 40")),
    "madvise": (
        ("PAGE",),
        ("4096", "1 << 16"),
        tuple(map(str, (0, 4, 8, 9, 10, 12, 14, 18, 20, 21, 22, 23, 25, 100, 102))),
    ),
    "clone": (
        (*(hex(0x3D0F00 & ~(1 << bit)) for bit in range(8, 22)), "0x3D0F00", "17", "0x4111", "0x10000000"),
        ("PAGE", "0"),
        ("PAGE", "CODE"),
        ("PAGE", "CODE"),
        ("libc.pthread_self()",),
    ),
    "futex": (
        ("PAGE", "CODE & ~3"),
        tuple(map(str, (0, 1, 3, 4, 5, 6, 9, 11, 128, 129, 133, 134, 137, 139))),
        ("0", "1"),
        ("0",),
    ),
    "fcntl": (("0", "3", "4", "5"), tuple(map(str, (0, 1, 2, 3, 4, 5, 6, 8, 10, 1024, 1025, 1026, 1031, 1033, 1036)))),
    "close_range": (("4", "100"), ("5", "200", "2**32 - 1"), ("0", "2", "4", "6")),
    "socketpair": (("1", "2", "16"), ("1", "2", "5", "0x801"), ("0",), ("PAGE",)),
    "kill": (("os.getpid()", "0", "1", "os.getppid()"), tuple(map(str, range(0, 65, 3)))),
    "tgkill": (("os.getpid()",), ("os.getpid()", "threading.get_native_id()"), tuple(map(str, range(0, 65, 3)))),
    "setitimer": (("0", "1", "2"), ("PAGE",)),
    "prlimit64": (("0", "1"), tuple(map(str, range(16))), ("0", "PAGE"), ("0", "PAGE")),
    "epoll_ctl": (("4", "5", "6"), ("1", "2", "3"), ("3", "4", "5"), ("PAGE",)),
    "clock_gettime": (("0", "1", "2", "3", "2**64 - 10", "2**64 - 14"), ("PAGE",)),
    "getsockopt": (("3",), ("1",), tuple(map(str, range(1, 80, 4))), ("PAGE",), ("PAGE + 64",)),
    "sendto": (("3", "4", "5"), ("PAGE",), ("1", "4096"), ("0", "1", "0x40", "0x4000"), ("0", "PAGE"), ("0", "16")),
}
_QUIET = {"pause", "exit", "exit_group", "rt_sigsuspend", "restart_syscall", "rt_sigreturn", "poll", "select", "ppoll"}
"""They wait or end the process, whatever else there is: `_ending` has them."""

_Moves = tuple[tuple[Callable[[random.Random], list[str]], int], ...]


def program(seed: int, number: int) -> str:
    """One hostile program: a few moves, some at the same time, and a way to end."""
    draw = random.Random(f"{seed}/{number}")
    if draw.random() < 0.06:
        return _source(draw)
    lines = [f"random.seed({draw.randrange(1 << 30)})"]
    # First what takes, then what breaks: a program that has ended takes nothing.
    for _ in range(draw.randint(1, 4)):
        lines += _together(draw) if draw.random() < 0.3 else _one(draw, _TAKES)
    for _ in range(draw.choice((0, 0, 1, 3))):
        lines += _one(draw, _BREAKS)
    return "\n".join([*lines, *_ending(draw)]) + "\n"


def _one(draw: random.Random, moves: _Moves) -> list[str]:
    return draw.choices([move for move, _ in moves], [weight for _, weight in moves])[0](draw)


def _together(draw: random.Random) -> list[str]:
    """Some moves in threads of their own."""
    lines = []
    for n in range(draw.randint(1, 3)):
        lines += [
            f"def move_{n}():",
            *(f"    {line}" for line in _one(draw, _TAKES)),
            f"for _ in range({draw.choice((1, 4, 30, 90))}):",
            f"    if quietly(threading.Thread(target=lambda: quietly(move_{n}), daemon=True).start): pass",
        ]
    return [*lines, f"time.sleep({draw.choice((0, 0.2))}); threading.Event().wait(0.2)"]


def _calls(draw: random.Random) -> list[str]:
    """System calls, by name or by any number."""
    lines = []
    for _ in range(draw.randint(1, 12)):
        lucky = draw.random()
        if lucky < 0.5:
            name = draw.choice([*_FLAGS])
        else:
            name = draw.choice([*(ALLOWED if lucky < 0.75 else _NUMBERS), *MISSING])
        if name in _QUIET or (name in FATAL and draw.random() < 0.7):
            continue
        x86_64, aarch64 = _NUMBERS[name]
        if lucky > 0.97:
            name, x86_64, aarch64 = "any", *[draw.randrange(470)] * 2
        given = [draw.choice(values) for values in _FLAGS.get(name, ())]
        given += [draw.choice(_WORDS) for _ in range(6 - len(given))]
        many = draw.choice((1, 1, 1, 20, 300))
        lines += [
            f"for _ in range({many}):  # {name}",
            f'    go({x86_64} if MACHINE == "x86_64" else {aarch64}, {", ".join(given)})',
        ]
    return lines or ["pass"]


def _descriptors(draw: random.Random) -> list[str]:
    """Descriptors of every kind until there are no more, filled, and some given back."""
    kinds = (
        *("os.pipe()", "socket.socketpair()", "os.eventfd(1 << 31)", "select.epoll()"),
        *("os.dup(3)", "os.open(LIBRARY, 0)", "os.open(LIBRARY + '/os.py', 0)"),
    )
    makers = draw.sample(kinds, draw.randint(1, 4))
    return [
        f"go(436, 1000000, 1000001, {draw.choice((0, 2, 4))})",  # in a thread: descriptors of its own
        f"until_refused(lambda n: quietly(lambda: KEPT.append(({', '.join(makers)})) or 1), 200)",
        f"for end in range(4, {draw.choice((20, 64, 300))}):",
        "    if quietly(os.set_blocking, end, False) is None and quietly(os.get_blocking, end) is None: continue",
        f"    until_refused(lambda n: quietly(os.write, end, b'x' * {draw.choice((1, 100, 4096, 65536))}), 3000)",
        f"    if random.random() < {draw.choice((0, 0.3, 0.5))}: quietly(os.close, end)",
    ]


def _watches(draw: random.Random) -> list[str]:
    """One file watched under many numbers by many watchers."""
    return [
        f"polls = [poll for poll in (quietly(select.epoll) for _ in range({draw.randint(1, 40)})) if poll]",
        "KEPT.append(polls)",
        "pipe = quietly(os.pipe) or (0, 0)",
        "for number in range(30, 64):",
        "    quietly(os.dup2, pipe[0], number)",
        "    for poll in polls: quietly(poll.register, number, 1)",
        f"    if {draw.choice((0, 1))}: quietly(os.close, number)",
    ]


def _mappings(draw: random.Random) -> list[str]:
    """Maps memory, touches it, gives parts of it back, cuts it into pieces."""
    size = draw.choice((1 << 14, 1 << 22, 1 << 25))
    return [
        f"for _ in range({draw.choice((30, 3000))}):",
        f"    at = MAP({draw.choice(('0', '0', '1 << 33', '(CODE & ~4095) + (_ << 30)'))}, {size}, 3, "
        f"{draw.choice(('0x22', '0x22', '0x21', '0x21', '0x122', '0x20022', '0x8022'))}, 2**64 - 1, 0)",
        "    if at is None or at == 2**64 - 1: break",
        draw.choice(
            (
                f"    ctypes.memset(at, 1, {size})",
                f"    for page in range(0, {size}, 1 << 21): ctypes.memset(at + page, 1, 1)",
            )
        ),
        f"    if {draw.choice((0, 1))}: UNMAP(at + 4096, {size} - 4096, 0)",
        f"    if {draw.choice((0, 0, 1))}:",
        f"        for page in range(0, {size}, 8192): PROTECT(at + page, 4096, {draw.choice((0, 1, 7))})",
    ]


def _raw_threads(draw: random.Random) -> list[str]:
    """Threads that Python knows nothing of, on stacks of a few bytes."""
    return [
        "stacks = MAP(0, 1 << 21, 3, 0x22, 2**64 - 1, 0)",
        f"for n in range({draw.choice((20, 200, 4000))}):",
        "    if stacks is None or stacks == 2**64 - 1: break",
        "    top = stacks + 512 * n + 384",
        "    ctypes.c_uint64.from_address(top).value = CODE",
        f"    if raw(56, None, {draw.choice(('0x3D0F00', '0x3D0F00', '0x7D0F00', '0x3D0B00', '0x10900'))}, top, "
        "top - 384, top - 376, libc.pthread_self()) < 0: break",
    ]


def _threads(draw: random.Random) -> list[str]:
    """Threads that wait, spin, allocate, or call the host."""
    does = draw.choice(
        (
            "time.sleep(9)",
            "threading.Event().wait()",
            "[None for _ in iter(int, 1)]",
            "bytearray(1 << 20).find(b'y')",
            "apis.echo.say(x=1)",
            "__import__('hashlib').pbkdf2_hmac('sha256', b'x', b'y', 10**7)",
            "KEPT.append(bytearray(1 << 18))",
        )
    )
    return [
        f"quietly(threading.stack_size, {draw.choice((32768, 131072, 1 << 20))})",
        f"def start(n): return threading.Thread(target=lambda: {does}, daemon=True).start() or 1",
        "until_refused(lambda n: quietly(start, n), 900)",
    ]


def _memory(draw: random.Random) -> list[str]:
    """Memory of Python's own, in large pieces and small ones."""
    return [
        draw.choice(
            (
                f"until_refused(lambda n: quietly(HELD.append, bytearray({1 << draw.randrange(4, 27)})) or 1, 10**5)",
                "until_refused(lambda n: quietly(HELD.append, [HELD]) or 1, 10**7)",
                f"HELD.append(quietly(lambda: 'x' * {10 ** draw.randrange(3, 10)}))",
                f"HELD.append(quietly(lambda: 1 << {10 ** draw.randrange(3, 11)}))",
                "sys.setrecursionlimit(10**9)\ndef deeper(): return deeper()\nquietly(deeper)",
                f"quietly(lambda: {{n: [n] for n in range({10 ** draw.randrange(3, 8)})}})",
            )
        )
    ]


def _queue(draw: random.Random) -> list[str]:
    """Signals that wait."""
    return [
        "signal.pthread_sigmask(signal.SIG_BLOCK, set(range(1, 65)) - {signal.SIGALRM})",
        f"for _ in range({draw.choice((50, 5000))}): quietly(os.kill, os.getpid(), {draw.choice((10, 34, 40, 64))})",
    ]


def _signals(draw: random.Random) -> list[str]:
    """Signals that interrupt, that are handled badly, that end what does not handle them."""
    which = draw.choice(("range(1, 65)", "[signal.SIGRTMIN, signal.SIGALRM]", "[signal.SIGSEGV, signal.SIGXCPU]"))
    handler = draw.choice(
        ("signal.SIG_IGN", "signal.SIG_DFL", "lambda *_: None", "lambda *_: 1 / 0", "lambda *_: go(60)")
    )
    return [
        f"for one in {which}: quietly(signal.signal, one, {handler})",
        f"quietly(signal.pthread_sigmask, {draw.choice((0, 1, 2))}, {which})",
        f"for _ in range({draw.choice((1, 50))}): quietly(os.kill, os.getpid(), {draw.randrange(65)})",
        f"quietly(signal.setitimer, {draw.choice((0, 1, 2))}, {draw.choice((0, 1e-6, 9e9))}, {draw.choice((0, 1e-6))})",
    ]


def _conversation(draw: random.Random) -> list[str]:
    """What goes to the host: calls with odd arguments, and bytes that no worker would send."""
    nonce = "apis._send.__self__._nonce"
    frame = draw.choice(
        (
            "b'rubbish'",
            "b'\\x00\\x00\\x00\\x02{}'",
            "b'\\xff\\xff\\xff\\xff'",
            "b'\\x00\\x00\\x10\\x00half'",
            "(lambda b: len(b).to_bytes(4, 'big') + b)(__import__('json').dumps(dict("
            f"nonce={nonce}, text={draw.choice(('1', repr('forged')))}, failed=False, calls=[['f', 0, '']] * 9, "
            "denied=0, takes=[dict(name='f', call='f()', first=0, last=1, result=1)])).encode())",
            "(lambda b: len(b).to_bytes(4, 'big') + b)(b'[' * 90000 + b']' * 90000)",
            "(lambda b: len(b).to_bytes(4, 'big') + b)(b'{\"nonce\": ' + b'9' * 90000 + b'}')",
        )
    )
    values = (
        "'x' * 10**6",
        "[0] * 10**5",
        "{'x': {}}",
        "1e308 * 10",
        "10**5000",
        "'\\ud800'",
        "[[[[]]]]",
        "True",
        "-0.0",
    )
    call = f"apis.{draw.choice(('echo', 'a' * 99, 'big'))}.{draw.choice(('say', 'big'))}(x={draw.choice(values)})"
    line = draw.choice((f"os.write(3, {frame})", f"os.write(3, {frame})", call, call, "os.read(3, 9)", "os.close(3)"))
    return [f"for _ in range({draw.choice((1, 3, 60))}):", f"    try: {line}", "    except Exception: pass"]


def _files(draw: random.Random) -> list[str]:
    """Looks at files there are and files there are not, and tries to make some."""
    look = draw.choice("stat mkdir listdir unlink mkfifo chdir readlink".split())
    return [
        "for n in range(300):",
        "    place = random.choice(('/tmp', '/dev/shm', '/proc/self', LIBRARY, '/'))",
        "    name = place + '/' + 'x' * random.randrange(200)",
        f"    quietly(os.{look}, name)",
        f"    quietly(open, name, {draw.choice(('r', 'w', 'xb', 'a+'))!r})",
    ]


def _output(draw: random.Random) -> list[str]:
    return [f"for _ in range({draw.choice((1, 1000))}): print('x' * {draw.choice((1, 10**4, 10**7))})"]


def _sabotage(draw: random.Random) -> list[str]:
    """Takes its own interpreter apart."""
    return [
        "try:",
        "    "
        + draw.choice(
            (
                "gc.disable(); [setattr(apis._send.__self__, name, None) for name in list(vars(apis._send.__self__))]",
                "sys.modules.clear()",
                "sys.stdout = open(3, 'w', closefd=False)",
                "sys.settrace(lambda *a: 1 / 0); threading.settrace(lambda *a: 1 / 0)",
                "ctypes.memset(id(go) + 16, 255, 64)",
                "os.closerange(0, 5)",
                "[threading.Thread(target=lambda: os.close(random.randrange(64))).start() for _ in range(30)]",
                "os.dup2(os.pipe()[1], 3)",
                "sys.addaudithook(lambda *a: 1 / 0)",
                "__import__('builtins').__dict__.update(print=None, len=None, BaseException=int)",
            )
        ),
        "except Exception: pass",
    ]


_TAKES: _Moves = (
    *((_descriptors, 4), (_mappings, 4), (_raw_threads, 2), (_threads, 2)),
    *((_memory, 2), (_queue, 2), (_watches, 1), (_files, 1), (_output, 1)),
)
_BREAKS: _Moves = ((_calls, 6), (_conversation, 3), (_sabotage, 2), (_signals, 1))


def _ending(draw: random.Random) -> list[str]:
    """How the step ends: mostly it returns, and what it took is kept for the next one."""
    endings = (
        *(("print('done')",), ("1 / 0",), ("raise SystemExit(3)",), ("raise KeyboardInterrupt",)),
        *(("os._exit(3)",), ("ctypes.string_at(0)",), ("os.abort()",), ("while True: pass",), ("time.sleep(9)",)),
        ("while True:", "    try:", "        while True: pass", "    except BaseException: pass"),
        ("go(60 if MACHINE == 'x86_64' else 93, 0)",),  # the first thread alone
        *(("libc.pthread_exit(0)",), ("libc.longjmp(0, 1)",), ("getattr(libc, 'raise')(9)",), ("os._exit(71)",)),
        ("libc.mprotect(ctypes.c_void_p(id(0) & ~4095), 4096 * 5000, 0)",),
        ("signal.pthread_sigmask(0, range(1, 65))", "os.read(os.pipe()[0], 1)"),
        ("class E(Exception):", "    def __str__(self):", "        return '\\ud800' * 10**6", "raise E"),
    )
    return [*endings[0]] if draw.random() < 0.55 else [*draw.choice(endings)]


def _source(draw: random.Random) -> str:
    """Text that is hard to read for whoever reads it: the host parses every program, too."""
    many = draw.choice((50, 500, 5_000, 50_000))
    return draw.choice(
        (
            "x = " + "(" * many + ")" * many,
            "x = " + "-" * many + "1",
            "x = " + "+".join(["f()"] * many),
            "x = a" + ".b" * many + "()",
            "x = " + "lambda: " * many + "1",
            "x = f" + "()" * many,
            "x = " + "[" * many,
            "x = '" + "\\N{BULLET}" * many + "'",
            "x = " + "9" * many,
            "if x:\n pass\n" + "elif x:\n pass\n" * many,
            "".join(" " * n + "if 1:\n" for n in range(min(many, 200))) + " " * 200 + "f()",
            "@f\n" * many + "def g(): pass",
            "def f(): pass\n" * many + "f()",
            "x = f'" + "{f'" * min(many, 100) + "'}" * min(many, 100) + "'",
            "\n".join(f"def f{n}(): return f{n - 1}()" for n in range(min(many, 2_000))),
            "match x:\n" + "".join(f" case {n}: pass\n" for n in range(many)),
            "x = " + " if f() else ".join(["1"] * many),
            "with " + ", ".join(["f()"] * many) + ": pass",
            "x = 1\0" * many,
            "\f\u2028x = '\u202e'\r" * many,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunt:
    """What a hunt came to."""

    user: int
    programs: int
    outcomes: dict[str, int]
    """How the programs ended, and how often each."""
    wrong: tuple[str, ...] = ()
    most: dict[str, int] = field(default_factory=dict)
    """The most that one program cost the machine, in MB."""


def hunt(*, seconds: float, seed: int, namespaces: bool, first: int = 0) -> Hunt:
    """Run programs for a while. `wrong` says what was not as promised, by the program's number."""
    began = Ledger.of_this_process()
    sandbox = open_sandbox(SandboxSettings(kind="jail", namespaces=namespaces, **SETTINGS))
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    most = 0
    number = first
    try:
        with Group.of(sandbox) as group:
            sibling = sandbox.open(seed=1)
            sibling.run("kept = 42", _answer)
            trial(sandbox, "x = 1")  # what the first episode loads is not the second one's doing
            until = time.monotonic() + seconds
            while time.monotonic() < until and len(wrong) < 5:
                group.begin()
                try:
                    ends = trial(sandbox, program(seed, number), group)
                    outcomes.update(ends)
                    if (kept := _goes_on(sibling)).text != "42\n":
                        wrong.append(f"{number}: a sibling was harmed: {kept}")
                    if (seen := _fresh(sandbox)) != "1\n":
                        wrong.append(f"{number}: the next episode was harmed: {seen}")
                except ProwessError as error:
                    wrong.append(f"{number}: ended in an error and no grade: {type(error).__name__}: {error}")
                    sibling = sandbox.open(seed=1)
                    sibling.run("kept = 42", _answer)
                except Exception as error:  # noqa: BLE001 (what the host did not foresee)
                    wrong.append(f"{number}: broke the host: {type(error).__name__}: {str(error)[:300]}")
                most = max(most, group.most())
                if group.most() > MOST_MB:
                    wrong.append(f"{number}: cost the machine {group.most()} MB")
                number += 1
            sibling.close()
            wrong += [f"left behind: {what}" for what in group.leftovers()]
    finally:
        sandbox.close()
    wrong += [f"left behind: {what}" for what in excess(began, taken())]
    return Hunt(
        user=os.getuid(), programs=number - first, outcomes=dict(outcomes), wrong=tuple(wrong), most={"memory": most}
    )


def trial(sandbox: Sandbox, code: str, group: Group | None = None) -> list[str]:
    """Let one program loose for two steps and see how each ended."""
    victim = sandbox.open(seed=2)
    ends = []
    try:
        victim.run(PRELUDE, _answer)
        for block in (code, "print(len(KEPT))", code[: len(code) // 2]):
            seen = victim.run(block, _answer)
            ends.append(seen.fatal.partition(":")[0] or ("failed" if seen.failed else "alive"))
            assert seen.failed or not seen.fatal, "a fatal end that is no failure"
            if group is not None:
                group.look()
            if seen.fatal:
                break
    finally:
        victim.close()
    return ends


def _fresh(sandbox: Sandbox) -> str:
    """What a new episode says. A busy machine may take some of its time."""
    for _ in range(3):
        fresh = sandbox.open(seed=3)
        try:
            seen = fresh.run("print(apis.echo.say(x=1)['x'])", _answer)
        finally:
            fresh.close()
        if "timed out" not in seen.text and not seen.fatal.startswith("deadline"):
            break
    return seen.text


def _goes_on(sibling: Interpreter) -> Observation:
    for _ in range(3):
        seen = sibling.run("print(kept)", _answer)
        if "timed out" not in seen.text:
            break
    return seen


def _answer(app: str, api: str, arguments: Any) -> Any:
    return ["x" * 1000] * 500 if api == "big" else dict(arguments)


def main() -> None:
    parser = argparse.ArgumentParser(description="hunt for what a jail does not contain")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--plain", action="store_true", help="without namespaces")
    parser.add_argument("--show", type=int, help="print this program and run nothing")
    options = parser.parse_args()
    if options.show is not None:
        print(program(options.seed, options.show))
        return
    found = hunt(seconds=options.seconds, seed=options.seed, namespaces=not options.plain, first=options.first)
    print(json.dumps(asdict(found), indent=1))
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    main()
