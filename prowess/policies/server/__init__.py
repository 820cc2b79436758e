"""vLLM's own server as the engine: it plays elsewhere, on as many GPUs as it has, with the weights that it is given.

    settings.py  what a recipe may say about servers
    line.py      the connection to one: questions, orders, and what went wrong in our words
    servers.py   several that answer as one, each question a future
    weights.py   weights on their way: left in a folder that servers read too
    player.py    they play for a learner, and follow when the weights change

The server is a stock one (`vllm serve`), started by whoever has the GPUs. Conversations go there as token ids and come
back as token ids with log-probabilities, as from an engine of ours; everything that plays and learns is the same.
"""
