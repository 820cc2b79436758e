"""Adapters: what LoRA has learnt, apart from the model it was learnt on.

    adapter_config.json  adapter_model.safetensors   an ordinary peft folder, which names its model, or
    base/                                            holds it, if that was made on the spot and is nowhere else

For each adapted layer it holds two small factors, and what is played and learnt with is an ordinary model, whose weight
is W + scale * B A, rounded once. Learner and reader compute it by the same function, `merged`: so an adapter plays, bit
for bit, as it did for its learner.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prowess.errors import RecipeError, unknown

if TYPE_CHECKING:
    from torch import Tensor

CONFIG, ADAPTER, BASE = "adapter_config.json", "adapter_model.safetensors", "base"

_READ = frozenset({"peft_type", "r", "lora_alpha", "use_rslora", "rank_pattern", "target_modules"})
"""Entries of a description that say what the factors mean."""
_CHOICE = frozenset({"layers_to_transform", "layers_pattern", "exclude_modules"})
"""Entries that say which layers were chosen; the file of weights says it, too."""
_ASIDE = frozenset(
    {
        *("auto_mapping", "base_model_name_or_path", "inference_mode", "peft_version", "revision", "task_type"),
        *("lora_dropout", "megatron_core", "qalora_group_size", "eva_config"),
    }
)
"""Entries that change nothing of what is computed."""
_HARMLESS: Mapping[str, tuple[Any, ...]] = {
    "bias": ("none",),
    "init_lora_weights": (True, "gaussian", "eva", "orthogonal"),  # others change the model's own weights
}
"""Values that leave it plain LoRA; of all other entries, those that say no."""


_R2 = (3_242_174_889, 2_447_445_413)
"""Steps of the R2 sequence along rows and columns, of 2^32: 1/g and 1/g^2, with g^3 = g + 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """What LoRA adds to the weight of a layer: scale * B A."""

    a: Tensor
    """Rank x inputs, float32."""
    b: Tensor
    """Outputs x rank, float32."""
    scale: float


def merged(frozen: Tensor, factors: Factors) -> Tensor:
    """The weight of an adapted layer: added up in full precision, rounded once to the precision of the model.

    A weight is a bfloat16 number before anything is added to it. Rounded to the nearest, it would stay where it is
    until half of the gap to the next is added: nine tenths of a first step of LoRA at a rate of 3e-5 would be lost. So
    where less than a gap is added, it is rounded evenly.
    """
    import torch

    a, b = factors.a.detach(), factors.b.detach()
    whole = frozen.detach().to(b.dtype, copy=True).addmm_(b, a, alpha=factors.scale)
    nearest = whole.to(frozen.dtype)
    if (whole.dtype, frozen.dtype) != (torch.float32, torch.bfloat16):
        return nearest
    little = (whole - frozen).abs() < frozen.abs() * 2**-7
    return torch.where(little, _evenly(whole), nearest)


def _evenly(whole: Tensor) -> Tensor:
    """Round to bfloat16, in place: away from 0 in as large a share of places as a number is far on its way there.

    Every place has a limit of its own, given once and for all by an even sequence (R2). So on average over places
    nothing is lost, and bfloat16 numbers stay as they are.
    """
    import torch

    rows, columns = (
        torch.arange(size, device=whole.device).mul_(step).remainder_(2**32).div_(2**16, rounding_mode="floor").int()
        for size, step in zip(whole.shape, _R2, strict=True)
    )
    limits = rows[:, None].add(columns).bitwise_and_(0xFFFF)
    bits = whole.view(torch.int32).add_(limits).bitwise_and_(-0x10000)  # bfloat16 is the upper half of float32
    return bits.view(torch.float32).to(torch.bfloat16)


def is_adapter(folder: str | Path) -> bool:
    """Whether a folder holds an adapter rather than a model."""
    return (Path(folder).expanduser() / CONFIG).is_file()


