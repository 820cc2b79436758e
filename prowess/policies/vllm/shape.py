"""What an engine is built for, and what vLLM is asked for then."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from typing import Any

from prowess.errors import MissingExtra, RecipeError

NEEDED = {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
"""Set before vLLM is imported, whatever the user has set: its model, to be given weights, must be in this process."""
ENVIRONMENT = {
    "VLLM_USE_FLASHINFER_SAMPLER": "0",  # would be compiled at the start
    "VLLM_USE_DEEP_GEMM": "0",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
}
"""Likewise, unless the user has set them."""
ON_GPU = {"VLLM_USE_V2_MODEL_RUNNER": "1"}
"""Like these: the newer runner draws all seeded samples of a pass in one kernel, the older one row by row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What an engine is built for. Equal shapes can share one."""

    model: str
    """A folder with the model's description; its weights are not read."""
    dtype: str
    device: str
    limit: int
    """The longest conversation, in tokens."""
    stops: tuple[int, ...]
    rows: int
    cache_bytes: int
    prefill_tokens: int
    graphs: str
    sleep: bool
    rank: int
    """Rank of the adapter it plays with; 0 for none."""


def check_vllm() -> None:
    """Say at once that vLLM is missing or has nothing to run on: importing it takes seconds, and is up to engines."""
    if find_spec("vllm") is None:
        raise MissingExtra("sampling.engine = 'vllm'", "vllm")
    import torch

    if not torch.cuda.is_available() and not _for_processors():
        raise RecipeError(
            "sampling.engine is 'vllm', and PyTorch finds no GPU",
            hint="nvidia-smi tells whether the driver sees one; engine = 'local' plays without",
        )


def _for_processors() -> bool:
    """Whether the vLLM that is installed is one without a GPU, as for our tests."""
    names = packages_distributions().get("vllm", [])
    return any("cpu" in f"{name} {version(name)}" for name in names)


def prepare(shape: Shape) -> None:
    """Set what vLLM reads from the environment; to be done before it is imported."""
    os.environ.update(NEEDED)
    for name, value in (ENVIRONMENT | (ON_GPU if shape.device == "cuda" else {})).items():
        os.environ.setdefault(name, value)


def arguments(shape: Shape) -> dict[str, Any]:
    """What vLLM is asked for."""
    asked: dict[str, Any] = {
        "model": shape.model,
        "load_format": "dummy",
        "dtype": shape.dtype,
        "skip_tokenizer_init": True,
        "generation_config": "vllm",
        "max_model_len": shape.limit,
        "max_num_seqs": shape.rows,
        "max_num_batched_tokens": max(shape.prefill_tokens, shape.rows),
        "kv_cache_memory_bytes": shape.cache_bytes,
        "logprobs_mode": "processed_logprobs",
        "enable_prefix_caching": True,
        "disable_log_stats": True,
        "enable_sleep_mode": shape.sleep,
        "seed": 0,
    }
    if shape.device == "cuda":
        asked |= {
            "gpu_memory_utilization": 0.05,  # only asked for at the start: the cache has a size of its own
            "prefix_caching_hash_algo": "xxhash" if find_spec("xxhash") else "sha256",  # vLLM comes without it
            "enable_flashinfer_autotune": False,
            "compilation_config": _compilation(shape.graphs, shape.rows),
        }
    else:
        # Where a prompt is read in parts, vLLM turns a seed's generator back, which one on a processor cannot do.
        whole = max(asked["max_num_batched_tokens"], shape.limit)
        asked |= {"enforce_eager": True, "enable_chunked_prefill": False, "max_num_batched_tokens": whole}
    if shape.rank:
        asked |= {"enable_lora": True, "max_loras": 1, "max_lora_rank": _rank(shape.rank)}
    return asked


def _compilation(graphs: str, rows: int) -> Mapping[str, Any]:
    sizes = sorted({size for size in (1, 2, 4, 8, 16, 32, 64, 96, *range(128, rows, 64)) if size < rows} | {rows})
    kinds: Mapping[str, Mapping[str, Any]] = {
        # Never FULL: graphs of passes in which some read and some speak give garbage (vLLM 0.24, FlashAttention 3).
        "decode": {"mode": 0, "cudagraph_mode": "FULL_DECODE_ONLY", "cudagraph_capture_sizes": sizes},
        "compiled": {"cudagraph_capture_sizes": sizes},
        "none": {"mode": 0, "cudagraph_mode": "NONE"},
    }
    return kinds[graphs]


RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""The ranks that vLLM makes room for."""


def _rank(rank: int) -> int:
    fits = [one for one in RANKS if one >= rank]
    if not fits:
        raise RecipeError(
            f"lora_rank is {rank}, and vLLM takes adapters up to {RANKS[-1]}", hint="sampling.vllm.weights = 'copy'"
        )
    return fits[0]
