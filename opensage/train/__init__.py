"""Training: SAGE's loop (`loop`, the file to read first) and what it is made of, a noun a file."""

from __future__ import annotations

from opensage.train.batch import batch_of
from opensage.train.chains import chains_for
from opensage.train.credit import Credit, make_credit
from opensage.train.figures import summary
from opensage.train.loop import train
from opensage.train.settings import TrainSettings

__all__ = ["Credit", "TrainSettings", "batch_of", "chains_for", "make_credit", "summary", "train"]
