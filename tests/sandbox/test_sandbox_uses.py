"""Which earlier functions a block calls: on literal programs."""

from __future__ import annotations

import sys

import pytest

from prowess.sandbox.uses import Definitions, called_in, defined_in

CALLED = {
    "a plain call": "f(1)",
    "a call in an expression": "x = [f(i) for i in range(3)]",
    "a call inside a new function": "def g():\n    return f(1)\ng()",
    "a call inside a method": "class A:\n    def run(self):\n        return f(1)",
    "a call in a class whose method has the name": "class A:\n    def f(self):\n        return f(1)",
    "a call in a lambda": "g = lambda x: f(x)",
    "a call in a default": "def g(x=f(1)): ...",
    "a call in a branch": "if x:\n    f(1)",
    "a call in an f-string": "print(f'{f(1)}')",
    "a call with await": "async def g():\n    await f(1)",
    "passed to a call": "list(map(f, [1, 2]))",
    "passed by keyword": "sorted(xs, key=f)",
    "used as a decorator": "@f\ndef g(): ...",
    "used as a decorator of a class": "@f\nclass A: ...",
    "a call among the bases of a class": "class A(f(1)): ...",
    "a call in a dictionary's comprehension": "{n: f(n) for n in xs}",
    "through an alias": "g = f\ng(1)",
    "hidden elsewhere only, by a parameter": "def g(f):\n    return f\nf(1)",
    "hidden elsewhere only, by a comprehension": "[f for f in xs]\nf(1)",
    "declared global in a function": "def g():\n    global f\n    return f(1)",
    "the first iterable of a comprehension": "[f for f in f(1)]",
    "below a leading indentation": "  f(1)",
    "below a constant that is true": "if 1:\n    f(1)",
    "below a condition": "if x:\n    f(1)",
    "the else of a constant that is false": "if 0: ...\nelse: f(1)",
    "the else of a loop over nothing": "for x in (): ...\nelse: f(1)",
    "the test of a dead branch": "if f(1) and 0: ...",
    "after a return in a branch": "def g():\n    if x:\n        return 1\n    f(1)",
    "after a loop that is left": "while 1:\n    break\nf(1)",
    "in what catches a raise": "try:\n    raise E\nexcept E:\n    f(1)",
    "in a finally after a return": "def g():\n    try:\n        return 1\n    finally:\n        f(1)",
    "the second of a match": "match x:\n    case 1: raise E\n    case 2: f(1)",
    "after what may be false": "x and f(1)",
    "below a comparison of what is not known": "if x is not None: f(1)",
    "below a comparison that holds": "if 0 < 1 < 2: f(1)",
    "the items of a list whose condition may hold": "[f(1) for x in xs if x]",
    "the source of a list that a condition empties": "[1 for x in xs for y in f(1) if 0]",
    "after a branch that may not leave": "def g():\n    if x: return 1\n    f(1)",
    "after an assertion that may hold": "assert x\nf(1)",
    "after a loop that may be broken off": "while True:\n    if x: break\nf(1)",
    "after a loop that its else breaks off": "while 1:\n    while x: pass\n    else: break\nf(1)",
    "after what a with may swallow": "def g():\n    with x: raise E\n    f(1)",
    "after a try whose handler goes on": "def g():\n    try: return 1\n    except E: pass\n    f(1)",
    "in an annotation of the module": "x: f(1) = 2",
    "a list that is not empty": "for x in [y]: f(1)",
    "a number too large to be computed": "if 1 << 99 > 2: f(1)",
}

