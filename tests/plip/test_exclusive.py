"""Which instructions that leave one location cannot both pass."""

from __future__ import annotations

import pytest

from duet.plip.exclusive import are_exclusive, are_told_apart
from duet.plip.syntax import SKIP, Assign, Atomic, Guard, Instruction
from duet.plip.terms import add, compare, conjunction, constant, scale, variable


def returning(number: int, cell: str = "r") -> Instruction:
    return Guard(compare(variable(cell), "==", constant(number)))


HERE = Guard(conjunction((compare(variable("x"), "<=", constant(9)), compare(variable("r"), "==", constant(3)))))
TURNED = Guard(compare(add(scale(variable("r"), -1), constant(4)), "==", constant(0)))
LATER = Atomic((Assign("r", constant(7)), Guard(compare(variable("r"), "==", constant(7)))))


@pytest.mark.parametrize(
    ("instructions", "are_apart"),
    [
        ([returning(1), returning(2), HERE, TURNED], True),
        ([returning(1), returning(2), returning(1)], False),
        ([returning(3), HERE], False),
        ([returning(4), TURNED], False),
        ([returning(1), returning(2, "s")], False),
        ([returning(1), SKIP], False),
        ([returning(1), LATER], False),
    ],
)
def test_ways_that_ask_for_several_constants_in_one_cell(instructions: list[Instruction], are_apart: bool) -> None:
    assert are_told_apart(instructions) is are_apart
    pairs = [(one, other) for place, one in enumerate(instructions) for other in instructions[:place]]
    assert all(are_exclusive(*pair) for pair in pairs) is are_apart
