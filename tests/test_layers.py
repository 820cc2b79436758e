"""Pages that draw the layers draw those of the import contract."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def contract() -> list[set[str]]:
    """The layers of the library from the top, without `__main__`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (whole,) = [one for one in project["tool"]["importlinter"]["contracts"] if one.get("containers") == ["prowess"]]
    return [set(layer.split(" | ")) for layer in whole["layers"] if layer != "__main__"]


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/internals/layers.md"])
def test_the_table_of_layers_is_the_contracts(page: str) -> None:
    shown: dict[int, set[str]] = {}
    rows = re.findall(r"^\| (\d+) \| (`[^|]*`) \|", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    for layer, packages in rows:
        shown.setdefault(int(layer), set()).update(re.findall(r"`(\w+)`", packages))
    assert [shown[layer] for layer in sorted(shown)] == contract()


def test_the_drawing_of_layers_is_the_contracts() -> None:
    page = (ROOT / "docs/internals/layers.md").read_text(encoding="utf-8")
    drawn = re.findall(r"^ ?\d+   ((?:\w+ ─ )*\w+)(?=\s)", page, flags=re.MULTILINE)
    assert [set(line.split(" ─ ")) for line in drawn] == contract()
