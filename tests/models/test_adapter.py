"""Adapters: loaded by the name of their folder, onto the model they were made on."""

from __future__ import annotations

import json
import shutil
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from prowess.errors import RecipeError
from prowess.files.sums import SUMS
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.adapter import base_of, is_adapter
from prowess.models.load import ModelSettings, load
from prowess.models.tiny import TinySettings, make_tiny
from prowess.types import Sample

TEXTS = ["Like every song by Juno Halloway on music.", "print(apis.music.show_song(song_id=3))"] * 4
SMALL = TinySettings(layers=2, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=128)
LESSON = Sample(tokens=(5, 6, 7, 8, 9), weights=(0, 0, 1, 1, 1), logprobs=(0, 0, 0, 0, 0))
IDS = torch.tensor([[5, 6, 7, 8, 9, 10]])


def taught(brain: Brain, folder: Path) -> TorchLearner:
    """A learner whose adapter has learnt something, saved to the folder."""
    learner = TorchLearner(brain, LearnerSettings(rate=0.1, lora_rank=2), LossSettings(kind="imitate"))
    learner.step([LESSON])
    learner.save(folder)
    return learner


def foreign(folder: Path) -> Path:
    """Its description, as of an adapter that others made and changed: nothing vouches for its files."""
    (folder / SUMS).unlink()
    return folder / "adapter_config.json"


def settings(name: Path | str) -> ModelSettings:
    return ModelSettings(name=str(name), device="cpu")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    make_tiny(TEXTS, SMALL, seed=4).save(tmp_path / "base-model")
    return tmp_path / "base-model"


def test_an_adapter_is_loaded_onto_the_model_it_names_and_computes_what_its_learner_computes(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    learner = taught(load(settings(base.name)), tmp_path / "one")
    assert is_adapter(tmp_path / "one") and not is_adapter(base)
    assert base_of(tmp_path / "one") == str(base)  # whatever folder one is in later
    assert not (tmp_path / "one/base").exists()
    monkeypatch.chdir("/")
    played = load(settings(tmp_path / "one"))
    assert played.name == str(tmp_path / "one")
    with torch.no_grad():
        assert torch.equal(played.model(IDS).logits, learner.model(IDS).logits)
        assert not torch.equal(played.model(IDS).logits, load(settings(base)).model(IDS).logits)


def test_the_adapter_of_a_model_made_on_the_spot_has_it_with_it(tmp_path: Path) -> None:
    learner = taught(make_tiny(TEXTS, SMALL, seed=4), tmp_path / "one")
    moved = shutil.move(tmp_path / "one", tmp_path / "moved")
    played = load(settings(moved))
    plain = load(settings(base_of(moved)))
    with torch.no_grad():
        assert torch.equal(played.model(IDS).logits, learner.model(IDS).logits)
        assert torch.equal(plain.model(IDS).logits, make_tiny(TEXTS, SMALL, seed=4).model(IDS).logits)
    assert played.chat.tokenizer.get_vocab() == learner.brain.chat.tokenizer.get_vocab()


def test_a_flipped_bit_is_found_in_the_adapter_and_in_the_model_it_holds(tmp_path: Path) -> None:
    taught(make_tiny(TEXTS, SMALL, seed=4), tmp_path / "one")
    aside = {"learner", SUMS, "optimiser.safetensors"}  # what a learner alone reads, and the sums themselves
    read = [path for path in (tmp_path / "one").rglob("*") if path.is_file() and path.name not in aside]
    assert {"adapter_model.safetensors", "tokenizer.json", "generation_config.json"} <= {path.name for path in read}
    for path in read:
        content = path.read_bytes()
        for at in (0, len(content) // 2, len(content) - 1):
            path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
            with pytest.raises(RecipeError, match=r"the model '.*/one' is damaged: "):
                load(settings(tmp_path / "one"))
        path.write_bytes(content)
    load(settings(tmp_path / "one"))


def test_loading_an_adapter_draws_nothing_from_the_common_dice(base: Path, tmp_path: Path) -> None:
    taught(load(settings(base)), tmp_path / "one")
    before = torch.get_rng_state()
    load(settings(tmp_path / "one"))
    assert torch.equal(torch.get_rng_state(), before)


def test_a_model_that_is_no_longer_there_is_named(base: Path, tmp_path: Path) -> None:
    taught(load(settings(base)), tmp_path / "one")
    shutil.move(base, tmp_path / "base-moved")
    with pytest.raises(RecipeError, match=r"adapter '.*one' is not here: there is no folder '.*base-model'"):
        load(settings(tmp_path / "one"))


def test_an_adapter_of_another_model_is_refused(base: Path, tmp_path: Path) -> None:
    taught(make_tiny(TEXTS, replace(SMALL, layers=3)), tmp_path / "one")
    shutil.rmtree(tmp_path / "one/base")
    config = foreign(tmp_path / "one")
    config.write_text(json.dumps(json.loads(config.read_text()) | {"base_model_name_or_path": str(base)}))
    with pytest.raises(RecipeError, match=r"does not fit its model: .*layers\.2"):
        load(settings(tmp_path / "one"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ("{}", "does not say which model it was made on"),
    ],
)
def test_a_broken_description_is_told_from_one_that_names_no_model(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text(text)
    with pytest.raises(RecipeError, match=told):
        load(settings(tmp_path))


def test_adapters_of_other_kinds_and_broken_weights_are_refused(base: Path, tmp_path: Path) -> None:
    taught(load(settings(base)), tmp_path / "one")
    config = foreign(tmp_path / "one")
    whole = config.read_text()
    config.write_text(json.dumps({"peft_type": "IA3", "base_model_name_or_path": str(base)}))
    with pytest.raises(RecipeError, match=r"is of the kind .*IA3"):
        load(settings(tmp_path / "one"))
    config.write_text(whole)
    (tmp_path / "one/adapter_model.safetensors").write_bytes(b"broken")
    with pytest.raises(RecipeError, match="cannot be read"):
        load(settings(tmp_path / "one"))


# ------------------------------------------------------------------------------------------------ what peft has made


def made_by_peft(base: Path, folder: Path, **options: Any) -> Any:
    """peft's own model, whose factors are drawn at random, saved to the folder."""
    peft = pytest.importorskip("peft")
    config = peft.LoraConfig(**({"r": 2, "lora_alpha": 3, "task_type": "CAUSAL_LM"} | options))
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of weights that are tied
        torch.manual_seed(1)
        model = peft.get_peft_model(load(settings(base)).model, config)
        for name, one in model.named_parameters():
            if "lora_" in name:
                torch.nn.init.normal_(one, std=0.5)
        model.save_pretrained(folder)
    return model.eval()


@pytest.mark.parametrize(
    "options",
    [
        {"target_modules": "all-linear"},
        {"target_modules": ["q_proj", "up_proj"], "use_rslora": True},
        {"target_modules": r".*\.[kv]_proj"},
        {"target_modules": ["q_proj"], "layers_to_transform": [1]},
        {"target_modules": ["q_proj", "o_proj"], "rank_pattern": {"o_proj": 4}},
        {"target_modules": ["q_proj"], "init_lora_weights": "gaussian", "lora_dropout": 0.3},
    ],
    ids=["all", "rslora", "by pattern", "some layers", "several ranks", "gaussian"],
)
def test_a_folder_that_peft_made_plays_as_it_does_there(options: dict[str, Any], base: Path, tmp_path: Path) -> None:
    theirs = made_by_peft(base, tmp_path / "theirs", **options)
    played = load(settings(tmp_path / "theirs")).model
    assert type(played) is type(load(settings(base)).model)
    with torch.no_grad():
        assert torch.allclose(played(IDS).logits, theirs(IDS).logits, atol=1e-5)
        assert not torch.allclose(played(IDS).logits, load(settings(base)).model(IDS).logits, atol=1e-3)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"target_modules": ["q_proj"], "use_dora": True}, "its use_dora is true"),
        ({"target_modules": ["q_proj"], "modules_to_save": ["lm_head"]}, r'its modules_to_save is \["lm_head"\]'),
        ({"target_modules": ["q_proj"], "alpha_pattern": {"q_proj": 5}}, "its alpha_pattern is"),
        ({"target_modules": ["q_proj"], "bias": "all"}, 'its bias is "all"'),
        ({"target_modules": ["q_proj"], "init_lora_weights": "olora"}, 'its init_lora_weights is "olora"'),
        ({"target_modules": ["embed_tokens"]}, r"embed_tokens\..* is no factor of a linear layer"),
    ],
    ids=["dora", "other modules", "several strengths", "biases", "another start", "embeddings"],
)
def test_what_is_more_than_plain_lora_is_refused(
    options: dict[str, Any], told: str, base: Path, tmp_path: Path
) -> None:
    made_by_peft(base, tmp_path / "theirs", **options)
    with pytest.raises(RecipeError, match=f"is not plain LoRA: .*{told}"):
        load(settings(tmp_path / "theirs"))


