"""The security lint of code and texts: a sieve for what is plainly bad, never the boundary (that is the sandbox).

Code that a skill library hands on is read by models, too, so its docstrings, comments and texts are looked at for
instructions to the reader and for characters that a terminal obeys.
"""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from collections import Counter
from collections.abc import Iterator

from prowess.skills.reach import path_of
from prowess.store.gates.context import Subject, code_of
from prowess.store.gates.loops import endless
from prowess.store.gates.modules import forbidden, misused
from prowess.store.record import Verification
from prowess.text.invisible import unseen
from prowess.text.syntax import tree_of

MODULES = frozenset("aiohttp cffi httpx paramiko pip requests urllib3".split())
"""Modules of others that reach files, processes or the network; Python's own are in `modules.py`."""
NAMES = frozenset(
    "__build_class__ __builtins__ __import__ __loader__ __spec__ breakpoint compile delattr eval exec exit globals "
    "input locals memoryview open quit setattr vars".split()
)
_FRAMES = (
    "ag_code ag_frame cr_code cr_frame f_back f_builtins f_code f_globals f_locals gi_code gi_frame tb_frame".split()
)
"""Attributes of generators, coroutines and tracebacks that lead to a frame, and on to every builtin."""
_DUNDERS = frozenset({"__name__", "__doc__", "__init__", "__post_init__", "__len__", "__str__", "__repr__"})
_DUNDER = re.compile(r"__\w+__$")
_HIDDEN = re.compile(rf"(?<!\w)(?:__(?!main__)\w+?__|{'|'.join(_FRAMES)})(?!\w)")

SECRETS = {
    "a JSON web token": re.compile(r"\beyJ[\w-]{8,500}\.[\w-]{8,4000}\."),  # bounded, for texts full of beginnings
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "an API key": re.compile(
        r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|hf|xox[abp])[-_][A-Za-z0-9_-]{12,}|\bAKIA[0-9A-Z]{16}\b"
    ),
    "a bearer token": re.compile(r"\bBearer\s+[\w.~+/-]{12,}"),
    "a password in an address": re.compile(r"://[^/\s:@]+:[^/\s:@]{3,}@"),
}
_SECRET_NAME = re.compile(r"(?:^|_)(?:password|passwd|passcode|secret|token|api_?key|cvv|pin)$", re.IGNORECASE)
_RANDOM = re.compile(r"[A-Za-z0-9+/_=-]{20,}")

ADDRESSED = {
    "an order to forget": re.compile(
        r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instruction|prompt|rule|above|previous|prior|policy)",
        re.IGNORECASE,
    ),
    "words to a model": re.compile(
        r"\b(?:system prompt|as an ai|language model|you are (?:now|an? )|dear (?:agent|assistant|model)|"
        r"(?:note|message|instructions?) (?:to|for) (?:the )?(?:agent|assistant|model|reviewer|reader))",
        re.IGNORECASE,
    ),
    "an order to the reader": re.compile(
        r"\b(?:you (?:must|should|have to|need to)|always (?:use|call|prefer|run|choose) (?:this|it)|"
        r"never (?:use|call|mention|tell)|do not (?:tell|mention|reveal|ask|verify|review|check)|"
        r"before (?:anything|any other)|approve this|must be approved|without asking)",
        re.IGNORECASE,
    ),
    "marks of a conversation": re.compile(
        r"<\|[^|]*\|>|\[/?INST\]|<</?SYS>>|^[^\S\n]*(?:system|assistant|user|human)[^\S\n]*:|"
        r"</?(?:system|assistant|instructions?)>|```",
        re.IGNORECASE | re.MULTILINE,
    ),
}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def lint(subject: Subject) -> Verification:
    """Whether the code or its texts hold something that they should not."""
    code = code_of(subject.version)
    tree = tree_of(code)
    found = [*_code(tree), *misused(tree), *_texts(code)]
    found += [f"line {line}: a loop that never ends" for line in endless(tree)]
    return subject.says("lint", "fail" if found else "pass", {"found": list(dict.fromkeys(found))[:20]})


