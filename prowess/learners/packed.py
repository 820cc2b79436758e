"""Many sequences in one stream: the linear layers see every distinct token once, and no padding at all.

Only attention must know how the stream is laid out (see `layout`): a segment's queries are its own, its keys and values
those of its whole path. Stock transformers models look their attention up by name, so an attention of our own is
registered as `prowess_packed`, chosen while learning and put back for the sampler. No mask of stream x stream is ever
built. Inside, the stream is cut at the ends: segment by segment on CPU, by the variable-length flash kernel on GPU, or,
where that is missing or does not fit, by padding inside attention alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention

from prowess.errors import RecipeError
from prowess.learners.layout import Layout

NAME = "prowess_packed"
"""What the attention is called in a model's configuration while it learns."""

ROWS = 256
"""Queries at a time that look at a path of keys on CPU: a mask hides what comes after, yet does not save its cost."""


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
    """Known by name as an attention, and not as a maker of masks: transformers then builds none of stream x stream.

    With one registered, it also looks for sequences in the positions, and waits for the device to know.
    """
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    ALL_ATTENTION_FUNCTIONS.register(NAME, attention)


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
    def grouped(self) -> int:
        """How many heads of queries share one of keys and values."""
        return self.query.shape[1] // self.key.shape[1]


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
    """Causal attention along each segment's path, as transformers calls it: [1, stream, heads, size] out.

    Dropout is left out on purpose: the learner's probabilities must be the sampler's.
    """
    name = type(module).__name__
    if layout is None:
        raise RecipeError(f"{name} gets no layout handed on by its model: its sequences cannot be packed")
    odd = sorted(one for one in ("softcap", "s_aux", "position_bias") if others.get(one) is not None)
    if odd:
        raise RecipeError(f"{name} attends with {', '.join(odd)}: its sequences cannot be packed")
    window = sliding_window if sliding_window and sliding_window < layout.farthest else None
    heads = Heads(query=query, key=key, value=value, layout=layout, scale=scaling, window=window)
    if not query.is_cuda:
        return each(heads), None
    kernel = _varlen() if _fits(heads) else None
    return (kernel or padded)(heads), None


def each(heads: Heads) -> Tensor:
    """Segment by segment: on CPU a call costs little, and nothing is padded."""
    layout = heads.layout
    queries, keys, values = (
        torch.split(one, list(layout.lengths), dim=2) for one in (heads.query, heads.key, heads.value)
    )
    out = []
    for query, way in zip(queries, layout.ways, strict=True):
        key, value = (_joined([parts[number] for number in way]) for parts in (keys, values))
        out += [one.transpose(1, 2) for one in _last(query, key, value, heads)]
    return torch.cat(out, dim=1)


def _joined(parts: Sequence[Tensor]) -> Tensor:
    return torch.cat(list(parts), dim=2) if len(parts) > 1 else parts[0]


def _last(query: Tensor, key: Tensor, value: Tensor, heads: Heads) -> Iterator[Tensor]:
    """What queries see that belong to the last of the keys, some at a time: what comes after those is left out."""
    if query.shape[2] == key.shape[2] and (heads.window or math.inf) >= key.shape[2]:
        yield _sdpa(query, key, value, heads, None)
        return
    end = key.shape[2] - query.shape[2]
    for some in torch.split(query, ROWS, dim=2):
        end += some.shape[2]
        start = max(0, end - some.shape[2] - heads.window + 1) if heads.window else 0
        mask = some.new_full((some.shape[2], end - start), -math.inf).triu_(end - start - some.shape[2] + 1)
        if heads.window:
            mask += torch.full_like(mask, -math.inf).tril_(end - start - some.shape[2] - heads.window)
        yield _sdpa(some, key[:, :, start:end], value[:, :, start:end], heads, mask)


def padded(heads: Heads) -> Tensor:
    """All segments as rows of one batch. Padding stands behind a segment, where causal attention never looks."""
    layout = heads.layout
    query = _rows(heads.query, layout.lengths)
    key, value = (_rows(one, layout.reaches) for one in _along(heads.key, heads.value, layout.paths))
    mask = None
    if layout.paths is not None or heads.window:
        before = torch.tensor(layout.reaches, device=query.device) - torch.tensor(layout.lengths, device=query.device)
        place = before[:, None] + torch.arange(query.shape[2], device=query.device)
        place = place.clamp(max=key.shape[2] - 1)[:, None, :, None]  # padding looks at something, too
        ago = place - torch.arange(key.shape[2], device=query.device)
        mask = (ago >= 0) & (ago < (heads.window or key.shape[2]))
    out = _sdpa(query, key, value, heads, mask).transpose(1, 2)
    return torch.cat([row[:length] for row, length in zip(out, layout.lengths, strict=True)])[None]


