"""The order of a skill's statements, where it means nothing."""

from __future__ import annotations

import ast
from itertools import permutations
from pathlib import Path

import pytest

from prowess.skills.extract import skills_in
from prowess.store.canon import FORM, Address, canonical, version_at, version_of
from prowess.store.db import Journal, Store, ingest
from prowess.store.exchange import export_folders, import_folders
from prowess.store.exchange.jsonl import divided
from prowess.store.record import Account, Provenance, Version
from prowess.types import Skill

CLEAN = "def clean(text):\n    return text.strip()[:LIMIT]"
FIRST = "def first(texts):\n    return clean(texts[0])"
LIMIT = "LIMIT = 20"
LAST = "def last(texts):\n    return texts[-1]"
BOTH = "def both(texts):\n    return clean(texts[0]) + last(texts)"
PICK = "def pick(texts):\n    return first(texts) + clean(texts[-1])"


def version(*statements: str, name: str = "pick") -> Version:
    return version_of(Skill(name=name, source="\n\n\n".join(statements)), namespace="desk")


def test_helpers_and_constants_in_every_order_are_one_version() -> None:
    found = {version(*order).digest for order in permutations([CLEAN, FIRST, LIMIT, PICK])}
    assert len(found) == 1


def test_skills_of_blocks_that_define_their_helpers_in_another_order_are_one_version() -> None:
    blocks = ["\n".join(order) for order in permutations([CLEAN, LAST, LIMIT, BOTH])]
    skills = [next(skill for skill in skills_in(block) if skill.name == "both") for block in blocks]
    assert len({skill.source for skill in skills}) > 1
    assert len({version_of(skill, namespace="desk").digest for skill in skills}) == 1


def test_the_function_comes_last_and_each_helper_after_what_it_needs() -> None:
    text = canonical("\n".join([PICK, FIRST, CLEAN, LIMIT]), "pick")
    assert text == f"{LIMIT}\n\n\n{CLEAN}\n\n\n{FIRST}\n\n\n{PICK}"
    assert canonical(text, "pick") == text


def test_clones_under_other_names_and_in_another_order_have_one_alpha_hash() -> None:
    # by name, "zap" would stand behind "pick", and "clean" before it
    other = [line.replace("clean", "zap").replace("first", "alpha") for line in (PICK, CLEAN, LIMIT, FIRST)]
    assert version(*other).alpha_hash == version(LIMIT, CLEAN, FIRST, PICK).alpha_hash


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A = 1", "B = A"),
        ("A = 1", "def g(x=A): return x"),
        ("A = int", "def g(x: A): return x"),
        ("A = 1", "A = 2"),
        ("def g(): return 1", "def g(): return 2"),
        ("def g(): return 1", "B = g()"),
        ("def g(): return 1", "print(2)"),
        ("from a import *", "A = 1"),
        ("class A: pass", "class B(A): pass"),
        ("class A: n = 1", "class B: n = A"),
        ("def mark(f): return f", "@mark\ndef g(): return 1"),
        ("def mark(f): return f", "@print\ndef g(): return mark"),
        ("import a as x", "import b as x"),
        ("A = [1]", "A += [2]"),
        ("for x in range(3): pass", "y = 1"),
        ("(A, B) = (1, 2)", "A = 3"),
        ("def g(x=[y for y in 'ab']): return x", "C = 1"),
    ],
)
def test_what_is_evaluated_as_the_file_is_read_keeps_its_place(one: str, other: str) -> None:
    main = "def pick(texts): return (A, B, x, y, mark, g)"
    assert canonical(f"{one}\n{other}\n{main}", "pick") == canonical(
        canonical(f"{one}\n{other}\n{main}", "pick"), "pick"
    )
    assert version(one, other, main).digest != version(other, one, main).digest
    kept = ast.parse(version(one, other, main).source).body
    assert [ast.dump(node) for node in kept[:2]] == [ast.dump(ast.parse(text).body[0]) for text in (one, other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("class A:\n    'A box.'\n    n: int = 1\n    def size(self): return g()", "def g(): return A"),
        ("import json", "import re"),
        ("import os.path", "import os"),
        ("from a import b", "def g(): return b"),
        ("async def a(): pass", "def g(x: list[int] | None = None): return a"),
        ("# the first\ndef a(): return 1", "# the second\n\nB: int = 2  # two"),
        ("def unused(): pass", "def idle(): pass"),
        ("m = apis.music", "def g(): return m"),
    ],
)
def test_what_only_binds_names_has_no_place(one: str, other: str) -> None:
    main = "def pick(texts): return (A, B, b, g)"
    assert version(one, other, main).digest == version(main, other, one).digest
    assert version(one, other, main).ast_hash == version(other, main, one).ast_hash


