"""The gates of admission, cheap first; each is a function that yields a `Verification` with evidence for people.

    structure   parses, closed over known names, typed, documented, more than a wrapper of one API
    leak        no value of the episode stands in the code: what varies is a parameter
    lint        nothing dangerous in the code, nothing addressed to the reader in its texts (a lint, never the boundary)
    duplicates  no other skill does the same
    replay      repeats its recorded calls in a fresh sandbox, twice
    transfer    helped in a task other than the one it was written for
    risk        what it can do to the world: does a person have to look?

`skills.admission` runs them in this order and stops at the first that fails.
"""
