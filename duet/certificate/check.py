"""Whether a certificate proves what it claims, layer by layer.

Shares no code with the analysis but the front end and PLIP itself. For each layer: (a) each rewritten command does what
the program's own does, under facts that stay true along each thread and that no other thread disturbs; (b) what the
layer says after a command follows from what it says before it; (c) what it says at a location follows from what it says
after each command whose value may be there, be it by the own thread or from another one, for all data flows that are
feasible under the layer itself; what threads add up to (`counts`) and statements about locals and globals together
(`joint`) are shown by induction over steps. Then all of it holds in every execution (thesis Thm. 3.5.1), and (d) the
checks follow. Cubes are checked on top of all layers: `inductive` says how. Layers and cubes may be about a folded
program: `folding` says when what they show holds of the program, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from duet.certificate.conflicts import Conflicts, Judged, conflicts_of, judged
from duet.certificate.document import Certificate, CubeLayer, Fold, Layer
from duet.certificate.established import Established
from duet.certificate.folding import unfolded
from duet.certificate.inductive import Inductive
from duet.certificate.knowledge import Answers, Knowledge, Prover
from duet.certificate.layers import Failure, LayerCheck
from duet.certificate.meeting import Meeting
from duet.certificate.reduced import Refusal, reduced
from duet.certificate.shares import share_facts
from duet.deadline import NO_DEADLINE, Deadline
from duet.plip.syntax import Assert, Program
from duet.result import CONFLICTS, Check, Status

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


def check(
    certificate: Certificate, program: Program, checks: Collection[Check], properties: Collection[str] = ()
) -> Outcome:
    """What a certificate proves of those checks of a program that have a verdict.

    `properties` are those that the program was read with: without some it need not carry what conflicts are about.
    *Requires*: the program is the one that the certificate is about. *Raises*: UsageError where it is malformed.
    """
    file = certificate.files[0][0] if certificate.files else ""
    covered = {Check(*claim.check).property_name for claim in certificate.claims if claim.is_covered}
    kinds = conflicts_of(program, file, covered & set(properties), certificate.given)
    folded = _shown_folded(program, certificate.fold) if certificate.fold is not None else None
    settled = folded.proved if folded is not None and not folded.failures else frozenset[int]()
    shown = _shown(program, certificate.layers, certificate.cubes, kinds=kinds, settled=settled)
    if folded is not None:
        shown = shown.with_more(folded)
    return _outcome(certificate, program, checks, shown)


def hold(program: Program, layers: Sequence[Layer], deadline: Deadline, answers: Answers) -> bool:
    """Whether layers hold, each on top of those before it; what z3 has been asked about them is in `answers`.

    *Raises*: UsageError where they are malformed, OutOfTime.
    """
    return not _shown(program, layers, (), deadline, answers).failures


def believed(program: Program, layers: Sequence[Layer], kinds: Mapping[str, Conflicts], deadline: Deadline) -> Judged:
    """What layers show of conflicts if they hold, which is not checked. *Raises*: UsageError, OutOfTime."""
    prover = Prover(program, deadline)
    knowledge = Knowledge(program, prover)
    knowledge.add(share_facts(program, prover))
    step: LayerCheck | None = None
    for layer in layers:
        step = LayerCheck(program, layer, knowledge, step)
        step.believe()
    return _judged(kinds, program, knowledge, step)


def accepted(
    program: Program,
    layers: Sequence[Layer],
    kinds: Mapping[str, Conflicts],
    settled: Collection[int],
    deadline: Deadline,
) -> Iterator[Callable[[], Judged]]:
    """For each layer up to the first that does not hold, what it shows of conflicts with those before it, when called.

    Checks that are `settled` hold.
    *Raises*: UsageError, OutOfTime, both also later.
    """
    prover = Prover(program, deadline)
    knowledge = Knowledge(program, prover)
    knowledge.add(share_facts(program, prover))
    step: LayerCheck | None = None
    for layer in layers:
        step = LayerCheck(program, layer, knowledge, step, settled)
        if step.run():
            return
        yield partial(_judged, kinds, program, knowledge, step)


def _judged(kinds: Mapping[str, Conflicts], program: Program, knowledge: Knowledge, last: LayerCheck | None) -> Judged:
    return judged(kinds, _established(program, knowledge, last))


def _established(program: Program, knowledge: Knowledge, last: LayerCheck | None) -> Established:
    return Established(program, knowledge, last.meeting if last else Meeting(program, knowledge))


_NOTHING = Judged({}, {}, frozenset())


@dataclass(frozen=True, slots=True)
class _Shown:
    """What layers and cubes show: the commands whose checks hold, the locations that no thread gets to, conflicts."""

    proved: frozenset[int]
    dead: frozenset[int]
    failures: tuple[Failure, ...]
    queries: int
    conflicts: Judged = _NOTHING

    def with_more(self, other: _Shown) -> _Shown:
        """What both show of one program."""
        proved, dead = self.proved | other.proved, self.dead | other.dead
        return replace(
            self,
            proved=proved,
            dead=dead,
            failures=self.failures + other.failures,
            queries=self.queries + other.queries,
        )


def _shown(
    program: Program,
    layers: Sequence[Layer],
    cubes: Sequence[CubeLayer],
    deadline: Deadline = NO_DEADLINE,
    answers: Answers | None = None,
    kinds: Mapping[str, Conflicts] = MappingProxyType({}),
    settled: Collection[int] = (),
) -> _Shown:
    """What layers, each on top of those before, and cubes show of a program, also of conflicts of some kinds.

    Checks that are `settled` hold.
    """
    prover = Prover(program, deadline, answers)
    knowledge = Knowledge(program, prover)
    knowledge.add(share_facts(program, prover))
    proved: set[int] = set()
    dead: frozenset[int] = frozenset()
    failures: list[Failure] = []
    step: LayerCheck | None = None
    for layer in layers:
        step = LayerCheck(program, layer, knowledge, step, settled)
        failures += step.run()[:_MOST]
        if failures:
            break
        dead = frozenset(knowledge.dead)
        proved |= layer.proved
    if failures:
        return _Shown(frozenset(proved), dead, tuple(failures), prover.queries)
    if not kinds and not cubes:
        return _Shown(frozenset(proved), dead, (), prover.queries)
    known = _established(program, knowledge, step)
    conflicts = judged(kinds, known)
    queries = prover.queries
    for found in cubes:
        wrong, asked = _cube_failures(program, found, known)
        failures += wrong[:_MOST]
        queries += asked
        if not wrong:
            proved |= _copies(program, Check(*found.check))
    return _Shown(frozenset(proved), dead, tuple(failures), queries, conflicts)


def _shown_folded(program: Program, fold: Fold) -> _Shown:
    """What layers and cubes about a folded program show of the program."""
    try:
        whole = unfolded(program, fold)
    except Refusal as refusal:
        return _Shown(frozenset(), frozenset(), (Failure("fold", refusal.place, refusal.reason),), 0)
    shown = _shown(whole.program, fold.layers, fold.cubes)
    proved = frozenset(index for index, image in enumerate(whole.commands) if image in shown.proved)
    dead = frozenset(place for place, image in whole.places.items() if image in shown.dead)
    return replace(shown, proved=proved, dead=dead)


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


def _outcome(certificate: Certificate, program: Program, checks: Collection[Check], shown: _Shown) -> Outcome:
    copies: dict[Check, list[int]] = {found: [] for found in checks}
    for index, command in enumerate(program.commands):
        if isinstance(command.instruction, Assert) and command.instruction.check in copies:
            copies[command.instruction.check].append(index)
    failures = list(shown.failures)
    certified: list[Check] = []
    left: list[Check] = []
    for claim in certificate.claims:
        found = Check(*claim.check)
        safe = claim.status in (Status.PROVED, Status.UNREACHABLE)
        if not claim.is_covered or not safe:
            left.append(found)
            continue
        reason = ""
        if found.property_name in CONFLICTS:
            reason = shown.conflicts.objection(found, Status(claim.status))
        elif found not in copies:
            reason = "the program has no such check that could be proved"
        elif open_copies := [index for index in copies[found] if index not in shown.proved]:
            reason = f"{len(open_copies)} of its {len(copies[found])} copies are not proved by any layer that holds"
        elif claim.status == Status.UNREACHABLE and any(
            program.commands[index].source not in shown.dead for index in copies[found]
        ):
            reason = "a thread may get there"
        if reason:
            failures.append(Failure("claims", found.id, f"'{found.expression}' is {claim.status}: {reason}"))
        else:
            certified.append(found)
    return Outcome(tuple(certified), tuple(left), tuple(failures), shown.queries)
