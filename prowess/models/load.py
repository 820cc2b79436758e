"""Which model: `tiny`, `smollm2-135m`, a transformers folder, an adapter's, or a model of the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from prowess.errors import MissingExtra, RecipeError, unknown
from prowess.files.sums import SUMS, damage_in
from prowess.models import Brain
from prowess.models.adapter import CONFIG, base_of, is_adapter, put_on
from prowess.models.hub import source_of, tell_fetching
from prowess.models.quiet import quietly
from prowess.models.tiny import TEMPLATE, TinySettings, make_tiny

NAMES = ("tiny", "smollm2-135m")
"""Models known by a name of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """The model that is trained and plays."""

    name: str = "tiny"
    """`tiny` (made on the spot), `smollm2-135m` (a small real model), a folder, or a hub id `owner/name`. A folder
    holds a model, or an adapter that names its model."""
    tiny: TinySettings = field(default_factory=TinySettings)
    """The shape of `tiny`."""
    revision: str = ""
    """A hub model's branch, tag or commit."""
    template: str = ""
    """The chat template: the model's own, `chatml`, or the path of a Jinja file."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Precision of the weights; auto is float32 on a CPU and bfloat16 on a GPU."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where it runs; auto is the GPU if there is one."""

    def __post_init__(self) -> None:
        if not self.name:
            raise RecipeError("name is empty", hint=f"allowed: {', '.join(NAMES)}, a folder, or a hub id owner/name")


def load(
    settings: ModelSettings | None = None, *, texts: Iterable[str] = (), seed: int = 0, weights: bool = True
) -> Brain:
    """The model of a recipe, ready to play and to learn. `tiny` learns its tokenizer from the texts.

    Without `weights` it is only described, for somebody who reads them elsewhere. What is made or merged here has them
    all the same: they are nowhere else.
    """
    settings = settings or ModelSettings()
    device = _device(settings)
    import torch

    dtype = getattr(torch, settings.dtype if settings.dtype != "auto" else _PRECISION[device.type])
    if is_adapter(settings.name):
        _check_whole(settings.name, Path(settings.name).expanduser())
        brain = _under(settings, texts, seed)
        put_on(brain.model, settings.name)
        _check_finite(settings.name, brain.model)
        return replace(brain, name=settings.name)
    if settings.name == "tiny":
        return _tiny(settings, texts, seed, device, dtype)
    if settings.name == "smollm2-135m":
        from prowess.models.smollm2 import DIGEST, folder

        return _read(settings, folder(), device, dtype, digest=DIGEST, weights=weights)
    return _read(settings, _place(settings), device, dtype, weights=weights)


def check_model(settings: ModelSettings) -> int:
    """Say that a model cannot be had now, rather than when hours of collecting lie behind; the tokens of its context.

    Only its description is read. 0 for a context that is not known before the model is made.
    """
    check_installed(settings)
    _device(settings)
    if is_adapter(settings.name):
        with _of_adapter(settings.name):
            return check_model(replace(settings, name=base_of(settings.name)))
    if settings.name in NAMES:
        return 0
    place = _place(settings)
    from transformers import AutoConfig

    with _loading(settings, place), quietly():
        config = AutoConfig.from_pretrained(str(place), trust_remote_code=False, **_which(settings, place))
    return int(getattr(config, "max_position_embeddings", None) or 0)


def described(settings: ModelSettings) -> Any:
    """A model without a number in it, of which nothing but the description is read."""
    check_installed(settings)
    if settings.name == "tiny":
        raise RecipeError("the model 'tiny' is made on the spot", hint="it fits anywhere: name a folder or a hub id")
    if is_adapter(settings.name):
        return described(replace(settings, name=base_of(settings.name)))
    place = _place(settings) if settings.name not in NAMES else _known_folder()
    with _loading(settings, place), quietly():
        return _described(place, "bfloat16", _which(settings, place))


def _known_folder() -> Path:
    from prowess.models.smollm2 import folder

    return folder()


def check_installed(settings: ModelSettings) -> None:
    """Say that a model's libraries are not installed, or its weights where they are a package. They are only looked
    for: importing them takes seconds."""
    if settings.name == "smollm2-135m":
        from prowess.models.smollm2 import check_smollm2

        check_smollm2()
    elif any(find_spec(name) is None for name in ("torch", "transformers")):
        raise MissingExtra(f"the model '{settings.name}'", "learn")


