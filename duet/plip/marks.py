"""Marks: the reasons why a command stands for more than the source does (`Command.approximates`).

Some speak of a value alone: without the steps that give it, nothing is left of what they say.
"""

from __future__ import annotations

from collections.abc import Mapping

from duet.plip.syntax import Assign, Cell, Havoc, Instruction, steps

ANY_VALUE = "any value is taken where C has a certain one"
SEVERAL = "one cell stands for several places in memory"
_OF_VALUES = frozenset((ANY_VALUE, SEVERAL))


def united(*marks: str) -> str:
    """One mark for several, empty if all are: the first that speaks of more than a value, if there is one."""
    return min((mark for mark in marks if mark), key=_OF_VALUES.__contains__, default="")


def guesses(instruction: Instruction) -> bool:
    """Whether an instruction gives a cell any value."""
    return any(isinstance(step, Havoc) for step in steps(instruction))


def reads_summary(instruction: Instruction, cells: Mapping[str, Cell]) -> bool:
    """Whether an instruction reads one of many values."""
    return any(
        isinstance(step, Assign) and any(cell in cells and cells[cell].summary for cell, _ in step.value.terms)
        for step in steps(instruction)
    )


def kept(mark: str, instruction: Instruction, cells: Mapping[str, Cell]) -> str:
    """The mark of a command that now has fewer steps."""
    is_gone = mark in _OF_VALUES and not guesses(instruction) and not reads_summary(instruction, cells)
    return "" if is_gone else mark
