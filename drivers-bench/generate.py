"""Generated C in the shape of a character device driver, of any size, the same for the same size.

Entry points with local computation, loops and branches; open flags, locks and counters shared between them, about one
access in eight to shared data; a share of checks that hold because of the locks, and some that do not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

ENTRIES = 6
# Locations that one generated block makes on average, measured on this generator.
LOCATIONS_PER_BLOCK = 11
BLOCKS_PER_DEVICE = 12


def driver(locations: int) -> str:
    """C text that becomes about that many locations; run with `--parameterized --entries all --init init`."""
    choose = random.Random(locations)
    blocks = max(ENTRIES, locations // LOCATIONS_PER_BLOCK)
    devices = max(1, blocks // BLOCKS_PER_DEVICE)
    lines = ["#include <assert.h>", "#include <pthread.h>"]
    for device in range(devices):
        lines += [
            f"static pthread_mutex_t lock{device} = PTHREAD_MUTEX_INITIALIZER;",
            f"static int open{device}, count{device}, state{device}, limit{device} = {choose.randrange(4, 64)};",
        ]
    lines += ["void init(void) {", *(f"    state{device} = 0;" for device in range(devices)), "}"]
    shares = [blocks // ENTRIES + (entry < blocks % ENTRIES) for entry in range(ENTRIES)]
    for entry, share in enumerate(shares):
        lines += [f"void entry{entry}(int request) {{", "    int i, mine, seen = 0;"]
        for _ in range(share):
            lines += (f"    {line}" for line in _block(choose, choose.randrange(devices)))
        lines += ["}"]
    return "\n".join(lines) + "\n"


def _block(choose: random.Random, d: int) -> Iterator[str]:
    """Statements on device `d`."""
    match choose.choices(("local", "loop", "locked", "flag", "read"), (6, 2, 2, 1, 2))[0]:
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
        case _:
            yield f"seen = state{d};"
            yield f"if (seen > {choose.randrange(3)}) mine = seen; else mine = 0;"
            yield "assert(mine <= 3);"
