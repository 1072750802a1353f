"""Random C programs about pointers: into rows, members and elements, moved, compared, converted and handed on.

A pointer may be moved out of its object; an execution in which it is followed there ends (the address sanitizer). It may
be moved from one member to the next, which C leaves undefined: all that lies behind an `int` is of that type. Pointers
into different objects are compared for equality alone.
"""

# ruff: noqa: E501  (a statement in a line is easier to read)

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

_HEAD = """struct in { int a, b, h[2]; };
struct out { struct out *next; int *p; char c[8]; int n; struct in in[2]; };
static int numbers[4], grid[2][3], *shared; static short halves[4]; static char bytes[8];
static struct in ins[3], *inner; static struct out one, many[2], *outer = &one; static void *any = numbers;
static void put(int *p, int v) { *p = v; }
static void put_at(int *p, unsigned at, int v) { p[at] = v; }
static int get_at(const int *p, int at) { return *(p + at); }
static int *moved(int *p, int by) { return p + by; }
static void *same(void *p) { return p; }
static void swap(int **a, int **b) { int *c = *a; *a = *b; *b = c; }
static void fill(int *p, const int *end, int v) { while (p < end) *p++ = v; }
static struct in *part(struct out *o, unsigned at) { return &o->in[at & 1]; }
static struct out *made(int n) { struct out *o = calloc(1, sizeof *o); if (!o) exit(0); o->n = n; o->p = &o->in[1].a; return o; }
static int *block(unsigned count) { int *p = calloc(count, sizeof *p); if (!p) exit(0); return p; }
"""
_START = """int main(void) {
unsigned i = __VERIFIER_nondet_uint() & 1, j = __VERIFIER_nondet_uint() & 3; int x = 0, y = 1, cells[4] = {0}, table[2][3] = {{0}};
struct in own = {0}; int *p = numbers, *q = &cells[1], **pp = &p; short *h = halves; char *c = bytes; struct in *s = ins;
struct out *o = outer; int (*row)[3] = grid; void *v = same(grid); uintptr_t u = (uintptr_t)cells; int *both[2] = {numbers, &one.in[0].b};
shared = &grid[1][0]; inner = &one.in[1]; one.p = &grid[0][1]; one.next = &many[0]; many[0].p = many[1].p = &numbers[2]; many[0].next = many[1].next = &one;
"""
_POINTERS = {
    "int": ("p", "q", "shared", "(*pp)", "o->p", "outer->p", "one.p", "both[{0:2}]", "both[{0:2}]"),
    "short": ("h",),
    "char": ("c",),
    "struct in": ("s", "inner"),
    "struct out": ("o", "outer", "one.next", "o->next"),
}
_PLACES = {
    "int": (
        *("x", "y", "numbers[{0:4}]", "grid[{0:2}][{1:3}]", "cells[{0:4}]", "table[{0:2}][{1:3}]", "ins[{0:3}].b"),
        *("one.in[{0:2}].a", "many[{0:2}].in[{1:2}].b", "o->n", "o->in[{0:2}].a", "s->b", "own.a", "(*row)[{0:3}]"),
        *(
            "row[{0:2}][{1:3}]",
            "inner->a",
            "ins[{0:3}].h[{1:2}]",
            "s->h[{0:2}]",
            "own.h[{0:2}]",
            "{int}[{0:3}]",
            "*{int}",
            "part({struct out}, {0:4})->b",
        ),
    ),
    "short": ("halves[{0:4}]", "*{short}", "h[{0:3}]"),
    "char": ("bytes[{0:8}]", "one.c[{0:8}]", "o->c[{0:8}]", "*{char}", "c[{0:4}]"),
    "struct in": ("ins[{0:3}]", "one.in[{0:2}]", "own", "*{struct in}", "o->in[{0:2}]", "many[{0:2}].in[{1:2}]"),
    "struct out": ("one", "many[{0:2}]", "*{struct out}"),
}
_ADDRESSES = {
    "int": (
        *("numbers + {0:4}", "grid[{0:2}] + {1:3}", "*grid + {0:6}", "&grid[0][0] + {0:6}", "cells + {0:4}"),
        *("table[{0:2}]", "*row + {0:5}", "moved({int}, {0:3})", "(int *){struct in}", "(int *){char}", "(int *)v"),
        *(
            "(int *)u",
            "(int *)same({int})",
            "&{struct in}->b",
            "{struct in}->h",
            "block({0:3} + 2) + {1:3}",
            "{int} + {0:3}",
        ),
        *(
            "&numbers[3] - {0:4}",
            "(int *)((char *){int} + 4)",
            "({condition} ? {int} : {int})",
            "(int *)((uintptr_t){int} + 4)",
        ),
    ),
    "short": (
        "halves + {0:4}",
        "(short *){int}",
        "{short} + {0:3}",
        "(short *){struct in}->h + {0:2}",
    ),
    "char": ("bytes + {0:8}", "one.c + {0:8}", "(char *){int}", "(char *){struct in} + {0:12}", "{char} + {0:4}"),
    "struct in": (
        *("ins + {0:3}", "part({struct out}, {0:4})", "{struct in} + {0:2}", "(struct in *){int}", "(struct in *)v"),
        "{struct out}->in",
    ),
    "struct out": ("&one", "many + {0:2}", "made({0:4})", "({condition} ? {struct out} : {struct out})"),
}


