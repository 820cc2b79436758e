"""vLLM: many hundreds of conversations at once, none waiting for the slowest.

    policy.py     conversations as tokens, asked of the engines
    player.py     plays with the weights of a model of ours, copied again after each step of learning
    processes.py  engines in processes of their own that answer as one
    routing.py    which of several engines a conversation goes to
    engine.py     one vLLM: one thread owns it, a question is a future
    batching.py   when an engine admits new questions, and when vLLM looks for slots
    question.py   what an engine is asked, what it answers, and what that took
    shape.py      what an engine is built for, and what vLLM is asked for
    weights.py    where our parameters lie in vLLM's

vLLM's own asynchronous engine, and its server, would have to be sent the weights. Here the processes see the learner's
tensors and copy them on the device, in milliseconds.
"""
