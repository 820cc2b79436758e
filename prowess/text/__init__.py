"""Texts of others, made safe, counted and read as code."""
