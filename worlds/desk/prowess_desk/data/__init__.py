"""What a universe's apps hold at first: one generator per app, each drawing from its own seed."""
