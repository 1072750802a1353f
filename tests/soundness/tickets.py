"""Random programs of two threads with counters that may be those of a ticket lock, all numbers from 0 to 3."""

from __future__ import annotations

import re
from random import Random

from duet.plip.parser import parse_program
from duet.plip.syntax import Program

_OWN = "local m in 0..3  local t in 0..3"
_DRAWS = (
    *(("atomic { m := d  d := wrap(d + 1, 0, 3) }",) * 6),
    "m := d  d := wrap(d + 1, 0, 3)",
    "atomic { d := wrap(d + 1, 0, 3)  m := d }",
    "atomic { m := d  d := wrap(d + 2, 0, 3) }",
    "atomic { m := d  t := wrap(m + 1, 0, 3)  d := t }",
    "atomic { m := d  t := wrap(m + 1, 0, 3)  d := wrap(t + 1, 0, 3) }",
)
_WAITS = (
    *(("[s == m]",) * 4),
    *(("t := s  [t == m]",) * 3),
    "choose { [s == m] } or { t := s }",
    "[s != m]",
    "skip",
    "t := m  [s == t]",
    "t := s  m := t  [s == m]",
)
_WORK = ("skip", "skip", "u := 1  u := 0", "t := m", "m := t", "t := s", "t := wrap(m + 1, 0, 3)")
_SERVES = (
    *(("s := wrap(m + 1, 0, 3)",) * 3),
    *(("s := wrap(s + 1, 0, 3)",) * 3),
    "s := wrap(t + 1, 0, 3)",
    "s := t",
    "s := m",
    "s := 0",
    "choose { s := wrap(s + 1, 0, 3) } or { skip }",
    "skip",
)
_PHASES = (_DRAWS, _WAITS, _WORK, _SERVES)
_ANY = tuple(step for steps in _PHASES for step in steps)


def ticket_program(seed: int, *, is_crowd: bool = False, is_plain: bool = False) -> Program:
    """A program in which most threads draw a number, wait, and serve the next one, or do something much like it.

    They are two threads, or with `is_crowd` any number that do the same. With `is_plain`, what is drawn alone starts
    over.
    """
    rng = Random(seed)
    bodies = [_body(rng) for _ in range(2)]
    if rng.random() < 0.6:
        bodies[1] = bodies[0]
    bodies = bodies[:1] if is_crowd else bodies
    if is_plain:
        bodies = [re.sub(r"(s|(?<!d  )t) := wrap\((.*?), 0, 3\)", r"\1 := \2", body) for body in bodies]
    own = [re.sub(r"\b([mt])\b", rf"\g<1>{number}", f"{_OWN}\n{body}") for number, body in enumerate(bodies)]
    threads = "\n".join(f"thread own{number} {{ {text}\n}}" for number, text in enumerate(own))
    starts = f"thread main {{ {'while (*) { spawn own0 }' if is_crowd else 'spawn own0 spawn own1'} }}"
    return parse_program(f"global d = 0 global s = 0 global u = 0\n{starts}\n{threads}\n", "tickets.plip")


def _body(rng: Random) -> str:
    parts = [rng.choice(steps) for steps in _PHASES]
    if rng.random() < 0.3:
        parts.insert(rng.randrange(5), rng.choice(_ANY))
    if rng.random() < 0.15:
        rng.shuffle(parts)
    text = "\n".join(parts)
    return f"while (*) {{\n{text}\n}}" if rng.random() < 0.6 else text
