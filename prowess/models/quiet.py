"""Without the remarks of the libraries that load models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from typing import Any


@contextmanager
def quietly() -> Iterator[None]:
    """Without transformers' progress bars and remarks; errors come as exceptions."""
    import transformers

    logging: Any = transformers.utils.logging
    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        with redirect_stderr(StringIO()):  # not every bar asks whether it is wanted
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
