"""Files that leave with exported skills, word for word: they need the standard library and one another only."""
