"""Model-written code is read in silence."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from prowess.play.prompts import signatures
from prowess.sandbox.recording import plain_call
from prowess.sandbox.uses import defined_in
from prowess.skills.extract import functions_in, names_in, skills_in
from prowess.skills.reach import apis_in
from prowess.store.signature import schema_of
from prowess.text.syntax import LONGEST, expression_in, read_tree, tree_of, tree_or_none
from prowess.types import Skill

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


LONG = "def f(x):\n    return x\n" + "# more\n" * 30_000


def test_a_text_longer_than_code_is_read_is_no_program_anywhere() -> None:
    with pytest.raises(SyntaxError, match="it has 210,023 characters, and code is read up to 200,000"):
        tree_of(LONG)
    assert len(LONG) == 210_023 and tree_or_none(LONG) is None and read_tree(LONG) is None
    assert (names_in(LONG), skills_in(LONG), functions_in(LONG)) == (None, (), frozenset())
    assert (defined_in(LONG), apis_in(LONG + "apis.a.b()")) == (frozenset(), ())
    assert signatures([Skill(name="f", source=LONG)]) == "def f(...)", "a stranger's: it loads"
    assert plain_call(f"f({LONG!r})") == ""
    assert tree_of(LONG[:200_000])


@pytest.mark.parametrize(
    "text", ["int | " * 40_000 + "int", "int | " * 500 + "int", "(" * 500 + ")" * 500, "1 +", "\0"]
)
def test_an_annotation_in_quotes_that_is_too_much_says_nothing(text: str) -> None:
    function = tree_of(f"def f(x: {text!r}): ...").body[0] if len(text) < LONGEST else None
    assert expression_in(text) is None
    if isinstance(function, ast.FunctionDef):
        assert schema_of(function)["properties"] == {"x": {}}
