"""Random sequential C programs for the differential test of the lowering.

No program has undefined behaviour by construction where that is cheap (indices, shift counts, divisors, order of
effects, loops); what is left (signed overflow) the compiled program traps. Probes `PROBE(e);` stand each on a line of
its own: running the program tells the values of `e`, then `with_checks` turns them into checks.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.soundness import c_idioms

TYPES = ("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long")
INPUTS = ("int", "uint", "short", "ushort", "char", "uchar", "bool")
RELATIONS = ("==", "!=", "<=", ">=", "<", ">")
PROBE = "PROBE("
_DECLARATIONS = """enum color { RED, GREEN = 5, BLUE };
enum sign { MINUS = -1, NONE, PLUS };
struct in { short c; int d[2]; unsigned char e; };
struct s { int a; unsigned char b; struct in in; unsigned f : 3; int h : 5; int *p; };
union u { int i; unsigned char bytes[4]; unsigned short halves[2]; };
static const int table[8] = {3, 1, -4, 1, 5, 9, 2, 60};
static const unsigned char codes[4] = {1, 200, 30, 255};
int ga[4] = {1, 2, 3}; int big[32]; unsigned char bytes[4]; int grid[2][4];
struct s gs = {7, 8, {9, {10, 11}, 12}, 5, -3, &ga[1]}; struct s many[2];
union u gu; enum color hue; enum sign side;
int *gp = &ga[2]; int **gpp = &gp; struct s *sp = &gs;
int zero, one = 1;"""
_INT_PLACES = ("ga[0]", "ga[3]", "gs.a", "gs.in.d[1]", "zero", "one", "big[7]", "many[1].a", "grid[1][2]")
_READS = (
    *("*gp", "**gpp", "sp->a", "sp->in.c", "gs.b", "gs.f", "gs.h", "gu.i", "gu.bytes[1]", "hue", "side", "sp->h"),
    *("gs.in.e", "many[0].b", "*gs.p", "sp->in.d[0]", "BLUE", "MINUS", "sizeof(struct in)", "'\\xe9'", "bytes[2]"),
)
_WRITES = (
    *("*gp", "**gpp", "sp->a", "sp->in.c", "gs.b", "gs.f", "gs.h", "gu.i", "gu.bytes[1]", "gu.halves[0]", "hue"),
    *("side", "sp->h", "sp->f", "gs.in.e", "many[0].b", "*gs.p", "sp->in.d[0]", "bytes[2]", "*sp->p"),
)
_HELPERS = """int classify(int x) { if (x > 3) return -5; if (x == 2) return 7; return x < 0 ? 0 : 1; }
int count(void) { static int n = 2; n++; return n; }
int down(int n) { int keep = n; if (n <= 0) return 1; int below = down(n - 1); one += keep & 3; return below + 1; }
void store(int *to, int v) { *to = v; }
int *choose(int k, int *a, int *b) { if (k) return a; return b; }
struct s filled(int k) { struct s r = {k & 15, 2}; r.in.d[1] = k & 7; if (k & 1) return gs; return r; }
int twice(int x) { return (x & 255) * 2; }
int minus(int x) { return -(x & 255); }
int (*operations[2])(int) = {twice, minus};
void apply(int (*f)(int), int *p) { *p = f(*p & 127); }
void both(int *a, int *b) { *a = 1; *b = 2; }"""


@dataclass
class Writer:
    """The program so far, and the variables in scope."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    number: int = 0
    loops: int = 0

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    def put(self, text: str) -> None:
        self.lines.append(text)

    # expressions without effects

    def leaf(self) -> str:
        rng = self.rng
        kind = rng.randrange(8)
        if kind == 0:
            return rng.choice(("0", "1", "2", "-1", "7", "255", "100", "0x80u", "3L", "65535", "'a'"))
        if kind == 1:
            return f"{rng.choice(('ga', 'table', 'bytes', 'codes'))}[{self.small()} & 3]"
        if kind == 2:
            return rng.choice(_READS)
        if kind == 3:
            return rng.choice(_INT_PLACES)
        return rng.choice((*self.variables, *self.counters))

    def small(self) -> str:
        return self.rng.choice((*self.variables, *self.counters, "0", "1", "3", "one"))

    def expression(self, depth: int) -> str:
        rng = self.rng
        if depth == 0:
            return self.leaf()
        left = self.expression(depth - 1)
        right = self.expression(rng.randrange(depth))
        kind = rng.randrange(13)
        if kind < 3:
            return f"(({rng.choice(('short', 'unsigned char', 'unsigned', 'signed char'))})({left}) "\
                f"{rng.choice('+-*')} (short)({right}))"  # fmt: skip
        if kind == 3:
            return f"(({left}) {rng.choice(('/', '%'))} ((({right}) & 7) + 1))"
        if kind == 4:
            return f"((unsigned)({left}) << (({right}) & 7))"
        if kind == 5:
            return f"(({left}) >> (({right}) & 7))"
        if kind == 6:
            return f"(({left}) {rng.choice('&|^')} ({right}))"
        if kind == 7:
            return f"({rng.choice(('~', '!', '-(short)', '+'))}({left}))"
        if kind == 8:
            return f"(({left}) {rng.choice(RELATIONS)} ({right}))"
        if kind == 9:
            return f"(({left}) {rng.choice(('&&', '||'))} ({right}))"
        if kind == 10:
            return f"(({left}) ? ({right}) : ({self.leaf()}))"
        if kind == 11:
            return f"(({rng.choice((*TYPES, '_Bool'))})({left}))"
        return rng.choice((left, f"(&ga[({left}) & 3] - ga)", f"grid[({left}) & 1][({right}) & 3]"))

    # statements

    def target(self) -> str:
        rng = self.rng
        kind = rng.randrange(8)
        if kind == 0:
            array, mask = rng.choice((("ga", 3), ("big", 31), ("bytes", 3), ("grid[1]", 3)))
            return f"{array}[({self.expression(1)}) & {mask}]"
        if kind == 1:
            return rng.choice(_WRITES)
        if kind == 2:
            return rng.choice(_INT_PLACES)
        return rng.choice(self.variables)

    def probe(self) -> None:
        rng = self.rng
        value = rng.choice((self.leaf, self.leaf, lambda: self.expression(1), lambda: self.expression(2)))()
        self.put(f"PROBE({value});")

    def simple(self) -> None:
        rng = self.rng
        kind = rng.randrange(14)
        if kind < 4:
            self.put(f"{self.target()} = {self.expression(2)};")
        elif kind == 4:
            operator = rng.choice(("|=", "&=", "^=", ">>="))
            right = f"({self.expression(1)}) & 7" if operator == ">>=" else self.expression(1)
            self.put(f"{self.target()} {operator} {right};")
        elif kind == 5:
            self.put(f"{self.target()} {rng.choice(('+=', '-='))} ({self.expression(1)}) & 63;")
        elif kind == 6:
            place = rng.choice(self.variables)
            self.put(f"{place} = ({place}) & 1023; {rng.choice((f'({place})++', f'--{place}', f'++{place}'))};")
        elif kind == 7:
            self.effects()
        elif kind == 8:
            self.put(self.pointing())
        elif kind == 9:
            self.call()
        elif kind == 10:
            name = rng.choice(INPUTS)
            self.put(f"{rng.choice(self.variables)} = __VERIFIER_nondet_{name}();")
        elif kind == 11:
            self.structures()
        else:
            text, place = c_idioms.idiom(self)
            self.put(text)
            self.put(f"PROBE({place});")

    def effects(self) -> None:
        """A statement with an effect inside of an expression, but no two that are unsequenced."""
        rng = self.rng
        index = self.fresh("k")
        self.put(f"int {index} = {rng.randrange(3)};")
        operator = rng.choice(("{0}++", "++{0}", "{0}--")).format(index)
        place = rng.choice(self.variables)
        self.put(
            rng.choice((
                f"ga[{operator} & 3] = {self.leaf()};",
                f"{place} = {operator} + 2;",
                f"{place} = ({operator}, {index} + 1);",
                f"{place} = {operator} && {index} ? {index} : 9;",
                f"gp = &ga[1]; {place} = *gp++ + 1; gp--;",
                f"{place} = {index} = (unsigned char)({self.leaf()});",
            ))
        )  # fmt: skip

    def pointing(self) -> str:
        rng = self.rng
        first, second = rng.sample(_INT_PLACES, 2)
        return rng.choice((
            f"gp = &{first};",
            f"gp = ({self.expression(1)}) ? &{first} : &{second};",
            f"gp = &ga[({self.expression(1)}) & 3];",
            f"gs.p = &{first}; gp = gs.p;",
            f"gpp = &many[1].p; many[1].p = &{first}; *gpp = &{second}; gpp = &gp;",
            f"sp = ({self.expression(1)}) ? &gs : &many[1]; sp->p = &{first};",
            f"sp = &many[({self.expression(1)}) & 1]; sp->p = &ga[0];",
            f"gp = choose({self.leaf()}, &{first}, &{second});",
            f"((unsigned char *)&{first})[({self.small()}) & 3] = {self.leaf()};",
            f"*(unsigned *)&{first} = {self.expression(1)};",
            f"memset(&gs.in, {rng.randrange(3)}, sizeof gs.in);",
            "memcpy(&many[1], &gs, sizeof gs);",
        ))  # fmt: skip

    def structures(self) -> None:
        rng = self.rng
        self.put(
            rng.choice((
                "many[0] = gs; many[0].p = &ga[3];",
                f"many[{rng.randrange(2)}] = filled({self.small()}); many[0].p = many[1].p = gs.p = &one;",
                f"gs.in = (struct in){{.d = {{{self.leaf()}, 3}}, .e = {self.leaf()}}};",
                f"{{ struct in t = {{1, {{2}}, {self.leaf()}}}; gs.in = t; t.e = 3; }}",
                "gs = *sp; sp = &gs; gs.p = &ga[0];",
            ))
        )  # fmt: skip

    def call(self) -> None:
        rng = self.rng
        place, argument = rng.choice(self.variables), self.expression(1)
        first, second = rng.sample(_INT_PLACES, 2)
        self.put(
            rng.choice((
                f"{place} = classify({argument});",
                f"{place} = classify({argument}); if ({place} < 0) {{ zero = 4; }}",
                f"if (classify({argument}) == 7 || classify({self.leaf()})) {first} = 6;",
                f"switch (classify({argument})) {{ case -5: {first} = 1; case 7: {second} = 2; break; default: ; }}",
                f"{place} = count();",
                f"{place} = down(({argument}) & 3);",
                f"store(&{first}, {self.leaf()});",
                f"store(gp, {self.leaf()});",
                f"{place} = operations[({argument}) & 1]({self.leaf()});",
                f"apply(({argument}) ? twice : minus, &{first});",
                f"{place} = filled({argument}).in.d[1];",
                f"both(&{first}, ({argument}) ? &{first} : &{second});",
                f"{place} = !classify({argument}) + 1;",
            ))
        )  # fmt: skip

    def block(self, size: int, depth: int) -> None:
        before = list(self.variables), list(self.counters)
        self.put("{")
        if self.rng.random() < 0.3:
            self.local()
        for _ in range(size):
            self.statement(depth)
        self.put("}")
        self.variables, self.counters = before

    def local(self) -> None:
        rng = self.rng
        kind, name = rng.choice((*TYPES, "_Bool")), self.fresh("v")
        self.put(f"{kind} {name} = {self.expression(1)};")
        self.variables.append(name)
        if rng.random() < 0.3 and kind == "int":
            self.put(f"gp = &{name}; *gp = (unsigned char)*gp; gp = &one;")

    def statement(self, depth: int) -> None:
        rng = self.rng
        if rng.random() < 0.4:
            self.probe()
        kind = rng.randrange(9) if depth else 0
        if kind < 5:
            self.simple()
        elif kind == 5:
            self.put(f"if ({self.expression(2)})")
            self.block(2, depth - 1)
            if rng.random() < 0.5:
                self.put("else")
                self.block(2, depth - 1)
        elif kind == 6 and self.loops < 2:
            self.loop(depth)
        elif kind == 7:
            self.choice(depth)
        else:
            self.jump(depth)

    def loop(self, depth: int) -> None:
        rng = self.rng
        name, times = self.fresh("i"), rng.randrange(1, 5)
        form = rng.randrange(3)
        self.put(f"int {name} = {0 if form else times};")
        self.counters.append(name)
        self.loops += 1
        if form == 0:
            self.put(f"while ({name}-- > 0)")
        elif form == 1:
            self.put(f"for (; {name} < {times}; {name} += 1)")
        else:
            self.put("do {")
        self.block(2, depth - 1)
        if form == 2:
            self.put(f"if ({self.expression(1)}) {rng.choice(('break', 'continue'))};")
            self.put(f"}} while (++{name} < {times});")
        self.loops -= 1

    def choice(self, depth: int) -> None:
        rng = self.rng
        self.put(f"switch (({self.expression(1)}) & 7) {{")
        labels = rng.sample(range(8), 3)
        for label in labels:
            self.put(f"case {label}:")
            self.block(1, depth - 1)
            if rng.random() < 0.5:
                self.put("break;")
        if rng.random() < 0.5:
            self.put("default: one = 8;")
        self.put("}")

    def jump(self, depth: int) -> None:
        label = self.fresh("out")
        self.put("{")
        self.put(f"if ({self.expression(1)}) goto {label};")
        self.block(2, depth - 1)
        self.put(f"{label}: ;")
        self.put("}")


