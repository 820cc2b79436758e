"""Files that leave with exported skills, word for word. They need the standard library and one another, nothing else."""
