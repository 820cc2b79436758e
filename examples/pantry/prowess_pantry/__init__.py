"""A world for prowess in a package of its own: a pantry to be filled."""
