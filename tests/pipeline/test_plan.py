"""What a training takes of GPUs, told before anything is begun."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from typer.testing import CliRunner

from prowess.cli import app

SEVEN = {
    "architectures": ["Qwen2ForCausalLM"],
    "model_type": "qwen2",
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "tie_word_embeddings": False,
}
"""Qwen2.5-7B, as its description says."""
MANY = ("engine='verl'", "checkpointing=true", "verl.gpus=8")
SERVED = ("--set", "sampling.engine='server'", "--set", "sampling.server.weights='whole'")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(json.dumps(SEVEN))
    return tmp_path


def plan(model: Path | str, *more: str, learner: tuple[str, ...] = ()) -> tuple[int, str]:
    sets = [
        word for one in (f"model.name='{model}'", *(f"learner.{one}" for one in learner)) for word in ("--set", one)
    ]
    done = CliRunner().invoke(app, ["plan", "appworld-sage", *sets, *more])
    return done.exit_code, done.output


def test_a_model_that_fits_on_eight_gpus_is_told_part_by_part(model: Path) -> None:
    code, told = plan(model, "--json", *SERVED, learner=MANY)
    found = json.loads(told)
    assert code == 0 and found["fits"] and found["shape"]["parameters"] == 7_615_616_512
    parts = {name: round(found["sizes"][name]) for name in ("states", "gathered", "activations")}
    assert parts == {"states": 14, "gathered": 5, "activations": 14}
    assert (round(found["total"]), found["gpus"], found["ways"]) == (32, 8, [])


def test_what_does_not_fit_is_told_with_what_would(model: Path) -> None:
    code, told = plan(model)
    assert code == 1 and "of 80: does not fit" in told and "1 GPU learns, from 384 episodes a step" in told
    assert "on 2 GPUs" not in told, "75 GiB are more than can be planned with of 80"
    assert "on 4 GPUs, learner.checkpointing = true: 47 GiB" in told
    _, told = plan(model, *SERVED, "--gpu-gb", "30", learner=MANY)
    assert "learner.verl.offload = 'states': 18 GiB" in told
    code, told = plan(model, "--gpu-gb", "8")
    assert code == 1 and "nothing tried here would fit" in told


def test_an_adapter_takes_far_less(model: Path) -> None:
    code, told = plan(model, "--json", learner=("lora_rank=16", "checkpointing=true"))
    assert code == 0 and round(json.loads(told)["sizes"]["states"]) == 28


def test_what_cannot_be_planned_is_told(model: Path) -> None:
    assert "made on the spot" in str(CliRunner().invoke(app, ["plan", "quickstart"]).exception)
    assert "which plays with weights of one process" in str(
        CliRunner().invoke(app, ["plan", "appworld-sage", "--set", "learner.engine='verl'"]).exception
    )
