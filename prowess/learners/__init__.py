"""Learners: they own the weights and change them. `torch` learns in one process, on CPU or one GPU.

engines.py     the learner that a recipe names
torch.py       the learner of one process
updates.py     a batch as optimiser steps, whatever computes the gradients
settings.py    what a recipe may say; imports nothing heavy

stream.py      samples to micro-batches without padding
tree.py        what samples begin alike with, once
layout.py      where the segments of such a stream stand
likelihood.py  how probable a model finds what was said
packed.py      its attention, within the sequences of a stream
logprobs.py    its head, without a table of vocabulary x tokens
rotary.py, fused.py, kernels.py    the same in fewer kernels
memory.py      what is done where memory runs out

weights.py     what is learnt: all parameters
lowrank.py     or LoRA, through the merged weight
optimiser.py   from gradients to changes
rules.py       AdamW, with moments in full precision or in 8 bits
progress.py    what a checkpoint says besides the weights
checkpoint.py  folders that are whole or not there
"""
