"""Learning on several GPUs and machines: verl's engine and workers, a process for each GPU, started by Ray.

settings.py   what a recipe may say
learner.py    the driver's side: the same verbs as the learner of one process
group.py      Ray and the ranks: starting them, asking them, giving them back
rank.py       one rank's side
engine.py     verl's FSDP2 engine with our forward pass
shares.py     a batch over ranks
state.py      weights and moments to files and back

Only settings.py and shares.py can be imported without verl and Ray (`make cluster`).
"""
