"""States told apart by the values of cells."""

from __future__ import annotations

from domains.registry import domain
from domains.values.number import Number
from duet.absint.cases import FEW, MOST, Splitting
from duet.absint.state import Space
from duet.flow.packs import singletons
from duet.plip.parser import parse_program

_FLAGS = 10
_CELLS = tuple(f"f{number}" for number in range(_FLAGS))


def test_more_cells_than_cases_do_not_multiply() -> None:
    """Ten flags are no thousand parts, all of which would be put together again; and no value is lost."""
    text = "".join(f"global {cell} in 0..1\n" for cell in _CELLS)
    thread = 'thread main function "main" {\n  entry 0  exit 1\n  0: skip -> 1\n}'
    program = parse_program(f"{text}main main\n{thread}\n", "cases.plip")
    space = Space(program, singletons(program), domain("interval", "own"))
    state = {space.packing.pack_of[cell]: space.initial(space.packing.pack_of[cell]) for cell in _CELLS}
    splitting = Splitting(space, _CELLS)
    parts = splitting.parts(state, _CELLS)
    assert MOST < len(parts) <= MOST * FEW
    assert {space.number(part, _CELLS[0]).lo for part in parts} == {0, 1}
    (whole,) = splitting.of([state]).values()
    assert all(_bounds(space.number(whole, cell)) == (0, 1) for cell in _CELLS)


def _bounds(found: Number) -> tuple[object, object]:
    return found.lo, found.hi
