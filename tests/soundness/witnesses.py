"""Seeds of random programs that show a seeded defect, so that a test of it need not search for one.

`python -m tests.soundness.search` searches, and writes the record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

RECORD = Path(__file__).with_name("witnesses.json")

Record: TypeAlias = Mapping[str, Mapping[str, Sequence[int]]]
"""Suite -> defect -> seeds, the one that takes the least time first."""


def recorded() -> Record:
    """The record, empty if there is none."""
    found: Record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return found


def beyond(suite: str, count: int) -> tuple[int, ...]:
    """The recorded seeds of a suite from `count` on: what random tests of `count` programs would miss."""
    return tuple(sorted({seed for seeds in recorded().get(suite, {}).values() for seed in seeds if seed >= count}))


def candidates(suite: str, defect: str, count: int) -> Iterator[int]:
    """The seeds to try: those on record, then every one below `count`, so that an old record only costs time."""
    yield from recorded().get(suite, {}).get(defect, ())
    yield from range(count)
