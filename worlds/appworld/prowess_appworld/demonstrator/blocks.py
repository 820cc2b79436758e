"""A program cut into the blocks of a conversation: what to define, what to run and what to print, reply by reply."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from prowess.text.syntax import tree_of
from prowess.text.tokens import estimate
from prowess.types import Json
from prowess_appworld.demonstrator.calls import Routes
from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.layout import laid_out
from prowess_appworld.demonstrator.program import ALL_PAGES, IMPORTS, LOGIN, Part, Program, body_of, called, source_of
from prowess_appworld.demonstrator.sources import plain
from prowess_appworld.demonstrator.wording import kind, literal

SHOWN = 9_000
"""Characters printed in one block, at the most."""
SPOKEN = 1_100
"""Tokens of code in one block, as far as it can be cut."""
HELPERS = {"login": LOGIN, "all_pages": ALL_PAGES}


@dataclass(slots=True)
class Block:
    """One reply's code, under construction."""

    parts: list[Part] = field(default_factory=list)
    defined: list[str] = field(default_factory=list)
    """Names of the functions it defines."""
    reused: list[str] = field(default_factory=list)
    """Names of the functions it calls that were there before."""
    read: bool = False
    """True when it holds values read off what was printed."""
    sources: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    prints: list[str] = field(default_factory=list)

    @property
    def code(self) -> str:
        text = "\n\n\n".join(self.sources)
        words = {node.id for node in ast.walk(tree_of(text)) if isinstance(node, ast.Name)}
        imports = "\n".join(line for name, line in sorted(IMPORTS.items()) if name in words)
        run = "\n".join([*self.lines, *self.prints])
        return laid_out("\n\n\n".join(piece for piece in (imports, text, run) if piece))


