"""Desk: a simulated digital life in pure Python, shaped like AppWorld, that needs no download and no service."""