def random_program(seed: int) -> str:
    """The text of a program with probes."""
    writer = Writer(random.Random(seed))
    rng = writer.rng
    writer.lines = [*_DECLARATIONS.splitlines(), *_HELPERS.splitlines(), *c_idioms.DECLARATIONS.splitlines()]
    for number in range(3):
        writer.put(f"{rng.choice(TYPES)} g{number} = {rng.randrange(-3, 130)};")
        writer.variables.append(f"g{number}")
    writer.put(f"{rng.choice(TYPES)} work({rng.choice(TYPES)} x, int *p) {{")
    outside = list(writer.variables)
    writer.variables += ["x", "*p"]
    for _ in range(3):
        writer.statement(1)
    writer.put(f"return {writer.expression(1)};")
    writer.put("}")
    writer.variables, writer.counters = outside, []
    writer.put("int main(void) {")
    for _ in range(3):
        writer.local()
    for _ in range(rng.randrange(2, 7)):
        writer.statement(2)
        if rng.random() < 0.2:
            writer.put(f"{rng.choice(writer.variables)} = work({writer.leaf()}, &{rng.choice(_INT_PLACES)});")
    for _ in range(3):
        writer.probe()
    writer.put("return 0;")
    writer.put("}")
    return "\n".join(writer.lines) + "\n"


def with_checks(text: str, values: Mapping[int, frozenset[int]], seed: int) -> tuple[str, frozenset[int]]:
    """The program with a check for each probe, near the values that were seen, and the lines of those that fail."""
    rng = random.Random(seed)
    failing = set()
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith(PROBE):
            continue
        known = sorted(values.get(number, ()))
        bound = rng.choice((rng.choice(known), known[0], known[-1], known[-1] + rng.choice((-1, 1)))) if known else 0
        relation = rng.choice(RELATIONS)
        lines[number - 1] = f"__goblint_check((long)({line[len(PROBE) : -2]}) {relation} {_literal(bound)});"
        if not all(_holds(value, relation, bound) for value in known):
            failing.add(number)
    return "\n".join(lines) + "\n", frozenset(failing)


def _literal(value: int) -> str:
    return f"{value}L" if value > -(1 << 63) else "(-0x7fffffffffffffffL - 1)"


def _holds(value: int, relation: str, bound: int) -> bool:
    return {
        "==": value == bound,
        "!=": value != bound,
        "<=": value <= bound,
        ">=": value >= bound,
        "<": value < bound,
        ">": value > bound,
    }[relation]
