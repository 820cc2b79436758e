"""Many sequences in one stream: the linear layers see every token once and no padding at all.

    sequences   a b c   d e   f g h i
    stream      a b c d e f g h i        one row, [1, 9]
    positions   0 1 2 0 1 0 1 2 3        start again with each sequence
    ends        0 3 5 9

Only attention must know where sequences end. Stock transformers models look their attention up by name, so an
attention of our own is registered as `opensage_packed`, chosen while learning and put back for the sampler. No mask
of stream x stream is ever built. Inside, the stream is cut at the ends: sequence by sequence on CPU, by the
variable-length flash kernel on GPU, or, where that is missing or does not fit, by padding inside attention alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention

from opensage.errors import RecipeError

NAME = "opensage_packed"
"""What the attention is called in a model's configuration while it learns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the sequences of a stream begin and end."""

    lengths: tuple[int, ...]
    ends: Tensor
    """0, then the end of each sequence: int32, one longer than `lengths`."""
    positions: Tensor
    """Each token's place in its own sequence, [1, stream]."""

    @property
    def longest(self) -> int:
        return max(self.lengths)


def layout(lengths: Sequence[int], device: torch.device | str = "cpu") -> Layout:
    """The layout of sequences put one after the other."""
    ends = torch.tensor([0, *lengths], dtype=torch.int64).cumsum(0).to(torch.int32)
    positions = torch.cat([torch.arange(length) for length in lengths])[None]
    return Layout(lengths=tuple(lengths), ends=ends.to(device), positions=positions.to(device))


@contextmanager
def packing(model: nn.Module) -> Iterator[None]:
    """Let a model attend within sequences; its own attention comes back at the end.

    Both forward and backward belong inside: with gradient checkpointing, backward attends again.
    """
    _register()
    configs = _configs(model)
    before = [config._attn_implementation for config in configs]
    for config in configs:
        config._attn_implementation = NAME
    try:
        yield
    finally:
        for config, name in zip(configs, before, strict=True):
            config._attn_implementation = name


def _configs(model: nn.Module) -> list[Any]:
    """Each configuration that a part of the model looks its attention up in, once."""
    found = {id(part.config): part.config for part in model.modules() if hasattr(part, "config")}
    return [config for config in found.values() if hasattr(config, "_attn_implementation")]


@cache
def _register() -> None:
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    ALL_ATTENTION_FUNCTIONS.register(NAME, attention)
    ALL_MASK_ATTENTION_FUNCTIONS.register(NAME, _no_mask)


def _no_mask(*_: object, **__: object) -> None:
    """Stands where transformers would build a mask of stream x stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """What a layer attends with: queries, keys and values, each [1, heads, stream, size]."""

    query: Tensor
    key: Tensor
    value: Tensor
    layout: Layout
    scale: float | None
    window: int | None
    """How far back a token looks, itself included, where that is not all of its sequence."""

    @property
    def grouped(self) -> bool:
        """Whether several heads of queries share one of keys and values."""
        return self.query.shape[1] != self.key.shape[1]

    def parts(self) -> list[tuple[Tensor, ...]]:
        """Queries, keys and values, each cut at the ends of the sequences."""
        return [torch.split(one, list(self.layout.lengths), dim=2) for one in (self.query, self.key, self.value)]


def attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    layout: Layout | None = None,
    scaling: float | None = None,
    sliding_window: int | None = None,
    **others: Any,
) -> tuple[Tensor, None]:
    """Causal attention within each sequence of the stream, as transformers calls it: [1, stream, heads, size] out.

    Dropout is left out on purpose: the learner's probabilities must be the sampler's.
    """
    name = type(module).__name__
    if layout is None:
        raise RecipeError(f"{name} gets no layout handed on by its model: its sequences cannot be packed")
    odd = sorted(one for one in ("softcap", "s_aux", "position_bias") if others.get(one) is not None)
    if odd:
        raise RecipeError(f"{name} attends with {', '.join(odd)}: its sequences cannot be packed")
    window = sliding_window if sliding_window and sliding_window < layout.longest else None
    heads = Heads(query=query, key=key, value=value, layout=layout, scale=scaling, window=window)
    if not query.is_cuda:
        return each(heads), None
    kernel = _varlen() if _fits(heads) else None
    return (kernel or padded)(heads), None


def each(heads: Heads) -> Tensor:
    """Sequence by sequence: on CPU a call costs little, and nothing is padded."""
    rows = zip(*heads.parts(), strict=True)
    return torch.cat([_sdpa(q, k, v, heads).transpose(1, 2) for q, k, v in rows], dim=1)


def padded(heads: Heads) -> Tensor:
    """All sequences as rows of one batch. Padding stands behind a sequence, where causal attention never looks."""
    longest = heads.layout.longest
    q, k, v = (torch.stack([pad(one[0], (0, 0, 0, longest - one.shape[2])) for one in part]) for part in heads.parts())
    out = _sdpa(q, k, v, heads).transpose(1, 2)
    return torch.cat([row[:length] for row, length in zip(out, heads.layout.lengths, strict=True)])[None]


def _sdpa(query: Tensor, key: Tensor, value: Tensor, heads: Heads) -> Tensor:
    mask = None
    if heads.window and query.shape[2] > heads.window:
        place = torch.arange(query.shape[2], device=query.device)
        ago = place[:, None] - place[None, :]
        mask = (ago >= 0) & (ago < heads.window)
    return scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=mask is None, scale=heads.scale, enable_gqa=heads.grouped
    )


def _fits(heads: Heads) -> bool:
    """Whether the flash kernel takes these: half precision, equal head sizes, a multiple of 8 up to 256."""
    size = heads.query.shape[-1]
    half = heads.query.dtype in (torch.bfloat16, torch.float16)
    return half and size == heads.value.shape[-1] and size % 8 == 0 and size <= 256


@cache
def _varlen() -> Callable[[Heads], Tensor] | None:
    """PyTorch's variable-length flash attention, where this PyTorch has it."""
    try:
        from torch.nn.attention import varlen
    except ImportError:
        return None
    call: Any = varlen.varlen_attn
    known = signature(call).parameters
    if "window_size" not in known:
        return None

    def kernel(heads: Heads) -> Tensor:
        key, value = heads.key, heads.value
        options: dict[str, Any] = {}
        if heads.grouped and "enable_gqa" in known:
            options["enable_gqa"] = True
        elif heads.grouped:
            times = heads.query.shape[1] // key.shape[1]
            key, value = key.repeat_interleave(times, dim=1), value.repeat_interleave(times, dim=1)
        q, k, v = (part[0].transpose(0, 1).contiguous() for part in (heads.query, key, value))
        ends, longest = heads.layout.ends, heads.layout.longest
        back = -1 if heads.window is None else heads.window - 1
        out: Tensor = call(q, k, v, ends, ends, longest, longest, scale=heads.scale, window_size=(back, 0), **options)
        return out[None]

    return kernel
