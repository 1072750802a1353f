"""Marks: the reasons why a command stands for more than the source does (`Command.approximates`).

Some speak of a value alone: without the steps that give it, nothing is left of what they say.
"""

from __future__ import annotations

from collections.abc import Mapping

from duet.plip.syntax import Assign, Atomic, Cell, Havoc, Instruction, steps
from duet.records import dataclass

_ANY = "any value is taken"
ANY_VALUE = f"{_ANY} where C has a certain one"
ANY_WAY = "any way may be taken where C takes a certain one"
MODELLED = "is modelled by more than it does"
"""What a mark says of a function by its name."""
ALLOCATION_FAILS = "this allocation may fail"
MAY_GIVE_NULL = "may fail and give null"
"""What a mark says of a function by its name where it gives null."""
SELDOM_GIVES_NULL = "gives null only for times that no clock tells"
"""Likewise, of those that break times down: they fail where the year does not fit."""
NULL_WITHOUT_ERROR = "gives null only where nothing has failed before"
"""Likewise, of those that say what has failed."""
GIVES_NULL = (MAY_GIVE_NULL, SELDOM_GIVES_NULL, NULL_WITHOUT_ERROR)
"""All that is said of functions that give null."""
SEVERAL = "one cell stands for several places in memory"
UNSET = "nobody has set this"
"""The mark of a command after which a cell has no value in C: to take it does no harm, to read the cell does."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What was lost where any value is taken, and the object that it was lost of, by its place; line 0 for none."""

    text: str
    file: str = ""
    line: int = 0


def any_value(loss: Loss | None = None) -> str:
    """The mark of a command that takes any value, with what was lost, if that is known.

    >>> loss_of(any_value(Loss("what p holds", "a.c", 3)))
    Loss(text='what p holds', file='a.c', line=3)
    """
    return ANY_VALUE if loss is None else f"{_ANY}: {loss.text} [{loss.file}:{loss.line}]"


def loss_of(mark: str) -> Loss | None:
    """What was lost, as `any_value` was told; None where a mark does not say it."""
    if not mark.startswith(f"{_ANY}: "):
        return None
    text, _, place = mark.removeprefix(f"{_ANY}: ").rpartition(" [")
    file, _, line = place.removesuffix("]").rpartition(":")
    return Loss(text, file, int(line))


def in_words(mark: str, place: str = "") -> str:
    """What a mark says was lost, for people who read a program, not the model of it; with its place, if it has one.

    Without one of its own it has that of the command, if that is given.

    >>> in_words(any_value(Loss("its result may be anything")))
    'its result may be anything'
    >>> in_words(f"time {MODELLED}", "a.c:3")
    'what time does is not known exactly (a.c:3)'
    """
    here, behind = ("", f" ({place})") if place else (" here", "")
    if loss := loss_of(mark):
        return f"{loss.text} ({loss.file}:{loss.line})" if loss.line else f"{loss.text}{behind}"
    if mark == ANY_WAY:
        return f"which way is taken{here} is not followed{behind}"
    name, found, _ = mark.partition(MODELLED)
    return f"what {name.strip()} does{here} is not known exactly{behind}" if found else f"{mark}{behind}"


def united(*marks: str) -> str:
    """One mark for several, empty if all are: the first that speaks of more than a value, if there is one."""
    return min((mark for mark in marks if mark), key=lambda mark: (_is_of_value(mark), mark == UNSET), default="")


def _is_of_value(mark: str) -> bool:
    return mark.startswith(_ANY) or mark in (SEVERAL, UNSET)


def guesses(instruction: Instruction) -> bool:
    """Whether an instruction gives a cell any value."""
    if isinstance(instruction, Atomic):
        return any(isinstance(step, Havoc) for step in instruction.steps)
    return isinstance(instruction, Havoc)


def reads_summary(instruction: Instruction, cells: Mapping[str, Cell]) -> bool:
    """Whether an instruction reads one of many values."""
    return any(
        isinstance(step, Assign) and any(cell in cells and cells[cell].summary for cell, _ in step.value.terms)
        for step in steps(instruction)
    )


def kept(mark: str, instruction: Instruction, cells: Mapping[str, Cell]) -> str:
    """The mark of a command that now has fewer steps."""
    is_gone = _is_of_value(mark) and not guesses(instruction) and not reads_summary(instruction, cells)
    return "" if is_gone else mark
