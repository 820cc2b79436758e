"""The skill store: one SQLite file for all that is known of skills, from first turn to rest.

A skill comes in as a candidate, and stands as its events say:

    >>> from tempfile import TemporaryDirectory
    >>> from prowess.skills.extract import skills_in
    >>> from prowess.store.record import Actor, Provenance, Status, Usage
    >>> from prowess.store.db import Store
    >>> folder = TemporaryDirectory()
    >>> store = Store.open(f"{folder.name}/skills.db")
    >>> double = skills_in("def double(x): return 2 * x")[0]
    >>> new = store.propose(double, Provenance(run="r1", episode="r1/t1/0", world="desk"))
    >>> store.propose(double, Provenance(run="r2", episode="r2/t9/0", world="desk")).new  # the same code: evidence
    False
    >>> event = store.move(new.digest, Status.VERIFIED, Status.PROBATION, actor=Actor.GATE)
    >>> event = store.move(new.digest, Status.ACTIVE, actor=Actor.CURATOR, why="it helps")
    >>> [skill.name for skill in store.library()]
    ['double']

A snapshot keeps a library for good; every change can be taken back; what follows from the rows can be checked:

    >>> before = store.snapshot("before the review")
    >>> event = store.move(new.digest, Status.SUSPENDED, actor=Actor.PERSON, who="ada")
    >>> len(store.library()), len(store.library(before.root))
    (0, 1)
    >>> undone = store.undo(event.id, who="ada")
    >>> store.skill(new.skill).status.value, store.rebuild(verify=True)
    ('active', ())
    >>> store.use([Usage(episode="r3/t1/0", digest=new.digest, called=1, success=True)])
    1
    >>> round(store.statistics(new.digest).success, 3)
    0.667
    >>> store.close(); folder.cleanup()

Writing. Each call is one transaction: rows, derived state and event change together, and are on disk when it returns.

    Store.open(path, *, clock=time.time, create=True, wait=30.0)
    propose(skill, provenance, *, namespace, dependencies, parents, fingerprints, effects, of, actor, who, why)
                                        -> Proposal: a candidate, or more evidence for what is there
    take(account_of(episode, *, run, world, repetition, namespace, masked, scores, checkpoint, world_version, root,
                    digests, fingerprints))
                                        -> Proposals: what an episode learned; and counts what it used. Its recorded
                                        calls (`Tape`) become trials: replays, and siblings in other tasks
    use(usages)                         -> how many were new; the same version in the same episode counts once
    verify(*verifications)  test(*trials)
    move(digest, *to, actor, who, why)              steps of its life, by the rules of `skills.life`
    review(digest, "approve" | "refuse", *, who)    binds to this very digest
    alias(skill, name)  pin(skill or root, holder)  unpin(...)  link(skill, relation, other)  unlink(...)
    undo(event id)                                  the inverse as new events, or a refusal with its reason
    many(apart=True)                                all calls inside are one transaction; quicker if not apart, but
                                                    then one that fails takes all of them with it
    ingest(store, folder)                           what workers wrote into journals (`Journal`), exactly once
    clear(store, folder)                            deletes journals that are taken in to their ends

Reading. Each call is one consistent view.

    skill(id)  version(digest)  versions(id)  resolve(text, namespace)
    entries(statuses, namespace, heads, after, limit)
    library(root, *, namespace, probation)  statistics(digest)  events(skill, digest, after, limit)  edges(skill)
    provenances(digest)  trials(digest)  verifications(digest)  usages(digest)  clones(digest)  calling(api)
    snapshot(note)  snapshots()  snapshots_at(root)  diff(a, b)  rebuild(verify=False)

Any number of threads and processes may read and write at once; a store is opened in each process, not carried over a
fork.
"""

from prowess.store.db.account import account_of
from prowess.store.db.connection import Connections  # before what needs APSW: it says which extra is missing
from prowess.store.db.journal import Busy, Ingested, Journal, clear, ingest
from prowess.store.db.snapshot import Leaf, root_of
from prowess.store.db.store import Store

__all__ = ["Busy", "Connections", "Ingested", "Journal", "Leaf", "Store", "account_of", "clear", "ingest", "root_of"]
