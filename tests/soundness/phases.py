"""Random programs of two or three threads that meet at a barrier, each with a cell that says whether it waits."""

from __future__ import annotations

from random import Random

from duet.plip.parser import parse_program
from duet.plip.syntax import Program

_NAMES = ("one", "two", "three")


def _arrival(name: str) -> str:
    return f'"b:arrival of {name}"'


def _wait(rng: Random, name: str, others: list[str], mutation: float) -> str:
    """Waiting at the barrier, or something much like it."""
    mine, theirs = _arrival(name), [_arrival(other) for other in others]
    come = f"{mine} := 1"
    go = f"atomic {{ [{mine} == 2] {mine} := 0 }}"
    known = [f"[{other} == 1]" for other in theirs]
    told = [f"{other} := 2" for other in theirs]
    missing = " || ".join(f"{other} != 1" for other in theirs)
    if rng.random() < mutation:
        match rng.randrange(7):
            case 0:
                known.pop(rng.randrange(len(known)))
            case 1:
                told.pop(rng.randrange(len(told)))
            case 2:
                go = f"atomic {{ [{mine} >= 1] {mine} := 0 }}"
            case 3:
                go = f"{mine} := 0"
            case 4:
                go = "skip"
            case 5:
                told.append(f"{mine} := 2")
            case _:
                known, told = told, known
    opening = f"atomic {{ {' '.join((*known, *told))} }}"
    return f"choose {{ {opening} }} or {{ atomic {{ [{missing}] {come} }} {go} }}"


def barrier_program(seed: int) -> Program:
    """A program in which threads meet at a barrier, in loops and branches, most of them as barriers are used."""
    rng = Random(seed)
    names = list(_NAMES[: rng.choice((2, 2, 3))])
    mutation = rng.choice((0.0, 0.0, 0.2))
    threads = []
    for name in names:
        others = [other for other in names if other != name]
        parts = [_part(rng, name, others, mutation) for _ in range(rng.choice((1, 2, 2)))]
        text = "\n".join(parts)
        body = f"while (*) {{ {text} }}" if rng.random() < 0.6 else text
        threads.append(f"thread {name} {{ {body}\n}}")
    cells = " ".join(f"global {_arrival(name)} = 0" for name in names)
    start = " ".join(f"spawn {name}" for name in names)
    main = f"thread main {{ {start} {'x := 3' if rng.random() < 0.3 else ''} }}"
    return parse_program(f"global x = 0 {cells}\n{main}\n" + "\n".join(threads), "phases.plip")


def _part(rng: Random, name: str, others: list[str], mutation: float) -> str:
    waits = [_wait(rng, name, others, mutation) for _ in range(rng.choice((1, 1, 2, 3)))]
    work = rng.choice(("skip", "x := 1", "x := 2", "[x <= 2]"))
    text = f"{work} {' '.join(waits)}"
    return f"choose {{ {text} }} or {{ {rng.choice(('skip', waits[0]))} }}" if rng.random() < 0.2 else text
