"""Who plays desk as a good model would, and the student that learns from its own skills."""