def base_of(folder: str | Path) -> str:
    """The model an adapter was made on, by the name or the path it is loaded with."""
    place = Path(folder).expanduser()
    if (place / BASE).is_dir():
        return str(place / BASE)
    named = _description(place).get("base_model_name_or_path")
    if not named or not isinstance(named, str):
        raise RecipeError(
            f"the adapter '{folder}' does not say which model it was made on",
            hint=f"name it in its {CONFIG} as base_model_name_or_path",
        )
    return named


def put_on(model: Any, folder: str | Path) -> None:
    """Merge an adapter into its model, in place."""
    import torch

    place = Path(folder).expanduser()
    config = _description(place)
    _check_plain(config, place)
    found = _factors(place, config)
    _check_fits(model, found, config, place)
    with torch.no_grad():
        for path, factors in found.items():
            weight = model.get_submodule(path).weight
            # Fresh copies: where a tensor lies in memory can decide how a product is rounded.
            a, b = (one.to(weight.device, torch.float32, copy=True) for one in (factors.a, factors.b))
            weight.copy_(merged(weight, Factors(a=a, b=b, scale=factors.scale)))
    model.eval()


# ------------------------------------------------------------------------------------------------- layers and names


def layers_of(model: Any, names: Sequence[str] = ()) -> dict[str, Any]:
    """The linear layers with such names, or all but the head, by their paths.

    A name is that of a path's end: `q_proj` is `model.layers.0.self_attn.q_proj`, and that of every other layer.
    """
    linear = _linear(model)
    for name in names:
        if not any(_named(path, [name]) for path in linear):
            raise unknown("linear layer in lora_targets", name, {path.rpartition(".")[2] for path in linear})
    chosen = {path: one for path, one in linear.items() if not names or _named(path, names)}
    head = model.get_output_embeddings()
    if named := [path for path, one in chosen.items() if names and one is head]:
        raise RecipeError(f"LoRA cannot adapt {named[0]}, the head", hint="leave it out of lora_targets")
    chosen = {path: one for path, one in chosen.items() if one is not head}
    if not chosen:
        raise RecipeError(f"{type(model).__name__} has no linear layers for LoRA to adapt", hint="lora_rank = 0")
    for path, one in chosen.items():
        _check_own(model, path, one.weight)
    return chosen


def names_of(model: Any, paths: Iterable[str]) -> list[str]:
    """Names that mean exactly these linear layers: ends of paths if they do, else the paths themselves."""
    wanted = set(paths)
    ends = sorted({path.rpartition(".")[2] for path in wanted})
    return ends if wanted == {path for path in _linear(model) if _named(path, ends)} else sorted(wanted)


def _linear(model: Any) -> dict[str, Any]:
    from torch import nn

    return {path: one for path, one in model.named_modules() if isinstance(one, nn.Linear)}


def _named(path: str, names: Iterable[str]) -> bool:
    return any(path == name or path.endswith(f".{name}") for name in names)


def _check_own(model: Any, path: str, weight: Any) -> None:
    """A weight that two parts of the model share cannot be changed for one of them."""
    sharing = [name for name, one in model.named_parameters(remove_duplicate=False) if one is weight]
    if len(sharing) > 1:
        raise RecipeError(
            f"LoRA cannot adapt {path}: its weight is also {next(one for one in sharing if one != f'{path}.weight')}",
            hint="leave it out of lora_targets",
        )


# ------------------------------------------------------------------------------------------------------- the folder


def write_adapter(
    folder: Path, factors: Mapping[str, Tensor], *, base: str, rank: int, alpha: float, names: Sequence[str]
) -> None:
    """Write plain LoRA as peft does: the factors, by the names of `entries`, and what they mean."""
    from safetensors.torch import save_file

    weights = {name: one.detach().contiguous() for name, one in factors.items()}
    save_file(weights, folder / ADAPTER, metadata={"format": "pt"})
    describe_adapter(folder, base=base, rank=rank, alpha=alpha, names=names)


