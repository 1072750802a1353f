"""memcpy between integers of different types: what is found is what the bytes are, and nothing else is proved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from duet.frontend.cells.bits import put_together
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import IntType
from duet.frontend.ctypes.values import Number
from duet.frontend.models import buffers
from tests.frontend.running import statuses

KINDS = {"signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "long": 8}
COUNT = 12


def _value(data: bytes, kind: str) -> int:
    return int.from_bytes(data, "little", signed=not kind.startswith("unsigned"))


def _program(seed: int, is_wrong: bool) -> str:
    """Copies a part of some integers to others and asserts what these are then, or another number for the last one."""
    rng = Random(seed)
    source, target = (rng.choice(tuple(KINDS)) for _ in range(2))
    data = bytes(rng.choice((0, 1, 127, 128, 255, rng.randrange(256))) for _ in range(16))
    numbers = [_value(data[at : at + KINDS[source]], source) for at in range(0, 16, KINDS[source])]
    size = rng.choice([n for n in (2, 4, 8) if n % KINDS[target] == 0 or n == 8])
    first = rng.randrange(0, 16 - size, 1)
    start = first // KINDS[source] * KINDS[source] if rng.random() < 0.5 else first
    found = [_value(data[start + at : start + at + KINDS[target]], target) for at in range(0, size, KINDS[target])]
    suffix = "L" if target == "long" else "U" if target.startswith("unsigned") else ""
    found[-1] ^= is_wrong
    checks = " ".join(
        f"assert(to[{at}] == ({target})({value}{suffix if value >= 0 else ''}));"
        for at, value in enumerate(found)
        if value > -(1 << 63)
    )
    if is_wrong:
        checks = checks.split("; ")[-1]
    written = ", ".join(f"({source})({hex(n % (1 << 8 * KINDS[source]))}UL)" for n in numbers)
    offset = f"from + {start // KINDS[source]}" if start % KINDS[source] == 0 else f"(char *)from + {start}"
    return f"""#include <assert.h>
#include <string.h>
int main(void) {{ {source} from[{len(numbers)}] = {{{written}}}; {target} to[{size // KINDS[target]}];
memcpy(to, {offset}, {size}); {checks} return 0; }}
"""


@pytest.mark.parametrize("seed", range(COUNT))
def test_what_is_copied_is_what_is_found(seed: int, tmp_path: Path) -> None:
    text = _program(seed, is_wrong=False)
    found = statuses(tmp_path / "a.c", text)
    assert "(char *)from" in text or all(status.is_safe for status in found), text
    wrong = _program(seed, is_wrong=True)
    assert not any(status.is_safe for status in statuses(tmp_path / "b.c", wrong)), wrong


def _turned_around(ctx: Context, parts: Sequence[tuple[int, Number]], kind: IntType) -> Number:
    return put_together(ctx, [(kind.size - 1 - at, value) for at, value in parts], kind)


def test_bytes_in_the_wrong_order_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """#include <assert.h>
#include <string.h>
int main(void) { unsigned char from[2] = {1, 2}; unsigned short to;
memcpy(&to, from, 2); assert(to == 0x102); return 0; }
"""
    assert not any(status.is_safe for status in statuses(tmp_path / "a.c", text))
    monkeypatch.setattr(buffers, "put_together", _turned_around)
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", text))
