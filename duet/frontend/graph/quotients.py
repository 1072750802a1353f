"""Remainders of numbers that go around: `(head + 1) % N` by cases of the quotient, in each of which it is linear.

    head = (head + 1) % N; count++; ... assert((tail + count) % N == head);

What relations of variables survive a remainder only shows where it is a difference: `head + 1` or `head + 1 - N`. So
a command that computes the remainder of a sum is replaced by one for each small quotient, with the guard under which
that is the quotient, and one for all others. The guards exclude each other, one always holds, and each command sets
what the first one did: executions are the same ones. A sum that wraps is told apart by whether it does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from duet.frontend.graph.reach import reached
from duet.plip.syntax import Assign, Atomic, Command, Compute, Guard, Linear, Operation, Step, steps
from duet.plip.terms import add, compare, conjunction, constant, disjunction, term_cells

MOST = 24
"""How many remainders of a template are looked at."""
_Way: TypeAlias = tuple[Step, ...]


def by_quotient(commands: Sequence[Command]) -> list[Command]:
    """The commands of a template with remainders of sums by cases."""
    sums = _sums(commands)
    if sums is None:
        return list(commands)
    found: list[Command] = []
    left = MOST
    for command in commands:
        parts: Sequence[Step] = steps(command.instruction)  # type: ignore[assignment]  # only where it is replaced
        ways = list(product(*(list(_ways(step, sums)) for step in parts)))
        if len(ways) == 1 or left <= 0:
            found.append(command)
            continue
        left -= 1
        for way in ways:
            found.append(replace(command, instruction=Atomic(tuple(step for part in way for step in part))))
    return found


def _sums(commands: Iterable[Command]) -> frozenset[str] | None:
    """The temporaries of sums, and what they are made of, of which remainders are computed; None without any sum."""
    made: defaultdict[str, list[Linear]] = defaultdict(list)
    terms: list[Linear] = []
    for command in commands:
        for step in steps(command.instruction):
            match step:
                case Compute(_, Operation.MOD, (term, Linear((), divisor))) if divisor > 1:
                    terms.append(term)
                case Assign(target, value) | Compute(target, Operation.WRAP, (value, *_)) if target.startswith("$"):
                    made[target].append(value)
                case _:
                    continue
    found: set[str] = set()
    is_any = False
    for term in terms:
        below = set(reached(term_cells(term), lambda cell: (it for of in made.get(cell, ()) for it in term_cells(of))))
        if _is_moved(term) or any(_is_moved(value) for cell in below for value in made.get(cell, ())):
            found |= below
            is_any = True
    return frozenset(found) if is_any else None


def _is_moved(term: Linear) -> bool:
    return len(term.terms) > 1 or (term.constant != 0 and bool(term.terms))


def _ways(step: Step, sums: Collection[str]) -> Iterator[_Way]:
    """What a step does, by cases if it computes the remainder of a sum, or a sum of which that is computed."""
    match step:
        case Compute(_, Operation.MOD, (term, Linear((), divisor))) if divisor > 1 and (
            _is_moved(term) or not term_cells(term).isdisjoint(sums)
        ):
            yield from _by_quotient(step, term, divisor)
        case Compute(target, Operation.WRAP, (term, Linear((), lo), Linear((), hi))) if target in sums:
            inside = (compare(term, ">=", constant(lo)), compare(term, "<=", constant(hi)))
            outside = (compare(term, "<", constant(lo)), compare(term, ">", constant(hi)))
            yield (Guard(conjunction(inside)), Assign(target, term))
            yield (Guard(disjunction(outside)), step)
        case _:
            yield (step,)


def _by_quotient(step: Compute, term: Linear, divisor: int) -> Iterator[_Way]:
    """A remainder as C has it, with the sign of the number: by cases of the quotients -1, 0 and 1, and of others."""
    bounds = {-1: (1 - 2 * divisor, -divisor), 0: (1 - divisor, divisor - 1), 1: (divisor, 2 * divisor - 1)}
    for quotient, (low, high) in bounds.items():
        inside = conjunction((compare(term, ">=", constant(low)), compare(term, "<=", constant(high))))
        yield (Guard(inside), Assign(step.target, add(term, constant(-quotient * divisor))))
    others = (compare(term, "<", constant(1 - 2 * divisor)), compare(term, ">", constant(2 * divisor - 1)))
    yield (Guard(disjunction(others)), step)
