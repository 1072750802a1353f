"""The basic Hoare triples behind cubes that no execution meets: a basis of a proof space.

*Source*: thesis Def. 5.2.2. Of each cube the assertion is that its literals do not all hold; for each step that may
lead into it, what z3 needs of the assertions before makes the precondition. So a triple has one command, one assertion
behind it, and speaks of no other threads than the one that moves and those of this assertion. Locations are no part of
triples: that other steps do not come there is the automaton's part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import z3

from duet.certificate import patience
from duet.certificate.document import CubeLayer, Literal, Shape
from duet.certificate.established import GLOBAL, of_thread
from duet.certificate.inductive import Inductive, Obligation
from duet.certificate.meaning import Expr, formula
from duet.coarsen.words import instruction_words, label
from duet.plip.syntax import SKIP, Assert, Atom, Atomic, Guard, Instruction, Linear, Program, Relation
from duet.plip.terms import conjunction, formula_cells, negate, negate_atom, show_atom
from duet.plip.touched import writes
from duet.verify.cube import Cube
from duet.verify.facts import Facts

_SECONDS = 5
_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True, order=True)
class Triple:
    """`{before} <command : thread> {after}`, in words; `known` is part of the precondition, from data flow graphs."""

    before: tuple[str, ...]
    known: tuple[str, ...]
    command: str
    thread: str
    after: str

    def __str__(self) -> str:
        parts = (*self.before, *(f"[{part}]" for part in self.known))
        given = " && ".join(parts if len(parts) == 1 else map(_operand, parts)) or "true"
        return f"{{{given}}} <{self.command} : {self.thread}> {{{self.after}}}"


@dataclass(frozen=True, slots=True)
class Basis:
    """Basic triples with what they are combined by.

    Not listed, but counted are those of steps that write nothing that their assertion speaks of (`kept`), and of steps
    whose precondition is that no execution gets there (`never`).
    """

    triples: tuple[Triple, ...]
    kept: int
    never: int

    @property
    def conjoined(self) -> tuple[Triple, ...]:
        """The triples with several assertions for a precondition."""
        return tuple(triple for triple in self.triples if len(triple.before) > 1)

    @property
    def renamed(self) -> tuple[Triple, ...]:
        """The triples that take an assertion of other threads than those that it is shown of."""
        shown = {triple.after for triple in self.triples}
        forms = {_form(assertion) for assertion in shown}
        return tuple(
            triple
            for triple in self.triples
            if any(assertion not in shown and _form(assertion) in forms for assertion in triple.before)
        )


def basis(program: Program, layer: CubeLayer, facts: Facts) -> Basis:
    """The basis behind the cubes of a layer. *Requires*: they prove the check of this program, given the facts."""
    return _Basis(program, layer, facts).made()


@dataclass(frozen=True, slots=True)
class _Possible:
    """Which threads may be where, from facts; what else they say is asked of them one by one."""

    facts: Facts

    def is_possible(self, threads: Sequence[int], actor: int) -> bool:
        del actor  # it is the only one that may be inside of a region
        return not self.facts.excludes(Cube(tuple(threads), ()))

    def at(self, location: int, thread: int, actor: int) -> Sequence[Expr]:
        del location, thread, actor
        return ()


@dataclass(frozen=True, slots=True)
class _Reason:
    """A part of a precondition: that a cube, by number, does not hold of some threads, or a fact about a thread."""

    meaning: Expr
    cube: int = -1
    threads: tuple[int, ...] = ()
    fact: Atom | None = None


class _Basis:
    def __init__(self, program: Program, layer: CubeLayer, facts: Facts) -> None:
        self._program, self._layer = program, layer
        self._facts = facts
        self._inductive = Inductive(program, layer, _Possible(facts))
        self._solver = patience.solver(_SECONDS)

    def made(self) -> Basis:
        found: dict[Triple, None] = {}
        kept: set[Triple] = set()
        never: set[Triple] = set()
        for step in (*self._inductive.failing(), *self._inductive.obligations()):
            reasons = self._needed(step)
            triple = self._triple(step, reasons)
            if triple.before == (triple.after,) and not triple.known and not self._is_written(step):
                kept.add(triple)
            elif "false" in triple.before:
                never.add(triple)
            else:
                found[triple] = None
        return Basis(tuple(found), len(kept), len(never))

    def _is_written(self, step: Obligation) -> bool:
        """Whether a step writes what the assertion behind it speaks of."""
        cells = {cell for literal in self._cube(step).literals for _, cell, _ in literal.terms}
        return not cells.isdisjoint(writes(self._program.commands[step.command].instruction))

    def _cube(self, step: Obligation) -> Shape:
        """The cube that a step must not lead into; of the check, that it fails, which needs no more to hold."""
        return Shape((), ()) if step.cube < 0 else self._layer.cubes[step.cube]

    def _needed(self, step: Obligation) -> list[_Reason]:
        """Reasons that a step does not lead into its cube, none of which can be left out."""
        place = step.threads[step.actor]
        outside = self._inductive.outside(list(step.threads.items()))
        reasons = [_Reason(meaning, number, threads) for number, threads, meaning in outside]
        reasons += [
            _Reason(
                of_thread(self._program, formula(atom, {}), thread, formula_cells(atom)), threads=(thread,), fact=atom
            )
            for thread, at in step.threads.items()
            if at == place or place not in self._facts.atomic
            for atom in self._facts.at(at)
        ]
        needed = self._core(reasons, step)
        for reason in [*(r for r in needed if r.fact is not None), *(r for r in needed if r.fact is None)]:
            without = [other for other in needed if other is not reason]
            if self._is_empty((*(other.meaning for other in without), *step.premises, step.holds)):
                needed = without
        return needed

    def _core(self, reasons: Sequence[_Reason], step: Obligation) -> list[_Reason]:
        """The reasons that z3 names; all of them where it does not answer."""
        names = [z3.Bool(f"reason {number}") for number in range(len(reasons))]
        self._solver.push()
        self._solver.add(*step.premises, step.holds)
        self._solver.add(*(z3.Implies(name, reason.meaning) for name, reason in zip(names, reasons, strict=True)))
        is_known = self._solver.check(*names) == z3.unsat
        core = {str(name) for name in self._solver.unsat_core()} if is_known else {str(name) for name in names}
        self._solver.pop()
        return [reason for name, reason in zip(names, reasons, strict=True) if str(name) in core]

    def _is_empty(self, conditions: Iterable[Expr]) -> bool:
        self._solver.push()
        self._solver.add(*conditions)
        answer = self._solver.check()
        self._solver.pop()
        return bool(answer == z3.unsat)

    def _triple(self, step: Obligation, reasons: Sequence[_Reason]) -> Triple:
        """The triple in words; the thread that moves is A, the others follow as the assertions name them."""
        letters = {step.actor: _NAMES[0]}
        cube = self._cube(step)
        after = self._assertion(cube, range(len(cube.locations)), letters)
        assertions = {
            self._assertion(self._layer.cubes[reason.cube], reason.threads, letters)
            for reason in reasons
            if reason.cube >= 0
        }
        known = {self._fact(reason.fact, reason.threads[0], letters) for reason in reasons if reason.fact is not None}
        command = self._command(self._program.commands[step.command].instruction, step.cube < 0)
        return Triple(tuple(sorted(assertions)), tuple(sorted(known)), command, letters[step.actor], after)

    def _assertion(self, cube: Shape, threads: Sequence[int], letters: dict[int, str]) -> str:
        """That the literals of a cube do not all hold of some threads."""
        return " || ".join(sorted(self._negated(literal, threads, letters) for literal in cube.literals)) or "false"

    def _negated(self, literal: Literal, threads: Sequence[int], letters: dict[int, str]) -> str:
        names = {
            str(number): self._name(cell, None if thread == GLOBAL else threads[thread], letters)
            for number, (_, cell, thread) in enumerate(literal.terms)
        }
        terms = tuple((str(number), factor) for number, (factor, _, _) in enumerate(literal.terms))
        opposite = negate_atom(Atom(Linear(terms, literal.constant), Relation(literal.relation)))
        assert isinstance(opposite, Atom)
        return show_atom(opposite, lambda number: names[number])

    def _name(self, cell: str, thread: int | None, letters: dict[int, str]) -> str:
        """The user's name of a cell, with the letter of its thread."""
        if thread is None:
            return label(self._program, cell)
        letter = letters.setdefault(thread, _NAMES[len(letters) % len(_NAMES)])
        return f"{label(self._program, cell)}({letter})"

    def _fact(self, atom: Atom, thread: int, letters: dict[int, str]) -> str:
        cells = self._program.cells
        return show_atom(atom, lambda cell: self._name(cell, None if cells[cell].template is None else thread, letters))

    def _command(self, instruction: Instruction, has_failed: bool) -> str:
        """A command as in the source; a check that has failed, or passed, as a guard."""
        match instruction:
            case Assert(condition, _, stops):
                passed = condition if stops else conjunction(())
                return instruction_words(self._program, Guard(negate(condition) if has_failed else passed))
            case Atomic(parts):
                return "; ".join(instruction_words(self._program, step) for step in parts if step != SKIP)
            case _:
                return instruction_words(self._program, instruction)


