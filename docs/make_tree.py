"""Write the tree in README.md: a line per file, from the first line of each module's docstring; tables by the folder.

python docs/make_tree.py
"""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- tree -->\n", "<!-- /tree -->\n"
FOLDERS = ("prowess", "benchmarks", "examples", "recipes", "docs")
SKIPPED = {"py.typed"}
TABLES = {Path("prowess/worlds/desk/errands"), Path("prowess/worlds/desk/families"), Path("studies/qwen")}
"""Folders below these hold many files alike: tables of things to do, and figures."""


def tree() -> str:
    """Every file git knows of in the folders that a reader looks into, and what it is for."""
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True)
    lines, shown = [], set()
    for name in sorted(listed.stdout.split(), key=lambda text: Path(text).parts):
        path = Path(name)
        if path.name in SKIPPED or not (ROOT / path).exists():
            continue
        within = [folder for folder in path.parents if folder.parent in TABLES]
        for folder in reversed(path.parents[:-1]):
            if folder not in shown and not any(closed in folder.parents for closed in within):
                shown.add(folder)
                lines.append(_line(folder, _about(ROOT / folder / "__init__.py"), suffix="/"))
        if path.name != "__init__.py" and not within:
            lines.append(_line(path, _about(ROOT / path)))
    return "```\n" + "\n".join(lines) + "\n```\n"


def _line(path: Path, about: str, suffix: str = "") -> str:
    name = "  " * (len(path.parts) - 1) + path.name + suffix
    return f"{name:<34} {about}".rstrip()


def _about(path: Path) -> str:
    """The first line of a file's own description."""
    if not path.is_file():
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
    first = text.split("\n", 1)[0]
    return first.lstrip("# ").strip() if path.suffix in (".md", ".toml") and first.startswith("#") else ""


def readme() -> str:
    """The README with its tree made anew."""
    text = README.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    return head + BEGIN + tree() + END + rest.split(END)[1]


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
    print(README)
