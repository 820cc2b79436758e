"""Prompts: Markdown templates with three parts, filled with a task, its skills and its observations.

A template's parts are headed `<!-- system -->`, `<!-- user -->` and `<!-- observation -->`; the places to fill are
`${skills}` (or `${signatures}` alone), `${facts}`, `${instruction}` and `${observation}`. What is filled in was written
by a model or a stranger: it cannot end its fence, open a part of the template, form a chat control token, or hide.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from prowess.errors import RecipeError, unknown
from prowess.skills.extract import names_in, own_definition
from prowess.text.invisible import spelled
from prowess.text.syntax import tree_or_none, writable
from prowess.types import Message, Skill, Task

FOLDER = Path(__file__).parent
_PARTS = ("system", "user", "observation")
_OTHERS = re.compile(
    r"<(?=/?(?:s|bos|eos|pad|unk|(?:start|end)_of_(?:turn|image)|tool_(?:call|response))>|<?/?SYS>|\uff5c)"
)
"""The beginning of control tokens that models other than those with `<|name|>` have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The words around a task: for an agent with a library, for the plain baseline, for a tiny model, or one's own."""

    system: str
    user: str
    observation: str

    def opening(self, task: Task, skills: Sequence[Skill] = ()) -> tuple[Message, ...]:
        """The conversation before the first reply."""
        filled = Template(self.user).substitute(
            skills=shelf(skills),
            signatures=signatures(skills),
            facts=facts(task),
            instruction=quieted(task.instruction),
        )
        opening = (Message(role="system", content=self.system),) if self.system else ()
        return (*opening, Message(role="user", content=filled))

    def reaction(self, task: Task, text: str) -> Message:
        """What the agent reads after its code ran: the output, and the task again."""
        filled = Template(self.observation).substitute(
            observation=fenced(text), facts=facts(task), instruction=quieted(task.instruction)
        )
        return Message(role="user", content=filled)


def prompt_named(name: str) -> Prompt:
    """A prompt of ours by name, or the user's own by the path of a Markdown file."""
    ours = {path.stem: path for path in FOLDER.glob("*.md")}
    path = ours.get(name) or Path(name)
    if name not in ours and path.suffix != ".md":
        raise unknown("prompt", name, [*ours, "<path>.md"])
    try:
        return parse(path.read_text(encoding="utf-8"), where=str(path))
    except OSError as error:
        hint = f"known: {', '.join(sorted(ours))}, or the path of a Markdown file"
        raise RecipeError(f"cannot read the prompt '{path}': {error.strerror}", hint=hint) from None
    except UnicodeDecodeError as error:
        raise RecipeError(f"the prompt '{path}' is not UTF-8 text: {error}", hint="save the file as UTF-8") from None


def parse(text: str, *, where: str = "prompt") -> Prompt:
    """A template's three parts."""
    found = re.split(r"^<!-- (\w+) -->\n", text, flags=re.MULTILINE)
    names, bodies = found[1::2], found[2::2]
    if sorted(names) != sorted(_PARTS):
        wanted = ", ".join(f"<!-- {part} -->" for part in _PARTS)
        raise RecipeError(f"{where} has the parts {names or 'none'}", hint=f"a prompt has exactly these: {wanted}")
    parts = dict(zip(names, (body.strip() for body in bodies), strict=True))
    known = {
        "user": {"skills", "signatures", "facts", "instruction"},
        "observation": {"observation", "facts", "instruction"},
    }
    for part, needed in (("user", "instruction"), ("observation", "observation")):
        places = ", ".join(f"${{{place}}}" for place in sorted(known[part]))
        if not Template(parts[part]).is_valid():
            raise RecipeError(
                f"<!-- {part} --> of {where} has a '$' that begins no place",
                hint=f"write $$ for a dollar sign; places: {places}",
            )
        used = set(Template(parts[part]).get_identifiers())
        if extra := used - known[part]:
            raise unknown(f"place in <!-- {part} --> of {where}", sorted(extra)[0], known[part])
        if needed not in used:
            raise RecipeError(
                f"<!-- {part} --> of {where} has no ${{{needed}}}, so the agent would never read it",
                hint=f"places: {places}",
            )
    return Prompt(**parts)


def facts(task: Task) -> str:
    """What the prompt may know besides the instruction, in one line.

    >>> facts(Task(id="a_1", scenario="a", instruction="", facts={"name": "Ada", "date and time": "Sunday"}))
    'Your supervisor: name Ada; date and time Sunday.'
    """
    return "Your supervisor: " + "; ".join(f"{key} {quieted(value)}" for key, value in task.facts.items()) + "."


def shelf(skills: Sequence[Skill]) -> str:
    """The library's functions as the model reads them."""
    if not skills:
        return "(none yet)"
    return fenced("\n\n\n".join(_once(skills)), "python")


def signatures(skills: Sequence[Skill]) -> str:
    """The library's functions by their first lines alone: they are defined in the session, so that is enough to call.

    >>> signatures([Skill(name="twice", source="def twice(n: int) -> int:\\n    return 2 * n")])
    'def twice(n: int) -> int'
    """
    return "\n".join(quieted(_signature(skill)) for skill in skills) or "(none yet)"


def _signature(skill: Skill) -> str:
    tree = tree_or_none(skill.source)
    functions = (
        node for node in (tree.body if tree else ()) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    node = next((node for node in functions if node.name == skill.name), None)
    if node is None or not all(map(writable, filter(None, (node.args, node.returns)))):
        # A stranger's: it loads, and nobody knows how it is called.
        return f"def {skill.name}(...)"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"def {node.name}({ast.unparse(node.args)}){returns}"


def _once(skills: Sequence[Skill]) -> list[str]:
    """Imports first, then the functions: a helper that several skills bring along is shown once, and one that is a
    skill itself as it is now."""
    imports = list(dict.fromkeys(line for skill in skills for line in skill.imports))
    own = {skill.name: own_definition(skill) for skill in skills}
    sources: dict[str, None] = {}
    for skill in skills:
        pieces = names_in(skill.source) or {}
        parts = [own.get(name) or piece.text for name, piece in pieces.items() if piece is not None]
        sources |= dict.fromkeys(parts or [skill.source])
    return ["\n".join(imports), *sources] if imports else list(sources)


def fenced(text: str, language: str = "") -> str:
    """A fenced block that the text cannot close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{quieted(text)}\n{fence}"


def quieted(text: str) -> str:
    """The text with chat control tokens broken up, control characters gone, and what nobody sees spelled out."""
    text = spelled(text)
    text = re.sub(
        r"<(?=\|)|(?<=\|)>", lambda match: f"{match.group()[0]}\u200b" if match.group() == "<" else "\u200b>", text
    )
    text = re.sub(r"\[(/?)(INST|SYS)\]", "[\u200b\\1\\2]", text)
    text = _OTHERS.sub("<\u200b", text)
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", "\ufffd", text)