def describe_adapter(folder: Path, *, base: str, rank: int, alpha: float, names: Sequence[str]) -> None:
    """Say what the factors in a folder mean."""
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": base or None,
        "inference_mode": True,
        "r": rank,
        "lora_alpha": int(alpha) if float(alpha).is_integer() else alpha,
        "lora_dropout": 0.0,
        "use_rslora": False,
        "bias": "none",
        "target_modules": list(names),
    }
    (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def scale_in(folder: Path) -> float:
    """By how much what an adapter adds is scaled, by its description."""
    config = _description(folder)
    return _scale(config, config.get("r", 8), folder)


def entries(path: str) -> tuple[str, str]:
    """What the factors A and B of a layer are called in a file of weights."""
    return f"base_model.model.{path}.lora_A.weight", f"base_model.model.{path}.lora_B.weight"


def _description(place: Path) -> dict[str, Any]:
    try:
        found = json.loads((place / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecipeError(f"the adapter '{place}' cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise RecipeError(f"the adapter '{place}' cannot be read: {CONFIG} holds no object")
    return found


def _check_plain(config: Mapping[str, Any], place: Path) -> None:
    """Refuse whatever is not W + scale * B A: other kinds, and entries that are not known here and not empty."""
    if config.get("peft_type") != "LORA":
        raise RecipeError(f"the adapter '{place}' is of the kind {config.get('peft_type')}", hint="allowed: LoRA")
    for name, value in config.items():
        harmless = value in _HARMLESS.get(name, ()) or not value
        if name not in _READ | _CHOICE | _ASIDE and not harmless:
            raise RecipeError(
                f"the adapter '{place}' is not plain LoRA: its {name} is {json.dumps(value)}",
                hint="merge it into its model with peft, and name the merged model's folder",
            )


def _factors(place: Path, config: Mapping[str, Any]) -> dict[str, Factors]:
    """The factors of each adapted layer, by its path."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        weights = load_file(place / ADAPTER)
    except (OSError, SafetensorError) as error:
        raise RecipeError(f"the adapter '{place}' cannot be read: {error}") from None
    start, end = "base_model.model.", ".lora_A.weight"
    paths = [name[len(start) : -len(end)] for name in weights if name.startswith(start) and name.endswith(end)]
    known = {name for path in paths for name in entries(path)}
    if odd := sorted(known ^ set(weights)):
        what = "is missing" if odd[0] in known else "is no factor of a linear layer"
        raise RecipeError(f"the adapter '{place}' is not plain LoRA: {odd[0]} {what}")
    found = {}
    for path in paths:
        a, b = (weights[name] for name in entries(path))
        rank = a.shape[0] if a.ndim == 2 else 0
        if b.ndim != 2 or b.shape[1] != rank or (rank != config.get("r") and not config.get("rank_pattern")):
            shapes = f"{list(a.shape)} and {list(b.shape)}, and its r {config.get('r')}"
            raise RecipeError(f"the adapter '{place}' contradicts itself: the shapes of {path} are {shapes}")
        found[path] = Factors(a=a, b=b, scale=_scale(config, rank, place))
    return found


def _scale(config: Mapping[str, Any], rank: int, place: Path) -> float:
    alpha = config.get("lora_alpha", 8)
    if not isinstance(alpha, int | float) or not isinstance(rank, int) or rank < 1:
        raise RecipeError(f"the adapter '{place}' cannot be read: lora_alpha is {alpha!r} and r {rank!r}")
    return float(alpha / math.sqrt(rank) if config.get("use_rslora") else alpha / rank)


def _check_fits(model: Any, found: Mapping[str, Factors], config: Mapping[str, Any], place: Path) -> None:
    """Every layer that the adapter has factors for is there, of their shape; and every layer that it names has some."""
    linear = _linear(model)
    shapes = {path: (one.b.shape[0], one.a.shape[1]) for path, one in found.items()}
    odd = {path for path, shape in shapes.items() if path not in linear or tuple(linear[path].weight.shape) != shape}
    names = config.get("target_modules")
    if isinstance(names, list) and not any(config.get(choice) for choice in _CHOICE):
        odd |= {path for path in linear if _named(path, names) and path not in found}
    if odd or not found:
        first = f"{min(odd)} and {len(odd) - 1} more differ" if odd else "it is empty"
        raise RecipeError(f"the adapter '{place}' does not fit its model: {first}", hint="it was made on another one")
    for path in found:
        _check_own(model, path, linear[path].weight)
