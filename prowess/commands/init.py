"""Init: a world of one's own to begin with, a package with a recipe, a world, an expert and a test.

    prowess init shop        shop/{shop.toml, shop/{world,expert,settings,plugin,commands}.py, tests/test_shop.py ...}

It is the example `examples/pantry` by another name, so what is made is what the manual quotes and our tests play.
"""

from __future__ import annotations

import keyword
import re
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from prowess.errors import RecipeError, StoreError
from prowess.files.disk import storing
from prowess.worlds.registry import names

PACKAGE = "prowess_pantry"
"""What the example's package is called."""
WORLD = "pantry"
"""What its world is called: where it is named, and not where it is spoken of."""
NAMED = (
    *(rf"{WORLD}(?=\.toml)", rf'(?<=name = "){WORLD}(?=")', rf"(?m:^){WORLD}(?= = )", rf"(?<=suite\.){WORLD}"),
    *(rf'(?<=installed: "){WORLD}', rf"(?<=prowess ){WORLD}", rf"(?<=test_){WORLD}"),
    *(rf"(?<=The world ){WORLD}", rf"prowess-{WORLD}"),
)
COPIED = (".py", ".toml", ".md")


def check_name(name: str) -> None:
    """Refuse what cannot name a package and a world, or names another one."""
    allowed = "lower-case letters, digits and '_', a letter first"
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) or keyword.iskeyword(name):
        raise RecipeError(f"'{name}' cannot name a package", hint=f"allowed: {allowed}; such as shop")
    if name in names():
        raise RecipeError(f"there is a world '{name}' already", hint="another name")
    if name == "tests" or name in sys.stdlib_module_names or find_spec(name) is not None:
        raise RecipeError(f"there is a module '{name}' already, and imports would find that", hint="another name")


def make_world(name: str, folder: Path) -> tuple[Path, ...]:
    """Write the package into a folder that is not there yet; its files. It is there whole or not at all."""
    check_name(name)
    if folder.exists() or folder.is_symlink():
        raise RecipeError(f"there is something at {folder} already", hint="another name, or --out FOLDER")
    with storing(folder), tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=f".{name}-") as place:
        made = Path(place) / name
        for file in sorted(example().rglob("*")):
            if file.suffix in COPIED:
                inside = made / renamed(str(file.relative_to(example())), name)
                inside.parent.mkdir(parents=True, exist_ok=True)
                inside.write_text(renamed(file.read_text(encoding="utf-8"), name), encoding="utf-8")
        made.rename(folder)
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


def renamed(text: str, name: str) -> str:
    """A text of the example, of a package and a world of another name.

    >>> renamed('pantry = "prowess_pantry.plugin:WORLD"  # fill the pantry', "shop")
    'shop = "shop.plugin:WORLD"  # fill the pantry'
    """
    text = text.replace(PACKAGE, name)
    for place in NAMED:
        text = re.sub(place, name, text)
    return text


def example() -> Path:
    """The example: in the package, or in a checkout."""
    package = Path(__file__).parents[1]
    for place in (package / "examples/pantry", package.parent / "examples/pantry"):
        if (place / "pantry.toml").is_file():
            return place
    raise StoreError("the example that a world begins with is not installed", hint="install prowess again")
