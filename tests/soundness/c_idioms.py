"""Statements of the kind that people write, each with something that a lowering may get wrong.

They have effects on what is read before or after in the same expression (never unsequenced), through pointers to
locals, by functions that are given a variable and its address, in atomic operations and initialisers.
"""

# ruff: noqa: E501  (a statement in a line is easier to find)

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol, TypeAlias

DECLARATIONS = """_Thread_local int per_thread = 3; static unsigned char text[8] = "ab";
union word { unsigned all; unsigned char part[4]; } gw; struct pair { short left, right; } gpair = {1, 2}, gpairs[3];
enum wide { NARROW, WIDE = 0x7fffffff };
static int keep(int a, int *p) { *p = (*p & 31) + 1; return a; }
static int keep_behind(int *p, long a) { *p = 5; return (int)(a & 1023); }
static int keep_both(int a, int *p, int b) { *p = a + 1; return a * 2 + b; }
static int touch(int n) { per_thread = (per_thread & 15) + 2; return n; }
static short left_of(short n, struct pair *p) { p->left = 9; p->right++; p->right &= 63; return n; }
static int *where(int *p) { (*p)--; *p &= 63; return p; }
static void old(p, n) char *p; int n; { p[n & 1] = 7; }
struct link { struct link *next; int value, at; };
typedef unsigned __attribute__((aligned(1), may_alias)) unplaced;"""


class Source(Protocol):
    """Where variables and expressions without effects come from."""

    rng: random.Random
    variables: list[str]

    def fresh(self, prefix: str) -> str: ...

    def leaf(self) -> str: ...

    def expression(self, depth: int) -> str: ...


Idiom: TypeAlias = Callable[[Source, str, str], str]
"""The text of statements that set a variable, given its name and a fresh name."""


def idiom(source: Source) -> tuple[str, str]:
    """Some statements, in a block of their own, and the variable that they set."""
    place = source.rng.choice(source.variables)
    return f"{{ {source.rng.choice(_IDIOMS)(source, place, source.fresh('n'))} }}", place


def _local(source: Source, name: str) -> str:
    """A local with a pointer to it; its value is small."""
    kind = source.rng.choice(("int", "short", "unsigned char", "long", "unsigned"))
    return f"{kind} {name} = ({source.expression(1)}) & 63, *{name}p = &{name};"


def _step(source: Source, place: str, name: str) -> str:
    step = source.rng.choice(("(*{0}p)++", "++*{0}p", "(*{0}p)--", "{0}p[0]--", "(*{0}p)++ * 2", "-(*{0}p)++"))
    use = source.rng.choice((f"{place} = {step};", f"if ({step} > 7) {place} = 1;", f"{place} = ga[({step}) & 3];"))
    return f"{_local(source, name)} {use.format(name)} {place} ^= {name};"


def _iterator(source: Source, place: str, name: str) -> str:
    return (
        f"int {name}[3] = {{{source.leaf()}, 2, 3}}, *{name}p = {name} + {source.rng.randrange(2)}, **{name}q = &{name}p;"
        f"{place} = *(*{name}q)++; {place} ^= *{name}p;"
    )


def _member(source: Source, place: str, name: str) -> str:
    member = source.rng.choice(("a", "b", "f", "in.c", "in.d[1]", "in.e"))
    step = source.rng.choice(("{0}++", "--{0}", "{0}--", "({0} += 3)", "({0} ^= 5)", "({0} = 300)"))
    return (
        f"struct s {name} = {{{source.rng.randrange(90)}, 3}}, *{name}p = &{name}; {name}.in.d[1] = 4;"
        f"{place} = {step.format(f'{name}p->{member}')}; {place} ^= {name}.{member};"
    )


def _given_with_address(source: Source, place: str, name: str) -> str:
    call = source.rng.choice((
        f"keep({name}, &{name})",
        f"keep_behind(&{name}, -(long){name})",
        f"keep_both({name} + 1, &{name}, 3)",
        f"keep(keep({name}, &{name}), &{name})",
        f"*where(&{name}) + 5",
        f"(keep)({name}, &*&{name})",
    ))  # fmt: skip
    return f"int {name} = ({source.leaf()}) & 63; {place} = {call}; {place} ^= {name};"


