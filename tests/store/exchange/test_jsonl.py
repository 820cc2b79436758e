"""SAGE's JSONL in and out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from odd import stores

from prowess.errors import NotThere, RecipeError, StoreError
from prowess.skills.extract import names_in
from prowess.store.db import Store
from prowess.store.exchange import Arrival, Refusal, export_jsonl, import_jsonl
from prowess.store.exchange.incoming import BATCH
from prowess.store.exchange.jsonl import LINE, lines_of
from prowess.store.record import Provenance, Status
from prowess.types import Skill

FIRST = Provenance(run="r1", episode="r1/t1/0", task="t1", world="desk")


def test_a_line_holds_task_name_and_the_whole_code(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        low = store.propose(
            Skill(name="low", source="def low(x):\n    return re.sub('a', 'b', x)", imports=("import re",)), FIRST
        )
        high = store.propose(
            Skill(name="high", source="def high(x):\n    return low(x)"), FIRST, dependencies=[low.digest]
        )
        export_jsonl(store, [high.digest], tmp_path / "skills.jsonl")
    assert json.loads((tmp_path / "skills.jsonl").read_text()) == {
        "task_id": "t1",
        "name": "high",
        "function": "import re\n\n\ndef low(x):\n    return re.sub('a', 'b', x)\n\n\ndef high(x):\n    return low(x)",
        "namespace": "desk",
    }
    names: dict[str, object] = {}
    exec(json.loads((tmp_path / "skills.jsonl").read_text())["function"], names)  # noqa: S102 - our own
    assert names["high"]("cat") == "cbt"  # type: ignore[operator]


def test_lines_of_others_become_candidates_and_are_not_executed(tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    lines = [
        {"task_id": "a_1", "name": "f", "function": "import re\n\n\ndef f(x):\n    return x"},
        {
            "task_id": "a_2",
            "name": "f",
            "function": f"open({str(mark)!r}, 'w')\ndef f(x):\n    return 2 * x",
            "more": 1,
        },
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n\n".join(map(json.dumps, lines)) + "\n")
    with Store.open(tmp_path / "a.db") as store:
        one, two = import_jsonl(store, path, namespace="appworld", strict=True)
        assert (one.proposal.number, two.proposal.number) == (1, 2)
        assert not mark.exists()
        entry = store.version(one.proposal.digest)
        assert (entry.status, entry.namespace, entry.version.imports) == (Status.CANDIDATE, "appworld", ("import re",))
        (provenance,) = store.provenances(entry.digest)
        assert (provenance.kind, provenance.task, provenance.who) == ("import", "a_1", str(path))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"task_id": 1, "name": "f", "function": "def f(): ..."}', "is not a skill"),
        ('{"task_id": "t", "name": "f", "function": "def f(): ...", "namespace": 3}', "its namespace is 3"),
        ('{"task_id": "t", "name": "g", "function": "def f(): ..."}', "does not define 'g'"),
        ('{"task_id": "t", "name": "f", "function": "def f("}', "does not define 'f'"),
    ],
)
def test_a_bad_line_is_named_and_nothing_of_the_file_stays(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"task_id": "t", "name": "f", "function": "def f(): ..."}\n' + line)
    with Store.open(tmp_path / "a.db") as store:
        with pytest.raises(NotThere, match=f"in.jsonl:2.*{why}.*\nhint: "):
            import_jsonl(store, path, namespace="desk", strict=True)
        assert store.entries() == ()


def test_a_line_comes_into_the_world_that_is_named_or_its_own_or_the_only_one_there_is(tmp_path: Path) -> None:
    line = {"task_id": "t", "name": "f", "function": "def f(): ..."}
    silent, named = tmp_path / "silent.jsonl", tmp_path / "named.jsonl"
    silent.write_text(json.dumps(line))
    named.write_text(json.dumps(line | {"namespace": "appworld"}))

    def worlds(store: Store) -> list[str]:
        return [entry.namespace for entry in store.entries()]

    with Store.open(tmp_path / "a.db") as store:
        with pytest.raises(RecipeError, match=r"silent.jsonl:1' has no \"namespace\", .*it has no skills yet"):
            import_jsonl(store, silent)
        import_jsonl(store, named, strict=True)
        import_jsonl(store, silent, strict=True)
        assert worlds(store) == ["appworld"]
        import_jsonl(store, named, namespace="pantry", strict=True)
        assert worlds(store) == ["appworld", "pantry"]
        with pytest.raises(RecipeError, match=r"it has skills of appworld, pantry\nhint: --namespace WORLD"):
            import_jsonl(store, silent)
        (provenance,) = store.provenances(store.entries(namespace="pantry")[0].digest)
        assert provenance.world == "pantry"


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_round_trip_of_whatever_defines_its_function_changes_no_byte(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("odd")
    with Store.open(root / "a.db") as store, Store.open(root / "b.db") as other:
        digests = [digest for digest in data.draw(stores(store)) if store.version(digest).version.schema]
        text = lines_of(store, digests)
        (root / "one.jsonl").write_text(text)
        if not all(
            json.loads(line)["name"] in (names_in(json.loads(line)["function"]) or {}) for line in text.splitlines()
        ):
            with pytest.raises(StoreError, match="does not define"):  # what it calls, or its imports, are no code
                import_jsonl(other, root / "one.jsonl", namespace="x", strict=True)
            return
        arrived = import_jsonl(other, root / "one.jsonl", namespace="x", strict=True)
        back = lines_of(other, [arrival.proposal.digest for arrival in arrived])
        assert [json.loads(line)["function"] for line in back.splitlines()] == [
            json.loads(line)["function"] for line in text.splitlines()
        ]


def test_an_empty_skill_that_another_one_calls_leaves_no_blank_lines(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        empty = store.propose(Skill(name="e", source=""), FIRST).digest
        digest = store.propose(Skill(name="f", source="def f(): ..."), FIRST, dependencies=[empty]).digest
        assert json.loads(lines_of(store, [digest]))["function"] == "def f(): ..."


def line_of(name: str, code: str = "") -> bytes:
    record = {"task_id": "t", "name": name, "function": code or f"def {name}(): return 1", "namespace": "desk"}
    return json.dumps(record).encode() + b"\n"


JUNK: dict[str, bytes] = {
    "is not JSON: Expecting": b'{"task_id": \n',
    "is not JSON: maximum recursion": b"[" * 100_000 + b"\n",
    "is not JSON: Exceeds the limit": b'{"task_id": ' + b"9" * 5000 + b"}\n",
    "is not UTF-8": b'{"task_id": "\xff"}\n',
    "is not a skill": b"null\n",
    "does not define '1st'": line_of("1st", "def first(): return 1"),
    "does not define 'deep'": line_of("deep", "x = " + "(" * 3000 + ")" * 3000 + "\ndef deep(): ..."),
    "does not define 'minus'": line_of("minus", "def minus(): return " + "-" * 20_000 + "1"),
    "does not define 'number'": line_of("number", "def number(): return " + "9" * 6000),
    "does not define 'red\\x1b": line_of("red\x1b[2J\u202e", "def red(): return 1"),
    "has more than 400000 bytes": line_of("long", "def long(): return 1\n" + "#" * 400_000),
    f"has more than {LINE} bytes": b'{"task_id": "' + b"x" * LINE + b"\n",
    'has no "namespace"': b'{"task_id": "t", "name": "f", "function": "def f(): return 1"}\n',
}
"""Lines that are refused, by why."""


def test_junk_among_skills_is_refused_line_by_line_and_the_rest_comes_in(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    half = line_of("half", "def half(x='\ud800'): return x")  # odd, and code all the same
    path.write_bytes(line_of("first") + b"".join(JUNK.values()) + half + line_of("first") + line_of("last"))
    with Store.open(tmp_path / "a.db") as store:
        outcomes = list(import_jsonl(store, path))
        assert [one.name if isinstance(one, Arrival) else "" for one in outcomes] == [
            "first",
            *[""] * len(JUNK),
            "half",
            "first",
            "last",
        ]
        refused = [one for one in outcomes if isinstance(one, Refusal)]
        for number, (one, why) in enumerate(zip(refused, JUNK, strict=True), 2):
            assert one.source == f"{path}:{number}"
            assert why in one.why.message
            assert len(one.why.message) < 500
            assert one.why.__traceback__ is one.why.__context__ is None, "it would hold what was read"
        assert [entry.name for entry in store.entries()] == ["first", "half", "last"]
        assert len(store.provenances(store.entries()[0].digest)) == 1


def test_a_stopped_import_keeps_whole_batches_and_the_next_one_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"".join(line_of(f"f{n}") for n in range(BATCH + 50)))
    with Store.open(tmp_path / "a.db") as store, Store.open(tmp_path / "a.db") as other:
        outcomes = import_jsonl(store, path)
        next(outcomes)
        assert len(other.entries()) == BATCH, "told when it is there for others"
        del outcomes
        again = [one.proposal.new for one in import_jsonl(store, path) if isinstance(one, Arrival)]
        assert again == [False] * BATCH + [True] * 50
        assert {len(store.provenances(entry.digest)) for entry in store.entries()} == {1}
        assert store.rebuild(verify=True) == ()


def test_a_line_that_never_ends_takes_no_more_memory_than_the_longest(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    with path.open("wb") as file:
        file.write(line_of("f"))
        for _ in range(40):
            file.write(b"x" * (1 << 20))
    with Store.open(tmp_path / "a.db") as store:
        tracemalloc.start()
        try:
            arrival, refusal = import_jsonl(store, path)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert isinstance(arrival, Arrival) and isinstance(refusal, Refusal)
    assert peak < 4 * LINE


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_an_import_that_is_killed_goes_on_where_it_was(tmp_path: Path, sign: signal.Signals) -> None:
    path, place = tmp_path / "in.jsonl", tmp_path / "a.db"
    path.write_bytes(b"".join(line_of(f"f{n}") for n in range(6 * BATCH)) + b"{\n")
    words = [sys.executable, "-m", "prowess", "skills", "import", str(path), "--store", str(place)]
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=unbuffered) as process:
        assert process.stdout is not None
        assert b"is a candidate" in process.stdout.readline()
        process.send_signal(sign)
        process.stdout.read()
    with Store.open(place) as store:
        kept = len(store.entries())
        assert kept >= BATCH and kept % BATCH == 0
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.count("is known") == kept
    assert done.stdout.count("is a candidate") == 6 * BATCH - kept
    with Store.open(place) as store:
        assert [entry.name for entry in store.entries()] == [f"f{n}" for n in range(6 * BATCH)]
        assert {len(store.provenances(entry.digest)) for entry in store.entries()} == {1}
        assert store.rebuild(verify=True) == ()
