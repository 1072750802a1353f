"""Whether z3 knows an answer does not depend on how busy the machine is."""

from __future__ import annotations

import z3

from duet.certificate import patience


def _asked(seconds: float) -> str:
    x, y, z, w = z3.Ints("x y z w")
    solver = patience.solver(seconds)
    solver.add(x * x * y + z * z == w * w * 7 + 3, x > 5, y > 100, z > 7, w > 3, x + y + z < w * w)
    return str(solver.check())


def test_what_takes_too_much_is_not_known() -> None:
    assert {_asked(0.001) for _ in range(3)} == {"unknown"}


def test_what_is_easy_is_known() -> None:
    x = z3.Int("x")
    solver = patience.solver(1)
    solver.add(x > 1, x < 3)
    assert solver.check() == z3.sat
    solver.add(x != 2)
    assert solver.check() == z3.unsat
