"""A skill's code as a version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from prowess.skills.extract import skills_in
from prowess.store.canon import (
    Address,
    address_of,
    canonical,
    canonical_imports,
    skill_id,
    summary_of,
    version_at,
    version_of,
)
from prowess.store.record import Effect, Version
from prowess.types import Skill


def version(code: str, namespace: str = "desk", dependencies: Sequence[str] = (), **told: Any) -> Version:
    skill = skills_in(code)[-1]
    return version_at(Address.of(skill, namespace=namespace, dependencies=dependencies), skill, **told)


ADD = "def add(a, b=1):\n    total = a + b\n    return total"


def test_line_ends_and_trailing_blanks_do_not_count_but_blanks_inside_a_text_do() -> None:
    assert version(ADD).digest == version(ADD.replace("\n", " \r\n") + "\n\n").digest
    text = 'def letter():\n    return """Dear  \nall"""'
    assert canonical(text, "letter") == text
    assert canonical(text + "  \n", "letter") == text + "  "


def test_digest_hashes_and_id_are_the_same_everywhere_and_for_ever() -> None:
    assert version(ADD).digest == "d110d4076b8f2ee123d1466e4a88f79cfd1c8d607de5de97424e2a27997e45bc"
    assert version(ADD).ast_hash == "7a5625c27a6066c2bf1aa6a008efb5d9731a391ff5c2833bac73e7e7d397927f"
    assert version(ADD).alpha_hash == "5cb6100d928fc4da57082e77340d99d42a45fef9262beba795758b009616b0c0"
    assert skill_id("desk", "add", "abc") == "f098c4f3d095477d"


@pytest.mark.parametrize(
    "other",
    [
        version(ADD, namespace="mail"),
        version(ADD.replace("b=1", "b=2")),
        version(ADD.replace("add", "plus")),
        version(ADD, dependencies=["d" * 64]),
        version_of(replace(skills_in(ADD)[0], imports=("import re",)), namespace="desk"),
    ],
)
def test_namespace_code_name_dependencies_and_imports_are_in_the_digest(other: Version) -> None:
    assert other.digest != version(ADD).digest


def test_parents_origins_and_fingerprints_are_not() -> None:
    assert version(ADD, parents=["p"], fingerprints={"a.b": "1"}).digest == version(ADD).digest


def test_the_ast_hash_forgets_formatting_comments_and_docstrings() -> None:
    other = 'def add(a,b = 1):\n  """Adds."""\n  total = (a + b)  # both\n  return total'
    assert version(other).ast_hash == version(ADD).ast_hash
    assert version(other).digest != version(ADD).digest
    for changed in ("total = a - b", "total = a + b + b", "total = a + 1"):
        assert version(ADD.replace("total = a + b", changed)).ast_hash != version(ADD).ast_hash


def test_the_alpha_hash_forgets_the_names_of_its_own_and_no_others() -> None:
    clone = "def plus(x, y=1):\n    z = x + y\n    return z"
    assert version(clone).alpha_hash == version(ADD).alpha_hash
    assert version(clone).ast_hash != version(ADD).ast_hash
    swapped = "def add(a, b=1):\n    total = b + a\n    return total"
    assert version(swapped).alpha_hash != version(ADD).alpha_hash
    one, other = (version(f"def f(x): return apis.mail.{name}(x)") for name in ("show_one", "show_two"))
    assert one.alpha_hash != other.alpha_hash
    assert version("def f(x): return len(x)").alpha_hash != version("def f(x): return sum(x)").alpha_hash


def test_text_that_is_no_program_is_a_version_without_hashes() -> None:
    broken = version_of(Skill(name="f", source="def f(:", docstring="Says."), namespace="desk")
    assert (broken.ast_hash, broken.alpha_hash, broken.schema, broken.summary) == ("", "", {}, "Says.")
    assert len(broken.digest) == 64


def test_hostile_constants_are_hashed() -> None:
    for code in ("def f(): return " + "0x" + "f" * 5000, "def f(): return '\\ud800', b'\\xff', 1e999, None, ..."):
        assert version_of(Skill(name="f", source=code), namespace="desk").ast_hash


def test_a_signature_becomes_text_and_schema() -> None:
    found = version(
        "def f(user: str, ids: list[int], mode: Literal['a', 'b'] = 'a', n: int | None = None, *, by=(1,), **more)"
        " -> dict:\n    '''Finds.\n\n    Args:\n        user: who it is\n    '''"
    )
    assert found.signature.startswith("(user: str, ids: list[int], mode: Literal['a', 'b']='a'")
    plain = version("def g(a: int, b: list[str]=[], c='x') -> dict[str, int]: ...")
    assert plain.signature == "(a: int, b: list[str]=[], c='x') -> dict[str, int]"
    assert found.schema == {
        "type": "object",
        "properties": {
            "user": {"type": "string", "description": "who it is"},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "mode": {"enum": ["a", "b"], "default": "a"},
            "n": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
            "by": {},
        },
        "required": ["user", "ids"],
        "additionalProperties": True,
    }


def test_hashes_and_signatures_are_the_same_in_every_version_of_python() -> None:
    # 3.12 ends a nested format specification with an empty text, and quotes f-strings as 3.11 cannot
    code = "def f(x=f'{1}', *, y: \"int\" = f'{a[\"b\"]}', z='s'):\n    return f'{x:{y}.{z}}' f'{y:>{x}}'"
    found = version(code)
    assert found.signature == "(x=..., *, y: 'int'=..., z='s')"
    assert version("def g(x: str = f'{1}'): ...").signature == "(x: str=...)"
    assert found.ast_hash == "6709b793e2c3e544ce3feaec72d44133ccebad69f2f86c85b4563bc4460f1c71"
    assert found.alpha_hash == "e5f808f636ffc6f00436f0dd9dfd2808cc2527fcce5d08aebd10494e5a2de006"


@pytest.mark.parametrize(
    ("code", "effect"),
    [
        ("def f(x): return x", Effect.PURE),
        ("def f(): return apis.mail.show_inbox()", Effect.READ),
        ("def f(): return apis.mail.show_inbox(), apis.mail.update_draft()", Effect.WRITE),
        ("def f(): return apis.mail.send_mail()", Effect.IRREVERSIBLE),
        ("def f(): return apis.bank.create_transaction()", Effect.IRREVERSIBLE),
        ("def f(name): return getattr(apis.mail, name)()", Effect.IRREVERSIBLE),
        ("def f(): return apis['mail']['send_mail']()", Effect.IRREVERSIBLE),
        ("def f(): return apis['mail']['show_inbox']()", Effect.READ),
        ("def f(app): return getattr(apis, app).login()", Effect.READ),
        ("def f(app): return apis[app].send_mail()", Effect.IRREVERSIBLE),
        ("def f(): return send(apis)", Effect.IRREVERSIBLE),
    ],
)
def test_the_effect_is_the_worst_that_its_apis_do(code: str, effect: Effect) -> None:
    assert version(code).effect is effect


def test_what_an_api_does_can_be_told() -> None:
    assert version("def f(): apis.mail.send_mail()", effects={"mail.send_mail": Effect.WRITE}).effect is Effect.WRITE
    hidden = version("def f(a): apis[a].login()", effects={"a.login": Effect.READ, "b.login": Effect.WRITE})
    assert hidden.effect is Effect.WRITE


def test_fingerprints_are_kept_for_the_apis_it_calls() -> None:
    found = version("def f(): apis.mail.show_inbox()", fingerprints={"mail.show_inbox": "1", "mail.send": "2"})
    assert found.fingerprints == {"mail.show_inbox": "1"}


def test_imports_are_sorted_unless_a_star_makes_their_order_matter() -> None:
    assert canonical_imports(("import re", "from __future__ import annotations", "import re", "import json")) == (
        *("from __future__ import annotations", "import json", "import re"),
    )
    assert canonical_imports(("import re", "from x import *")) == ("import re", "from x import *")


def test_a_summary_is_one_sentence_of_at_most_120_characters() -> None:
    assert summary_of("Plays\n a song. Then more.") == "Plays a song."
    assert len(summary_of("word " * 50)) <= 120
    assert len(summary_of("w" * 500)) <= 120


def test_helpers_are_the_other_functions_it_carries() -> None:
    assert version("def clean(x): return x\ndef pick(x): return clean(x)").helpers == ("clean",)


def test_what_utf8_cannot_hold_is_written_out_wherever_it_stands() -> None:
    skill = Skill(name="f", source="def f(:", apis=("b.\ud800", "a.x", "a.x"))
    version = version_at(Address.of(skill, namespace="w\ud800"), skill, fingerprints={"a.x": "\ud800"})
    assert (version.namespace, version.apis) == ("w\\ud800", ("a.x", "b.\\ud800"))
    assert version.fingerprints == {"a.x": "\\ud800"}
    assert version.digest == address_of(skill, namespace="w\ud800") == address_of(skill, namespace="w\\ud800")


@pytest.mark.parametrize(
    "odd", ["0x" + "f" * 5000, "1" + " + 1" * 800, "f'{1" + " + 1" * 800 + "}'", "[" * 150 + "]" * 150]
)
def test_parameters_that_cannot_be_written_again_are_left_out(odd: str) -> None:
    found = version_of(Skill(name="f", source=f"def f(x={odd}): return x"), namespace="desk")
    assert found.signature == "(x=...)"
    found = version_of(Skill(name="f", source=f"def f(x: int, *, y: {odd.replace('+', '|')}): ..."), namespace="desk")
    assert (found.signature, found.schema["properties"]["y"]) == ("(...)", {})


def test_a_docstring_is_described_as_the_store_keeps_it() -> None:
    assert version("def f():\n    '\\ud800 half'").docstring == "\\ud800 half"
