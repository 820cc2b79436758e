"""Adapters in pieces are put together whole or not at all, and played by `prowess evaluate --checkpoint`."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import numpy as np
import torch
from safetensors.torch import load_file, save, save_file
from typer.testing import CliRunner

from prowess.cli import app
from prowess.errors import RecipeError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models.load import ModelSettings, load
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.vllm import shape
from prowess.run import Run
from prowess.types import Sample

SCRIPT = Path(__file__).parents[2] / "studies" / "qwen" / "kept.py"
sys.path.insert(0, str(SCRIPT.parent))
TEXTS = ["Like every song by Juno Halloway on music.", "print(apis.music.show_song(song_id=3))"] * 4
SMALL = TinySettings(layers=2, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=4096)
LORA = LearnerSettings(rate=0.1, lora_rank=2)
LESSON = Sample(tokens=(5, 6, 7, 8, 9), weights=(0, 0, 1, 1, 1), logprobs=(0, 0, 0, 0, 0))
ENDS = ("json", "00", "01", "02", "03", "04", "05")
IDS = torch.tensor([[5, 6, 7, 8, 9, 10]])


def saved(place: Path, *, hidden: int = 16, rank: int = 2) -> Path:
    """A model and an adapter that has learnt something on it: place/model, place/adapter."""
    shape = TinySettings(layers=2, hidden=hidden, heads=2, kv_heads=1, inner=24, vocab=320, positions=4096)
    make_tiny(TEXTS, shape, seed=4).save(place / "model")
    learner = TorchLearner(
        load(ModelSettings(name=str(place / "model"), device="cpu")),
        LearnerSettings(rate=0.1, lora_rank=rank),
        LossSettings(kind="imitate"),
    )
    learner.step([LESSON])
    learner.save(place / "adapter")
    return place / "adapter"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An adapter in six pieces, kept under a name of its model that is not of this machine."""
    import kept

    monkeypatch.setattr(kept, "PIECE", 1000)
    kept.cut(saved(tmp_path), tmp_path / "kept" / "sage", "somebody/model")
    kept.cut(tmp_path / "adapter", tmp_path / "kept" / "sage-1.5b", "somebody/model")
    assert len(list((tmp_path / "kept").glob("sage.0?"))) == 6
    return tmp_path / "kept" / "sage"