def _code(tree: ast.Module) -> Iterator[str]:
    documents = {_docstring(node) for node in ast.walk(tree)}
    for node in ast.walk(tree):
        for name in _names(node):
            if not name.isascii():
                yield f"line {getattr(node, 'lineno', 1)}: the name {name} is not in plain letters"
        match node:
            case ast.Import(names=names):
                yield from (f"line {node.lineno}: imports {one.name}" for one in names if _is_forbidden(one.name))
            case ast.ImportFrom(module=module) if _is_forbidden(module or ""):
                yield f"line {node.lineno}: imports from {module}"
            case ast.Name(id=name) if name in NAMES or (_DUNDER.match(name) and name not in _DUNDERS):
                yield f"line {node.lineno}: uses {name}"
            case ast.Attribute(attr=name) if _is_inside(name):
                yield f"line {node.lineno}: reads {name}"
            case ast.MatchClass(kwd_attrs=names):
                yield from (f"line {node.lineno}: reads {name}" for name in names if _is_inside(name))
            case ast.Constant(value=str(text)) if node not in documents and (hit := _HIDDEN.search(text)):
                yield f"line {node.lineno}: names {hit[0]}"
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[base, asked, *_]) if not (
                isinstance(asked, ast.Constant) or path_of(base) is not None
            ):
                yield f"line {node.lineno}: reads an attribute whose name cannot be seen"
            case ast.Call(
                func=ast.Name(id="attrgetter" | "methodcaller") | ast.Attribute(attr="attrgetter" | "methodcaller")
            ):
                if not all(isinstance(asked, ast.Constant) for asked in node.args):
                    yield f"line {node.lineno}: reads an attribute whose name cannot be seen"
            case ast.Attribute(attr="format" | "format_map", value=filled) if not _is_text(filled):
                yield f"line {node.lineno}: fills a text that cannot be seen, which may read any attribute"
            case ast.keyword(arg=str(name), value=ast.Constant(value=str(text))) if _is_secret(name, text):
                yield f"line {node.value.lineno}: a fixed {name}"
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text)))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text)))
            ) if _is_secret(name, text):
                yield f"line {node.lineno}: a fixed {name}"
            case ast.arguments():
                yield from _defaults(node)


def _defaults(arguments: ast.arguments) -> Iterator[str]:
    placed = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(placed), reversed(arguments.defaults), strict=False)]
    for one, default in [*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]:
        if isinstance(default, ast.Constant) and isinstance(default.value, str) and _is_secret(one.arg, default.value):
            yield f"line {default.lineno}: a fixed {one.arg}"


def _texts(code: str) -> Iterator[str]:
    """What stands in strings and comments, as a reader would see it."""
    if _CONTROL.search(code) or unseen(code):
        yield "control characters in the code"
    texts = [node.value for node in ast.walk(tree_of(code)) if isinstance(node, ast.Constant)]
    for text in [*(text for text in texts if isinstance(text, str)), "\n".join(_comments(code))]:
        if _CONTROL.search(text) or unseen(text):
            yield "control characters in a text"
        yield from (f"{what} in a text" for what, pattern in SECRETS.items() if pattern.search(text))
        if any(_is_random(word) for word in _RANDOM.findall(text)):
            yield "what looks like a key in a text"
        for what, pattern in ADDRESSED.items():
            if hit := pattern.search(text):
                yield f"{what} in a text: {hit[0].strip()[:60]}"


def _comments(code: str) -> Iterator[str]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                yield token.string.lstrip("# ")
    except (tokenize.TokenError, SyntaxError):  # it parsed before, so there is little to read
        return


def _is_forbidden(module: str) -> bool:
    return module.partition(".")[0] in MODULES or forbidden(module)


def _is_inside(name: str) -> bool:
    """Whether an attribute is one of the interpreter's own."""
    return name in _FRAMES or bool(_DUNDER.match(name) and name not in _DUNDERS)


def _names(node: ast.AST) -> Iterator[str]:
    """The names that a node gives or uses."""
    for field in ("id", "arg", "attr", "name", "asname"):
        if isinstance(name := getattr(node, field, None), str):
            yield name


def _docstring(node: ast.AST) -> ast.expr | None:
    match node:
        case (
            ast.Module(body=[ast.Expr(value=text), *_])
            | ast.ClassDef(body=[ast.Expr(value=text), *_])
            | ast.FunctionDef(body=[ast.Expr(value=text), *_])
            | ast.AsyncFunctionDef(body=[ast.Expr(value=text), *_])
        ) if _is_text(text):
            return text
    return None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_secret(name: str, text: str) -> bool:
    """Whether a text given to a name like `password` is one; a field's name or a place for one is not."""
    return bool(_SECRET_NAME.search(name)) and len(text) > 2 and not re.fullmatch(r"[a-z_]+|<.*>|\{.*\}", text)


def _is_random(word: str) -> bool:
    """Whether a long word is drawn rather than written: letters of both cases and digits, evenly mixed."""
    kinds = [any(map(test, word)) for test in (str.islower, str.isupper, str.isdigit)]
    return all(kinds) and _entropy(word) > 3.7


def _entropy(word: str) -> float:
    return -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values())
