"""Training: SAGE's loop (`loop`, the file to read first) and what it is made of, a noun a file."""

from __future__ import annotations

from prowess.train.batch import batch_of
from prowess.train.chains import chains_for
from prowess.train.credit import Credit, make_credit
from prowess.train.figures import summary
from prowess.train.loop import train
from prowess.train.settings import TrainSettings

__all__ = ["Credit", "TrainSettings", "batch_of", "chains_for", "make_credit", "summary", "train"]
