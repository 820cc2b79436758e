"""From a recipe to runs: its settings (`recipe`), its live parts (`parts`), what is checked first, and the commands."""
