"""Which engines there are, and which one to use."""

from __future__ import annotations

from dataclasses import dataclass

from datalog.bitset import Bitset
from datalog.engine import Engine, EngineFailure
from datalog.souffle import Souffle, find_souffle

NAMES = ("souffle", "clingo", "bitset")


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether an engine can be used here; `note` says which version, or why not."""

    name: str
    is_available: bool
    note: str


def choose(name: str = "auto") -> Engine:
    """The engine of that name; `auto` is the fastest one on every size that was measured.

    On reduced facts of generated drivers with locks and flags, seconds for
    bitset / souffle / clingo: 0.1 / 0.1 / 0.2 at 1000 locations, 0.7 / 0.9 / 2.8 at 3000, 2 / 3 / 35 at 8000 and
    6 / 17 / more than 120 at 20000 (two busy cores; trust the order only). So `auto` is the embedded evaluator at every
    size, and the others are there to check it.

    *Raises*: `EngineFailure` if it is not there, `ValueError` if the name is none of NAMES and not "auto".
    """
    match name:
        case "auto" | "bitset":
            return Bitset()
        case "clingo":
            from datalog.clingo import Clingo  # loading the library takes a tenth of a small run

            return Clingo()
        case "souffle":
            path = find_souffle()
            if path is None:
                raise EngineFailure("souffle is not on PATH; install it or choose another engine")
            return Souffle(path)
        case _:
            raise ValueError(f"no such engine: {name}; known are auto, {', '.join(NAMES)}")


def available() -> tuple[Availability, ...]:
    """What `duet doctor` shows: every engine with its version or what is wrong with it."""
    found: list[Availability] = []
    for name in NAMES:
        try:
            version = choose(name).version()
        except EngineFailure as failure:
            found.append(Availability(name, False, failure.message))
        else:
            found.append(Availability(name, True, version))
    return tuple(found)
