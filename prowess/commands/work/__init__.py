"""Deploy-time learning: an agent works through a stream of tasks with a library that grows on the way.

    prowess work recipes/expert.toml --store skills.db --out runs/mine

The stream is cut into rounds of `work.every` tasks. A round is played with one snapshot of the store, whose root the
run records; then what the tasks told is taken in, candidates go through the gates, the library is curated, and the next
snapshot is taken. So the result is the same with any number of workers, and the run goes on after a kill.

    ledger.py    a file of JSON lines that grows
    queue.py     where tasks come from: a split in a drawn order, a file, standard input
    exposure.py  what of the retrieved skills is shown, and what is held back as a control
    care.py      between two rounds: take in, admit, curate, snapshot
    rounds.py    where each snapshot begins to be played with, and what it offers
    stream.py    the loop
    curve.py     tokens, steps and success over the stream
    result.py    what became of the skills and why, and what a task costs now
    compare.py   the same policy with no library, its own, another's, and its own hidden

`prowess/pipeline/work.py` makes such a stream of a recipe: it knows recipes, and recipes know the settings here.
"""
