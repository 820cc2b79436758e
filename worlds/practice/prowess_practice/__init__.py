"""Practice for desk: drills and errands, thousands of tasks made of tables, for training alone."""
