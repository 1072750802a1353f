"""Temporaries have names of their own and the ranges of their types."""

from duet.frontend.cells.temporaries import Temporaries
from duet.frontend.ctypes.types import BOOL, INT


def test_each_is_new_and_has_the_range_of_its_type() -> None:
    temporaries = Temporaries()
    names = [temporaries.new(INT), temporaries.new(BOOL)]
    assert len(set(names)) == 2
    assert all(name.startswith("$") for name in names)
    assert temporaries.ranges == {names[0]: (-(2**31), 2**31 - 1), names[1]: (0, 1)}