NOT_CALLED = {
    "a string": "print('f(1)')",
    "a comment": "x = 1  # f(1)",
    "a mention": "f",
    "an alias that is not called": "g = f",
    "an alias that is assigned twice": "g = f\ng = len\ng(1)",
    "a redefinition": "def f(x): ...\nf(1)",
    "a redefinition after the call": "f(1)\ndef f(x): ...",
    "a redefinition in a branch": "if x:\n    def f(x): ...\nf(1)",
    "a class of the name": "class f: ...\nf()",
    "an assignment": "f = len\nf(1)",
    "a walrus": "if (f := len): f(1)",
    "a walrus in a comprehension": "[(f := len) for _ in x]\nf(1)",
    "an import": "import f\nf(1)",
    "an import from": "from m import g as f\nf(1)",
    "a star import": "from m import *\nf(1)",
    "a deletion": "f(1)\ndel f",
    "a loop variable": "for f in xs:\n    f(1)",
    "a with variable": "with x as f:\n    f(1)",
    "an except variable": "try: ...\nexcept E as f:\n    f(1)",
    "a match variable": "match x:\n    case [f]: f(1)",
    "a match of the rest": "match x:\n    case {**f}: f(1)",
    "a local around a class": "def g():\n    f = len\n    class A:\n        def run(self): return f(1)",
    "a walrus in a default": "def g(x=(f := len)): ...\nf(1)",
    "a parameter": "def g(f):\n    return f(1)",
    "a star parameter": "def g(*f):\n    return f(1)",
    "a keyword-only parameter": "def g(*, f):\n    return f(1)",
    "a parameter of a lambda": "g = lambda f: f(1)",
    "a local of a function": "def g():\n    f = len\n    return f(1)",
    "a local of the outer function": "def g():\n    f = len\n    def h():\n        return f(1)",
    "a comprehension variable": "[f(1) for f in xs]",
    "a nested function of the name": "def g():\n    def f(): ...\n    f()",
    "a global declared and assigned in a function": "def g():\n    global f\n    f = len\nf(1)",
    "a method of the name": "x.f(1)",
    "a key of the name": "x['f'](1)",
    "below a constant that is false": "if 0:\n    f(1)",
    "below a comparison that is false": "if 1 == 2: f(1)",
    "below a not": "if not [1]: f(1)",
    "the else of a constant that is true": "if 1: ...\nelse: f(1)",
    "an elif of a constant that is false": "if x: ...\nelif x and False: f(1)",
    "a loop while nothing": "while None: f(1)",
    "a loop over nothing": "for x in (): f(1)",
    "behind a false": "x = 0 and f(1)",
    "behind a true": "x = 1 or f(1)",
    "a condition that is false": "x = f(1) if '' else 2",
    "a message that is never told": "assert True, f(1)",
    "after a return": "def g():\n    return 1\n    f(1)",
    "after a raise": "raise E\nf(1)",
    "after a break": "while x:\n    break\n    f(1)",
    "below a chain of comparisons that is false": "if 0 < 1 > 2: f(1)",
    "below an identity that is false": "if None is not None: f(1)",
    "below a membership that is false": "if 1 in (): f(1)",
    "below a sum that is nothing": "if 1 - 1: f(1)",
    "below a text that is empty": "if f'': f(1)",
    "below a choice that is false": "if (0 if 1 else x): f(1)",
    "below a name for nothing": "if (z := 0): f(1)",
    "below a not of a function": "if not (lambda: 0): f(1)",
    "below a tuple that is not empty": "if not (x, y): f(1)",
    "a case that is closed": "match x:\n    case _ if 0: f(1)",
    "the items of an empty list": "[f(1) for x in ()]",
    "the items of a list whose condition never holds": "[f(1) for x in xs if 0]",
    "an inner source that is never reached": "[1 for x in xs if 0 for y in f(1)]",
    "after branches that both leave": "def g():\n    if x: return 1\n    else: return 2\n    f(1)",
    "after a loop without end": "while True: pass\nf(1)",
    "after a loop whose inner loop alone is broken off": "while 1:\n    for x in y: break\nf(1)",
    "after an assertion that fails": "assert 0\nf(1)",
    "after a try that leaves": "def g():\n    try: return 1\n    finally: pass\n    f(1)",
    "after a try whose handlers leave, too": "def g():\n    try: return 1\n    except E: return 2\n    f(1)",
    "in the annotation of a local": "def g():\n    x: f(1) = 2",
    "a call by eval": "eval('f(1)')",
    "code that does not parse": "f(1",
    "code that nests too deeply": "f(" * 3000 + ")" * 3000,
    "code that parses and nests too deeply to be read": "f(1)\nx = " + "-" * 900 + "1",
}


@pytest.mark.parametrize("what", CALLED)
def test_it_counts_as_a_call(what: str) -> None:
    assert called_in(CALLED[what], ["f"]) == {"f"}


@pytest.mark.parametrize("what", NOT_CALLED)
def test_it_does_not_count_as_a_call(what: str) -> None:
    assert called_in(NOT_CALLED[what], ["f"]) == frozenset()


def test_deep_conditions_take_no_more_work_than_flat_ones() -> None:
    """A condition that was read anew at each of its levels took the square of their number."""

    def work(levels: int) -> int:
        one = f"if {'(1 and ' * levels}1{')' * levels}: x\n"
        counted = 0

        def count(*_: object) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count)
        try:
            called_in(one * (1600 // levels) + "f(1)", ["f"])
        finally:
            sys.setprofile(None)
        return counted

    assert work(80) < 1.5 * work(10)


def test_passing_a_function_counts_only_where_a_trace_can_confirm_it() -> None:
    assert called_in("print(f)", ["f"], passed=False) == frozenset()
    assert called_in("print(f(1))", ["f"], passed=False) == {"f"}


def test_only_functions_of_the_top_level_are_defined() -> None:
    code = "def a():\n    def b(): ...\nif x:\n    async def c(): ...\nclass D:\n    def e(self): ...\nf = lambda: 0"
    assert defined_in(code) == {"a", "c"}


def test_definitions_remember_every_block_that_defined_a_name() -> None:
    definitions = Definitions()
    definitions.add("def f(): ...\ndef g(): ...", 0)
    definitions.add("def f(): ...", 3)
    assert definitions.called_by("f()") == {"f": {0, 3}}
    assert definitions.called_by("f()\ng()") == {"f": {0, 3}, "g": {0}}
    assert definitions.called_by("h()") == {}


def test_definitions_know_what_is_called_by_way_of_another_block() -> None:
    definitions = Definitions()
    definitions.add("def f(): ...\ndef helper(): ...\ndef deep(): helper()", 0)
    definitions.add("def g(): return f()", 1)
    definitions.add("def h(): return g()", 2)
    assert definitions.called_by("h()") == {"f": {0}, "g": {1}, "h": {2}}
    assert definitions.called_by("h()", traced=False) == {"h": {2}}
    assert definitions.called_by("deep()") == {"deep": {0}}