def join(*arguments: str | Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, SCRIPT, "join", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_a_joined_adapter_is_what_was_learnt_and_can_be_trained_from(kept: Path, tmp_path: Path) -> None:
    code, said = join(kept, tmp_path / "whole", "--model", tmp_path / "model")
    assert code == 0 and "rank 2" in said and "of 6 piece(s)" in said
    device = ModelSettings(name=str(tmp_path / "whole"), device="cpu")
    ours, first = (
        load(one).model(IDS).logits for one in (device, ModelSettings(name=str(tmp_path / "adapter"), device="cpu"))
    )
    bare = load(ModelSettings(name=str(tmp_path / "model"), device="cpu")).model(IDS).logits
    assert torch.allclose(ours, first, atol=0.05) and not torch.allclose(ours, bare, atol=0.05)
    brain = load(ModelSettings(name=str(tmp_path / "model"), device="cpu"))
    learner = TorchLearner(brain, LORA, LossSettings(kind="imitate"))
    learner.start(tmp_path / "whole")
    assert torch.equal(learner.model(IDS).logits, ours)
    code, said = join(kept, tmp_path / "whole")
    assert code == 2 and "is there already" in said


def test_packed_it_is_smaller_and_the_same_to_the_bit(kept: Path, tmp_path: Path) -> None:
    import kept as script

    place = kept.parent
    script.cut(tmp_path / "adapter", place / "small", "somebody/model", pack=True)
    assert join(kept, tmp_path / "one")[0] == join(place / "small", tmp_path / "other")[0] == 0
    for name in ("adapter_model.safetensors", "adapter_config.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    sizes = [sum(path.stat().st_size for path in place.glob(f"{name}.0?")) for name in ("sage", "small")]
    assert sizes[1] < sizes[0]
    last = sorted(place.glob("small.0?"))[-1].name
    _unlist(place, last)
    code, said = join(place / "small", tmp_path / "broken")
    assert code == 2 and "cannot be unpacked" in said and "is one not in SHA256SUMS?" in said
    _redescribe(place / "sage", packed="otherwise")
    code, said = join(kept, tmp_path / "newer")
    assert code == 2 and "says 'otherwise' of how it is packed" in said and not (tmp_path / "newer").exists()


def moved(adapter: Path, to: Path, by: float) -> Path:
    """An adapter after a small step from another."""
    to.mkdir()
    noise = torch.Generator().manual_seed(7)
    old = load_file(adapter / "adapter_model.safetensors")
    new = {name: one.float() + by * torch.randn(one.shape, generator=noise) for name, one in old.items()}
    save_file(new, to / "adapter_model.safetensors")
    (to / "adapter_config.json").write_text((adapter / "adapter_config.json").read_text())
    return to


@pytest.fixture
def since(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What changed since that adapter, in more pieces than one."""
    import kept as script

    monkeypatch.setattr(script, "PIECE", 400)
    script.cut(moved(tmp_path / "adapter", tmp_path / "next", 1e-4), kept.with_name("next"), "it", since=kept)
    assert len(list(kept.parent.glob("next.0?"))) > 1
    return kept.with_name("next")


def test_what_changed_since_another_is_smaller_and_the_same_to_the_bit(since: Path, kept: Path, tmp_path: Path) -> None:
    import kept as script

    script.cut(tmp_path / "next", since.with_name("whole"), "it", pack=True)
    script.cut(moved(tmp_path / "next", tmp_path / "last", 1e-4), since.with_name("last"), "it", since=since)
    script.cut(tmp_path / "last", since.with_name("last-whole"), "it", pack=True)
    for ours, wanted in (("next", "whole"), ("last", "last-whole")):
        for name in (ours, wanted):
            code, said = join(since.with_name(name), tmp_path / "joined" / name)
            assert code == 0, said
        for file in ("adapter_model.safetensors", "adapter_config.json"):
            one, two = ((tmp_path / "joined" / name / file).read_bytes() for name in (ours, wanted))
            assert one == two
        small, large = (sum(path.stat().st_size for path in kept.parent.glob(f"{name}.0?")) for name in (ours, wanted))
        assert small < 0.8 * large
    how = json.loads(since.with_name("last.json").read_text())
    weights = (tmp_path / "joined" / "next" / "adapter_model.safetensors").read_bytes()
    assert how["since"] == {"name": "next", "sha256": script._sum(weights)}


def test_every_bfloat16_comes_back_and_neighbours_are_one_apart() -> None:
    import kept as script

    values = torch.tensor([-float("inf"), -2.0, -1.0, -1e-40, -0.0, 0.0, 1e-40, 1.0, 2.0, float("inf")]).bfloat16()
    ranks = script._ranks(values.view(torch.int16).numpy().view(np.uint16)).astype(int)
    assert (np.diff(ranks) > 0).all() and ranks[5] - ranks[4] == 1  # zeros are neighbours
    assert ranks[8] - ranks[7] == ranks[2] - ranks[1] == 128  # from 1 to 2 in seven bits
    patterns = np.arange(65536, dtype=np.uint16)  # with every NaN
    for new, old in ((patterns, patterns[::-1]), (np.random.default_rng(3).permutation(patterns), patterns)):
        mine, other = (save({"one": torch.from_numpy(of.view(np.int16).copy())}) for of in (new, old))
        changes = script._changes(mine, beside := script._beside(mine, other, Path("new"), Path("old")))
        assert changes != mine and script._changed(changes, beside) == mine
    one = save({"one": torch.tensor([1.0, -1.0, 0.0, 5.0]).bfloat16()})
    near = save({"one": torch.tensor([1 + 2**-7, -1 + 2**-8, -0.0, 5.0]).bfloat16()})
    assert np.frombuffer(script._changes(near, one[-8:])[-8:], "<u2").tolist() == [1, 2, 2, 0]  # the smallest first


def test_tensors_find_each_other_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    import kept as script

    def file(**tensors: list[int]) -> bytes:
        entries: dict[str, object] = {}
        numbers = b""
        for name, of in tensors.items():
            span = [len(numbers), len(numbers) + 2 * len(of)]
            entries[name] = {"dtype": "BF16", "shape": [len(of)], "data_offsets": span}
            numbers += np.array(of, "<u2").tobytes()
        heading = json.dumps({"__metadata__": {"format": "pt"}} | dict(sorted(entries.items()))).encode()
        return len(heading).to_bytes(8, "little") + heading + numbers

    mine, other = file(b=[1, 2], a=[3]), file(a=[30], b=[10, 20])
    assert np.frombuffer(script._beside(mine, other, Path("new"), Path("old")), "<u2").tolist() == [10, 20, 30]
    with pytest.raises(SystemExit):
        script._beside(mine, mine.replace(b"BF16", b"I16 "), Path("new"), Path("old"))
    assert "a is BF16 [1] in new, and I16  [1] in old" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda place: [path.unlink() for path in place.glob("sage.*")], "changed since 'sage', and there is no"),
        (lambda place: [_unlist(place, f"sage.{end}") for end in ENDS], "there is no adapter 'sage' in"),
        (lambda place: _cut(place.parent / "next", place / "sage"), "changed since weights with SHA-256"),
        (lambda place: (place / "sage.03").write_bytes(b"x" * 1000), "sage.03 is damaged: its SHA-256"),
        (lambda place: (place / "sage.05").unlink(), "sage.05 is missing"),
        (lambda place: (place / "next.00").write_bytes(b"x" * 1000), "next.00 is damaged: its SHA-256"),
        (lambda place: _unlist(place, sorted(place.glob("next.0?"))[-1].name), "cannot be unpacked"),
        (lambda place: _redescribe(place / "next", since={"name": "next", "sha256": ""}), "itself: next since next"),
    ],
)
def test_changes_of_something_else_are_told_and_nothing_is_left_behind(
    harm: object, told: str, since: Path, tmp_path: Path
) -> None:
    harm(since.parent)  # type: ignore[operator]
    _refused(since, tmp_path / "whole", told)


def test_another_that_lies_elsewhere_is_named(since: Path, kept: Path, tmp_path: Path) -> None:
    import kept as script

    script.cut(tmp_path / "adapter", tmp_path / "away" / "first", "it", pack=True)
    for path in kept.parent.glob("sage.*"):
        path.unlink()
    code, said = join(since, tmp_path / "whole")
    assert code == 2 and "--since PLACE/sage" in said
    assert join(since, tmp_path / "whole", "--since", tmp_path / "away" / "first")[0] == 0
    code, said = join(tmp_path / "away" / "first", tmp_path / "other", "--since", since)
    assert code == 2 and "is kept whole, not since 'next'" in said and not (tmp_path / "other").exists()


@pytest.mark.slow
def test_what_cannot_be_kept_since_another_is_told_and_nothing_is_changed(
    since: Path, kept: Path, tmp_path: Path
) -> None:
    saved(tmp_path / "wide", rank=4)
    few = load_file(tmp_path / "next" / "adapter_model.safetensors")
    gone = few.popitem()[0]
    save_file(few, moved(tmp_path / "next", tmp_path / "few", 0.0) / "adapter_model.safetensors")
    before = {path: path.read_bytes() for path in kept.parent.iterdir()}
    for checkpoint, name, other, told in (
        ("wide/adapter", "new", "sage", "BF16 [4, 24] in new, and BF16 [2, 24] in"),
        ("few", "new", "sage", f"{gone} is not there in new, and BF16 ["),
        ("next", "new", "sag", "there is no adapter 'sag'"),
        ("next", "next", "next", "'next' would be what changed since itself: next since next"),
        ("next", "sage", "next", "'sage' would be what changed since itself: sage since next since sage"),
    ):
        done = _cut(tmp_path / checkpoint, kept.with_name(name), "--since", kept.with_name(other))
        assert done.returncode == 2 and done.stderr.startswith("error: ") and "\nhint: " in done.stderr
        assert told in done.stderr
    assert {path: path.read_bytes() for path in kept.parent.iterdir()} == before


def test_without_a_model_named_it_asks_for_the_one_it_was_made_on(kept: Path, tmp_path: Path) -> None:
    assert join(kept, tmp_path / "whole")[0] == 0
    config = json.loads((tmp_path / "whole" / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == "somebody/model"


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda place: (place / "sage.03").write_bytes(b"x" * 1000), "sage.03 is damaged: its SHA-256"),
        (lambda place: (place / "sage.05").write_bytes((place / "sage.05").read_bytes()[:-1]), "sage.05 is damaged"),
        (lambda place: (place / "sage.05").unlink(), "sage.05 is missing"),
        (lambda place: (place / "sage.json").unlink(), "sage.json is missing"),
        (lambda place: _unlist(place, "sage.05"), "bytes, and say themselves"),
        (lambda place: _unlist(place, "sage.02"), "all pieces from sage.00 on are needed"),
        (lambda place: _unlist(place, "sage.json"), "sage.json and all pieces"),
        (lambda place: (place / "SHA256SUMS").unlink(), "SHA256SUMS"),
        (lambda place: [_unlist(place, f"sage.{end}") for end in ("00", "json")], "sage.json and all pieces"),
    ],
)
def test_what_is_damaged_or_missing_is_told_and_nothing_is_left_behind(
    harm: object, told: str, kept: Path, tmp_path: Path
) -> None:
    harm(kept.parent)  # type: ignore[operator]
    _refused(kept, tmp_path / "whole", told)


def test_what_is_no_checkpoint_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    done = _cut(tmp_path, tmp_path / "kept/sage")
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"error: {tmp_path} has no adapter_config.json and no adapter_model.safetensors\nhint:"
    )
    assert not (tmp_path / "kept").exists()


def test_an_unknown_name_is_answered_with_those_that_are_there(kept: Path, tmp_path: Path) -> None:
    code, said = join(kept.with_name("sag"), tmp_path / "whole")
    assert code == 2 and "there is no adapter 'sag'" in said and "there are: sage, sage-1.5b" in said


def _cut(checkpoint: Path, kept: Path, *more: str | Path) -> subprocess.CompletedProcess[str]:
    given = [checkpoint, kept, "--model", "somebody/model", *more]
    return subprocess.run([sys.executable, SCRIPT, "cut", *given], capture_output=True, text=True, check=False)


def _redescribe(kept: Path, **entries: object) -> None:
    """Another description, with its sum."""
    import kept as script

    config = kept.with_name(f"{kept.name}.json")
    config.write_text(json.dumps(json.loads(config.read_text()) | entries))
    _unlist(kept.parent, config.name)
    with (kept.parent / "SHA256SUMS").open("a") as sums:
        sums.write(f"{script._sum(config.read_bytes())}  {config.name}\n")


def _refused(kept: Path, folder: Path, told: str) -> None:
    """Joining is refused in plain words, and leaves nothing behind."""
    code, said = join(kept, folder)
    assert code == 2 and said.startswith("error: ") and "\nhint: " in said
    assert told in said
    assert not folder.exists() and not list(folder.parent.glob(f".{folder.name}*"))


def _unlist(place: Path, name: str) -> None:
    lines = (place / "SHA256SUMS").read_text().splitlines(keepends=True)
    (place / "SHA256SUMS").write_text("".join(line for line in lines if not line.endswith(f"  {name}\n")))


# ----------------------------------------------------------------------------------- prowess evaluate --checkpoint

FEW = (
    *("--set", "evaluate.scenarios=1", "--set", "evaluate.runs=1", "--set", "agent.turns=1"),
    *("--set", "agent.reply_tokens=5", "--set", "model.device=cpu"),
)


def evaluate(folder: Path, *more: str) -> str:
    done = CliRunner().invoke(app, ["evaluate", "expert", "--checkpoint", str(folder), *FEW, *more])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.slow
def test_a_joined_adapter_plays_and_the_run_says_with_what(kept: Path, tmp_path: Path) -> None:
    join(kept, tmp_path / "whole", "--model", tmp_path / "model")
    with chdir(tmp_path):
        said = evaluate(Path("whole"), "--out", "runs/one", "--set", "agent.context_tokens=5000")
    run = Run.open(tmp_path / "runs/one")
    played = [one.episode for one in run.episodes()]
    assert len(played) == 3 and all(one.turns and one.turns[0].completion.logprobs for one in played)
    assert f"note: whole is an adapter of {tmp_path / 'model'}, and plays on that" in said
    assert "note: agent.context_tokens is 5000, and the model's context 4096: longer conversations end there" in said
    recipe = (tmp_path / "runs/one/recipe.toml").read_text()
    assert 'name = "whole"' in recipe and 'name = "local"' in recipe


def test_a_checkpoint_that_cannot_play_is_told_before_a_run_is_begun(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join(kept, tmp_path / "whole", "--model", tmp_path / "model")
    saved(tmp_path / "other", hidden=24, rank=4)
    join(kept, tmp_path / "misfit", "--model", tmp_path / "other" / "model")
    with chdir(tmp_path):
        for folder, told in (
            ("nowhere", r"there is no folder 'nowhere'[\s\S]*a run's"),
            ("Qwen/Qwen3-4B", r"no folder 'Qwen/Qwen3-4B'[\s\S]*set policy.name=local --set model.name=Qwen/Qwen3-4B"),
            ("kept", r"the folder 'kept' holds no model[\s\S]*kept\.py join"),
            ("misfit", r"the adapter 'misfit' does not fit its model[\s\S]*another one"),
        ):
            with pytest.raises(RecipeError, match=told):
                evaluate(Path(folder))
        join(kept, tmp_path / "far", "--model", "no/such/folder")
        told = r"the model of the adapter 'far' is not here[\s\S]*adapter_config.json names it"
        with pytest.raises(RecipeError, match=told):
            evaluate(Path("far"))
        monkeypatch.setattr(shape, "find_spec", lambda name: None)  # as where vLLM is not installed
        with pytest.raises(RecipeError, match="needs the extra 'vllm'"):  # and its model is not asked for
            evaluate(Path("far"), "--set", "sampling.engine=vllm")
    assert not (tmp_path / "runs").exists()
