"""A process that writes to a store or a journal and prints what was acknowledged; tests kill it.

python writer.py store|journal|ingest PATH NAME COUNT
"""

from __future__ import annotations

import sys
from pathlib import Path

from prowess.skills.extract import skills_in
from prowess.store.canon import address_of
from prowess.store.db import Journal, Store, ingest
from prowess.store.db import journal as journal_module
from prowess.store.record import Account, Actor, Provenance, Status, Usage, Verification


def main(what: str, path: str, name: str, count: int) -> None:
    if what == "ingest":
        journal_module._BATCH = 10  # many small transactions to be killed in
        Path(path, "journals").mkdir(exist_ok=True)
        with Store.open(Path(path) / "skills.db") as store:
            for _ in range(count):
                if records := ingest(store, Path(path) / "journals").records:
                    print(records, flush=True)
        return
    if what == "journal":
        with Journal(path, name) as journal:
            for n in range(count):
                told = account(name, n)
                digest = address_of(told.learned[0], namespace="desk")
                journal.append(told)
                journal.append(Verification(digest=digest, check="seen", verdict="pass"))
                print(f"{name}_{n}", flush=True)
        return
    with Store.open(path) as store:
        for n in range(count):
            told = account(name, n)
            (new,) = store.take(told)
            store.use([Usage(episode=f"{name}/{n}/u", digest=new.digest, called=1, success=n % 2 == 0)])
            store.move(new.digest, Status.VERIFIED, actor=Actor.GATE)
            print(f"{name}_{n}", flush=True)


def account(name: str, n: int) -> Account:
    """An episode that learned a skill of its own."""
    own = skills_in(f"def {name}_{n}(x): return x + {n}")[0]
    return Account(
        namespace="desk",
        provenance=Provenance(run=name, episode=f"{name}/{n}/0", task=f"t_{n}"),
        learned=(own,),
        success=True,
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
