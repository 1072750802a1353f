"""What a first look decides, and the program that is left for the data flow graphs: without the checks it decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from duet.absint.conditions import entails
from duet.absint.direct import Direct, direct
from duet.coarsen.never import Place, places
from duet.coarsen.resources import choose_domain
from duet.coarsen.words import invariant_words
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.plip.syntax import SKIP, Assert, Command, Program
from duet.plip.terms import formula_cells
from duet.result import Assertion, Check, Status

NAME = "direct"
"""What reports say of checks that a first look decides."""


@dataclass(frozen=True, slots=True)
class Early:
    """The verdicts on checks that are decided, and the program in which they are no longer asked.

    `executed` are the places in the source that threads get to, as far as is known.
    """

    decided: tuple[Assertion, ...]
    rest: Program
    executed: frozenset[Place]

    def with_more(self, verdicts: tuple[Assertion, ...], is_kept: bool = False) -> Early:
        """With verdicts on checks that are asked no more; with `is_kept` these are still asked as long as others are.

        A check that may fail keeps nobody from going on then.
        """
        decided = (*self.decided, *verdicts)
        rest = without(self.rest, {assertion.check: None for assertion in decided})
        more = replace(self, decided=decided, rest=rest)
        return replace(self, decided=decided) if is_kept and not more.is_all else more

    @property
    def is_all(self) -> bool:
        """Whether no check is left in the program; races and deadlocks are no checks of a program."""
        return not any(isinstance(command.instruction, Assert) for command in self.rest.commands)


def look(program: Program, options: AnalysisOptions, deadline: Deadline) -> Early:
    """The checks of which every copy is proved or never reached. *Raises*: OutOfTime."""
    found = direct(program, choose_domain("interval", options.numeric), deadline)
    copies: dict[Check, list[tuple[Command, Assert, Status]]] = defaultdict(list)
    for command in program.commands:
        if isinstance(command.instruction, Assert):
            status = _status(found, command.source, command.instruction)
            copies[command.instruction.check].append((command, command.instruction, status))
    safe = {check: known for check, known in copies.items() if all(status.is_safe for _, _, status in known)}
    decided = tuple(_assertion(found, check, known) for check, known in sorted(safe.items()))
    return Early(decided, without(program, safe) if safe else program, places(program, found.reached))


def without(program: Program, decided: Mapping[Check, object]) -> Program:
    """The program without some checks that always hold, so that they keep nobody from going on."""

    def kept(command: Command) -> Command:
        found = command.instruction
        if not isinstance(found, Assert) or found.check not in decided:
            return command
        return replace(command, instruction=SKIP)

    return replace(program, commands=tuple(map(kept, program.commands)))


def _status(found: Direct, location: int, instruction: Assert) -> Status:
    state = found.state(location)
    if state is None:
        return Status.UNREACHABLE
    return Status.PROVED if entails(found.space, state, instruction.condition) else Status.UNPROVED


def _assertion(found: Direct, check: Check, copies: list[tuple[Command, Assert, Status]]) -> Assertion:
    """The verdict on a check, with what is known where it is reached first."""
    program = found.space.program
    command, instruction, status = next((copy for copy in copies if copy[2] is Status.PROVED), copies[0])
    state = found.state(command.source)
    cells = tuple(sorted(formula_cells(instruction.condition)))
    owners = {program.template_of[copy.source] for copy, _, _ in copies}
    return Assertion(
        check,
        status,
        proved_by=NAME,
        invariant="false" if state is None else invariant_words(found.space, state, cells),
        contexts=len(copies),
        threads=tuple(sorted({program.templates[name].label for name in owners})),
    )