@dataclass(slots=True)
class Writer:
    """Writes the blocks of one task."""

    program: Program
    task: int
    routes: Routes
    offered: Mapping[str, tuple[str, ...]]
    """Functions that are there from the start, with their parameters."""
    known: set[str] = field(default_factory=set)
    """Names that blocks before this one have given a value."""
    defined: set[str] = field(default_factory=set)

    def pieces(self) -> list[Block]:
        """Stage by stage, with functions for the stages and lines of its own for the task."""
        blocks = [Block()]
        todo = [part for part in self.program.parts if part.here[self.task]]
        for number, part in enumerate(todo):
            for chunk in self._chunks(part):
                block = blocks[-1]
                if block.lines and self._cuts(block, chunk):
                    self._show(block, todo[number:])
                    block = Block()
                    blocks.append(block)
                self._add(block, chunk)
        self._show(blocks[-1], [])
        if (answer := self.program.answer) is not None and not answer.literal:
            self._expression(blocks[-1], answer)
            blocks[-1].prints += [f"answer = {answer.texts[self.task]}", "print(answer)"]
        return blocks

    def whole(self) -> Block:
        """One function for all of it."""
        block = Block(parts=list(self.program.parts))
        name = self.name
        parameters = self.parameters
        if self.offered.get(name) == tuple(parameters):
            block.reused.append(name)
        else:
            self._helpers(block, self.program.parts)
            block.sources.append(self._whole_source(name, parameters))
            block.defined.append(name)
        given = ", ".join(f"{n}={literal(value)}" for n, value in parameters.items())
        variable = "answer" if self.program.answer is not None else "result"
        block.lines.append(f"{variable} = {name}({given})")
        block.prints.append(f"print({variable})")
        return block

    @property
    def parameters(self) -> dict[str, Json]:
        """What the whole function takes, with this task's values."""
        used: set[str] = set()
        for expression in self.program.expressions:
            unified = self.program.for_all(expression)
            used |= unified.names if unified else frozenset()
        found = {name: value for name, value in self.program.values[self.task].items() if name in used}
        for part in self.program.parts:
            for name, expression in part.expressions.items():
                if self._given(expression):
                    found[self._given_name(part, name)] = ast.literal_eval(expression.texts[self.task])
        return found

    def _given(self, expression: Expression) -> bool:
        return expression.given and self.program.for_all(expression) is None

    def _given_name(self, part: Part, name: str) -> str:
        """The parameter of the whole function that stands for a value which the instruction tells."""
        twins = [p for p in self.program.parts if name in p.expressions and self._given(p.expressions[name])]
        same = len({p.expressions[name].texts for p in twins}) == 1
        taken = any(name in values for values in self.program.values)
        return name if same and not taken else f"{name}_of_{part.variable}"

    @property
    def name(self) -> str:
        """What the whole function is called: the words that the tasks' instructions share."""
        texts = [re.findall(r"[a-z]+", s.instruction.lower()) for s in self.program.scenario.siblings]
        shared = [w for w in dict.fromkeys(texts[0]) if len(w) > 2 and w not in _DULL and all(w in t for t in texts)]
        return "_".join(shared[:5]) or "solve"

    def completing(self) -> str:
        """The call that ends the task."""
        answer = self.program.answer
        if answer is None or not self.program.scenario.siblings[self.task].asks:
            return "apis.supervisor.complete_task()"
        told = answer.texts[self.task] if answer.literal else "answer"
        return f"apis.supervisor.complete_task(answer={told})"

    # ------------------------------------------------------------------------------------------------------ one by one

    def _chunks(self, part: Part) -> list[Part]:
        """A long list of values read off what was printed, cut into several calls."""
        listed = part.expressions.get(part.listed)
        if listed is None or not listed.literal or part.listed == "times" or part.stage.reads:
            return [part]
        values = ast.literal_eval(listed.texts[self.task])
        size = len(values)
        while size > 1 and estimate(repr(values[:size])) > SPOKEN * 0.8:
            size = (size + 1) // 2
        return [
            replace(
                part, expressions={**part.expressions, part.listed: _with(listed, self.task, values[at : at + size])}
            )
            for at in range(0, len(values), size)
        ]

    def _cuts(self, block: Block, part: Part) -> bool:
        reads = any(each.read for each in part.expressions.values())
        acting = not part.stage.reads and any(known.stage.reads for known in block.parts)
        long = estimate(block.code) + estimate(self._source(part) if self._lacks(part) else "") > SPOKEN
        return reads or acting or long or len(block.sources) > 5

    def _add(self, block: Block, part: Part) -> None:
        self._helpers(block, [part])
        if self._lacks(part):
            block.sources.append(self._source(part))
            block.defined.append(part.function)
            self.defined.add(part.function)
        elif part.function not in self.defined and part.function not in block.reused:
            block.reused.append(part.function)
        for expression in part.expressions.values():
            self._expression(block, expression)
            block.read |= expression.read
        given = part.arguments(self.task)
        if part.listed and (len(given[part.listed]) > 60 and not part.expressions[part.listed].literal):
            block.lines.append(f"{part.listed} = {given[part.listed]}")
            given = {**given, part.listed: part.listed}
        line = called(part, self.task, given)
        if not part.stage.reads:
            line = f"print({line.partition(' = ')[2]})" if part.listed else line
        block.lines.append(line)
        block.parts.append(part)

    def _expression(self, block: Block, expression: Expression) -> None:
        for name in self.program.values[self.task]:
            if name in expression.names and name not in self.known:
                self.known.add(name)
                block.lines.append(f"{name} = {literal(self.program.values[self.task][name])}")
        for line in expression.before(self.task):
            if line not in self.known:
                self.known.add(line)
                block.lines.append(line)

    def _helpers(self, block: Block, parts: Sequence[Part]) -> None:
        wanted = []
        lacking = [p for p in parts if self._lacks(p)] if len(parts) == 1 else parts
        if any(part.stage.signed for part in lacking):
            wanted.append("login")
        if any(part.stage.paged for part in lacking):
            wanted.append("all_pages")
        for name in wanted:
            if name in self.offered or name in self.defined:
                if name in self.offered and name not in block.reused:
                    block.reused.append(name)
                continue
            block.sources.append(HELPERS[name])
            block.defined.append(name)
            self.defined.add(name)

    def _lacks(self, part: Part) -> bool:
        there = self.offered.get(part.function)
        return part.function not in self.defined and there != tuple(part.expressions)

    def _source(self, part: Part) -> str:
        api = self.routes.apis[part.stage.app, part.stage.api]
        return source_of(part, api.description)

    def _show(self, block: Block, later: Sequence[Part]) -> None:
        """Print what was read: all of it where something is taken from it by reading, else how it looks."""
        waiting = any(each.read for part in later for each in part.expressions.values())
        waiting |= self.program.answer is not None and self.program.answer.literal
        reads = [part for part in block.parts if part.stage.reads]
        for part in reads:
            answers = part.stage.answers(self.task)
            if not (part.stage.lists or part.listed):
                block.prints.append(f"print({part.variable})")
            elif waiting and answers:
                block.prints += _table(
                    part.variable, self.program.reader.single(self._number(part)), answers, SHOWN // len(reads)
                )
            else:
                block.prints.append(f"print(len({part.variable}), {part.variable}[:1])")
        for part in block.parts:
            if not part.stage.reads and not part.listed:
                block.prints.append(f"print({part.variable})")

    def _number(self, part: Part) -> int:
        return next(n for n, each in enumerate(self.program.parts) if each.stage is part.stage)

    # -------------------------------------------------------------------------------------------------------- in whole

    def _whole_source(self, name: str, parameters: Mapping[str, Json]) -> str:
        program = self.program
        typed = ", ".join(f"{n}: {kind(value)}" for n, value in parameters.items())
        returns = kind(program.scenario.siblings[0].answer) if program.answer is not None else "dict[str, int]"
        lines = [f"def {name}({typed}) -> {returns}:", f'    """{self._generalised(parameters)}"""']
        tokens: set[str] = set()
        done: set[str] = set()
        told: dict[str, list[str]] = {}
        counts = []
        for part in program.parts:
            if part.stage.signed and part.stage.app not in tokens:
                tokens.add(part.stage.app)
                lines.append(f'    {part.stage.app}_token = login("{part.stage.app}")')
            unified = {name: program.for_all(each) for name, each in part.expressions.items()}
            given = {n: each.texts[self.task] if each else self._given_name(part, n) for n, each in unified.items()}
            for expression in [each for each in unified.values() if each]:
                lines += [f"    {line}" for line in expression.before(self.task) if line not in done]
                done |= set(expression.before(self.task))
            if part.listed and part.listed not in parameters:
                said = _assigned(f"{part.listed} = ", unified[part.listed], given[part.listed])
                if told.get(part.listed) != said:
                    lines += said
                    told[part.listed] = said
                given[part.listed] = part.listed
            lines += [f"    {line}" for line in body_of(part, part.variable, f"{part.stage.app}_token", given)]
            if not part.stage.reads:
                counts.append(f'"{part.stage.api}": {f"len({part.listed})" if part.listed else "1"}')
        if program.answer is not None and (answer := program.for_all(program.answer)):
            lines += [f"    {line}" for line in answer.before(self.task) if line not in done]
            lines += _assigned("return ", answer, answer.texts[self.task])
        else:
            lines.append(f"    return {{{', '.join(counts)}}}")
        return "\n".join(lines)

    def _generalised(self, parameters: Mapping[str, Json]) -> str:
        """The instruction with its values replaced by their names."""
        text = self.program.scenario.siblings[self.task].instruction
        for name, value in sorted(parameters.items(), key=lambda pair: -len(str(pair[1]))):
            if str(value).strip():
                text = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", f"<{name}>", text, flags=re.I)
        return text.replace("\\", "").replace('"', "'")


