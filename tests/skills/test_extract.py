"""Skills are read from code by its syntax tree, with all they need and nothing else."""

from __future__ import annotations

import threading
import time
from textwrap import dedent

import pytest

from prowess.skills.extract import LONGEST, MOST, PIECES, mentions, skills_in
from prowess.skills.reach import apis_in
from prowess.types import Origin, Skill


def one(code: str, name: str, **options: object) -> Skill:
    (found,) = [skill for skill in skills_in(dedent(code), **options) if skill.name == name]  # type: ignore[arg-type]
    return found


def test_every_top_level_function_is_a_skill_with_its_exact_source_and_docstring() -> None:
    code = dedent(
        '''\
        print("before")
        def  total( xs:list ) :
            """Sum of   xs.

            Two lines.
            """
            # odd spacing and comments stay
            return sum( xs )  # and this one
        print(total([1]))
        '''
    )
    (skill,) = skills_in(code, origin=Origin(task="a_1", scenario="a", turn=3))
    assert skill.source == "\n".join(code.split("\n")[1:8])
    assert skill.docstring == "Sum of   xs.\n\nTwo lines."
    assert skill.imports == ()
    assert skill.origin == Origin(task="a_1", scenario="a", turn=3)


def test_methods_nested_functions_classes_and_coroutines_are_not_skills() -> None:
    code = """\
    class Box:
        def open(self): ...
    def outer():
        def inner(): ...
        return inner
    async def later(): ...
    if True:
        def branch(): ...
    """
    assert [skill.name for skill in skills_in(dedent(code))] == ["outer"]


def test_only_the_imports_that_are_used_come_along() -> None:
    code = """\
    import json, re
    import os.path
    from datetime import datetime as dt, timedelta
    from math import *
    def clean(text, json=None):
        return re.sub("a", "b", text), dt.now()
    """
    assert one(code, "clean").imports == ("from math import *", "import re", "from datetime import datetime as dt")


def test_a_local_variable_does_not_pull_in_the_import_of_its_name() -> None:
    assert one("import json\ndef f(json): return json\n", "f").imports == ()


def test_names_in_annotations_defaults_and_decorators_are_needed() -> None:
    code = """\
    from functools import cache
    from typing import Any
    LIMIT = 3
    @cache
    def f(x: Any = LIMIT): return x
    """
    skill = one(code, "f")
    assert skill.imports == ("from functools import cache", "from typing import Any")
    assert skill.source == "LIMIT = 3\n\n\n@cache\ndef f(x: Any = LIMIT): return x"


def test_a_future_import_comes_first() -> None:
    code = "from __future__ import annotations\nfrom math import *\nimport re\ndef f(x: Later): return re"
    assert one(code, "f").imports == ("from __future__ import annotations", "from math import *", "import re")
    exec(one(code, "f").code, {})  # noqa: S102


def test_submodules_imported_one_by_one_all_come_along() -> None:
    code = "import xml.dom\nimport xml.sax\ndef f(): return xml.dom, xml.sax"
    assert one(code, "f").imports == ("import xml.dom", "import xml.sax")


def test_helpers_come_before_the_function_that_calls_them_each_once() -> None:
    code = """\
    def main(): return left() + right()
    def right(): return deep()
    def left(): return deep()
    def deep(): return 1
    def stranger(): return 2
    """
    assert one(code, "main").source == (
        "def deep(): return 1\n\n\ndef right(): return deep()\n\n\n"
        "def left(): return deep()\n\n\ndef main(): return left() + right()"
    )
    space: dict[str, object] = {}
    exec(one(code, "main").code, space)  # noqa: S102
    assert space["main"]() == 2  # type: ignore[operator]


def test_functions_that_call_each_other_are_both_whole() -> None:
    code = "def even(n): return n == 0 or odd(n - 1)\ndef odd(n): return n != 0 and even(n - 1)"
    assert one(code, "even").source.count("def ") == 2
    assert one(code, "even").source.endswith("def even(n): return n == 0 or odd(n - 1)")
    assert one(code, "odd").source.endswith("def odd(n): return n != 0 and even(n - 1)")


