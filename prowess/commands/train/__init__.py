"""Training: SAGE's loop (`loop`, the file to read first) and what it is made of, a noun a file."""

from __future__ import annotations

from prowess.commands.train.batch import batch_of
from prowess.commands.train.chains import chains_for
from prowess.commands.train.loop import train
from prowess.commands.train.player import Player
from prowess.commands.train.settings import TrainSettings
from prowess.commands.train.summary import summary
from prowess.credit.credit import Credit, make_credit

__all__ = ["Credit", "Player", "TrainSettings", "batch_of", "chains_for", "make_credit", "summary", "train"]
