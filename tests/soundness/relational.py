"""Random programs about relations: sums and capacities that critical sections keep or break, copies across sections."""

from __future__ import annotations

import re
from random import Random

from duet.plip.parser import parse_program
from duet.plip.syntax import Program

_LOCALS = "local t = 0 local u = 0 local v = 0 local w = 0"
_OPERATORS = ("==", "<=", ">=", "==")


def relational_program(seed: int) -> Program:
    """The program of a seed: two or three cells behind a lock, a flag, and threads that move amounts between them.

    Every third one has coefficients, and loops that count.
    """
    return _Writer(Random(seed), is_weighted=seed % 3 == 2).program()


class _Writer:
    def __init__(self, rng: Random, is_weighted: bool) -> None:
        self._rng = rng
        self._cells = ("a", "b", "c")[: rng.choice((2, 3, 3))]
        self._initial = {cell: rng.randrange(3) for cell in self._cells}
        self._is_atomic = rng.random() < 0.2
        self._is_weighted = is_weighted

    def program(self) -> Program:
        rng = self._rng
        lines = ["global lock = 0", "global s = 0"]
        lines += [f"global {cell} = {value}" for cell, value in self._initial.items()]
        names = ("A", "B")[: rng.choice((1, 2))]
        spawns = " ".join(f"spawn {name}" for name in names)
        body = rng.choice((f"while (*) {{ {spawns} }}", f"{spawns} {self._section()}", f"{spawns} {spawns}"))
        lines.append(f"thread main {{ {_LOCALS} {body} }}")
        for name in names:
            sections = " ".join(self._section() for _ in range(rng.choice((1, 1, 2))))
            lines.append(f"thread {name} {{ {_LOCALS} {self._amount()} {sections} }}")
        own = [re.sub(r"\b([tuvw])\b", rf"\g<1>{number}", line) for number, line in enumerate(lines)]
        return parse_program("\n".join(own), "relational.plip")

    def _amount(self) -> str:
        return self._rng.choice(("t := * in 0..2", "t := 1", "t := *", "t := 2"))

    def _section(self) -> str:
        """Some steps with the lock, most of the time, and a check in it or behind it."""
        rng = self._rng
        steps = [self._step() for _ in range(rng.choice((1, 2, 2, 3)))]
        if rng.random() < 0.2:
            steps.insert(rng.randrange(len(steps)), "release lock acquire lock")
        if rng.random() < 0.7:
            steps.append(self._check())
        body = " ".join(steps)
        if rng.random() < 0.1:
            return body
        return f"acquire lock {body} release lock {self._late() if rng.random() < 0.3 else ''}"

    def _step(self) -> str:
        rng = self._rng
        one, two = rng.sample(self._cells, 2)
        amount = rng.choice(("t", "t", "1"))
        moved = f"u := {one} {one} := u - {amount} v := {two} {two} := v + {amount}"
        if self._is_weighted:
            k = rng.choice((2, 3))
            weighted = f"u := {one} {one} := u - {amount} v := {two} {two} := v + {k} * {amount}"
            tested = (
                f"u := {one} v := {two} choose {{ [{k} * u < v] w := 1 {one} := u + 1 }} or {{ [{k} * u >= v] w := 0 }}"
            )
            counted = f"w := 0 while (w < {k}) {{ u := {one} {one} := u + 1 w := w + 1 }}"
            return rng.choice((moved, weighted, tested, counted))
        return rng.choice(
            (
                moved,
                f"u := {one} [{amount} <= u] {moved}",
                f"u := {one} v := {two}",
                f"w := s choose {{ [w == 0] {moved} s := 1 }} or {{ [w != 0] }}",
                f"u := {one} {one} := u + 1",
                f"choose {{ [u <= v] w := 1 {moved} }} or {{ [u > v] w := 0 }}",
            )
        )

    def _check(self) -> str:
        rng = self._rng
        cells = rng.sample(self._cells, rng.choice((1, 2, len(self._cells))))
        total = sum(self._initial[cell] for cell in cells)
        read = " ".join(f"{local} := {cell}" for local, cell in zip("uvw", cells, strict=False))
        weights = [rng.choice((1, 2, -1, -3)) if self._is_weighted else 1 for _ in cells]
        if self._is_weighted:
            total = sum(k * self._initial[cell] for k, cell in zip(weights, cells, strict=True))
        term = " + ".join(f"{k} * {one}" if k != 1 else one for one, k in zip("uvw", weights, strict=False))
        relation = rng.choice(_OPERATORS)
        condition = f"{term} {relation} {total + rng.choice((0, 0, 0, 1, -1))}"
        return f"{read} {rng.choice(('assert', 'check'))} {condition}"

    def _late(self) -> str:
        """A check of what was read before."""
        rng = self._rng
        condition = rng.choice(("u <= v", "u + v == {}", "u >= 0", "u == v + t", "w != 1 || u <= v"))
        return f"check {condition.format(rng.randrange(4))}"
