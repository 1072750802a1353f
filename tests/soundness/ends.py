"""Random programs of two numbers that threads know by copies, like the ends of a ring, and that they raise or lower."""

from __future__ import annotations

import re
from random import Random

from duet.plip.parser import parse_program
from duet.plip.syntax import Program

_READS = ("h := a t := b", "t := b h := a", "atomic { h := a t := b }", "h := a", "t := b", "h := a t := b h := a")
_TESTS = (
    *("h - t <= {k}", "h - t < {k}", "h - t == {k}", "h == t", "t < h", "t <= h", "h != t"),
    *("d <= {k}", "d < {k}", "d != {k}", "d >= 1", "a - b <= {k}", "a == b"),
)
_CHANGES = (
    *(("a := h + 1",) * 5),
    *(("b := t + 1",) * 5),
    *("a := h - 1", "b := t - 1", "a := h + 2", "b := h", "a := t", "a := 0", "b := 0", "atomic { a := a + 1 }"),
    *("a := h + 1 b := t + 1", "atomic { a := h + 1 b := t + 1 }", "b := t + 1 a := h + 1", "b := 1", "skip"),
)
_DISTANCES = ("d := h - t", "d := wrap(h - t, 0, 7)", "d := a - b", "skip")
_CHECKS = (*_TESTS[:7], *_TESTS[7:10], "h - t >= 0", "a - b >= 0", "a - b <= {k}", "d <= {k}", "h <= {k}")


def ends_program(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(seed)
    names = ("A", "B")[: rng.choice((1, 2, 2, 2))]
    spawns = " ".join(f"spawn {name}" for name in names)
    late = rng.choice(("", "", "a := 1", "h := b"))
    starts = rng.choice((spawns, spawns, spawns, f"{spawns} spawn A", f"while (*) {{ {spawns} }}", f"{late} {spawns}"))
    more = _round(rng) if rng.random() < 0.2 else ""
    joins = " ".join(f"join {name}" for name in names) if rng.random() < 0.4 else ""
    end = f"h := a t := b assert {_any(rng, _CHECKS)}" if rng.random() < 0.5 else ""
    initial = rng.choice(("global a = 0 global b = 0", "global a = 1 global b = 0", "global a = 2 global b = 2"))
    bodies = [f"thread main {{ LOCALS {starts} {more} {joins} {end} }}"]
    for name in names:
        body = " ".join(_round(rng) for _ in range(rng.choice((1, 1, 1, 2))))
        bodies.append(f"thread {name} {{ LOCALS while (*) {{ {body} }} }}")
    own = [
        re.sub(r"\b([htd])\b", rf"\g<1>{number}", body.replace("LOCALS", "local h = 0 local t = 0 local d = 0"))
        for number, body in enumerate(bodies)
    ]
    return parse_program("\n".join((initial, *own)), "ends.plip")


def _any(rng: Random, texts: tuple[str, ...]) -> str:
    return rng.choice(texts).replace("{k}", str(rng.choice((1, 2, 2, 3))))


def _round(rng: Random) -> str:
    """What a thread does with what it has read."""
    check = f"assert {_any(rng, _CHECKS)}" if rng.random() < 0.6 else ""
    parts = [_any(rng, _READS), _any(rng, _DISTANCES), check]
    change = _any(rng, _CHANGES)
    is_tested = rng.random() < 0.8
    return " ".join((*parts, f"if ({_any(rng, _TESTS)}) {{ {change} }}" if is_tested else change))