def _given_structure(source: Source, place: str, name: str) -> str:
    return (
        f"struct pair {name} = {{({source.leaf()}) & 63, 4}}; {place} = left_of({name}.right, &{name});"
        f"{place} ^= left_of({name}.left, &{name}) * 64; {place} ^= {name}.right;"
    )


def _per_thread(source: Source, place: str, name: str) -> str:
    return f"int {name} = touch(per_thread); {place} = {name} * 16 + per_thread;"


def _atomically(source: Source, place: str, name: str) -> str:
    at = source.rng.choice(
        ("&ga[{0} & 3]", "(unsigned *)&ga[{0} & 3]", "&gs.a", "&one", "(unsigned *)&one", "&gs.in.c")
    ).format(name)
    operation = source.rng.choice((
        "__sync_bool_compare_and_swap({at}, {old}, 6)",
        "__sync_val_compare_and_swap({at}, {old}, 7)",
        "__sync_lock_test_and_set({at}, 8)",
        "__sync_lock_test_and_set({at}, {old})",
        "__atomic_exchange_n({at}, 9, 5)",
        "__sync_fetch_and_or({at}, 16)",
        "__sync_and_and_fetch({at}, 63)",
        "(__sync_lock_release({at}), 3)",
    ))  # fmt: skip
    return f"int {name} = ({source.leaf()}) & 3; {place} = {operation.format(at=at, old=source.leaf())};"


def _parts_atomically(source: Source, place: str, name: str) -> str:
    return (
        f"unsigned {name} = (unsigned)({source.leaf()}) & 1;"
        f"{place} = __sync_bool_compare_and_swap((unsigned *)&gpair, {name} * 0x20001, 0x50004);"
        f"{place} ^= gpair.left * 8 + gpair.right;"
    )


def _swap_behind(source: Source, place: str, name: str) -> str:
    return (
        f"int {name} = {source.leaf()}; {place} = __atomic_compare_exchange_n(&one, &{name}, 11, 0, 5, 5);"
        f"{place} = {place} * 2 + ({name} & 1);"
    )


def _initialised(source: Source, place: str, name: str) -> str:
    value, at = source.leaf(), f"({source.leaf()}) & 3"
    return source.rng.choice((
        f"int {name}[4] = {{[0 ... 3] = 1, [2] = {value}}}; {place} = {name}[{at}];",
        f"int {name}[4] = {{[1] = 5, 6, [1] = {value}}}; {place} = {name}[{at}];",
        f"struct in {name} = {{.c = 3, .c = (short)({value}), .e = 2}}; {place} = {name}.c + {name}.e;",
        f"struct pair {name}[3] = {{[0 ... 2] = {{1, 2}}, [1] = {{.right = 7}}}}; {place} = {name}[1].left * 8 + {name}[1].right;",
        f"struct pair {name}[3] = {{3, 4, 5, [1].left = {value} & 7, 6}}; {place} = {name}[1].right * 8 + {name}[1].left;",
        f"static struct pair {name}[2] = {{[0] = {{1, 2}}, [0].right = 3}}; {place} = {name}[0].left + 8 * {name}[0].right;",
        f"{place} = ((int[4]){{[0] = 3, [0] = {value}, 4}})[({at}) & 1];",
        f"{place} = ((struct pair){{.right = ({value}) & 63}}).left;",
    ))  # fmt: skip


def _any_pointer(source: Source, place: str, name: str) -> str:
    into = f"void *{name} = &text[0]; if ({source.leaf()}) {name} = &text[4];"
    use = source.rng.choice((
        f"memset({name}, {source.rng.randrange(1, 200)}, 1);",
        f"memcpy({name}, &codes[1], 1);",
        f"memset({name}, 65, 2);",
        f"*(unsigned char *){name} = 77;",
        f"{place} = *((unsigned char *)memset({name}, 3, 2) + 1);",
    ))  # fmt: skip
    return f"{into} {use} {place} = text[0] + text[1] * 2 + text[4] * 4 + text[5] * 8;"