_DULL = frozenset(
    "the and for that with have has had from all any are was were this what how who will would should could them they "
    "their there then than into onto not but you your yours please can could our its his her hers his i've it's".split()
)


def _assigned(target: str, expression: Expression | None, text: str) -> list[str]:
    """A line of a function that gives a value to a name or back; two where a word of the instruction decides."""
    if expression is None or expression.fork is None:
        return [f"    {target}{text}"]
    test, one, other = expression.fork
    return [f"    if {test}:", f"        {target}{one}", "    else:", f"        {target}{other}"]


def _with(expression: Expression, task: int, values: Json) -> Expression:
    texts = list(expression.texts)
    texts[task] = literal(values)
    return replace(expression, texts=tuple(texts))


def _table(variable: str, one: str, answers: Sequence[Json], budget: int) -> list[str]:
    """Lines that print the entries of a list, one per line, with as many of their fields as there is room for."""
    if not isinstance(answers[0], dict):
        return [f"print({variable})"]
    found = sorted({keys for answer in answers for keys in plain(answer)}, key=lambda keys: (_worth(keys), len(keys)))
    found += sorted({(key,) for answer in answers for key, inside in answer.items() if isinstance(inside, list)})
    chosen: list[tuple[str, ...]] = []
    size = 0
    for keys in found:
        more = sum(len(str(_at(answer, keys))) + 1 for answer in answers)
        if len(chosen) < 8 and size + more <= budget:
            chosen.append(keys)
            size += more
    fields = ", ".join(one + "".join(f'["{key}"]' for key in keys) for keys in chosen)
    return [f"for {one} in {variable}:", f"    print({fields})"]


def _at(value: Json, keys: Sequence[str]) -> Json:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _worth(keys: Sequence[str]) -> int:
    """What is worth printing first: ids, names, then the rest, addresses of pictures last."""
    last = keys[-1]
    if last.endswith("id") and len(keys) == 1:
        return 0
    if last in (
        "title",
        "name",
        "content",
        "message",
        "email",
        "label",
        "time",
        "amount",
        "description",
        "first_name",
        "path",
    ):
        return 1
    return 3 if "url" in last or "image" in last or last.startswith("updated") else 2
