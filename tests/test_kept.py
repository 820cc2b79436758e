"""Adapters in pieces are put together whole or not at all, and played by `opensage evaluate --checkpoint`."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
from typer.testing import CliRunner

from opensage.cli import app
from opensage.errors import RecipeError
from opensage.learners.settings import LearnerSettings
from opensage.learners.torch import TorchLearner
from opensage.losses import LossSettings
from opensage.models.load import ModelSettings, load
from opensage.models.tiny import TinySettings, make_tiny
from opensage.policies.vllm import shape
from opensage.run import Run
from opensage.types import Sample

SCRIPT = Path(__file__).parent.parent / "docs" / "results" / "qwen" / "kept.py"
sys.path.insert(0, str(SCRIPT.parent))
TEXTS = ["Like every song by Juno Halloway on music.", "print(apis.music.show_song(song_id=3))"] * 4
SMALL = TinySettings(layers=2, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=4096)
LORA = LearnerSettings(rate=0.1, lora_rank=2)
LESSON = Sample(tokens=(5, 6, 7, 8, 9), weights=(0, 0, 1, 1, 1), logprobs=(0, 0, 0, 0, 0))
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
    config = place / "sage.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"packed": "otherwise"}))
    sums = place / "SHA256SUMS"
    lines = [line for line in sums.read_text().splitlines(keepends=True) if not line.endswith("  sage.json\n")]
    sums.write_text("".join(lines) + f"{script._sum(config.read_bytes())}  sage.json\n")
    code, said = join(kept, tmp_path / "newer")
    assert code == 2 and "says 'otherwise' of how it is packed" in said and not (tmp_path / "newer").exists()


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
    code, said = join(kept, tmp_path / "whole")
    assert code == 2 and said.startswith("error: ") and "\nhint: " in said
    assert told in said
    assert not (tmp_path / "whole").exists() and not list(tmp_path.glob(".whole*"))


def test_what_is_no_checkpoint_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "cut", str(tmp_path), str(tmp_path / "kept/sage"), "--model", "somebody/model"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"error: {tmp_path} has no adapter_config.json and no adapter_model.safetensors\nhint:"
    )
    assert not (tmp_path / "kept").exists()


def test_an_unknown_name_is_answered_with_those_that_are_there(kept: Path, tmp_path: Path) -> None:
    code, said = join(kept.with_name("sag"), tmp_path / "whole")
    assert code == 2 and "there is no adapter 'sag'" in said and "there are: sage, sage-1.5b" in said


def _unlist(place: Path, name: str) -> None:
    lines = (place / "SHA256SUMS").read_text().splitlines(keepends=True)
    (place / "SHA256SUMS").write_text("".join(line for line in lines if not line.endswith(f"  {name}\n")))


# ----------------------------------------------------------------------------------- opensage evaluate --checkpoint

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
