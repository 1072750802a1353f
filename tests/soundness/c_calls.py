"""Random sequential C programs that are mostly calls, for bodies that several calls share.

In half of the programs functions call those behind them only; else each other and themselves in any order, as deep as
the fuel in their first parameter lasts. Locals live across calls, pointers to them are handed down and back, structures
are passed by value. Nothing has undefined behaviour: values stay below 64, pointers never outlive what they point to,
no statement has two effects of which the order is open. The probes are those of `c_programs`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_DECLARATIONS = """#include <stdlib.h>
struct s { int a; short b; int *p; };
int g, h = 1, ga[4] = {1, 2, 3}; unsigned char narrow = 250; struct s gs = {5, 6, &g}, gt = {7, 8, &ga[2]};
int *gp = &g; struct node { int value; struct node *next; } *first;
"""
_KINDS: Mapping[str, str] = {
    "number": "int {0}(int n, int a)",
    "narrow": "static short {0}(int n, unsigned char a)",
    "through": "int {0}(int n, int *p)",
    "chosen": "int *{0}(int n, int *p, int *q)",
    "structure": "struct s {0}(int n, struct s v)",
    "member": "void {0}(int n, struct s *q, int a)",
    "element": "int {0}(int n, int t[3], int a)",
    "table": "int {0}(int n, int a)",
    "allocated": "struct node *{0}(int n, int a)",
}


@dataclass
class _Writer:
    """The function being written: its integers, its pointers to integers, structures and arrays of three."""

    rng: random.Random
    functions: Mapping[str, str]  # kinds by name
    lines: list[str]
    numbers: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)
    structures: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    fuel: str = "n - 1"
    count: int = 0
    calls: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def place(self) -> str:
        """An integer that may be assigned, by name or through a pointer that no call in between moves."""
        return self.rng.choice((*self.numbers, *(f"*{name}" for name in self.pointers), "g", "h", "gs.a"))

    def known(self) -> str:
        """A value that the function itself has: a parameter, a local, or what a pointer of its own leads to."""
        members = [f"{name}.{part}" for name in self.structures for part in ("a", "b")]
        elements = [f"{name}[{self.rng.randrange(3)}]" for name in self.arrays]
        pointed = [f"*{name}" for name in self.pointers]
        return self.rng.choice((*self.numbers, *self.numbers, *pointed, *members, *elements, "h"))

    def value(self) -> str:
        rng = self.rng
        kind = rng.randrange(8)
        if kind < 3:
            return str(rng.randrange(8))
        if kind < 6:
            return self.known()
        if kind == 6:
            return rng.choice(("g", "gs.a", "gt.b", "*gp", "*gs.p", "narrow", "ga[1]"))
        return f"(({self.known()} {rng.choice(('+', '-', '^', '|'))} {rng.randrange(1, 8)}) & 63)"

    def condition(self) -> str:
        return f"{self.value()} {self.rng.choice(('==', '!=', '<', '>='))} {self.value()}"

    def pointer(self) -> str:
        """A pointer to an integer that lives at least as long as the function."""
        named = [f"&{name}" for name in self.numbers]
        inner = [f"&{name}.a" for name in self.structures] + [f"&{name}[1]" for name in self.arrays]
        return self.rng.choice((*named, *inner, *self.pointers, *self.pointers, "&g", "&h", "&ga[2]", "gp"))

    def call(self) -> None:
        rng = self.rng
        self.calls += 1
        name, kind = rng.choice([*sorted(self.functions.items()), ("even", "number")])
        match kind:
            case "number" | "narrow":
                text = f"{name}({self.fuel}, {self.value()})"
            case "through":
                text = f"{name}({self.fuel}, {self.pointer()})"
            case "chosen":
                self.local_pointer(f"{name}({self.fuel}, {self.pointer()}, {self.pointer()})")
                return
            case "structure":
                if not self.structures:
                    self.structure()
                target, given = rng.choice(self.structures), rng.choice((*self.structures, "gs", "gt"))
                self.lines.append(f"{target} = {name}({self.fuel}, {given});")
                return
            case "member":
                given = rng.choice((*(f"&{name}" for name in self.structures), "&gs", "&gt"))
                self.lines.append(f"{name}({self.fuel}, {given}, {self.value()});")
                return
            case "element":
                text = f"{name}({self.fuel}, {rng.choice((*self.arrays, 'ga', '&ga[1]'))}, {self.value()})"
            case "allocated":
                self.lines.append(f"{{ struct node *was = first, *made = {name}({self.fuel}, {self.value()});")
                self.lines.append("PROBE(was ? was->value : 9);")
                self.lines.append("PROBE(made ? made->value : 9);")
                self.lines.append(f"if (made) first = made; {self.place()} = 3; }}")
                return
            case _:
                text = f"operations[{self.value()} & 1]({self.fuel}, {self.value()})"
        self.use(text)

    def use(self, call: str) -> None:
        """A statement with a call, whose result goes where the call does not matter, and a probe of what is there."""
        target = self.rng.choice((*self.numbers, "g", "h", "narrow"))
        self.lines.append(
            self.rng.choice((
                f"{target} = {call};",
                f"{target} = {call};",
                f"{target} = ({call} + {self.rng.randrange(4)}) & 63;",
                f"{call};",
                f"if ({call} > {self.rng.randrange(8)}) {target} = {self.rng.randrange(8)};",
            ))
        )  # fmt: skip
        self.lines.append(f"PROBE({target});")

    def structure(self) -> None:
        name = self.fresh()
        self.lines.append(f"struct s {name} = {{{self.value()}, {self.value()}, {self.rng.choice(('&g', '&ga[1]'))}}};")
        self.structures.append(name)

    def local_pointer(self, value: str) -> None:
        name = self.fresh()
        self.lines.append(f"int *{name} = {value};")
        self.pointers.append(name)

    def local(self) -> None:
        """A local with a value of its own in each activation."""
        match self.rng.randrange(6):
            case 0:
                self.structure()
            case 1:
                name = self.fresh()
                self.lines.append(f"int {name}[3] = {{{self.value()}, {self.value()}, 1}};")
                self.arrays.append(name)
            case 2:
                self.local_pointer(self.pointer())
            case 3:
                name = self.fresh()
                self.lines.append(f"static int {name} = 1; {name} = ({name} + {self.rng.randrange(1, 4)}) & 15;")
                self.numbers.append(name)
            case _:
                name = self.fresh()
                self.lines.append(f"int {name} = {self.value()};")
                self.numbers.append(name)

    def probe(self) -> None:
        self.lines.append(f"PROBE({self.rng.choice((self.known, self.known, self.value))()});")

    def statement(self, depth: int) -> None:
        rng = self.rng
        kind = rng.randrange(10)
        if kind < 4 and self.calls < 3:
            self.call()
        elif kind == 4 and depth:
            self.inside(f"if ({self.condition()}) {{", depth - 1)
        elif kind == 5 and depth:
            name = self.fresh()
            self.inside(f"for (int {name} = 0; {name} < {rng.randrange(1, 3)}; {name}++) {{", depth - 1)
        elif kind == 6:
            self.lines.append(
                rng.choice((
                    f"gp = {rng.choice(('&g', '&h', '&ga[1]', '&gs.a'))};",
                    f"gs.p = {rng.choice(('&g', '&ga[2]', 'gp'))};",
                    f"ga[{self.value()} & 3] = {self.value()};",
                    f"narrow = (unsigned char)({self.value()} + 200);",
                    "gt = gs;",
                ))
            )  # fmt: skip
        elif kind == 7:
            self.probe()
        else:
            self.lines.append(f"{self.place()} = {self.value()};")
        if rng.random() < 0.4:
            self.probe()

    def inside(self, head: str, depth: int) -> None:
        """A block, with its own locals."""
        before = [list(names) for names in (self.numbers, self.pointers, self.structures, self.arrays)]
        self.lines.append(head)
        for _ in range(2):
            self.statement(depth)
        self.lines.append("}")
        self.numbers, self.pointers, self.structures, self.arrays = before


def _body(writer: _Writer, kind: str) -> None:
    """The statements of a function and what it returns."""
    end: dict[str, Callable[[], str]] = {
        "chosen": lambda: writer.rng.choice(("p", "q", "&g", "gp")),
        "structure": lambda: "v",
        "member": lambda: "",
        "allocated": lambda: "made",
    }
    given = end.get(kind, writer.value)
    if kind == "allocated":
        writer.lines.append("struct node *made = malloc(sizeof *made); if (!made) return first;")
        writer.lines.append("made->value = a; made->next = first;")
        if writer.rng.random() < 0.3:
            writer.lines.append("if (first) first->value = (first->value + 1) & 63;")
    if kind == "element":
        writer.lines.append("t[(unsigned)a % 3] = a & 63;")
    writer.lines.append(f"if (n <= 0) return {given()};")
    writer.probe()
    for _ in range(writer.rng.randrange(1, 3)):
        writer.local()
    for _ in range(writer.rng.randrange(2, 5)):
        writer.statement(1)
    writer.lines.append(f"return {given()};")


_GIVEN: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "through": ((), ("p",), (), ()),
    "chosen": ((), ("p", "q"), (), ()),
    "structure": ((), (), ("v",), ()),
    "member": (("a",), (), ("(*q)",), ()),
    "element": (("a",), (), (), ("t",)),
}
"""The parameters of each kind, by what the body may do with them; one integer `a` for the others."""


def random_calls(seed: int) -> str:
    """The text of a program with probes."""
    rng = random.Random(seed)
    functions = {f"f{number}": rng.choice(sorted(_KINDS)) for number in range(rng.randrange(2, 5))}
    lines = _DECLARATIONS.splitlines()
    lines += [f"{_KINDS[kind].format(name)};" for name, kind in functions.items()]
    alike = [name for name, kind in functions.items() if kind in ("number", "table")]
    may_recur = rng.random() < 0.5
    lines.append("int even(int n, int a) { return (a + n) & 63; } int odd(int n, int a) { return n > 1 ? 1 : a & 7; }")
    operations = [rng.choice((*alike, "even")) for _ in range(2)] if may_recur else ["even", "odd"]
    lines.append(f"int (*operations[2])(int, int) = {{{', '.join(operations)}}};")
    for number, (name, kind) in enumerate(functions.items()):
        lines.append(f"{_KINDS[kind].format(name)} {{")
        given = [list(names) for names in _GIVEN.get(kind, (("a",), (), (), ()))]
        called = functions if may_recur else dict(list(functions.items())[number + 1 :])
        numbers, pointers, structures, arrays = given
        _body(_Writer(rng, called, lines, numbers, pointers, structures, arrays), kind)
        lines.append("}")
    lines.append("int main(void) {")
    writer = _Writer(rng, functions, lines, fuel="2")
    for _ in range(3):
        writer.local()
    for _ in range(rng.randrange(4, 8)):
        writer.calls = 0
        writer.call()
        writer.statement(1)
        writer.probe()
    lines += ["return 0;", "}"]
    return "\n".join(lines) + "\n"
