"""The skill store: one SQLite file for all that is known of skills, from the turn that wrote them to their rest.

Writing, each in one transaction that changes rows, derived state and event together, on disk when it returns:

    Store.open(path, *, clock=time.time, create=True, wait=30.0) -> Store
    propose(skill, provenance, *, namespace=None, dependencies=(), parents=(), fingerprints={}, of=None) -> Entry
    propose_episode(episode, *, run, ...) -> tuple[Entry, ...]      what an episode learned, and its uses
    take(account) -> tuple[Entry, ...]                              the same, from an `Account`
    move(digest, to, *, actor, who="", why="") -> Event             a status, by the rules of `skills.life`
    review(digest, verdict, *, who, why="") -> Event                a person's `approve` or `refuse` of a digest
    verify(verifications) -> int        what checks said            trials(digest), test(trials) -> int
    use(usages) -> int                  how many were new           alias(skill, name, *, ...) -> Event
    pin(target, holder, *, why="") -> Event                         a skill id or a snapshot's root
    unpin(target, holder, *, why="") -> Event
    link(skill, relation, other, *, ...) -> Event                   unlink(...)
    undo(event, *, who="", why="") -> tuple[Event, ...]             the inverse, as new events
    many()                                                          a context: all calls inside are one transaction

Reading:

    skill(id) version(digest) resolve(name, namespace) versions(id) entries(...) library(...) statistics(digest)
    events(...) provenances(digest) verifications(digest) edges(skill) aliases(id) holders(id)
    snapshot(note="") diff(a, b) library(root=...) rebuild(verify=False)
"""
