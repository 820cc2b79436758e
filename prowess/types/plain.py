"""What records are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = Any
"""A JSON value: None, bool, int, float, str, a list of these, or a dict of these with string keys."""

SPARSE: Mapping[str, bool] = {"sparse": True}
"""Marks a field that is recorded only where it holds something."""
