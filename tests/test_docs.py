"""The documentation is under test: made pages are current, named commands and files exist, code blocks parse."""

from __future__ import annotations

import ast
import re
import shlex
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from prowess.pipeline.recipe import Recipe
from prowess.recipe import parse

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import make_pages  # noqa: E402 - in docs/

ARCHIVE = sorted((ROOT / "studies").rglob("*.md"))
"""Studies and the log tell of what was: their links must work, and their commands may be of then."""
FRONT = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
MANUAL = [page for page in (*FRONT, *sorted((ROOT / "docs").rglob("*.md"))) if page not in ARCHIVE]
PAGES = [*MANUAL, ROOT / "CHANGELOG.md", *ARCHIVE]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", make_pages.PAGES, ids=name_of)
def test_made_pages_say_what_the_program_says(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == make_pages.PAGES[page](), "run: python docs/make_pages.py"


def test_the_reference_holds_made_pages_alone() -> None:
    assert make_pages.left() == [], "run: python docs/make_pages.py"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_into_a_page_name_one_of_its_headings(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*\.md|)#([^)]*)\)", page.read_text(encoding="utf-8"))
    assert [
        f"{name}#{place}" for name, place in links if place not in anchors(page.parent / name if name else page)
    ] == []


def anchors(page: Path) -> set[str]:
    """What links may name, as GitHub makes it of headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", MANUAL, ids=name_of)
def test_python_blocks_parse_and_recipes_are_read(page: Path) -> None:
    for block in blocks(page, "python"):
        ast.parse(textwrap.dedent(block.partition("\n")[2]) if quoted(block) else block)
    for block in blocks(page, "toml"):
        if "[project" in block or "[suite.pantry]" in block:  # of another package, not installed here
            tomllib.loads(block)
        else:
            parse(Recipe, block, source=name_of(page))


@pytest.mark.parametrize("page", MANUAL, ids=name_of)
def test_a_block_that_names_its_file_is_in_it(page: Path) -> None:
    for block in (*blocks(page, "python"), *blocks(page, "toml")):
        if file := quoted(block):
            assert block.partition("\n")[2].strip("\n") in (ROOT / file).read_text(encoding="utf-8")


def quoted(block: str) -> str:
    """The example or recipe that a block is taken from; its first line says so."""
    first = re.match(r"# ((?:examples|recipes)/\S+)\n", block)
    return first[1] if first else ""


def test_commands_in_the_docs_exist() -> None:
    commands = {word for name in make_pages.all_commands() for word in (name, name.split()[0])}
    commands.add("pantry")  # of examples/pantry, which is not installed here
    for page in MANUAL:
        for block in blocks(page, "bash"):
            named = set(re.findall(r"^\s*(?:\S+=\S+ )*prowess ((?:skills |appworld )?\w+)", block, flags=re.MULTILINE))
            assert named <= commands, f"{name_of(page)} names {sorted(named - commands)}"


def test_make_targets_in_the_docs_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for page in MANUAL:
        named = set(re.findall(r"^make ([\w-]+)", "\n".join(blocks(page, "bash")), flags=re.MULTILINE))
        assert named <= targets, f"{name_of(page)} names {sorted(named - targets)}"


def test_settings_and_tasks_in_the_docs_exist() -> None:
    from prowess_desk.families import FAMILIES

    from prowess.recipe import read

    for page in MANUAL:
        for block in blocks(page, "bash"):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                given = [words[n + 1] for n, word in enumerate(words) if word == "--set"]
                own = [setting for setting in given if ":" in setting]  # a part of the reader's, in a module of theirs
                read(Recipe, "expert", [setting for setting in given if setting not in own])
                tasks = re.findall(r"\b(\w+)\.\d+(?:_\d)?$", " ".join(words)) if "show" in words else []
                assert set(tasks) <= FAMILIES.keys(), line


def test_files_that_are_named_are_there() -> None:
    folders = ("prowess", "worlds", "recipes", "benchmarks", "examples", "docs")
    code = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".toml")]
    named = re.compile(
        r"(?<![\w/.-])(?<!\]\()(?:prowess|worlds|recipes|benchmarks|examples|docs)/[\w/-]+\.(?:py|toml|md)\b"
    )
    missing = {
        f"{name_of(path)}: {name}"
        for path in [*code, *MANUAL]
        for name in named.findall(path.read_text(encoding="utf-8"))
        if not (ROOT / name).is_file()
    }
    assert not missing
