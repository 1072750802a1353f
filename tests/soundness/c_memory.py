"""Random sequential C programs about how memory is laid out: nested structures, unions and arrays of random types.

Objects are globals, locals and blocks of the heap, of which one place in the program may allocate several. They are
reached by paths with constant and chosen indices, by pointers to their parts, by pointers to bytes and to other types,
by the address of what surrounds a part; whole ones are copied, cleared and passed by value. Nothing is undefined but
what GCC defines without strict aliasing; no structure in a union has padding. The probes are those of `c_programs`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

_SIZES = {
    "signed char": 1,
    "unsigned char": 1,
    "short": 2,
    "unsigned short": 2,
    "int": 4,
    "unsigned": 4,
    "long": 8,
    "unsigned long": 8,
}
_HEAD = """#include <stdlib.h>
#include <string.h>
static int pool[4] = {3, 4, 5, 6}; unsigned one = 1, two = 2;"""


@dataclass(frozen=True)
class _Scalar:
    name: str

    @property
    def size(self) -> int:
        return _SIZES[self.name]

    has_pointers = False


@dataclass(frozen=True)
class _Pointer:
    """A pointer into `pool`, or null."""

    name = "int *"
    size = 8
    has_pointers = True


@dataclass(frozen=True)
class _Record:
    """A structure or union, with its members by name."""

    name: str
    members: tuple[tuple[str, _Type], ...]

    @cached_property
    def has_pointers(self) -> bool:
        return any(kind.has_pointers for _, kind in self.members)

    def declaration(self) -> str:
        return f"{self.name} {{ {' '.join(_declared(kind, name) + ';' for name, kind in self.members)} }};"


@dataclass(frozen=True)
class _Array:
    element: _Type
    length: int

    @property
    def has_pointers(self) -> bool:
        return self.element.has_pointers


_Type: TypeAlias = "_Scalar | _Pointer | _Record | _Array"


def _declared(kind: _Type, name: str) -> str:
    return _declared(kind.element, f"{name}[{kind.length}]") if isinstance(kind, _Array) else f"{kind.name} {name}"


@dataclass(frozen=True)
class _Place:
    """An lvalue and its type."""

    text: str
    type: _Type


@dataclass
class _Writer:
    """The program so far: what it declares, its types, and the objects and variables in scope."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    records: list[_Record] = field(default_factory=list)
    objects: list[_Place] = field(default_factory=list)
    variables: list[str] = field(default_factory=lambda: ["one", "two"])
    number: int = 0

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    # types

    def type(self, depth: int) -> _Type:
        kind = self.rng.randrange(12) if depth else 0
        if kind < 3:
            return self.scalar()
        if kind == 3:
            return _Pointer()
        return self.array(depth) if kind < 7 else self.union() if kind < 10 else self.structure(depth)

    def scalar(self) -> _Scalar:
        return _Scalar(self.rng.choice(tuple(_SIZES)))

    def array(self, depth: int) -> _Array:
        return _Array(self.type(depth - 1), self.rng.choice((2, 2, 4, 4, 32)) if depth < 3 else self.rng.choice((2, 4)))

    def structure(self, depth: int) -> _Record:
        members = tuple((f"m{at}", self.type(depth - 1)) for at in range(self.rng.randrange(2, 4)))
        return self.record("struct", members)

    def union(self) -> _Record:
        members = tuple((f"u{at}", self.flat()) for at in range(self.rng.randrange(2, 4)))
        return self.record("union", members)

    def flat(self) -> _Type:
        """A type without padding."""
        scalar = self.scalar()
        kind = self.rng.randrange(5)
        if kind < 2:
            return scalar
        if kind < 4:
            return _Array(scalar, self.rng.choice((2, 4)))
        return self.record("struct", (("x", scalar), ("y", scalar)))

    def record(self, word: str, members: tuple[tuple[str, _Type], ...]) -> _Record:
        made = _Record(f"{word} {self.fresh('t')}", members)
        self.records.append(made)
        self.lines.append(made.declaration())
        return made

    # places and values

    def index(self, length: int) -> str:
        rng = self.rng
        if rng.random() < 0.5:
            return str(rng.randrange(min(length, 4)))
        return f"({rng.choice(self.variables)} & {length - 1})"

    def below(self, place: _Place, stop: float = 0.0) -> _Place:
        """A part of a place: a scalar or pointer, or with a probability at each step what is reached so far."""
        kind = place.type
        if isinstance(kind, _Scalar | _Pointer) or self.rng.random() < stop:
            return place
        if isinstance(kind, _Array):
            return self.below(_Place(f"{place.text}[{self.index(kind.length)}]", kind.element), stop)
        name, inner = self.rng.choice(kind.members)
        return self.below(_Place(f"{place.text}.{name}", inner), stop)

    def part(self, stop: float = 0.0) -> _Place:
        return self.below(self.rng.choice(self.objects), stop)

    def read(self) -> str:
        place = self.part()
        return place.text if isinstance(place.type, _Scalar) else f"({place.text} ? *{place.text} : 7)"

    def value(self) -> str:
        rng = self.rng
        return rng.choice((
            str(rng.choice((0, 1, 2, 5, 127, 128, 255, 256, 65535, -1))),
            rng.choice(self.variables),
            self.read(),
            f"(int)((unsigned)({self.read()}) {rng.choice('+^&|')} (unsigned)({rng.choice(self.variables)}))",
            f"({rng.choice(self.variables)} ? {self.read()} : {rng.randrange(9)})",
        ))  # fmt: skip

    # statements

    def statement(self, depth: int) -> None:
        rng = self.rng
        if rng.random() < 0.5:
            self.lines.append(f"PROBE({self.read()});")
        if depth and rng.random() < 0.25:
            self.nested(depth)
            return
        steps: tuple[Callable[[], str], ...] = (
            *(self.assigned, self.assigned, self.assigned, self.byte, self.byte, self.other_type, self.through),
            *(self.copied, self.cleared, self.from_part, self.called, self.varied, self.moved_bytes),
        )
        self.lines.append(rng.choice(steps)())

    def nested(self, depth: int) -> None:
        rng = self.rng
        known = len(self.variables), len(self.objects)
        if rng.random() < 0.5:
            self.lines.append(f"if ({self.value()} > {rng.randrange(4)}) {{")
        else:
            name = self.fresh("i")
            self.lines.append(f"for (int {name} = 0; {name} < {rng.choice((2, 3, 4))}; {name}++) {{")
            self.variables.append(name)
        for _ in range(rng.randrange(1, 3)):
            self.statement(depth - 1)
        self.lines.append("}")
        del self.variables[known[0] :], self.objects[known[1] :]

    def assigned(self) -> str:
        place = self.part()
        return self.set(place, self.rng.choice(("=", "=", "^=", "&=", "|=")))

    def set(self, place: _Place, operator: str = "=") -> str:
        if isinstance(place.type, _Pointer):
            return f"{place.text} = {self.rng.choice((f'&pool[{self.index(4)}]', '0', 'pool'))};"
        return f"{place.text} {operator} {self.value()};"

    def plain(self, stop: float) -> _Place | None:
        """A part without pointers, which bytes may be written to."""
        return next((place for _ in range(9) if not (place := self.part(stop)).type.has_pointers), None)

    def byte(self) -> str:
        place, name = self.plain(0.3), self.fresh("b")
        if place is None:
            return ";"
        at = self.rng.choice((str(self.rng.randrange(2)), f"{self.rng.choice(self.variables)} & 63"))
        use = f"{name}[({at}) % sizeof({place.text})] = {self.value()};"
        return f"{{ unsigned char *{name} = (unsigned char *)&{place.text}; {use} }}"

    def other_type(self) -> str:
        """A number of another type in the bytes of a part, at a multiple of its size."""
        place, kind = self.plain(0.3), self.scalar()
        if place is None:
            return ";"
        at = f"({self.index(4)}) % (sizeof({place.text}) / {kind.size})"
        use = f"(({kind.name} *)&{place.text})[{at}] = {self.value()};"
        return f"if (sizeof({place.text}) >= {kind.size} && !((unsigned long)&{place.text} % {kind.size})) {use}"

    def through(self) -> str:
        """A pointer to a part, perhaps one of two, perhaps moved to its neighbour and back."""
        place, name = self.part(0.4), self.fresh("p")
        inner = self.below(_Place(f"(*{name})", place.type))
        first = f"__typeof__({place.text}) *{name} = &{place.text};"
        step = self.rng.choice(
            ("", "", f"{name} += 1; {name}--;", f"{name} = {name} + ({self.rng.choice(self.variables)} & 0);")
        )
        return f"{{ {first} {step} {self.set(inner)} }}"

    def copied(self) -> str:
        place, name = self.part(0.5), self.fresh("c")
        declared, change = _declared(place.type, name), self.set(self.below(_Place(name, place.type)))
        if not isinstance(place.type, _Array):
            return f"{{ {declared} = {place.text}; {change} {place.text} = {name}; }}"
        copies = (f"memcpy({to}, {of}, sizeof {name});" for to, of in ((name, place.text), (place.text, name)))
        return f"{{ {declared}; {change.join(copies)} }}"

    def cleared(self) -> str:
        place = self.part(0.4)
        known = 0 if place.type.has_pointers else self.rng.choice((0, 0, 1, 255))
        return f"memset(&{place.text}, {known}, sizeof({place.text}));"

    def from_part(self) -> str:
        """What surrounds a part, by the address of the part."""
        whole = next((place for _ in range(9) if isinstance((place := self.part(0.5)).type, _Record)), None)
        if whole is None or not isinstance(whole.type, _Record):
            return ";"
        member, name = self.rng.choice(whole.type.members)[0], self.fresh("w")
        start = f"(char *)&{whole.text}.{member} - __builtin_offsetof({whole.type.name}, {member})"
        change = self.set(self.below(_Place(f"(*{name})", whole.type)))
        return f"{{ {whole.type.name} *{name} = ({whole.type.name} *)({start}); {change} }}"

    def called(self) -> str:
        return f"change_{self.rng.randrange(len(self.objects)) + 1}({self.rng.choice(self.variables)}, {self.value()});"

    def varied(self) -> str:
        return f"{self.rng.choice(self.variables)} = ({self.value()}) & 63;" if self.rng.random() < 0.5 else (
            f"{self.rng.choice(('one', 'two'))} = __VERIFIER_nondet_uchar() & 3;"
        )  # fmt: skip

    def moved_bytes(self) -> str:
        """Bytes from one part to another."""
        left, right = self.plain(0.4), self.plain(0.4)
        if left is None or right is None:
            return ";"
        size = f"(sizeof({left.text}) < sizeof({right.text}) ? sizeof({left.text}) : sizeof({right.text}))"
        return f"memmove(&{left.text}, &{right.text}, {size});"

    def object(self, place: _Place, declared: str) -> None:
        """An object that all functions see, with a function that changes some part of it."""
        self.objects.append(place)
        self.lines.append(declared)
        before, self.variables = self.variables, ["i", "one"]
        change = self.set(self.below(place))
        self.lines.append(f"static void change_{len(self.objects)}(unsigned i, int v) {{ {change} }}")
        self.variables = before


