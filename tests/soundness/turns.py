"""Random programs of two threads that use flags, most of them like those of a lock, with steps swapped or left out."""

from __future__ import annotations

from random import Random

from duet.plip.parser import parse_program
from duet.plip.syntax import Program

WAITS = (
    "[{yours} == 0 || turn == {me}]",
    "[{yours} == 0 || turn == {me}]",
    "[{yours} == 0]",
    "[turn == {me}]",
    "while ({yours} == 1 && turn == {other}) {{ }}",
    "while ({yours} == 1) {{ if (turn == {other}) {{ {mine} := 0  [turn == {me}]  {mine} := 1 }} }}",
    "if ({yours} == 0) {{ }} else {{ [turn == {me}] }}",
)
INSIDE = ("x := x + 1", "l{me} := x  x := l{me} + 1", "y := x", "x := 2", "l{me} := {yours}  [l{me} == 0]", "x := 0")
ENDS = ("{mine} := 0", "turn := {other}", "{mine} := 0  turn := {other}")


def turns_program(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(seed)
    names = ("a", "b")
    wait = rng.choice(WAITS)
    threads = []
    for me in (0, 1):
        steps = ["{mine} := 1", "turn := {other}", wait, rng.choice(INSIDE), rng.choice(INSIDE), rng.choice(ENDS)]
        if rng.random() < 0.5:
            at = rng.randrange(len(steps))
            match rng.choice(("drop", "double", "swap", "more", "wait")):
                case "drop":
                    del steps[at]
                case "double":
                    steps.insert(at, steps[at])
                case "swap":
                    steps[at - 1], steps[at] = steps[at], steps[at - 1]
                case "more":
                    steps.insert(at, rng.choice(("{mine} := 0", "{yours} := 0", "turn := {me}", "x := x + 1")))
                case _:
                    steps[2] = rng.choice(WAITS)
        mine, yours = names[me], names[1 - me]
        body = "  ".join(steps).format(mine=mine, yours=yours, me=me, other=1 - me)
        body = f"while (*) {{ {body} }}" if rng.random() < 0.3 else body
        threads.append(f"thread t{me} {{ local l{me} = 0 {body} }}")
    first = rng.choice(("", "", "turn := 1  ", "a := 1  ", "a := 1  turn := 1  "))
    last = rng.choice(("", "", "", "  turn := 0", "  b := 0"))
    main = f"thread main {{ {first}spawn t0  spawn t1{last} }}"
    text = f"global a = 0 global b = 0 global turn = {rng.choice((0, 0, 1))} global x = 0 global y = 0 {main}\n"
    return parse_program(text + "\n".join(threads), "t.plip")