def _rows(stream: Tensor, lengths: Sequence[int]) -> Tensor:
    """Parts of a stream as rows of a batch, filled up with zeros."""
    parts, longest = torch.split(stream[0], list(lengths), dim=1), max(lengths)
    return torch.stack([pad(part, (0, 0, 0, longest - part.shape[1])) for part in parts])


def _sdpa(query: Tensor, key: Tensor, value: Tensor, heads: Heads, mask: Tensor | None) -> Tensor:
    return scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=mask is None, scale=heads.scale, enable_gqa=heads.grouped > 1
    )


class _Along(torch.autograd.Function):
    """Rows of two tensors by their numbers, some of them many times; gradients are added up in full precision."""

    @staticmethod
    def forward(ctx: Any, one: Tensor, other: Tensor, numbers: Tensor, dim: int) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(numbers)
        ctx.shape, ctx.dim = one.shape, dim
        return one.index_select(dim, numbers), other.index_select(dim, numbers)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (numbers,) = ctx.saved_tensors
        precise = torch.promote_types(gradients[0].dtype, torch.float32)
        both = gradients[0].new_empty((2, *gradients[0].shape), dtype=precise)
        torch.stack(gradients, out=both)
        total = both.new_zeros((2, *ctx.shape)).index_add_(ctx.dim + 1, numbers, both).to(gradients[0].dtype)
        return total[0], total[1], None, None


def _along(keys: Tensor, values: Tensor, paths: Tensor | None, dim: int = 2) -> tuple[Tensor, Tensor]:
    """Keys and values of a stream laid out path by path."""
    if paths is None:
        return keys, values
    if keys.shape != values.shape:
        return _along(keys, keys, paths, dim)[0], _along(values, values, paths, dim)[1]
    out: tuple[Tensor, Tensor] = _Along.apply(keys, values, paths, dim)  # type: ignore[no-untyped-call]
    return out


# -------------------------------------------------------------------------------------------------- the flash kernel


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
        layout = heads.layout
        query, key, value = (one[0].transpose(0, 1).contiguous() for one in (heads.query, heads.key, heads.value))
        key, value = _along(key, value, layout.paths, 0)
        back = -1 if heads.window is None else heads.window - 1
        options: dict[str, Any] = {"scale": heads.scale, "window_size": (back, 0)}
        if heads.grouped > 1 and "enable_gqa" in known:
            options["enable_gqa"] = True
        elif heads.grouped > 1 and not _takes_groups(call):
            key, value = (one.repeat_interleave(heads.grouped, dim=1) for one in (key, value))
        out: Tensor = call(query, key, value, layout.ends, layout.path_ends, layout.longest, layout.farthest, **options)
        return out[None]

    return kernel


@cache
def _takes_groups(call: Callable[..., Tensor]) -> bool:
    """Whether the kernel shares keys and values between heads by itself, tried out once: older ones do not say so."""
    draw = torch.Generator("cuda").manual_seed(0)
    ends, path_ends = (torch.tensor(some, dtype=torch.int32, device="cuda") for some in ([0, 5, 12], [0, 9, 16]))

    def attend(times: int) -> list[Tensor]:
        key, value = (one.repeat_interleave(times, dim=1) for one in (given[1], given[2]))
        out = call(given[0], key, value, ends, path_ends, 7, 9, window_size=(-1, 0))
        return [out, *torch.autograd.grad(out, given, slope)]

    with torch.enable_grad():
        slope, *given = (
            torch.randn(rows, heads, 64, generator=draw, device="cuda").bfloat16().requires_grad_()
            for rows, heads in ((12, 6), (12, 6), (16, 2), (16, 2))
        )
        try:
            pairs = zip(attend(1), attend(3), strict=True)
            return all(torch.allclose(one, other, atol=0.02, rtol=0.02) for one, other in pairs)
        except (RuntimeError, ValueError):
            return False