def test_an_entry_that_is_not_known_is_refused_unless_it_says_no(base: Path, tmp_path: Path) -> None:
    taught(load(settings(base)), tmp_path / "one")
    config = foreign(tmp_path / "one")
    whole = json.loads(config.read_text())
    config.write_text(json.dumps(whole | {"use_something_new": False, "other": None}))
    load(settings(tmp_path / "one"))
    config.write_text(json.dumps(whole | {"use_something_new": 7}))
    with pytest.raises(RecipeError, match="its use_something_new is 7"):
        load(settings(tmp_path / "one"))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"r": 3}, r"contradicts itself: the shapes of .*down_proj are \[2, 24\] and \[16, 2\], and its r 3"),
        ({"lora_alpha": "much"}, "lora_alpha is 'much'"),
        ({"target_modules": ["q_proj", "lm_head"]}, "does not fit its model: lm_head and 0 more differ"),
    ],
)
def test_a_description_that_does_not_fit_the_weights_is_refused(
    changed: dict[str, Any], told: str, base: Path, tmp_path: Path
) -> None:
    taught(load(settings(base)), tmp_path / "one")
    config = foreign(tmp_path / "one")
    config.write_text(json.dumps(json.loads(config.read_text()) | changed))
    with pytest.raises(RecipeError, match=told):
        load(settings(tmp_path / "one"))


def test_half_precision_plays_bit_for_bit_as_for_its_learner(base: Path, tmp_path: Path) -> None:
    half = replace(settings(base), dtype="bfloat16")
    learner = taught(load(half), tmp_path / "one")
    played = load(replace(half, name=str(tmp_path / "one"))).model
    ours = dict(learner.model.named_parameters())
    assert all(one.dtype == torch.bfloat16 and torch.equal(one, ours[name]) for name, one in played.named_parameters())
