"""Learners: they own the weights and change them. `torch` learns in one process, on CPU or one GPU.

settings.py    what a recipe may say; imports nothing heavy
schedule.py    the learning rate of a step
stream.py      samples to micro-batches without padding
packed.py      attention within the sequences of such a stream
likelihood.py  log-probabilities of what was said
optimiser.py   AdamW with full-precision copies of half-precision weights
checkpoint.py  folders that are whole or not there
torch.py       the learner
"""
