"""prowess: agents that write their own skills, keep them, and learn from using them."""

__version__ = "0.1.0"
