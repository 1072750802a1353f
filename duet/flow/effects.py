"""What each command reads, writes, modifies and kills.

*Source*: thesis Def. 3.2.1 and 3.2.2, in the variant in which guards are definitions for the thread that
executes them only.
"""

from __future__ import annotations

from typing import assert_never

from duet.plip.once import once
from duet.plip.syntax import (
    TRUE,
    Assert,
    Assign,
    Atomic,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Lookup,
    Program,
    Spawn,
)
from duet.plip.terms import formula_cells, term_cells
from duet.plip.touched import PARTIAL
from duet.records import dataclass

# The pseudo-cell that every guard modifies; no C identifier or PLIP name contains an angle bracket.
REACHABLE = "<reachable>"


@dataclass(frozen=True, slots=True)
class Effects:
    """The cells that a command touches.

    `reads`: values that its result depends on. `writes`: really written, the only sources of inter-thread flow.
    `modifies`: writes, the free cells of guards, and REACHABLE for a guard. `kills`: modifies without weak writes.
    """

    reads: frozenset[str]
    writes: frozenset[str]
    modifies: frozenset[str]
    kills: frozenset[str]


@once
def effects(program: Program) -> tuple[Effects, ...]:
    """The effects of every command, by index."""
    summaries = frozenset(name for name, cell in program.cells.items() if cell.summary)
    return tuple(instruction_effects(command.instruction, summaries) for command in program.commands)


def instruction_effects(instruction: Instruction, summaries: frozenset[str]) -> Effects:
    """The effects of one instruction; an atomic block takes the unions."""
    reads, writes, guards, is_guard = _parts(instruction)
    if not guards and not is_guard and writes.isdisjoint(summaries):  # most are so, and share one set
        return Effects(reads, writes, writes, writes)
    modifies = writes | guards | (frozenset((REACHABLE,)) if is_guard else frozenset())
    return Effects(reads | guards, writes, modifies, modifies - ((writes & summaries) - guards))


def _parts(instruction: Instruction) -> tuple[frozenset[str], frozenset[str], frozenset[str], bool]:
    """`(reads, writes, guard cells, whether the instruction can refuse to pass)`."""
    empty: frozenset[str] = frozenset()
    match instruction:
        case Assign(target, value):
            return term_cells(value), frozenset((target,)), empty, False
        case Havoc(target):
            return empty, frozenset((target,)), empty, False
        case Compute(target, operation, arguments):
            reads = frozenset(cell for argument in arguments for cell in term_cells(argument))
            return reads, frozenset((target,)), empty, operation in PARTIAL
        case Lookup(target, _, index):
            return term_cells(index), frozenset((target,)), empty, True
        case Guard(condition):
            cells = formula_cells(condition)
            return empty, empty, cells, condition != TRUE
        case Assert(condition, _, stops):
            cells = formula_cells(condition)
            if stops:
                return empty, empty, cells, condition != TRUE
            return cells, empty, empty, False
        case Spawn(_, arguments):
            return frozenset(cell for _, value in arguments for cell in term_cells(value)), empty, empty, False
        case Join():
            return empty, empty, empty, False
        case Atomic(steps):
            parts = [_parts(step) for step in steps]
            return (
                frozenset().union(*(part[0] for part in parts)),
                frozenset().union(*(part[1] for part in parts)),
                frozenset().union(*(part[2] for part in parts)),
                any(part[3] for part in parts),
            )
        case _:
            assert_never(instruction)
