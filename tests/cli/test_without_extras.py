"""Commands that need no extra work without any, in an interpreter where none can be imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BARE = """
import sys
from importlib.abc import MetaPathFinder

class Bare(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"apsw", "datasketch", "fastmcp", "openai", "pandas", "textual", "torch", "usearch"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Bare())
from prowess.cli import main
main()
"""


def test_the_expert_plays_and_is_reported_and_shown_without_extras(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (
        ["evaluate", "expert", "--set", "evaluate.scenarios=1", "--out", "run"],
        ["report", "run"],
        ["show", "run"],
    ):
        done = subprocess.run([sys.executable, "-c", BARE, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{words}: {done.stderr}"
