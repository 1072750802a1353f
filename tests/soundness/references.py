"""Random programs of threads that share a counter which may be one of references, and a cell that the last one sets."""

from __future__ import annotations

import re
from random import Random

from duet.plip.parser import parse_program
from duet.plip.syntax import Program

_TAKE = (
    "atomic { t := c  c := t + 1 }",
    "atomic { c := c + 1 }",
    "atomic { [l == 0] l := 1 } t := c  c := t + 1  l := 0",
)
_GIVE = (
    *(("atomic { t := c  c := t - 1  r := t - 1 }",) * 4),
    *(("atomic { t := c  c := t - 1 [t != 1] r := t - 1 }",) * 1),
    "atomic { t := c  r := wrap(t - 1, 0, 7)  c := r }",
    *(("atomic { [l == 0] l := 1 }  t := c  c := t - 1  r := t - 1  l := 0",) * 3),
    "atomic { [l == 0] l := 1 }  c := c - 1  r := c  l := 0",
    "atomic { [l == 0] l := 1 }  c := c - 1  l := 0  r := c",
    "atomic { [l == 0] l := 1 }  t := c  l := 0  c := t - 1  r := t - 1",
    "t := c  c := t - 1  r := t - 1",
    "atomic { t := c  c := t - 2  r := t - 2 }",
    "atomic { [z == 0] [l == 0] l := 1 }  t := c  c := t - 1  r := t - 1  l := 0",
)
_ASK = (
    *(("choose { [r == 0] z := 1 } or { [r != 0] }",) * 4),
    "choose { [r <= 0] z := 1 u := c } or { [r >= 1] }",
    "choose { [r == 1] z := 1 } or { [r != 1] }",
    "choose { [t == 1] z := 1 } or { [t != 1] }",
    "choose { [c == 0] z := 1 } or { skip }",
    "z := 1",
)
_USE = (
    "u := c",
    "u := z",
    "t := z",
    "skip",
    "choose { [z != 0] u := 3 } or { [z == 0] }",
    "r := 1",
    "c := 0",
    "l := 0",
)
_SET = ("c := 1", "c := 2", "c := 2", "c := 3", "c := 0", "skip", "c := c + 1", "c := 1 c := 2")
_CROWDS = (
    *(("c := n i := 0 while (*) { [i < n] spawn own0 i := i + 1 } [i >= n]",) * 4),
    *(("c := n + 1 i := 0 while (*) { [i < n] spawn own0 i := i + 1 } [i >= n]",) * 2),
    "c := n i := 0 while (*) { [i <= n] spawn own0 i := i + 1 }",
    "c := n while (*) { [i < n] spawn own0 i := i + 1 }",
    "[n >= 1] c := n + 1 i := 0 while (*) { [i < n] spawn own0 i := i + 1 } [i >= n]",
    "c := 2 i := 0 while (*) { [i <= 1] spawn own0 i := i + 1 } [i >= 2]",
    "c := n i := n while (*) { [i >= 1] spawn own0 i := i - 1 }",
    "c := n i := 0 while (*) { [i < n] spawn own0 choose { i := i + 1 } or { skip } }",
    "c := 1 while (*) { atomic { t := c c := t + 1 } spawn own0 }",
    "c := n n := n + 1 i := 0 while (*) { [i < n] spawn own0 i := i + 1 }",
)


def reference_program(seed: int) -> Program:
    """A program in which most threads have as many references as they give back, or something much like it."""
    rng = Random(seed)
    kinds = rng.randrange(1, 3)
    bodies = [_body(rng) for _ in range(kinds)]
    main = [rng.choice(_SET)] if rng.random() < 0.9 else []
    is_crowd = rng.random() < 0.3
    main += [rng.choice(_CROWDS)] if is_crowd else []
    for number in range(rng.randrange(kinds) if is_crowd else kinds):
        for _ in range(rng.choice((1, 1, 1, 2))):
            if rng.random() < 0.4:
                main.append(rng.choice(_TAKE))
            main.append(f"spawn own{number}")
    main += _body(rng, 0.5).split("\n") if rng.random() < 0.8 else []
    texts = {f"own{number}": body for number, body in enumerate(bodies)} | {"main": "\n".join(main)}
    threads = "\n".join(
        re.sub(r"\b([trin])\b", rf"\g<1>{name}", f"thread {name} {{ {_own(name)}\n{body}\n}}")
        for name, body in texts.items()
    )
    first = rng.choice(("0", "0", "1", "2", "3", "0..1"))
    where = f"= {first}" if ".." not in first else f"in {first}"
    return parse_program(f"global c {where} global z = 0 global u = 0 global l = 0\n{threads}\n", "references.plip")


def _own(name: str) -> str:
    return "local t in 0..3  local r in 0..3" + ("  local n in 0..2  local i = 1" if name == "main" else "")


def _body(rng: Random, often: float = 1.0) -> str:
    parts = [rng.choice(_USE[:5]) for _ in range(rng.randrange(3))]
    if rng.random() < 0.3:
        parts.append(rng.choice(_TAKE))
    for _ in range(rng.choice((1, 1, 1, 2))):
        if rng.random() < often:
            parts += [rng.choice(_GIVE), rng.choice(_ASK) if rng.random() < 0.9 else "skip"]
    if rng.random() < 0.15:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(_USE))
    if rng.random() < 0.1:
        rng.shuffle(parts)
    text = "\n".join(parts)
    return f"while (*) {{\n{text}\n}}" if rng.random() < 0.1 else text
