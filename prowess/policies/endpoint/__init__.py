"""A policy served elsewhere: any server that speaks OpenAI's chat completions, hosted or on this machine.

The client library carries the request; patience is ours, so that it is seeded, bounded and can be interrupted: how
often to try, how long to wait, how many requests at once. The key comes from the environment and goes nowhere but to
the server: it is in no recipe, no log and no error.
"""
