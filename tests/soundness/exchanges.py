"""Random programs in which threads compare and exchange a counter: what they expect and store is set step by step."""

from __future__ import annotations

import re
from random import Random

from duet.plip.parser import parse_program
from duet.plip.syntax import Program

_BEFORE = (
    *(("e := h", "n := h + 1", "n := wrap(h + 1, 0, 3)") * 3),
    *("n := e + 1", "e := n", "n := h", "e := wrap(h + 1, 0, 3)", "n := wrap(e, 0, 1)", "h := e", "e := h - 1"),
    *("n := wrap(n + 1, 0, 3)", "atomic { e := h n := e + 1 }", "atomic { n := wrap(h + 1, 0, 3) h := 0 }", "n := 1"),
    *("if (*) { h := n }", "h := c", "e := c", "n := c"),
)
_EXCHANGES = (
    *(("atomic { [c == e] c := n }",) * 5),
    *("atomic { [e == c] n := c c := n }", "atomic { [c == e + 1] c := n }", "atomic { [c == n] c := e }"),
    *(
        "atomic { [c == h] c := n }",
        "atomic { h := 2 [c == e] c := h }",
        "[c == e] c := n",
        "atomic { [c >= e] c := n }",
    ),
    *("atomic { [c == e] c := wrap(n + 1, 0, 3) }", "atomic { c := n [c == e] }"),
    *("atomic { n := c c := 0 }", "atomic { h := c [c >= 1] c := 0 e := h }", "c := wrap(c + 1, 0, 3)", "c := c + 1"),
    *("atomic { h := c c := e }", "atomic { n := c c := 0 } atomic { c := c + n }", "atomic { h := c c := 2 - h }"),
)


def exchange_program(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(seed)
    names = ("A", "B")[: rng.choice((1, 2, 2))]
    spawns = " ".join(f"spawn {name}" for name in names)
    joins = " ".join(f"join {name}" for name in names)
    bodies = [f"thread main {{ {rng.choice((spawns, f'{spawns} {spawns}'))} {joins} {_check(rng)} {_check(rng)} }}"]
    for name in names:
        rounds = " ".join(_round(rng) for _ in range(rng.choice((1, 1, 2))))
        bodies.append(f"thread {name} {{ local h = 0 local e = 0 local n = 0 {rounds} {_check(rng)} }}")
    own = [re.sub(r"\b([hen])\b", rf"\g<1>{number}", body) for number, body in enumerate(bodies)]
    return parse_program("\n".join((f"global c = {rng.choice((0, 0, 1, 3))}", *own)), "exchanges.plip")


def _check(rng: Random) -> str:
    return f"assert c {rng.choice(('<=', '>=', '==', '!='))} {rng.randrange(5)}" if rng.random() < 0.7 else ""


def _round(rng: Random) -> str:
    """What a thread does until its exchange succeeds, or once."""
    before = " ".join(rng.choice(_BEFORE) for _ in range(rng.choice((2, 2, 3))))
    exchange = rng.choice(_EXCHANGES)
    again = rng.choice(("h := c", "skip", "h := c", "n := c"))
    first = rng.choice(("h := c", "h := c", "skip"))
    body = f"{before} choose {{ {exchange} }} or {{ {again} }}"
    return f"{first} while (*) {{ {body} }}" if rng.random() < 0.2 else f"{first} {body}"
