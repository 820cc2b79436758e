"""What benchmarks/gpu.py needs of a machine, asked before anything is begun."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from prowess.errors import ProwessError, RecipeError
from prowess.models.adapter import is_adapter
from prowess.models.load import ModelSettings, check_model
from prowess.policies.engines import check_engine
from prowess.policies.sampling import SamplingSettings

FETCH = "the folder of a transformers model is needed: hf download OWNER/NAME --local-dir FOLDER"


def lacking(model: str | None, parts: Sequence[str], known: Iterable[str], sites: Sequence[str] = ()) -> str:
    """What is missing or wrong, with what to do; nothing if all is there. TRL may be missing: it is left out then."""
    try:
        if lost := [site for site in sites if not Path(site).is_dir()]:
            raise RecipeError(f"--trl-site: there is no folder '{lost[0]}'", hint="one with TRL and what it needs")
        if odd := sorted({*parts} - {*known}):
            raise RecipeError(f"--parts names {', '.join(odd)}", hint=f"allowed: {', '.join(known)}")
        if not model:
            raise RecipeError("--model is not given", hint=FETCH)
        if not Path(model).is_dir():  # a name that a recipe may give, too: vLLM and TRL are handed a folder
            raise RecipeError(f"--model: there is no folder '{model}'", hint=FETCH)
        if is_adapter(model):
            raise RecipeError(f"--model: '{model}' is an adapter", hint="the folder of the model below it is needed")
        check_model(ModelSettings(name=model))
        if {*parts} - {"D"}:  # the learner alone
            check_engine(SamplingSettings(engine="vllm"))
    except ProwessError as problem:
        return str(problem)
    return ""
