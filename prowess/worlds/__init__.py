"""Worlds come in by `registry`. `check` tells the author of one what breaks the contract."""
