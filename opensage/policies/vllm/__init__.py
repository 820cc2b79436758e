"""vLLM in this process: many hundreds of conversations at once, none waiting for the slowest.

    engine.py   one thread owns vLLM; a question is a future
    policy.py   conversations as tokens, asked of the engine
    mirror.py   the engine's weights are those of a model of ours, again after each step of learning

vLLM's own asynchronous engine lives in another process, where weights could only be sent to. Here they are copied on
the device, in milliseconds.
"""
