"""What the commands do, or gather, before anything is shown."""
