"""Generated C of any size, the same for the same size: drivers, and families in which one thing grows.

Drivers are entry points with local computation, loops and branches; per device a lock, an open flag, a state and a
counter shared between them; plain shared data, more of it the longer the driver. Watchdog drivers have at most one lock
each, so one device is the usual shape. More devices make harder programs: each lock and flag is known or not at every
location.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

ENTRIES = 6
# Locations that one generated block makes on average, measured on this generator.
LOCATIONS_PER_BLOCK = 8
BLOCKS_PER_DATUM = 12


def driver(locations: int, devices: int = 1) -> str:
    """C text that becomes about that many locations; run with `--parameterized --entries all --init init`."""
    choose = random.Random(locations)
    blocks = max(ENTRIES, locations // LOCATIONS_PER_BLOCK)
    data = max(1, blocks // BLOCKS_PER_DATUM)
    lines = ["#include <assert.h>", "#include <pthread.h>"]
    for device in range(devices):
        lines += [
            f"static pthread_mutex_t lock{device} = PTHREAD_MUTEX_INITIALIZER;",
            f"static int open{device}, count{device}, state{device}, limit{device} = {choose.randrange(4, 64)};",
        ]
    lines += [f"static int datum{number};" for number in range(data)]
    lines += ["void init(void) {", *(f"    state{device} = 0;" for device in range(devices)), "}"]
    shares = [blocks // ENTRIES + (entry < blocks % ENTRIES) for entry in range(ENTRIES)]
    for entry, share in enumerate(shares):
        lines += [f"void entry{entry}(int request) {{", "    int i, mine, seen = 0;"]
        for _ in range(share):
            lines += (f"    {line}" for line in _block(choose, choose.randrange(devices), choose.randrange(data)))
        lines += ["}"]
    return "\n".join(lines) + "\n"


def _block(choose: random.Random, d: int, datum: int) -> Iterator[str]:
    """Statements on a device and a datum."""
    match choose.choices(("local", "loop", "locked", "flag", "data", "read"), (6, 2, 2, 1, 2, 2))[0]:
        case "local":
            yield f"mine = request + {choose.randrange(1, 9)};"
            yield f"if (mine > {choose.randrange(50)}) mine = {choose.randrange(9)}; else if (mine < 0) mine = 0;"
            yield "seen = mine; i = seen - 1;"
            yield "if (i > mine) i = mine;"
        case "loop":
            yield f"for (i = 0; i < {choose.randrange(2, 40)}; i++) {{ mine = i; if (mine == request) break; }}"
            yield "assert(i >= 0);"
        case "locked":
            yield f"pthread_mutex_lock(&lock{d});"
            yield f"count{d} = count{d} + 1;"
            yield f"if (count{d} > limit{d}) count{d} = 0;"
            yield f"assert(count{d} >= 0);"
            yield f"pthread_mutex_unlock(&lock{d});"
        case "flag":
            yield f"pthread_mutex_lock(&lock{d});"
            yield f"if (open{d} == 0) {{ open{d} = 1; state{d} = {choose.randrange(1, 4)}; }}"
            yield f"else {{ state{d} = 0; open{d} = 0; }}"
            yield f"pthread_mutex_unlock(&lock{d});"
        case "data":
            yield f"mine = datum{datum};"
            yield f"datum{datum} = {choose.randrange(100)};"
            yield "assert(mine < 100);"
        case _:
            yield f"seen = state{d};"
            yield f"if (seen > {choose.randrange(3)}) mine = seen; else mine = 0;"
            yield "assert(mine <= 3);"


@dataclass(frozen=True)
class Family:
    """Programs in which something `grows`: `text` of a size (and a number of devices), with `options` to analyse it."""

    grows: str
    sizes: tuple[int, ...]
    text: Callable[[int, int], str]
    options: tuple[str, ...] = ()


_HEADERS = ["#include <assert.h>", "#include <pthread.h>"]


def threads(count: int, _devices: int = 1) -> str:
    """That many different threads, each with a cell of its own and one that all share under a lock."""
    lines = [*_HEADERS, "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;", "static int shared, stop;"]
    for number in range(count):
        lines += [
            f"static int own{number};",
            f"static void *thread{number}(void *unused) {{",
            "    while (!stop) {",
            "        pthread_mutex_lock(&lock);",
            f"        if (shared < {10 + number}) shared = shared + 1; else shared = 0;",
            "        assert(shared >= 0);",
            "        pthread_mutex_unlock(&lock);",
            f"        own{number} = {number};",
            "    }",
            f"    assert(own{number} <= {number});",
            "    return 0;",
            "}",
        ]
    lines += ["int main(void) {", f"    pthread_t t[{count}];"]
    lines += (f"    pthread_create(&t[{number}], 0, thread{number}, 0);" for number in range(count))
    return "\n".join([*lines, "    stop = 1;", "    assert(shared >= 0);", "    return 0;", "}", ""])


def shared_cells(count: int, _devices: int = 1) -> str:
    """That many globals, written by one thread, read and tested by another."""
    lines = [*_HEADERS, *(f"static int cell{number};" for number in range(count))]
    lines += ["static void *writer(void *unused) {"]
    lines += (f"    cell{number} = {number % 7};" for number in range(count))
    lines += ["    return 0;", "}", "static void *reader(void *unused) {", "    int seen;"]
    lines += (f"    seen = cell{number}; assert(seen >= 0);" for number in range(count))
    lines += ["    return 0;", "}", "int main(void) {", "    pthread_t a, b;"]
    lines += ["    pthread_create(&a, 0, writer, 0);", "    pthread_create(&b, 0, reader, 0);", "    return 0;", "}"]
    return "\n".join(lines) + "\n"


def nesting(depth: int, _devices: int = 1) -> str:
    """Branches and loops nested that deep in one thread, beside another one."""
    lines = [*_HEADERS, "static int level, limit = 5;", "static void *deep(void *unused) {", "    int mine = level;"]
    for number in range(depth):
        if number % 4 == 3:
            lines.append(f"    for (int i{number} = 0; i{number} < limit; i{number}++) {{")
        else:
            lines.append(f"    if (mine > {number % 5}) {{")
        lines.append(f"    level = {number % 9};")
    lines += ["    assert(level >= 0);", *("    mine = level; }" for _ in range(depth)), "    return 0;", "}"]
    lines += [
        "int main(void) {",
        "    pthread_t t;",
        "    pthread_create(&t, 0, deep, 0);",
        "    limit = 7;",
        "    level = 8;",
    ]
    return "\n".join([*lines, "    assert(level <= 8);", "    return 0;", "}", ""])


def pointers(count: int, _devices: int = 1) -> str:
    """That many objects and pointers to them, passed on from one to the next, written through in one thread."""
    lines = [*_HEADERS, "struct node { int value; struct node *next; };"]
    lines += (f"static struct node node{number};" for number in range(count))
    lines += [*(f"static int *pointer{number};" for number in range(count)), "static void *writer(void *unused) {"]
    for number in range(count):
        lines.append(f"    node{number}.next = &node{(number + 1) % count};")
        lines.append(f"    pointer{number} = &node{number}.value;")
        lines.append(f"    *pointer{number} = {number % 5};")
        lines.append(f"    node{number}.next->value = {number % 3};")
    lines += ["    return 0;", "}", "int main(void) {", "    pthread_t t;", "    pthread_create(&t, 0, writer, 0);"]
    lines += (f"    assert(node{number}.value >= 0);" for number in range(count))
    return "\n".join([*lines, "    return 0;", "}", ""])


def calls(count: int, _devices: int = 1) -> str:
    """A chain of that many functions, each called once by the one before, under a lock."""
    lines = [*_HEADERS, "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;", "static int total;"]
    lines += ["static int step0(int x) { return x; }"]
    for number in range(1, count):
        lines.append(
            f"static int step{number}(int x) {{ if (x > {number}) x = {number}; total = x; "
            f"return step{number - 1}(x); }}"
        )
    lines += ["void entry(int x) {", "    if (x < 0) return;", "    pthread_mutex_lock(&lock);"]
    lines += [f"    assert(step{count - 1}(x) >= 0);", "    pthread_mutex_unlock(&lock);", "}", ""]
    return "\n".join(lines)


_CLIENTS = ("--parameterized", "--entries", "all")
FAMILIES: Mapping[str, Family] = {
    "driver": Family("locations", (300, 1000, 3000, 8000, 20000), driver, (*_CLIENTS, "--init", "init")),
    "threads": Family("threads", (2, 5, 10, 20, 40, 60), threads),
    "globals": Family("globals", (10, 30, 100, 250, 500), shared_cells),
    "nesting": Family("depth", (4, 8, 16, 32, 64), nesting),
    "pointers": Family("objects and pointers", (5, 10, 20, 40, 80), pointers),
    "calls": Family("functions", (5, 10, 20, 40, 80), calls, _CLIENTS),
}