def basis_words(found: Basis) -> Iterator[str]:
    """A basis in lines, with the rules by which it proves that no execution fails."""
    yield f"Basic Hoare triples of the proof space ({len(found.triples)}):"
    yield from (f"{number:4}. {triple}" for number, triple in enumerate(found.triples, 1))
    if found.kept:
        yield f"      {found.kept} more are {{p}} <step : A> {{p}} for steps that write nothing that p speaks of"
    if found.never:
        yield f"      {found.never} more begin where, by those above, no execution gets"
    if any(triple.known for triple in found.triples):
        yield "What is in brackets is known from data flow graphs, at the location in front of the step."
    yield "SEQUENCING: along every execution that comes to the check, each triple gives what the next one needs."
    if found.renamed:
        yield f"SYMMETRY: {_numbers(found, found.renamed)} take an assertion of other threads than it is shown of."
    if found.conjoined:
        yield f"CONJUNCTION: {_numbers(found, found.conjoined)} take several assertions at once."


def _numbers(found: Basis, some: Sequence[Triple]) -> str:
    return ", ".join(str(found.triples.index(triple) + 1) for triple in some)


def _form(assertion: str) -> tuple[str, ...]:
    """An assertion with its threads renamed in the order in which it names them, its parts sorted."""
    letters = dict.fromkeys(re.findall(r"\(([A-Z])\)", assertion))
    number = {letter: str(place) for place, letter in enumerate(letters)}
    renamed = re.sub(r"\(([A-Z])\)", lambda found: f"({number[found[1]]})", assertion)
    return tuple(sorted(renamed.split(" || ")))


def _operand(text: str) -> str:
    return f"({text})" if " || " in text else text
