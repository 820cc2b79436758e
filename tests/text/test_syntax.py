"""Model-written code is read in silence."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODES = ("def f(x): return 1if x else '\\d'", "def f(x): return x is 1, 0xfor x, [1][1, 2]", "assert (f(1), 'no')")
READ = """
import sys, threading, warnings
from prowess.play.prompts import signatures
from prowess.sandbox.uses import Definitions, defined_in
from prowess.skills.reach import apis_in
from prowess.skills.extract import skills_in
from prowess.types import Skill
if len(sys.argv) > 4:
    from prowess.sandbox import SandboxSettings
    from prowess.sandbox.unsafe import Unsafe

def read():
    for code in sys.argv[1:4]:
        found = skills_in(code)
        apis_in(code), signatures(found), Definitions().called_by(code), defined_in(code)
        assert bool(found) == code.startswith("def")
        if len(sys.argv) > 4:
            Unsafe(SandboxSettings()).open().run(code, lambda app, api, arguments: None)

threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
warnings.warn_explicit("ours", SyntaxWarning, "prowess/own.py", 1)
"""


@pytest.mark.parametrize("where", [[], ["unsafe"]], ids=["read", "run without a sandbox"])
def test_nothing_is_said_of_faults_in_model_written_code_and_all_is_of_our_own(where: list[str]) -> None:
    command = [sys.executable, "-W", "always", "-c", READ, *CODES, *where]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "prowess/own.py:1: SyntaxWarning: ours\n")
