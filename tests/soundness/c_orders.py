"""Random C programs with calls whose order C leaves open: one statement, and variables that tell what it did."""

from __future__ import annotations

import random

VARIABLES = ("g", "h", "t[0]", "t[1]", "t[2]", "t[3]", "x", "n", "*p")
_BODIES = (
    "g = g * 2 + {0}; return {1};",
    "h += g + {0}; return h + {1};",
    "t[g & 3] += {0}; return g + {1};",
    "return g * {0} + h + {1};",
    "if (h > {0}) g++; else h++; return g - {1};",
    "n = n * 2 + {0}; return n + {1};",
    "p = p == &g ? &h : &g; *p += {0}; return *p + {1};",
)
_START = """static int g = 1, h = 2, t[4] = {1, 2, 3, 4}, x, n, *p = &g;
static int two(int a, int b) { return a * 3 - b; }
static int three(int a, int b, int c) { return a * 7 + b * 3 - c; }
static int *place(void) { return p; }
static int (*function(void))(int, int) { h++; return two; }
"""
_LEAVES = (*("f0()", "f1()", "f2()", "f3()") * 2, *("g", "h", "t[1]", "*p", "n++", "1", "4"))
_TARGETS = ("x =", "t[f0() & 3] =", "*p +=", "t[g & 3] =", "*place() =", "*place() +=", "x -=")


def statement(seed: int) -> tuple[str, str]:
    """What stands before `main`, and a statement; it changes a variable at most once itself."""
    rng = random.Random(seed)
    bodies = (rng.choice(_BODIES).format(rng.randint(1, 5), rng.randint(0, 5)) for _ in range(4))
    functions = "\n".join(f"static int f{number}(void) {{ {body} }}" for number, body in enumerate(bodies))
    before, once, behind = f"{rng.choice(_TARGETS)} {_expression(rng, 2)};".partition("n++")
    return f"{_START}{functions}\n", before + once + behind.replace("n++", "1")


def _expression(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.35:
        return rng.choice(_LEAVES)
    first, second, third = (_expression(rng, depth - 1) for _ in range(3))
    kinds = (
        *(f"two({first}, {second})", f"two({first}, {second})", f"three({first}, {second}, {third})"),
        *(f"({first} {operator} {second})" for operator in ("+", "-", "*", "<", "==")),
        *(f"t[{first} & 3]", f"function()({first}, {second})", f"({first} ? {second} : {third})"),
    )
    return rng.choice(kinds)