def _old_definition(source: Source, place: str, name: str) -> str:
    return f"char {name}[2] = {{1, 2}}; old((void *){name}, {source.leaf()}); {place} = {name}[0] * 16 + {name}[1];"


def _choice_of_pointers(source: Source, place: str, name: str) -> str:
    return f"{place} = *(int *)((({source.leaf()}) ? (void *)ga : ga) + 4);"


def _length(source: Source, place: str, name: str) -> str:
    return f"int {name} = 1 + (({source.leaf()}) & 3); int {name}a[{name}++]; {name}a[0] = 3; {place} = {name} * 4 + {name}a[0];"


def _union(source: Source, place: str, name: str) -> str:
    return source.rng.choice((
        f"gw.all = (unsigned)({source.leaf()}); gw.part[{source.rng.randrange(4)}] = 5; {place} = gw.all & 0xffff;",
        f"union word {name} = {{.part = {{1, 2}}}}; {name}.part[1]++; {place} = {name}.all;",
    ))  # fmt: skip


def _statement(source: Source, place: str, name: str) -> str:
    return f"int {name} = ({source.leaf()}) & 63; {place} = ({{ int t = {name}; {name} = 3; t; }}) * 64; {place} ^= {name};"


def _shadowed(source: Source, place: str, name: str) -> str:
    return (
        f"int {name} = 0, {name}s = 0; while ({name} < 2) {{ {name}s += 3; {{ int {name} = 9; {name}++; {name}s += {name}; }} "
        f"{name}++; }} {place} = {name}s;"
    )


def _moved_structure(source: Source, place: str, name: str) -> str:
    """A structure that is overwritten through a pointer or by an index that it holds itself."""
    nodes = f"struct link {name}c = {{0, 30, 1}}, {name}b = {{&{name}c, 20, 0}}, {name} = {{&{name}b, ({source.leaf()}) & 63, 1}};"
    table = f"struct link {name}t[2] = {{{{0, 10, 1}}, {{0, ({source.leaf()}) & 63, 0}}}};"
    return source.rng.choice((
        f"{nodes} {name} = *{name}.next; {place} = {name}.value * 4 + {name}.at;",
        f"{nodes} memcpy(&{name}, {name}.next, sizeof {name}); {place} = {name}.value * 4 + {name}.at;",
        f"{nodes} *{name}.next = *{name}.next->next; {place} = {name}b.value + {name}.value;",
        f"{nodes} {table} {name} = {name}t[{name}.at]; {place} = {name}.value * 4 + {name}.at;",
        f"{nodes} {table} {name}t[{name}t[0].at] = {name}; {place} = {name}t[0].value * 2 + {name}t[1].value;",
        f"{nodes} {name}.next = &{name}; struct link *{name}r = memset({name}.next, 0, sizeof {name}); {place} = {name}r != 0;",
    ))  # fmt: skip


def _between_elements(source: Source, place: str, name: str) -> str:
    at = source.rng.choice(("2", "4", f"(({source.leaf()}) & 3)", f"4 * (({source.leaf()}) & 1)"))
    return (
        f"unsigned {name}[3] = {{1, 2, 3}}; unsigned char *{name}b = (unsigned char *){name}; unplaced *{name}u = (unplaced *)({name}b + {at});"
        f"*{name}u = 77; {place} = ({name}[0] & 255) + ({name}[1] & 255) * 2 + *{name}u;"
    )


def _shifted(source: Source, place: str, name: str) -> str:
    return f"long {name} = 1 << ((({source.leaf()}) & 3) + {source.rng.choice((0, 15, 28))}); {place} = {name} < 0 ? 1 : (int)({name} & 7) + 2;"


_IDIOMS: tuple[Idiom, ...] = (
    *(_step, _iterator, _member, _given_with_address, _given_structure, _per_thread, _atomically, _parts_atomically),
    *(_swap_behind, _initialised, _any_pointer, _old_definition, _choice_of_pointers, _length, _union, _statement),
    *(_shadowed, _moved_structure, _between_elements, _shifted),
)
