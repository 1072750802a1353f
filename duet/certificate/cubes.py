"""Cubes for a certificate: proofs that rest on nothing but what the certificate shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duet.certificate.document import Certificate, CubeLayer, Literal, Shape
from duet.certificate.emit import Subject, certificate, fold_of
from duet.certificate.established import GLOBAL
from duet.certificate.held import held
from duet.coarsen.results import Analysis, Fixpoint
from duet.deadline import Deadline
from duet.plip.blocks import Blocks
from duet.plip.syntax import Atom, Program
from duet.result import Assertion, Check, Status
from duet.verify.any_number import AnyNumber
from duet.verify.cube import Cube, cell_of, thread_of
from duet.verify.decide import CUBES, prepared, searched
from duet.verify.search import Proof

SECONDS = 15.0
"""For each check that cubes have proved."""
CONFLICTS_SECONDS = 120.0
"""For what the checker says of races and deadlocks."""
_COUNTED_SECONDS = 4.0  # for each that was proved in a way that no layer shows


def certificate_of(
    subject: Subject,
    analysis: Analysis,
    verdicts: tuple[Sequence[Assertion], Sequence[Assertion]],
    many: AnyNumber | None,
    deadline: Deadline,
) -> Certificate:
    """The certificate of a run with these verdicts, all of them and those that data flow graphs gave before.

    What holds for any number of equal threads (`many`) is shown so.
    """
    folded = {one.check for one in many.verdicts} if many is not None else set()
    every, from_graphs = ([one for one in some if one.check not in folded] for some in verdicts)
    analysis = held(subject.program, analysis, deadline)
    cubes, covered = with_cubes(analysis, subject.program, every, from_graphs, deadline)
    if many is None:
        return certificate(subject, analysis, covered, cubes=cubes, deadline=deadline.before(CONFLICTS_SECONDS))
    told = [one for one in many.from_graphs if one.check in folded]
    of_folded = held(many.folded.program, many.analysis, deadline)
    more, also = with_cubes(of_folded, many.folded.program, many.verdicts, told, deadline)
    fold = fold_of(many.folded, of_folded, more)
    covered = tuple(sorted((*covered, *also), key=lambda one: one.check))
    return certificate(subject, analysis, covered, cubes=cubes, fold=fold, deadline=deadline.before(CONFLICTS_SECONDS))


def with_cubes(
    analysis: Analysis,
    program: Program,
    verdicts: Iterable[Assertion],
    from_graphs: Iterable[Assertion],
    deadline: Deadline,
) -> tuple[tuple[CubeLayer, ...], tuple[Assertion, ...]]:
    """The cubes for a certificate, and the verdicts that it is about: of data flow graphs, or proved by these cubes.

    Also what counting proves may have cubes, where no layer shows it.
    """
    shown = [fixpoint for fixpoint in analysis.fixpoints if fixpoint.is_shown]
    by_cubes = {assertion.check: assertion for assertion in verdicts if assertion.proved_by == CUBES}
    counted = {one.check: one for one in from_graphs if one.status is Status.PROVED and not _is_shown(one.check, shown)}
    layers = (
        *cube_layers(program, shown, by_cubes, deadline),
        *cube_layers(program, shown, counted, deadline, _COUNTED_SECONDS),
    )
    covered = {Check(*layer.check) for layer in layers}
    return layers, tuple(by_cubes.get(one.check, one) if one.check in covered else one for one in from_graphs)


def _is_shown(check: Check, shown: Sequence[Fixpoint]) -> bool:
    """Whether the layers of fixpoints show that a check is safe, each of its copies."""
    verdicts = [fixpoint.verdicts[check].copies for fixpoint in shown if check in fixpoint.verdicts]
    return all(any(copy.status.is_safe for copy in copies) for copies in zip(*verdicts, strict=True))


def cube_layers(
    program: Program,
    fixpoints: Sequence[Fixpoint],
    checks: Iterable[Check],
    deadline: Deadline,
    seconds: float = SECONDS,
) -> Iterator[CubeLayer]:
    """A layer for each check of which a proof is found until the deadline, with what the fixpoints say."""
    for check in checks:
        part, facts = prepared(program, fixpoints, check)
        proved = searched(part.program, check, facts, deadline.before(seconds))
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
