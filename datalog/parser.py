"""Reads the restricted Soufflé language and refuses everything outside of it.

The restrictions keep one text valid for every engine: only `.decl` of numbers, `.input`, `.output` and positive
rules; a relation is declared after those that it depends on, and a recursive one is linear (but for pointers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from datalog.syntax import Declaration, Literal, Rule, Rules, Term

_TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<word>[A-Za-z][A-Za-z0-9_]*)|(?P<private>_[A-Za-z][A-Za-z0-9_]*)|(?P<number>[0-9]+)"
    r"|(?P<sign>:-|\.decl\b|\.input\b|\.output\b|[_().,:])",
    re.DOTALL,
)


class RuleError(ValueError):
    """A rule file is not in the restricted language; the text says where (`file:line`) and why."""


@dataclass(slots=True)
class _Reader:
    """A cursor over the tokens `(line, kind, text)` of one file."""

    file: str
    tokens: list[tuple[int, str, str]]
    at: int = 0

    def fail(self, message: str) -> RuleError:
        line = self.tokens[min(self.at, len(self.tokens) - 1)][0] if self.tokens else 1
        return RuleError(f"{self.file}:{line}: {message}")

    def peek(self) -> str:
        return self.tokens[self.at][2] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        text = self.peek()
        if text not in wanted:
            raise self.fail(f"expected {' or '.join(wanted)}, found {text or 'the end of the file'}")
        self.at += 1
        return text

    def name(self) -> str:
        if self.at >= len(self.tokens) or self.tokens[self.at][1] not in ("word", "private"):
            raise self.fail(f"expected a name, found {self.peek() or 'the end of the file'}")
        self.at += 1
        return self.tokens[self.at - 1][2]

    def term(self) -> Term:
        kind, text = self.tokens[self.at][1:] if self.at < len(self.tokens) else ("", "the end of the file")
        if text != "_" and kind not in ("word", "number"):
            raise self.fail(f"expected a variable, a number or _, found {text}")
        self.at += 1
        return None if text == "_" else int(text) if kind == "number" else text


@dataclass(slots=True)
class _Parts:
    """What has been read so far, over all files."""

    declarations: dict[str, Declaration] = field(default_factory=dict)
    inputs: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)


def parse(files: tuple[tuple[str, str], ...], *, is_linear: bool = True) -> Rules:
    """The program in `files`, pairs of name and text, read in this order.

    `is_linear` asks that a rule uses the relation that it defines once at most.

    *Raises*: `RuleError`.
    """
    parts = _Parts()
    for file, text in files:
        reader = _Reader(file, list(_tokens(file, text)))
        while reader.at < len(reader.tokens):
            _item(reader, parts, is_linear)
    return Rules(
        tuple(parts.declarations.values()), frozenset(parts.inputs), frozenset(parts.outputs), tuple(parts.rules)
    )


def _tokens(file: str, text: str) -> Iterator[tuple[int, str, str]]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise RuleError(f"{file}:{line}: not in the restricted language: {text[at : at + 20].splitlines()[0]}")
        if found.lastgroup != "skip":
            yield line, found.lastgroup, found.group()
        line += found.group().count("\n")
        at = found.end()


def _item(reader: _Reader, parts: _Parts, is_linear: bool) -> None:
    match reader.peek():
        case ".decl":
            reader.at += 1
            _declare(reader, parts)
        case ".input" | ".output" as directive:
            reader.at += 1
            name = reader.name()
            if name not in parts.declarations:
                raise reader.fail(f"{name} is not declared")
            (parts.inputs if directive == ".input" else parts.outputs).add(name)
        case _:
            rule = _rule(reader)
            _check(reader, parts, rule, is_linear)
            parts.rules.append(rule)


def _declare(reader: _Reader, parts: _Parts) -> None:
    name = reader.name()
    if name in parts.declarations:
        raise reader.fail(f"{name} is declared twice")
    reader.take("(")
    columns: list[str] = []
    while True:
        columns.append(reader.name())
        reader.take(":")
        if reader.name() != "number":
            raise reader.fail("every column must be a number")
        if reader.take(",", ")") == ")":
            break
    parts.declarations[name] = Declaration(name, tuple(columns))


def _rule(reader: _Reader) -> Rule:
    head = _literal(reader)
    body: list[Literal] = []
    if reader.take(":-", ".") == ":-":
        while True:
            body.append(_literal(reader))
            if reader.take(",", ".") == ".":
                break
    return Rule(head, tuple(body))


def _literal(reader: _Reader) -> Literal:
    relation = reader.name()
    reader.take("(")
    terms = [reader.term()]
    while reader.take(",", ")") == ",":
        terms.append(reader.term())
    return Literal(relation, tuple(terms))


def _check(reader: _Reader, parts: _Parts, rule: Rule, is_linear: bool) -> None:
    """Raises unless the rule is safe, well typed, linear where that is asked for, and in stratum order."""
    order = {name: place for place, name in enumerate(parts.declarations)}
    for literal in (rule.head, *rule.body):
        if literal.relation not in order:
            raise reader.fail(f"{literal.relation} is not declared")
        if len(literal.terms) != len(parts.declarations[literal.relation].columns):
            raise reader.fail(f"wrong number of columns in {literal}")
    if rule.head.relation in parts.inputs:
        raise reader.fail(f"{rule.head.relation} is an input")
    bound = {term for literal in rule.body for term in literal.terms if isinstance(term, str)}
    if any(term is None or (isinstance(term, str) and term not in bound) for term in rule.head.terms):
        raise reader.fail(f"unbound variable in {rule.head}")
    if is_linear and sum(literal.relation == rule.head.relation for literal in rule.body) > 1:
        raise reader.fail(f"{rule.head.relation} is not linear")
    if any(order[literal.relation] > order[rule.head.relation] for literal in rule.body):
        raise reader.fail(f"{rule.head.relation} is declared before what it depends on")