@pytest.mark.parametrize(
    "code",
    [
        "A = 1; B = 2\ndef pick(): return B, A",
        "def pick(): return g()\ndef g(): pass\n# the end",
        "def pick(): return g()\ndef g(:",
        "'''A file.'''\nA = 1",
        "# words and no statement",
        "\n".join(f"A{n} = {n}" for n in range(250)),
    ],
)
def test_a_text_that_is_not_a_plain_list_of_statements_stays_as_it_is(code: str) -> None:
    assert canonical(code, "pick") == code


def test_a_text_in_a_string_is_no_statement() -> None:
    code = "def g():\n    return '''\ndef a(): pass\n# no\n\n\n'''\n\n\ndef pick(texts):\n    return g()"
    assert canonical(code, "pick") == code
    g, pick = code.split("\n\n\ndef pick")
    assert canonical(f"def pick{pick}\n{g}", "pick") == code


def test_imports_above_code_in_another_order_are_one_version() -> None:
    one, other = (
        divided(f"{above}\n\n\ndef f(): ...") for above in ("import re\nimport json", "import json\nimport re")
    )
    assert one == other == (("import json", "import re"), "def f(): ...")


def test_the_form_before_leaves_the_order_and_a_version_is_hashed_as_it_is_kept() -> None:
    skill = Skill(name="pick", source=f"{FIRST}\n\n\n{CLEAN}\n\n\n{LIMIT}\n\n\n{PICK}")
    old, new = Address.of(skill, namespace="desk", form=1), Address.of(skill, namespace="desk")
    assert FORM == 2
    assert old.source == skill.source
    assert (
        old.digest != new.digest == Address.of(Skill(name="pick", source=new.source), namespace="desk", form=1).digest
    )


def test_what_was_exported_and_kept_in_the_form_before_stays_as_it_is(tmp_path: Path) -> None:
    skill = Skill(name="pick", source=f"{LIMIT}\n\n\n{PICK}\n\n\n{FIRST}\n\n\n{CLEAN}")
    old = version_at(Address.of(skill, namespace="desk", form=1), skill)
    with Store.open(tmp_path / "a.db") as store, Store.open(tmp_path / "b.db") as other:
        store.add(old, Provenance(world="desk"))
        assert store.rebuild(verify=True) == ()
        (folder,) = export_folders(store, [old.digest], tmp_path / "one")
        (arrival,) = import_folders(other, folder)
        assert arrival.message == "'pick' is a candidate: a new skill"
        assert other.version(arrival.proposal.digest).version == old
        (again,) = export_folders(other, [old.digest], tmp_path / "two")
        for path in (path for path in folder.rglob("*") if path.is_file()):
            assert (again / path.relative_to(folder)).read_bytes() == path.read_bytes()
        # what a newer prowess finds is in the new form: the next version, once
        assert [other.propose(skill, Provenance(world="desk")).number for _ in range(2)] == [2, 2]
        assert other.rebuild(verify=True) == ()


def test_two_workers_that_write_helpers_in_another_order_have_found_one_skill(tmp_path: Path) -> None:
    for worker, statements in (("a", [LIMIT, CLEAN, FIRST, PICK]), ("b", [PICK, FIRST, LIMIT, CLEAN])):
        skill = Skill(name="pick", source="\n\n\n".join(statements))
        with Journal(tmp_path / "j", worker) as journal:
            journal.append(Account(namespace="desk", provenance=Provenance(episode=worker), learned=(skill,)))
    with Store.open(tmp_path / "a.db") as store:
        ingest(store, tmp_path / "j")
        (found,) = store.entries(heads=False)
        assert len(store.provenances(found.digest)) == 2
        assert store.rebuild(verify=True) == ()