_PRECISION = {"cuda": "bfloat16", "cpu": "float32"}


def _device(settings: ModelSettings) -> Any:
    """Where a model runs; says so if there is nothing to run it with."""
    try:
        import torch
        import transformers  # noqa: F401
    except ImportError:
        raise MissingExtra(f"the model '{settings.name}'", "learn") from None
    cuda = settings.device != "cpu" and torch.cuda.is_available()
    if settings.device == "cuda" and not cuda:
        raise RecipeError("device is cuda, and PyTorch finds no GPU", hint="allowed here: auto, cpu")
    return torch.device("cuda" if cuda else "cpu")


def _under(settings: ModelSettings, texts: Iterable[str], seed: int) -> Brain:
    """The model that an adapter was made on."""
    base = base_of(settings.name)
    if is_adapter(base):
        raise RecipeError(
            f"the adapter '{settings.name}' was made on another adapter, '{base}'",
            hint=f"merge that one into its model, and name the merged model's folder in {CONFIG}",
        )
    with _of_adapter(settings.name):
        return load(replace(settings, name=base), texts=texts, seed=seed)


@contextmanager
def _of_adapter(name: str) -> Iterator[None]:
    try:
        yield
    except RecipeError as error:
        raise RecipeError(
            f"the model of the adapter '{name}' is not here: {error.message}",
            hint=f"{error.hint}; {CONFIG} names it: the path of a folder is good, too",
        ) from error


def _tiny(settings: ModelSettings, texts: Iterable[str], seed: int, device: Any, dtype: Any) -> Brain:
    seen = [text for text in texts if text]
    if not seen:
        raise RecipeError(
            "the model 'tiny' learns its tokenizer from texts, and there are none",
            hint="collect the expert's episodes first, or name the folder of a tiny model made earlier",
        )
    brain = make_tiny(seen, settings.tiny, seed=seed)
    brain.model.to(device=device, dtype=dtype)
    return brain


def _place(settings: ModelSettings) -> Path | str:
    """The folder or the hub id that a name means."""
    name = settings.name
    path = Path(name).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file():
            inside = sorted(each.name for each in path.iterdir() if (each / "config.json").is_file())
            inside = inside or sorted(each.parent.name for each in path.glob("*/checkpoints"))  # of `prowess learn`
            hint = f"did you mean {path / inside[-1]}?" if inside else "a transformers folder is needed"
            if pieces := sorted(path.glob("*.00")):
                joined = f"kept.py join {pieces[0].with_suffix('')}"
                hint = f"an adapter in pieces is put together first (docs/gpu.md): {joined}"
            raise RecipeError(f"the folder '{name}' holds no model: it has no config.json", hint=hint)
        return path
    parts = name.split("/")
    hub = len(parts) == 2 and all(part and part[0] not in ".~" for part in parts) and not path.parent.is_dir()
    if hub:
        return source_of(name, settings.revision, instead=NAMES)
    if len(parts) == 1:
        raise unknown("model", name, [*NAMES, "<folder>", "<owner>/<name>"])
    beside = [each.name for each in path.parent.iterdir() if each.is_dir()] if path.parent.is_dir() else []
    near = get_close_matches(path.name, beside, n=1)
    hint = f"did you mean '{path.parent / near[0]}'?" if near else f"known by name: {', '.join(NAMES)}"
    raise RecipeError(f"there is no folder '{name}'", hint=hint)


def _read(
    settings: ModelSettings, place: Path | str, device: Any, dtype: Any, *, digest: str = "", weights: bool = True
) -> Brain:
    """A model from a folder or the hub. No code of its own is run and no pickle is read."""
    from transformers import AutoTokenizer

    from prowess.models.chat import Chat

    which = _which(settings, place)
    if isinstance(place, Path):
        _check_whole(settings.name, place)
    else:
        tell_fetching(place, settings.revision)
    with _loading(settings, place), quietly():
        tokenizer = AutoTokenizer.from_pretrained(str(place), trust_remote_code=False, **which)
        model = _weighed(place, dtype, which) if weights else _described(place, dtype, which)
    if settings.template:
        tokenizer.chat_template = _template(settings.template, tokenizer)
    if len(tokenizer) > model.get_input_embeddings().weight.shape[0]:
        raise RecipeError(
            f"the tokenizer of '{settings.name}' has {len(tokenizer)} tokens, "
            f"the model {model.get_input_embeddings().weight.shape[0]}",
            hint="they do not belong together",
        )
    stops = getattr(model.generation_config, "eos_token_id", None)
    chat = Chat(tokenizer, stops=[stops] if isinstance(stops, int) else stops or ())
    if weights:
        with _loading(settings, place):
            model.to(device)
        _check_finite(settings.name, model)
    return Brain(model=model.eval(), chat=chat, name=settings.name, digest=digest)


