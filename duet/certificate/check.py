"""Whether a certificate proves what it claims, layer by layer.

Shares no code with the analysis but the front end and PLIP itself. For each layer: (a) each rewritten command does what
the program's own does, under facts that stay true along each thread and that no other thread disturbs; (b) what the
layer says after a command follows from what it says before it; (c) what it says at a location follows from what it says
after each command whose value may be there, be it by the own thread or from another one, for all data flows that are
feasible under the layer itself. Then all of it holds in every execution (thesis Thm. 3.5.1), and (d) the checks follow.
Cubes are checked on top of all layers: `inductive` says how.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from duet.certificate.document import Certificate, CubeLayer
from duet.certificate.established import Established
from duet.certificate.inductive import Inductive
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.layers import Failure, LayerCheck
from duet.certificate.meeting import Meeting
from duet.certificate.reduced import Refusal, reduced
from duet.certificate.shares import share_facts
from duet.plip.syntax import Assert, Program
from duet.result import Check, Status

_MOST = 20  # failures of one layer that are told


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a certificate proves.

    `certified` are the checks that hold; `open_checks` are not proved, or of a kind that no certificate covers yet.
    """

    certified: tuple[Check, ...]
    open_checks: tuple[Check, ...]
    failures: tuple[Failure, ...]
    queries: int

    @property
    def holds(self) -> bool:
        return not self.failures


def check(certificate: Certificate, program: Program, checks: Collection[Check]) -> Outcome:
    """What a certificate proves of those checks of a program that have a verdict.

    *Requires*: the program is the one that the certificate is about. *Raises*: UsageError where it is malformed.
    """
    prover = Prover(program)
    knowledge = Knowledge(program, prover)
    knowledge.add(share_facts(program, prover))
    proved: set[int] = set()
    dead: frozenset[int] = frozenset()
    failures: list[Failure] = []
    step: LayerCheck | None = None
    for layer in certificate.layers:
        step = LayerCheck(program, layer, knowledge, step)
        failures += step.run()[:_MOST]
        if failures:
            break
        dead = frozenset(knowledge.dead)
        proved |= layer.proved
    queries = prover.queries
    if certificate.cubes and not failures:
        known = Established(program, knowledge, step.meeting if step else Meeting(program, knowledge))
        for cubes in certificate.cubes:
            found, asked = _cube_failures(program, cubes, known)
            failures += found[:_MOST]
            queries += asked
            if not found:
                proved |= _copies(program, Check(*cubes.check))
    return _outcome(certificate, program, checks, proved, dead, failures, queries)


def _cube_failures(program: Program, cubes: CubeLayer, known: Established) -> tuple[list[Failure], int]:
    """Why cubes do not hold, and the number of queries that were asked."""
    try:
        inductive = Inductive(reduced(program, cubes, known), cubes, known)
    except Refusal as refusal:
        return [Failure(f"cubes for {cubes.check[0]}:{cubes.check[1]}", refusal.place, refusal.reason)], 0
    return inductive.run(), inductive.queries


def _copies(program: Program, check: Check) -> set[int]:
    """The commands that make a check."""
    return {
        index
        for index, command in enumerate(program.commands)
        if isinstance(command.instruction, Assert) and command.instruction.check == check
    }


def _outcome(
    certificate: Certificate,
    program: Program,
    checks: Collection[Check],
    proved: Collection[int],
    dead: frozenset[int],
    failures: list[Failure],
    queries: int,
) -> Outcome:
    copies: dict[Check, list[int]] = {found: [] for found in checks}
    for index, command in enumerate(program.commands):
        if isinstance(command.instruction, Assert) and command.instruction.check in copies:
            copies[command.instruction.check].append(index)
    certified: list[Check] = []
    left: list[Check] = []
    for claim in certificate.claims:
        found = Check(*claim.check)
        safe = claim.status in (Status.PROVED, Status.UNREACHABLE)
        if not claim.is_covered or not safe:
            left.append(found)
            continue
        reason = ""
        if found not in copies:
            reason = "the program has no such check that could be proved"
        elif open_copies := [index for index in copies[found] if index not in proved]:
            reason = f"{len(open_copies)} of its {len(copies[found])} copies are not proved by any layer that holds"
        elif claim.status == Status.UNREACHABLE and any(
            program.commands[index].source not in dead for index in copies[found]
        ):
            reason = "a thread may get there"
        if reason:
            failures.append(Failure("claims", found.id, f"'{found.expression}' is {claim.status}: {reason}"))
        else:
            certified.append(found)
    return Outcome(tuple(certified), tuple(left), tuple(failures), queries)