def random_memory(seed: int) -> str:
    """The text of a program with probes."""
    writer = _Writer(random.Random(seed))
    rng, lines = writer.rng, writer.lines
    lines.extend(_HEAD.splitlines())
    for _ in range(rng.randrange(1, 3)):
        name, kind = writer.fresh("g"), rng.choice((writer.array, writer.structure))(3)
        writer.object(_Place(name, kind), f"{_declared(kind, name)};")
    blocks: list[str] = []
    for _ in range(rng.randrange(2)):
        blocks.append(writer.fresh("h"))
        block = writer.structure(2)
        writer.object(_Place(f"(*{blocks[-1]})", block), f"{block.name} *{blocks[-1]};")
    lines.append("static void *made(unsigned long size) { void *p = calloc(1, size); if (!p) exit(0); return p; }")
    lines.append("int main(void) {")
    lines.extend(f"{name} = made(sizeof *{name});" for name in blocks)
    for _ in range(rng.randrange(4, 12)):
        writer.statement(2)
        if blocks and rng.random() < 0.15:
            name = rng.choice(blocks)
            lines.append(f"{name} = {rng.choice((f'made(sizeof *{name})', f'realloc({name}, 2 * sizeof *{name})'))};")
            lines.append(f"if (!{name}) return 0;")
    lines.extend(f"PROBE({writer.read()});" for _ in range(4))
    lines.extend(("return 0;", "}"))
    return "\n".join(lines) + "\n"
