"""clingo as a Datalog engine: positive rules are evaluated completely while grounding, nothing is ever solved.

Grounding cannot be interrupted: `timeout` is looked at only before and after it, so a caller with a hard limit runs
the whole analysis in a process of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import clingo

from datalog.engine import EngineFailure
from datalog.relation import Facts, Relations, Row, checked
from datalog.syntax import Literal, Rules, Term, restricted


@dataclass(frozen=True, slots=True)
class Clingo:
    """The embedded clingo library."""

    @property
    def name(self) -> str:
        return "clingo"

    def version(self) -> str:
        return str(clingo.__version__)

    def run(self, rules: Rules, facts: Facts, outputs: Sequence[str], timeout: float | None = None) -> Relations:
        program = restricted(rules, outputs)
        given = checked(program, facts)
        start = time.monotonic()
        messages: list[str] = []
        control = clingo.Control(["--warn=none"], logger=lambda _, message: messages.append(message))
        try:
            control.add("base", [], "\n".join(_text(program, given)))
            control.ground([("base", [])])
        except (RuntimeError, MemoryError) as error:
            raise EngineFailure(f"clingo failed: {error}", stderr="\n".join(messages)) from error
        if timeout is not None and time.monotonic() - start > timeout:
            raise EngineFailure(f"clingo did not end within {timeout:g} s", timed_out=True)
        return {name: _read(control, name, program.arity(name)) for name in sorted(program.outputs)}


def _text(rules: Rules, facts: Facts) -> Iterator[str]:
    yield from (f"#defined {declared.name}/{len(declared.columns)}." for declared in rules.declarations)
    for name, rows in facts.items():
        yield "".join([f"{name}({','.join(map(str, row))})." for row in rows])
    for rule in rules.rules:
        body = ", ".join(map(_literal, rule.body))
        yield f"{_literal(rule.head)} :- {body}." if body else f"{_literal(rule.head)}."


def _literal(literal: Literal) -> str:
    return f"{literal.relation}({', '.join(map(_term, literal.terms))})"


def _term(term: Term) -> str:
    """A term in clingo's syntax; the prefix makes every name a variable there."""
    return "_" if term is None else f"V{term}" if isinstance(term, str) else str(term)


def _read(control: clingo.Control, name: str, arity: int) -> frozenset[Row]:
    atoms = control.symbolic_atoms.by_signature(name, arity)
    return frozenset(tuple([argument.number for argument in atom.symbol.arguments]) for atom in atoms)