class _Writer:
    """The statements of a program while it is written."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.indices = ["i", "j"]

    def filled(self, patterns: Sequence[str], depth: int) -> str:
        """One of some patterns: `{0:4}` is an index below 4, `{int}` a pointer, `{condition}` and `{value}` those."""
        parts = self.rng.choice(patterns).split("{")
        written = parts[0]
        for part in parts[1:]:
            what, _, rest = part.partition("}")
            written += self.part(what, depth) + rest
        return written

    def part(self, what: str, depth: int) -> str:
        if what == "condition":
            return self.condition(depth - 1)
        if what == "value":
            return self.value(depth - 1)
        if ":" in what:
            return self.index(int(what.partition(":")[2]))
        return self.pointer(what, depth - 1)

    def index(self, length: int) -> str:
        if self.rng.random() < 0.5:
            return str(self.rng.randrange(length))
        name = self.rng.choice(self.indices)
        return f"(({name} + {self.rng.randrange(2)}) % {length})"

    def place(self, kind: str, depth: int) -> str:
        patterns = [text for text in _PLACES[kind] if depth > 0 or "{" + kind not in text]
        return self.filled(patterns, depth)

    def pointer(self, kind: str, depth: int) -> str:
        """A pointer to a type, in brackets where it is no name."""
        if depth <= 0 or self.rng.random() < 0.35:
            return self.filled(_POINTERS[kind], 0)
        if self.rng.random() < 0.35:
            return f"(&{self.place(kind, depth)})"
        return f"({self.filled(_ADDRESSES[kind], depth)})"

    def value(self, depth: int) -> str:
        kind = self.rng.choice(("int", "int", "short", "char"))
        options: tuple[Callable[[], str], ...] = (
            lambda: str(self.rng.randrange(-2, 9)),
            lambda: self.place(kind, depth),
            lambda: self.condition(depth),
            lambda: f"get_at({self.pointer('int', depth)}, {self.index(3)})",
            lambda: f"({self.place('int', depth)} + {self.rng.randrange(3)})",
            lambda: self.distance(depth),
        )
        return self.rng.choice(options)()

    def distance(self, depth: int) -> str:
        """Of two pointers into one object."""
        patterns = (
            "(int)(&numbers[{0:4}] - numbers)",
            "(int)(&grid[{0:2}][{1:3}] - &grid[0][1])",
            "(int)(&ins[{0:3}] - ins)",
            "(int)((char *)&ins[{0:3}].b - (char *)ins)",
            "(&cells[{0:4}] < &cells[{1:4}])",
            "(&ins[{0:3}].a >= &ins[{1:3}].b)",
            "(bytes + {0:8} > &bytes[{1:8}])",
        )
        return self.filled(patterns, depth)

    def condition(self, depth: int) -> str:
        kind = self.rng.choice(("int", "int", "short", "char", "struct in", "struct out"))
        left, right = self.pointer(kind, depth), self.pointer(kind, depth)
        operator = self.rng.choice(("==", "!="))
        options = (
            f"({left} {operator} {right})",
            f"({left} {operator} {right})",
            f"((void *){left} {operator} (void *){self.pointer('int', depth)})",
            f"((uintptr_t){left} {operator} (uintptr_t){right})",
            f"({self.place('int', depth)} {self.rng.choice(('<', '==', '>'))} {self.rng.randrange(4)})",
            f"({self.rng.choice(self.indices)} == {self.rng.randrange(3)})",
            f"!{left}",
        )
        return self.rng.choice(options)

    def statement(self, depth: int) -> None:
        rng, put = self.rng, self.lines.append
        kind = rng.choice(("int", "int", "int", "short", "char"))
        chosen = rng.randrange(16 if depth else 12)
        if chosen < 4:
            target = rng.choice(tuple(_POINTERS))
            put(f"{self.filled(_POINTERS[target], 0)} = {self.pointer(target, 2)};")
        elif chosen < 7:
            put(f"{self.place(kind, 2)} {rng.choice(('=', '=', '+='))} {self.value(1)};")
        elif chosen == 7:
            record = rng.choice(("struct in", "struct in", "struct out"))
            put(f"{self.place(record, 1)} = {self.place(record, 1)};")
        elif chosen == 8:
            put(
                rng.choice(
                    (
                        f"put({self.pointer('int', 2)}, {self.value(1)});",
                        f"put_at({self.pointer('int', 2)}, {self.index(4)}, {self.value(1)});",
                        f"swap({rng.choice(('&p', '&q', '&shared', '&one.p', 'pp', '&both[1]'))}, &{rng.choice(('p', 'q', 'o->p', 'both[i]'))});",
                        f"{{ int *from = {self.pointer('int', 2)}; fill(from, from + {self.index(4)}, {rng.randrange(2, 9)}); }}",
                        f"memcpy({self.pointer('int', 2)}, {self.pointer('int', 2)}, {self.index(3)} * 4);",
                        f"memset({self.pointer(kind, 2)}, {rng.randrange(3)}, {self.index(9)});",
                    )
                )
            )
        elif chosen == 9:
            put(f"pp = {rng.choice(('&p', '&q', '&shared', '&one.p', '&both[i]', '&o->p'))};")
        elif chosen == 10:
            put(f"row = {rng.choice(('grid', 'table', 'grid + i', '&table[1]', '(int (*)[3])numbers', '&grid[i]'))};")
        elif chosen == 11:
            put(f"v = {self.pointer('int', 2)}; u = (uintptr_t){self.pointer('int', 2)};")
        elif chosen < 14:
            self.inside(f"if ({self.condition(2)}) {{", depth)
            if rng.random() < 0.5:
                self.inside("else {", depth)
        elif chosen == 14:
            name = f"k{len(self.lines)}"
            self.indices.append(name)
            self.inside(f"for (unsigned {name} = 0; {name} < {rng.randrange(1, 4)}; {name}++) {{", depth)
            self.indices.remove(name)
        else:
            put(f"{{ int *w = {self.pointer('int', 2)}; for (int n = {self.index(4)}; n > 0; n--) *w++ = n; }}")

    def inside(self, start: str, depth: int) -> None:
        self.lines.append(start)
        for _ in range(self.rng.randrange(1, 3)):
            self.statement(depth - 1)
        self.lines.append("}")


def random_pointers(seed: int) -> str:
    """The text of a program with probes."""
    writer = _Writer(random.Random(seed))
    for _ in range(writer.rng.randrange(4, 11)):
        writer.statement(2)
        if writer.rng.random() < 0.3:
            writer.lines.append(f"PROBE({writer.value(1)});")
    for _ in range(4):
        writer.lines.append(f"PROBE({writer.rng.choice((writer.value, writer.condition))(2)});")
    body = "\n".join(writer.lines)
    return f"{_HEAD}{_START}{body}\nreturn 0; }}\n"
