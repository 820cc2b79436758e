"""Hostile programs, and the trial that each must fail: run by pytest, and as a script by another user."""

from __future__ import annotations

import json
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prowess.sandbox import Sandbox, SandboxSettings, open_sandbox
from prowess.types import Observation

SETTINGS: dict[str, Any] = {
    "step_seconds": 1.5,
    "grace_seconds": 0.6,
    "memory_mb": 96,
    "start_seconds": 60.0,
    "api_calls_step": 50,
    "output_chars": 50_000,
    "frame_bytes": 1_000_000,
}

ESCAPED = "def escaped(*what): apis.echo.escaped(what=repr(what)[:500])\n"

TRY = """
def attempt(what, *arguments, **options):
    try:
        result = what(*arguments, **options)
    except (OSError, ImportError, RuntimeError, AttributeError):
        return
    if not (isinstance(result, int) and result < 0):
        escaped(getattr(what, "__name__", what), arguments, result)
"""

RAW = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
MACHINE = os.uname().machine
def raw(x86_64, aarch64, *arguments):
    number = x86_64 if MACHINE == "x86_64" else aarch64
    if number is None:
        return -1
    return libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """A program, and what the sandbox must make of it besides surviving."""

    name: str
    code: str
    fatal: str | None = None
    """How `fatal` must begin; "" for a step that leaves the interpreter alive; None when either is right."""
    denied: bool = False
    """True when refusals must have been counted."""
    text: str = ""
    """What the observation must hold."""
    uses: str = ""
    """Helpers it wants: `try` or `raw`."""
    group: str = ""
    """What it attacks: the heading that it is below."""


def attacks() -> tuple[Attack, ...]:
    """The programs of attacks.txt, and a few that no text file can hold."""
    text = (Path(__file__).parent / "attacks.txt").read_text()
    hard = "programs that are hard to read"
    return (
        *(
            _attack(group.partition("\n")[0].strip(), part)
            for group in text.split("\n--- ")[1:]
            for part in group.split("\n=== ")[1:]
        ),
        Attack("writes a program that does not parse", "(" * 5000, group=hard),
        Attack("writes a program that nests deeply", "x = " + "-" * 100_000 + "1", group=hard),
        Attack("writes a program with a null byte", "x = 1\0", fatal="", group=hard),
    )


def _attack(group: str, text: str) -> Attack:
    heading, _, code = text.partition("\n")
    name, _, expected = heading.partition(" | ")
    words, _, shown = expected.partition("text=")
    options = dict(word.partition("=")[::2] for word in words.split())
    return Attack(
        name,
        code,
        fatal="" if "alive" in options else options.get("fatal"),
        denied="denied" in options,
        text=shown.replace("\\n", "\n"),
        uses=options.get("uses", ""),
        group=group,
    )


ATTACKS = attacks()


def answer(app: str, api: str, arguments: Any) -> Any:
    """The world of the attacks: one API that says what it is told, and one that says a lot."""
    return ["x" * 1000] * 500 if api == "big" else {"app": app, "api": api, **arguments}


@contextmanager
def booty() -> Iterator[dict[str, Any]]:
    """Things worth stealing: a file, a variable of the environment, a listening socket."""
    secret = f"secret-{secrets.token_hex(8)}"
    os.environ["PROWESS_TEST_SECRET"] = secret
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        os.chmod(folder, 0o777)
        file = Path(folder) / "answers.json"
        file.write_text(secret)
        file.chmod(0o666)
        path = str(Path(folder) / "listening")
        listener.bind(path)
        listener.listen()
        listener.setblocking(False)
        library = os.path.dirname(os.path.realpath(os.__file__))
        beside = Path(library) / "site-packages"
        neighbours = [p for p in beside.rglob("*") if p.is_file()] if beside.is_dir() else []
        yield {
            "secret": secret,
            "SECRET_FILE": str(file),
            "HOST": os.getpid(),
            "SOCKET": path,
            "LIBRARY": library,
            "NEIGHBOUR": str(neighbours[0]) if neighbours else str(file),
        }
        assert file.read_text() == secret, "the secret file was changed"
        try:
            listener.accept()
        except BlockingIOError:
            pass
        else:
            raise AssertionError("jailed code connected to a socket of the host")
    del os.environ["PROWESS_TEST_SECRET"]


