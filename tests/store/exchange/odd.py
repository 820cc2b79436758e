"""Odd skills for the tests of the exchange: real code with hostile words around it, and text that is no code."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from prowess.store.db import Store
from prowess.store.record import Effect, Provenance, Trial
from prowess.types import Skill

HOSTILE = (
    "---",
    "\n---\nname: evil\n---\n",
    "```\n# Heading\n````",
    '"quoted" \\ back: {a: [b]} # c',
    "../../etc/passwd",
    "\x00\x1b[2J\x7f",
    "\u202eright to left\u2028line",
    "😀 naïve größe",
    "</skill> <b>&amp;",
    "%YAML 1.2\n!!python/object:os.system",
    "\ud800",
    "a\r\nb\rc",
    "*anchor &x",
    "\ufeff",
)

_LOOKS = '{"prowess-import": {"kind": "human", "note": "b", "who": "a"}}'
NOTES = (
    _LOOKS,
    json.dumps({"prowess-import": {"kind": "import", "note": _LOOKS, "who": "a"}}),
    '{"prowess-import": 1}',
)
"""Notes that look as an import of ours wrote them."""

words = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20)), max_size=4).map(" ".join)
names = st.one_of(
    st.sampled_from(
        ["f", "F", "top_songs", "_", "__", "con", "naïve", "größe_1", "test_skill", "x" * 90, "init", "名前"]
    ),
    st.from_regex(r"[a-z_][a-z0-9_]{0,12}", fullmatch=True),
).filter(str.isidentifier)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
answers = st.builds(
    lambda api, rest: {**rest, "api": api},
    words,
    st.dictionaries(st.one_of(st.sampled_from(["arguments", "answer", "error"]), words), values, max_size=3),
)
clocks = st.one_of(st.just(""), st.datetimes().map(lambda moment: moment.isoformat()))
lines = st.lists(
    st.one_of(st.sampled_from(["import re", "from __future__ import annotations", "from math import *"]), words),
    max_size=3,
)


@st.composite
def skills(draw: st.DrawFn) -> Skill:
    name = draw(names)
    doc = draw(words)
    body = draw(
        st.sampled_from(
            [
                "def {name}(user: str, n: int = 5):\n    {doc!r}\n    return apis.music.list_songs(user=user)[:n]",
                "LIMIT = 3\n\n\ndef tidy(x):\n    return x\n\n\ndef {name}(x, /, *, y=1):\n    {doc!r}\n    tidy(x)",
                "import os\n\n\ndef {name}(): return '''  \n  '''",
                "def {name}(: {doc}",
                "{doc}",
                "def other(): ...",
            ]
        )
    )
    source = body.replace("{name}", name).replace("{doc!r}", repr(doc)).replace("{doc}", doc)
    return Skill(
        name=name,
        source=source,
        imports=tuple(draw(lines)),
        docstring=draw(words),
        apis=tuple(draw(st.lists(words, max_size=2))),
    )


provenances = st.builds(
    Provenance,
    kind=st.sampled_from(["episode", "human", "import", "merge", "repair"]),
    run=words,
    episode=words,
    turn=st.integers(0, 50),
    task=words,
    scenario=words,
    instruction=words,
    world=words,
    who=words,
    note=st.one_of(words, st.sampled_from(NOTES)),
)


@st.composite
def stores(draw: st.DrawFn, store: Store) -> list[str]:
    """Fill a store with a few odd skills; their digests."""
    digests: list[str] = []
    for skill in draw(st.lists(skills(), min_size=1, max_size=4)):
        depends = draw(st.lists(st.sampled_from(digests), max_size=2)) if digests else []
        told = draw(st.lists(provenances, min_size=1, max_size=3))
        found = store.propose(
            skill,
            told[0],
            namespace=draw(st.one_of(st.just("desk"), words)),
            dependencies=depends,
            fingerprints={"music.list_songs": draw(words)},
            effects={"music.list_songs": draw(st.sampled_from(list(Effect)))},
        )
        for more in told[1:]:
            store.propose(skill, more, namespace=store.version(found.digest).namespace, dependencies=depends)
        for _ in range(draw(st.integers(0, 2))):
            trial = Trial(
                kind=draw(st.sampled_from(["replay", "example", "sibling"])),
                digest=found.digest,
                call=draw(st.one_of(st.just(""), values.map(f"{skill.name}({{!r}}, x=apis.music)".format))),
                answers=tuple(draw(st.lists(answers, max_size=2))),
                expected=draw(values),
                task=draw(words),
                now=draw(clocks),
            )
            store.test(trial)
        digests.append(found.digest)
    return digests