def test_classes_that_a_function_needs_come_along() -> None:
    code = """\
    from dataclasses import dataclass
    @dataclass
    class Row:
        x: int
    def rows(): return [Row(x=1)]
    """
    skill = one(code, "rows")
    assert skill.imports == ("from dataclasses import dataclass",)
    assert skill.source.startswith("@dataclass\nclass Row:\n    x: int\n\n\ndef rows()")


def test_literal_constants_and_api_aliases_come_along_and_results_do_not() -> None:
    code = """\
    LIMIT: int = -20; OTHER = "é"; UNUSED = 1
    music = apis.music
    token = apis.supervisor.show_account_passwords()
    def f(): return LIMIT, OTHER, music.login(), token
    """
    skill = one(code, "f")
    assert skill.source == 'LIMIT: int = -20\nOTHER = "é"\nmusic = apis.music\n\n\n' + (
        "def f(): return LIMIT, OTHER, music.login(), token"
    )
    assert skill.apis == ("music.login",)


def test_a_constant_that_changes_is_not_carried() -> None:
    assert one("n = 0\nfor i in []:\n    n = i\ndef f(): return n", "f").source == "def f(): return n"


def test_the_last_definition_of_a_name_counts_and_a_name_bound_anew_is_no_skill() -> None:
    assert one("def f(): return 1\ndef f(): return 2", "f").source == "def f(): return 2"
    assert skills_in("def f(): return 1\nf = f()") == ()
    assert skills_in("def f(): return 1\ndel f") == ()
    assert skills_in("def f(): return 1\nfor f in []: pass") == ()


def test_helpers_of_known_skills_come_with_their_imports_and_the_newest_wins() -> None:
    old = skills_in("import re\nLIMIT = 2\ndef clean(x): return re, LIMIT\ndef twice(x): return clean(clean(x))")
    known = {skill.name: skill for skill in old}
    known["clean"] = one("import json\ndef clean(x): return json", "clean")
    skill = one("def main(x): return twice(x)", "main", known=known)
    assert skill.imports == ("import json",)
    assert skill.source == (
        "def clean(x): return json\n\n\ndef twice(x): return clean(clean(x))\n\n\ndef main(x): return twice(x)"
    )
    shadowed = one("def clean(x): return x\ndef main(x): return twice(x)", "main", known=known)
    assert shadowed.source.startswith("def clean(x): return x\n")


def test_imports_and_constants_of_earlier_blocks_are_found() -> None:
    earlier = ["import re\nLIMIT = 1", "LIMIT = 2", "not python ("]
    skill = one("def f(): return re, LIMIT", "f", earlier=earlier)
    assert skill.imports == ("import re",)
    assert skill.source == "LIMIT = 2\n\n\ndef f(): return re, LIMIT"


@pytest.mark.parametrize(
    "code",
    [
        "def f(:",
        "def f(): pass\nreturn 3",
        "def f(): pass\n\0",
        "def f(): pass\nx = '\ud800'",
        "def f(): pass\nx = " + "(" * 500 + ")" * 500,
        "def f(): pass\nx = " + "-" * 100_000 + "1",
        "def f(): pass\nx = a" + ".a" * 50_000,
        "def f(): pass\nx = 1" + " + 1" * 50_000,
        "def f(): pass\nx = " + "9" * 10_000,
        "def f():\n    nonlocal x",
        "def f(): return 1" + " + 1" * 500,
        "def f(): return f" + "()" * 500,
        "def f(x=0x" + "f" * 5000 + "): pass",
    ],
)
def test_text_that_does_not_compile_or_cannot_be_written_again_holds_no_skills(code: str) -> None:
    found: list[tuple[Skill, ...]] = []
    thread = threading.Thread(target=lambda: found.append(skills_in(code)))
    thread.start()
    thread.join()
    assert found == [()]


def test_a_block_that_would_warn_is_read_in_silence() -> None:
    assert one("def f(): return '\\.' is 3\n", "f").name == "f"


