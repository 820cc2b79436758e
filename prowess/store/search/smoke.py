"""The smoke test: before a skill is offered, its recorded calls are repeated in the sandbox, once.

What came of it is kept beside the store (`NAME.smoke.jsonl`) while the version, the world and the fingerprints of the
APIs that it calls are the same; the file may be deleted at any time. A skill that fails twice in a row is not offered,
nor is what calls it, and the next best takes its place; the store keeps the failure as a verification, and curation
suspends the skill for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from prowess.errors import StoreError
from prowess.files.disk import write_all
from prowess.sandbox import Sandbox, open_sandbox
from prowess.store.db import Store
from prowess.store.exchange.script import closure, closure_in
from prowess.store.gates.admission import replay_settings
from prowess.store.gates.context import Context
from prowess.store.gates.replay import repeated
from prowess.store.ground import Ground
from prowess.store.record import Verification, Version
from prowess.store.standing import Entry

CHECK, BY = "smoke", "smoke/1"
SECONDS = 5.0
"""Time for one call: an agent waits for it."""


class Smoke:
    """Tries skills of a store before they are offered. Any number of threads may ask."""

    def __init__(self, store: Store, ground: Ground, *, calls: int, note: bool = True) -> None:
        """`calls` is how many recorded calls are repeated at most; `note` tells the store of failures."""
        self._store, self._ground, self._calls, self._note = store, ground, calls, note
        self._path = store.path.with_name(f"{store.path.name}.smoke.jsonl")
        self._known: dict[str, str] = {}
        self._read = 0
        self._apis: Mapping[str, str] | None = None
        self._sandbox: Sandbox | None = None
        self._lock = threading.Lock()

    def problem(self, entry: Entry) -> str:
        """What is wrong with a version here and now, or nothing."""
        with self._lock:
            key = self._key(entry.version)
            if key not in self._known:
                self._load()
            if key not in self._known:
                found = self._tried(entry)
                if found is None:  # nor can it be told the next time, which may take as long
                    self._known[key] = ""
                else:
                    self._keep(key, entry, found)
            return self._known[key]

    def refusal(self, entry: Entry) -> str:
        """Why a version should not be served: what is wrong with it, or with what it calls; nothing if all is well.

        What belongs to another world is not tried in this one, and nothing is said of it.
        """
        if entry.namespace not in ("", self._ground.world):
            return ""
        for version in closure_in(self._store, entry.digest):
            if wrong := self.problem(self._store.version(version.digest)):
                return f"a recorded call does not come out again: {wrong}"
        return ""

    def close(self) -> None:
        """Let go of the sandbox."""
        with self._lock:
            close: Callable[[], None] | None = getattr(self._sandbox, "close", None)
            self._sandbox = None
        if close:
            close()

    def _tried(self, entry: Entry) -> str | None:
        """What repeating its calls shows; None where there is none, or nothing can be told."""
        trials = [trial for trial in self._store.trials(entry.digest) if trial.kind == "replay"][: self._calls]
        if not trials:
            return None
        if self._sandbox is None:
            settings = replay_settings(self._ground.sandbox)
            self._sandbox = open_sandbox(replace(settings, step_seconds=min(settings.step_seconds, SECONDS), warm=1))
        context = Context(sandbox=self._sandbox, imports=self._ground.imports)
        version = self._whole(entry.version)
        for trial in trials:
            for _ in range(2):  # a machine that was busy for a moment is no evidence
                played = repeated(version, trial, context, self._sandbox)
                if not played.readable:
                    return None
                if not played.problem:
                    break
            else:
                return f"{trial.call}: {played.problem}"
        return ""

    def _whole(self, version: Version) -> Version:
        """The version with the code of what it calls and does not carry."""
        parts = closure(version, lambda digest: self._store.version(digest).version)
        imports = tuple(dict.fromkeys(line for part in parts for line in part.imports))
        return replace(version, source="\n\n\n".join(part.source for part in parts), imports=imports)

    def _key(self, version: Version) -> str:
        """What the result depends on."""
        if self._apis is None:
            self._apis = self._ground.fingerprints()
        apis = [[api, self._apis.get(api, "")] for api in version.apis]
        ground = [self._ground.world, self._ground.version, self._ground.sandbox.kind, list(self._ground.imports)]
        text = json.dumps([BY, version.digest, ground, apis, self._calls])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def _keep(self, key: str, entry: Entry, problem: str) -> None:
        self._known[key] = problem
        line = json.dumps({"key": key, "name": entry.version.name, "digest": entry.digest, "problem": problem})
        with suppress(OSError):  # kept in memory, then
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                write_all(handle, f"{line}\n".encode())
            finally:
                os.close(handle)
        if self._note:
            said = [one for one in self._store.verifications(entry.digest) if one.check == CHECK]
            before = said[-1].verdict if said else "pass"
            if problem or before == "fail":
                with suppress(StoreError):  # a store that cannot be written is searched all the same
                    self._store.verify(
                        Verification(
                            digest=entry.digest,
                            check=CHECK,
                            verdict="fail" if problem else "pass",
                            evidence={"problem": problem} if problem else {"why": "its recorded calls come out again"},
                            by=BY,
                        )
                    )

    def _load(self) -> None:
        """Read what others, or earlier processes, have found since the last look."""
        known, self._read = _lines(self._path, self._read)
        self._known |= known


def _lines(path: Path, start: int) -> tuple[dict[str, str], int]:
    """Results in a file from a place on, and where it ends; what cannot be read was never there."""
    try:
        with path.open("rb") as file:
            start = start if file.seek(0, os.SEEK_END) >= start else 0  # somebody began it anew
            file.seek(start)
            text = file.read()
    except OSError:
        return {}, 0
    whole, end, _ = text.rpartition(b"\n")
    found: dict[str, str] = {}
    for line in whole.split(b"\n"):
        with suppress(ValueError, KeyError, TypeError):
            one = json.loads(line)
            found[str(one["key"])] = str(one["problem"])
    return found, start + len(whole) + len(end)
