"""The command `plan`: what a training will take of GPUs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from prowess.cli.json_lines import write_records
from prowess.cli.options import AsJson, RecipeFile, Sets, read_recipe
from prowess.text.plural import counted

if TYPE_CHECKING:
    from prowess.pipeline.plan import Plan


def plan(
    recipe: RecipeFile,
    sets: Sets = None,
    gpu_gb: Annotated[float, typer.Option("--gpu-gb", min=1, help="Memory of one GPU, in GiB.")] = 80.0,
    fed: Annotated[
        float, typer.Option("--fed", min=1, help="Tokens that an episode feeds the learner, prompts included.")
    ] = 9000.0,
    json: AsJson = False,
) -> None:
    """Estimate the memory of each GPU and the seconds of a step of a recipe's training. Nothing is begun."""
    from prowess.pipeline.plan import planned, ways

    settings = read_recipe(recipe, sets)
    found = planned(settings, gpu_gb=gpu_gb, fed=fed)
    better = [] if found.fits else ways(settings, found)
    if json:
        write_records([asdict(found) | {"fits": found.fits, "total": found.sizes.total, "ways": better}])
    else:
        print(_told(found, better))
    raise typer.Exit(0 if found.fits else 1)


def _told(found: Plan, better: list[str]) -> str:
    sizes = found.sizes
    gpus = "1 GPU learns" if found.gpus == 1 else f"{found.gpus} GPUs learn"
    lines = [
        f"{found.model}: {found.shape.parameters / 1e9:.2f} billion parameters",
        f"{gpus}, from {counted(found.episodes, 'episode')} a step",
        f"  states       {sizes.states:6.1f} GiB on each GPU",
        f"  gathered     {sizes.gathered:6.1f} GiB",
        f"  activations  {sizes.activations:6.1f} GiB",
        f"  together     {sizes.total:6.1f} GiB of {found.gpu_gb:g}: {'fits' if found.fits else 'does not fit'}",
        f"  learning     {found.seconds:6.0f} s a step, playing not counted",
        f"  weights      {found.weights_gb:6.1f} GiB to the servers after each step",
        f"  checkpoint   {found.checkpoint_gb:6.1f} GiB",
    ]
    if sizes.host:
        lines.insert(3, f"  on the host  {sizes.host:6.1f} GiB for each GPU")
    if not found.fits:
        lines += ["what would fit:", *(f"  {way}" for way in better)] if better else ["nothing tried here would fit"]
    return "\n".join([*lines, "These are estimates by arithmetic: 6 to 40% too high in the one case compared."])
