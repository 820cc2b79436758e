"""Which skills of the library are offered for a task: chosen by name in the recipe."""