def test_windows_and_form_feed_line_ends_are_read() -> None:
    skill = one("import re\r\n\x0cdef f():\r\n    return re\r\n", "f")
    assert skill.source.strip() == "def f():\n    return re"
    assert skill.imports == ("import re",)


def test_helpers_in_a_row_come_along_and_two_thousand_do_not_exhaust_the_stack() -> None:
    def row(length: int) -> str:
        classes = "\n".join(f"class C{i}: next = lambda: C{i + 1}" for i in range(length))
        return f"{classes}\nclass C{length}: pass\ndef f(): return C0"

    (skill,) = skills_in(row(150))
    assert skill.source.startswith("class C150: pass")
    assert skills_in(row(2_000)) == ()


def test_apis_are_seen_through_aliases_helpers_and_arguments() -> None:
    code = """\
    def pages(api): return api()
    def f():
        m = apis.music
        login = apis.wallet.login
        a = apis
        a.mail.send()
        return m.login(), login(), pages(apis.shop.show_orders), apis.music.login()["token"]
    """
    skill = one(code, "f")
    assert skill.apis == ("mail.send", "music.login", "shop.show_orders", "wallet.login")
    assert one("def g(): return apis.a.b(), apis.a.b()", "g").apis == ("a.b",)


def test_api_names_in_strings_and_comments_do_not_count() -> None:
    assert apis_in("x = 'apis.music.login()'  # apis.wallet.pay()") == ()


def test_the_name_rule_of_the_paper_sees_text_and_no_definitions() -> None:
    code = "def mine(): return theirs()\nx = 'quoted'"
    assert mentions(code, {"mine", "theirs", "quoted", "their", "absent"}) == {"theirs", "quoted"}
    assert mentions("theirs(", ["theirs"]) == {"theirs"}


def test_thousands_of_constants_are_read_in_no_time() -> None:
    code = "\n".join(f"a{n} = 'é{n}'" for n in range(3000)) + "\ndef last():\n    return a2999"
    began = time.process_time()
    (skill,) = skills_in(code)
    assert skill.source == "a2999 = 'é2999'\n\n\ndef last():\n    return a2999"
    assert time.process_time() - began < 3


def test_a_block_of_very_many_functions_gives_a_bounded_number_of_skills() -> None:
    many = "\n".join(f"def f{at}(): return {at}" for at in range(1_000))
    assert [skill.name for skill in skills_in(many)] == [f"f{at}" for at in range(MOST)]


def test_a_function_that_needs_very_many_others_is_no_skill() -> None:
    ladder = "def f0(): return 1\n" + "\n".join(f"def f{at}(): return f{at - 1}()" for at in range(1, 300))
    (last, *_) = skills_in(f"from math import pi\n{ladder}", known={})
    assert last.name == "f0"
    ring = "\n".join(f"def f{at}(): return f{(at + 1) % PIECES}()" for at in range(PIECES))
    assert [skill.source.count("def ") for skill in skills_in(ring)] == [PIECES] * 20, "and then it is enough"
    assert skills_in(ring.replace("def f0(): return f1()", "def f0(): return f1(), g()\ndef g(): return f0()")) == ()


def test_the_skills_of_a_block_are_no_longer_than_a_long_block() -> None:
    shared = f"TEXT = '{'x' * 30_000}'\n" + "\n".join(f"def f{at}(): return TEXT" for at in range(4))
    assert [skill.name for skill in skills_in(shared)] == ["f0", "f1", "f2"]
    assert skills_in(f"# {'x' * LONGEST}\ndef f(): return 1") == ()
    assert [skill.name for skill in skills_in("def f(): return LONG", earlier=[f"LONG = '{'x' * LONGEST}'"])] == ["f"]


def test_aliases_in_reverse_are_read_at_once() -> None:
    code = "def f():\n" + "".join(f"    a{at} = a{at + 1}\n" for at in range(3_000)) + "    a3000 = apis.music\n"
    began = time.process_time()
    skills_in(code)
    assert time.process_time() - began < 5
