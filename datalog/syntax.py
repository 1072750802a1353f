"""The restricted Soufflé language that every engine takes: positive rules over numbers.

Relations hold tuples of numbers. A term is a variable (`str`), a number (`int`) or `_` (`None`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Term: TypeAlias = str | int | None


@dataclass(frozen=True, slots=True)
class Literal:
    """`relation(terms)`."""

    relation: str
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{self.relation}({', '.join('_' if term is None else str(term) for term in self.terms)})"


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body.`; every variable of the head occurs in the body."""

    head: Literal
    body: tuple[Literal, ...]

    def __str__(self) -> str:
        return f"{self.head} :- {', '.join(map(str, self.body))}." if self.body else f"{self.head}."


@dataclass(frozen=True, slots=True)
class Declaration:
    """`.decl name(columns)`, every column a number."""

    name: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f".decl {self.name}({', '.join(f'{column}:number' for column in self.columns)})"


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule program: declarations in stratum order, which relations are given and asked for, and the rules."""

    declarations: tuple[Declaration, ...]
    inputs: frozenset[str]
    outputs: frozenset[str]
    rules: tuple[Rule, ...]

    def __str__(self) -> str:
        lines = [str(declaration) for declaration in self.declarations]
        lines += [f".input {name}" for name in sorted(self.inputs)]
        lines += [f".output {name}" for name in sorted(self.outputs)]
        lines += [str(rule) for rule in self.rules]
        return "\n".join(lines) + "\n"

    def arity(self, relation: str) -> int:
        """The number of columns of a declared relation."""
        return next(len(found.columns) for found in self.declarations if found.name == relation)


def restricted(rules: Rules, outputs: Iterable[str]) -> Rules:
    """The part of the program that `outputs` depend on, with exactly these outputs."""
    asked = frozenset(outputs)
    unknown = asked - {declaration.name for declaration in rules.declarations}
    if unknown:
        raise ValueError(f"not declared: {', '.join(sorted(unknown))}")
    needed = set(asked)
    while True:
        more = {literal.relation for rule in rules.rules if rule.head.relation in needed for literal in rule.body}
        if more <= needed:
            break
        needed |= more
    return Rules(
        tuple(declaration for declaration in rules.declarations if declaration.name in needed),
        rules.inputs & needed,
        asked,
        tuple(rule for rule in rules.rules if rule.head.relation in needed),
    )
