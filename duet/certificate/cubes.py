"""Cubes for a certificate: proofs that rest on nothing but what the certificate shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duet.certificate.document import CubeLayer, Literal, Shape
from duet.certificate.established import GLOBAL
from duet.coarsen.results import Fixpoint
from duet.deadline import Deadline
from duet.plip.blocks import Blocks
from duet.plip.syntax import Atom, Program
from duet.result import Assertion, Check
from duet.verify.cube import Cube, cell_of, thread_of
from duet.verify.decide import CUBES, prepared, searched
from duet.verify.search import Proof

SECONDS = 15.0
"""For each check."""


def with_cubes(
    program: Program,
    fixpoints: Sequence[Fixpoint],
    verdicts: Iterable[Assertion],
    from_graphs: Iterable[Assertion],
    deadline: Deadline,
) -> tuple[tuple[CubeLayer, ...], tuple[Assertion, ...]]:
    """The cubes for a certificate, and the verdicts that it is about: of data flow graphs, or proved by these cubes."""
    by_cubes = {assertion.check: assertion for assertion in verdicts if assertion.proved_by == CUBES}
    layers = tuple(cube_layers(program, fixpoints, by_cubes, deadline))
    covered = {Check(*layer.check) for layer in layers}
    return layers, tuple(by_cubes[one.check] if one.check in covered else one for one in from_graphs)


def cube_layers(
    program: Program, fixpoints: Sequence[Fixpoint], checks: Iterable[Check], deadline: Deadline
) -> Iterator[CubeLayer]:
    """A layer for each check of which a proof is found until the deadline, with what the fixpoints show."""
    shown = [fixpoint for fixpoint in fixpoints if fixpoint.is_shown]
    for check in checks:
        part, facts = prepared(program, shown, check)
        proved = searched(part.program, check, facts, deadline.before(SECONDS))
        if proved is not None:
            yield layer_of(program, part, proved)


def layer_of(program: Program, part: Blocks, proved: Proof) -> CubeLayer:
    """A proof over the blocks of what its check can depend on in a program."""
    check = proved.check
    named = (check.file, check.line, check.column, check.function, check.property_name, check.expression)
    dropped = tuple(sorted(program.cells.keys() - part.program.cells.keys()))
    return CubeLayer(named, tuple(map(_shape, proved.cubes)), dropped, part.merged)


def _shape(cube: Cube) -> Shape:
    return Shape(cube.locations, tuple(map(_literal, cube.literals)))


def _literal(atom: Atom) -> Literal:
    threads = ((factor, name, thread_of(name)) for name, factor in atom.term.terms)
    terms = tuple((factor, cell_of(name), GLOBAL if thread is None else thread) for factor, name, thread in threads)
    return Literal(terms, atom.term.constant, atom.relation.value)
