"""Generated C in the shape of a character device driver, of any size, the same for the same size.

Entry points with local computation, loops and branches; per device a lock, an open flag, a state and a counter shared
between them; plain shared data, more of it the longer the driver. Watchdog drivers have at most one lock each, so one
device is the usual shape. More devices make harder programs: each lock and flag is known or not at every location.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

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
