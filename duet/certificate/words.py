"""Proofs in words: what is known at a check, or a sentence for each set of states that no execution meets."""

from __future__ import annotations

from collections.abc import Iterator

from duet.certificate.cubes import layer_of
from duet.certificate.triples import basis, basis_words
from duet.coarsen.evidence import assertions
from duet.coarsen.results import Analysis
from duet.coarsen.words import label
from duet.deadline import Deadline
from duet.errors import UsageError
from duet.plip.syntax import Atom, Program
from duet.plip.terms import show_atom
from duet.verify.cube import Cube, cell_of, thread_of
from duet.verify.decide import CUBES, prepared, searched
from duet.verify.search import Proof

SECONDS = 30.0
"""For a proof that is to be shown."""
_NAMES = "ABCDEFGH"


def proofs_at(analysis: Analysis, file: str, line: int) -> Iterator[str]:
    """Why the checks of a line are proved, in lines of text. *Raises*: UsageError where there is no check."""
    program = analysis.program
    found = [one for one in assertions(analysis) if (one.check.file, one.check.line) == (file, line)]
    if not found:
        raise UsageError(f"there is no check at {file}:{line} that a thread may come to")
    for verdict in found:
        check = verdict.check
        place = f"{file}:{line}:{check.column}: {check.property_name} '{check.expression}' in {check.function}"
        if verdict.status.is_safe:
            yield f"{place}: {verdict.status} by {verdict.proved_by}: here {verdict.invariant}"
            continue
        part, facts = prepared(program, analysis.fixpoints, check)
        proof = searched(part.program, check, facts, Deadline().before(SECONDS))
        if proof is None:
            yield f"{place}: not proved in {SECONDS:g} s: {verdict.reason}"
        else:
            yield f"{place}: proved by {CUBES}"
            yield from proof_words(part.program, proof)
            yield from basis_words(basis(part.program, layer_of(program, part, proof), facts))


def proof_words(program: Program, proof: Proof) -> Iterator[str]:
    """A proof in lines, the sets in which the check is about to fail first. *Requires*: it is about the program."""
    yield f"No execution, of any number of threads, comes to a state of these {len(proof.cubes)} sets:"
    for number, cube in enumerate(proof.cubes, 1):
        yield f"{number:4}. {cube_words(program, cube)}"
    yield "None starts in one of them, and no step leads into one from outside; in all other states the check holds."


def cube_words(program: Program, cube: Cube) -> str:
    """Which threads are where, and what holds of their cells."""
    places = [f"thread {_NAMES[thread]} {_place(program, place)}" for thread, place in enumerate(cube.locations)]
    held = [_literal(program, literal) for literal in cube.literals]
    return ", ".join(places) + (f", where {' and '.join(held)}" if held else "")


def _place(program: Program, location: int) -> str:
    template = program.templates[program.template_of[location]]
    if location == template.exit:
        return f"has ended {template.label}"
    spans = (program.commands[index].span for index in program.outgoing[location])
    line = next((f" before line {span.line}" for span in spans if span is not None), "")
    return f"is in {template.label}{line} (location {location})"


def _literal(program: Program, literal: Atom) -> str:
    def name(cell: str) -> str:
        thread = thread_of(cell)
        own = label(program, cell_of(cell))
        return own if thread is None else f"{own} of {_NAMES[thread]}"

    return show_atom(literal, name)