def trial(sandbox: Sandbox, attack: Attack, names: dict[str, Any]) -> list[str]:
    """Let one program loose; what was wrong about the outcome, in words."""
    wrong = []
    sibling, victim = sandbox.open(seed=1), sandbox.open(seed=2)
    try:
        sibling.run("kept = 42", answer)
        bound = "".join(f"{k} = {v!r}\n" for k, v in names.items() if k != "secret")
        helpers = {"": "", "try": TRY, "raw": TRY + RAW}[attack.uses]
        ready = victim.run(bound + ESCAPED + helpers, answer)
        assert not ready.failed, ready
        seen = victim.run(attack.code, answer)
        wrong += verdict(attack, seen, names["secret"])
        later: Observation | None = None
        for _ in range(3):  # what a forger left in the connection costs a step
            later = victim.run("print('alive')", answer)
            if later.text == "alive\n":
                break
        own_work = attack.name.startswith(("sabotages", "forbids", "closes its output"))
        if (later is None or later.text != "alive\n") and not own_work:
            wrong.append(f"its interpreter does not go on: {later}")
        if (kept := sibling.run("print(kept)", answer)).text != "42\n":
            wrong.append(f"a sibling was harmed: {kept}")
        fresh = sandbox.open(seed=3)
        if (new := fresh.run("print(apis.echo.say(x=1)['x'])", answer)).text != "1\n":
            wrong.append(f"the next episode was harmed: {new}")
        fresh.close()
    finally:
        sibling.close()
        victim.close()
    return wrong


def verdict(attack: Attack, seen: Observation, secret: str) -> list[str]:
    wrong = []
    if "echo.escaped" in seen.apis or secret in seen.text:
        wrong.append(f"got through: {seen.apis} {seen.text[:500]}")
    if attack.fatal is not None and (bool(seen.fatal) != bool(attack.fatal) or not seen.fatal.startswith(attack.fatal)):
        wrong.append(f"fatal is {seen.fatal!r}, should begin with {attack.fatal!r}; text: {seen.text[:300]}")
    if seen.fatal and (not seen.failed or not seen.text.startswith("Execution failed. ")):
        wrong.append(f"a fatal end reads {seen}")
    if attack.text and attack.text not in seen.text:
        wrong.append(f"the text lacks {attack.text!r}: {seen.text[:300]}")
    if attack.denied and not seen.denied:
        wrong.append("no refusal was counted")
    if len(seen.text) > 60_000:
        wrong.append(f"{len(seen.text)} characters came back")
    return wrong


def trials(*, namespaces: bool, workers: int = 4) -> dict[str, list[str]]:
    """Every attack on one sandbox, several at a time; what was wrong, by the attack's name.

    On a busy machine a program may have too little time for its attack. It then has another try, alone.
    """
    sandbox = open_sandbox(SandboxSettings(kind="jail", namespaces=namespaces, **SETTINGS))
    try:
        with booty() as names, ThreadPoolExecutor(workers) as pool:
            found = dict(zip(ATTACKS, pool.map(lambda attack: trial(sandbox, attack, names), ATTACKS), strict=True))
            for attack, wrong in found.items():
                if wrong and all("timed out" in what or "deadline" in what for what in wrong):
                    found[attack] = trial(sandbox, attack, names)
            return {attack.name: wrong for attack, wrong in found.items()}
    finally:
        sandbox.close()


if __name__ == "__main__":
    print(json.dumps({"uid": os.getuid(), "wrong": trials(namespaces=sys.argv[1] == "namespaces")}))
