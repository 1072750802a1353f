"""Cubes for a certificate: proofs over the program as it is, without blocks and without what data flow graphs know.

A checker needs no more than the program to follow these. Where none is found in time, the check is not covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from duet.certificate.document import CubeLayer, Literal, Shape
from duet.deadline import Deadline
from duet.plip.sliced import sliced
from duet.plip.syntax import Atom, Program
from duet.result import Check
from duet.verify.cube import Cube, cell_of, thread_of
from duet.verify.decide import searched
from duet.verify.facts import Facts

SECONDS = 15.0
"""For each check."""
_GLOBAL = -1


def cube_layers(program: Program, checks: Iterable[Check], deadline: Deadline) -> Iterator[CubeLayer]:
    """A layer for each check of which a proof is found until the deadline."""
    for check in checks:
        part = sliced(program, {check})
        atomic = frozenset(spot for template in part.templates.values() for spot in template.atomic)
        proved = searched(part, check, Facts((), part.cells, atomic), deadline.before(SECONDS))
        if proved is not None:
            named = (check.file, check.line, check.column, check.function, check.property_name, check.expression)
            yield CubeLayer(named, tuple(map(_shape, proved.cubes)))


def _shape(cube: Cube) -> Shape:
    return Shape(cube.locations, tuple(map(_literal, cube.literals)))


def _literal(atom: Atom) -> Literal:
    threads = ((factor, name, thread_of(name)) for name, factor in atom.term.terms)
    terms = tuple((factor, cell_of(name), _GLOBAL if thread is None else thread) for factor, name, thread in threads)
    return Literal(terms, atom.term.constant, atom.relation.value)
