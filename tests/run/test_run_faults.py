"""Files of a run that another program has changed: whatever stands in them, commands say so in words."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
import typer
from synthetic import evaluation

from prowess.cli import commands, main
from prowess.errors import StoreError
from prowess.pipeline.stages import measured
from prowess.pipeline.weights import weights_of
from prowess.report.ablation import Variant, write_ablation
from prowess.run import Run, differences
from prowess.run.checkpoints import Checkpoints
from prowess.run.folder import weights_in
from prowess.store.db import account_of

GONE = object()
BAD: tuple[Any, ...] = (
    *(GONE, None, True, -1, 1.5, 2**62, 2**63, 10**400, 1e308, "NaN", "Infinity", "", "\ud800", "../../x"),
    *("\x1b[2J\x1b]0;x\x07", "\u202ex", "a\0b", "<script>alert(1)</script>", "[/red]", [], {}, [1], ["x"], {"a": 1}),
)
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal or a reader obeys."""
WHOLE = (b"", b"null\n", b"\xff\xed\xa0\x80", b'{"step": 1', b"\x1b[2J\n", b"[" * 5000 + b"\n")
"""Bad contents of whole files."""
_APP = typer.main.get_command(commands.app)


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value; of a list, its first."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, one in inner:
        yield from paths(one, (*at, key))


def changed(value: Any, at: tuple[Any, ...], bad: Any) -> Any:
    """The value with another at one place."""
    if not at:
        return None if bad is GONE else bad
    copy = value.copy()
    if len(at) == 1 and bad is GONE:
        del copy[at[0]]
    else:
        copy[at[0]] = changed(value[at[0]], at[1:], bad)
    return copy


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults") / "sound"
    played = evaluation(scenarios=1, runs=1)
    with Run.create(folder, command="evaluate", recipe_toml='name = "x"\nseed = 1\n', seed=1) as run:
        run.write_episodes("dev-run0-a", played)
        run.log(0, {"play/tgc": 0.5, "play/errors": 1.0})
        run.write_text("weights.json", json.dumps({"of": "there", "digest": "1"}))
    return folder


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.setattr(commands, "app", _APP)
    (tmp_path / "a/b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a/b")

    def call(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["prowess", *words])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
        assert not ACTS.search(said.out + said.err)
        return said.err

    return call


@pytest.mark.parametrize("name", ["run.json", "metrics.jsonl", "weights.json", "episodes/dev-run0-a.jsonl.gz"])
def test_whatever_stands_in_a_file_nothing_ends_with_a_traceback(
    sound: Path, tmp_path: Path, call: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Every field with three bad values in turn, each shown by one command and reported where it can be."""
    monkeypatch.setattr("prowess.report.report.plots_of", lambda views: {})
    packed = name.endswith(".gz")
    content = (sound / name).read_bytes()
    text = (gzip.decompress(content) if packed else content).decode()
    value = json.loads(text if name.endswith(".json") else text.splitlines()[0])
    task = next(Run.open(sound).episodes()).episode.task.id
    asked = cycle((("show", "run"), ("show", "run", task), ("report", "run")))
    contents = list(WHOLE)
    for n, at in enumerate(paths(value)):
        contents += [
            json.dumps(changed(value, at, bad)).encode() + b"\n" for bad in islice(cycle(BAD), 3 * n, 3 * n + 3)
        ]
    shutil.copytree(sound, "run")
    for content, words in zip(contents, asked, strict=False):
        Path("run", name).write_bytes(gzip.compress(content) if packed else content)
        call(*words)
        for page in Path("run").glob("report.*"):
            assert "<script>alert" not in page.read_text()
            assert not ACTS.search(page.read_text())
    assert {path.name for path in tmp_path.iterdir()} == {"a"}
    assert {path.name for path in Path().iterdir()} == {"run"}


def test_a_recipe_with_what_only_toml_has_is_told_as_another() -> None:
    odd = {"a": float("inf"), "b": date(2026, 1, 2)}
    assert "a: inf in the run, 1 given" in differences(odd, {"a": 1, "b": 1}).values()


def told(read: Callable[[], object], name: str) -> None:
    """What is read may be refused, by the name of its file."""
    with suppress(StoreError):
        try:
            read()
        except StoreError as error:
            if name not in error.message:
                raise AssertionError(error.message) from error
            raise


def test_a_name_with_half_a_surrogate_pair_can_be_told_to_a_store() -> None:
    played = replace(next(evaluation(scenarios=1, runs=1)).episode, offered=("a\ud800",))
    assert account_of(played, run="r", world="w", masked=("\udfff",)).offered == ("a\\ud800",)


@pytest.mark.parametrize("bad", [*BAD[1:], float("inf")])
def test_small_notes_are_read_or_refused_by_their_name(sound: Path, tmp_path: Path, bad: Any) -> None:
    shutil.copytree(sound, tmp_path / "run")
    (tmp_path / "run/checkpoints/step-000002").mkdir(parents=True)
    checkpoints = Checkpoints(Run.open(tmp_path / "run"))
    (tmp_path / "run/checkpoints/best.json").write_text(json.dumps({"step": bad, "score": 1.0}))
    (tmp_path / "run/weights.json").write_text(json.dumps({"of": bad, "digest": "1"}))
    told(lambda: checkpoints.best, "best.json")
    told(lambda: weights_in(tmp_path / "run"), "weights.json")


def test_a_folder_of_another_name_is_no_checkpoint(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "run")
    for name in ("step-000002", "step-0x"):
        (tmp_path / "run/checkpoints" / name).mkdir(parents=True)
    assert Checkpoints(Run.open(tmp_path / "run")).best == tmp_path / "run/checkpoints/step-000002"


@pytest.mark.parametrize("content", [b"\n", b"\xff\n"])
def test_sums_of_a_checkpoint_that_say_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "SHA256SUMS").write_bytes(content)
    told(lambda: weights_of(tmp_path), "SHA256SUMS")


def test_an_evaluation_whose_episodes_are_gone_is_named(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "run")
    (tmp_path / "run/episodes/dev-run0-a.jsonl.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(StoreError, match="there is no episode in it"):
        measured([tmp_path / "run"])
    with pytest.raises(StoreError, match="there is no episode in it"):
        write_ablation([Variant(name="a", evaluations={0: tmp_path / "run"})], tmp_path)
