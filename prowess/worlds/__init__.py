"""Worlds: where tasks are played. `desk` is embedded; `check` tells the author of another what breaks the contract."""
