"""vLLM: many hundreds of conversations at once, none waiting for the slowest.

    policy.py    conversations as tokens, asked of the crew
    mirror.py    the crew plays with the weights of a model of ours, again after each step of learning
    crew.py      engines in processes of their own that answer as one
    engine.py    one vLLM: one thread owns it, a question is a future
    patience.py  when an engine lets in who asked while it talked
    work.py      what an engine has done
    shape.py     what an engine is built for, and what vLLM is asked for
    weights.py   where our parameters lie in vLLM's

vLLM's own asynchronous engine, and its server, would have to be sent the weights. Here the processes see the learner's
tensors and copy them on the device, in milliseconds.
"""