def _weighed(place: Path | str, dtype: Any, which: Mapping[str, str]) -> Any:
    """A model with its weights."""
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(
        str(place),
        dtype=dtype,
        attn_implementation="sdpa",
        trust_remote_code=False,
        use_safetensors=True,
        **which,
    )


def _described(place: Path | str, dtype: Any, which: Mapping[str, str]) -> Any:
    """The same without a number in it: shapes and names alone."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, GenerationConfig

    config = AutoConfig.from_pretrained(str(place), trust_remote_code=False, **which)
    describe: Any = AutoModelForCausalLM
    with torch.device("meta"):
        model = describe.from_config(config, dtype=dtype, attn_implementation="sdpa")
    with suppress(OSError):  # not every model says how it is to be sampled
        spoken: Any = GenerationConfig
        model.generation_config = spoken.from_pretrained(str(place), **which)
    return model


def _check_whole(name: str, place: Path) -> None:
    """Find damage in a folder that has sums, as checkpoints do: in the model that an adapter holds, too. What a learner
    alone reads is not looked at."""
    if not (place / SUMS).exists():
        return
    if damage := damage_in(place, among=lambda file: not file.startswith("learner/")):
        hint = f"take another checkpoint, or copy it again; if you changed it on purpose, remove its {SUMS}"
        raise RecipeError(f"the model '{name}' is damaged: {damage}", hint=hint)


def _check_finite(name: str, model: Any) -> None:
    """Weights that are no numbers make every reply fail, one by one and far from the cause."""
    for weight, value in model.named_parameters():
        if not bool(value.isfinite().all()):
            raise RecipeError(
                f"the model '{name}' has weights that are not numbers, in {weight}",
                hint="its training broke: take an earlier checkpoint, and a smaller learner.rate",
            )


def _which(settings: ModelSettings, place: Path | str) -> dict[str, str]:
    return {"revision": settings.revision} if settings.revision and not isinstance(place, Path) else {}


@contextmanager
def _loading(settings: ModelSettings, place: Path | str) -> Iterator[None]:
    """What may go wrong with a model's files, or with the memory for them, in our words."""
    from safetensors import SafetensorError

    try:
        yield
    except Exception as error:
        # A tokenizer's file that makes no sense is told as a bare Exception, by code that is not Python.
        known = (OSError, ValueError, KeyError, RuntimeError, SafetensorError)
        if not (isinstance(error, known) or type(error) is Exception):
            raise
        hint = f"check the name and the network; known without any: {', '.join(NAMES)}; a folder works, too"
        if isinstance(place, Path):
            hint = "the folder must hold config.json, model.safetensors and tokenizer.json"
            if isinstance(error, SafetensorError):
                hint = "a file of weights was not written or copied to its end: copy it again"
        if "out of memory" in str(error):
            hint = "something else may hold the GPU's memory (nvidia-smi tells what); a smaller model, or device = cpu"
        raise RecipeError(f"cannot load the model '{settings.name}': {_first_line(error)}", hint=hint) from error


def _template(name: str, tokenizer: Any) -> str:
    """A chat template by name or from a file."""
    if name != "chatml":
        try:
            return Path(name).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RecipeError(f"cannot read the chat template '{name}': {error}", hint="or: chatml") from None
    control = [str(token) for token in tokenizer.added_tokens_decoder.values()]
    for wanted in ("<|im_start|>", "<|im_end|>"):
        if not any(token.startswith(wanted) for token in control):
            raise RecipeError(
                f"template is chatml, and the tokenizer has no {wanted}", hint="or the path of a template"
            )
    return TEMPLATE


def _first_line(error: BaseException) -> str:
    text = str(error.args[0] if isinstance(error, KeyError) and error.args else error).strip()
    return text.splitlines()[0].rstrip(".: ") if text else type(error).__name__
