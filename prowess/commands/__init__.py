"""What the commands do, given live parts: nothing here knows a recipe."""
