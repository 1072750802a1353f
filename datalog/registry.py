"""Which engines there are, and which one to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from datalog.bitset import Bitset
from datalog.clingo import Clingo
from datalog.engine import Engine, EngineFailure
from datalog.relation import Facts, Relations
from datalog.souffle import Souffle, find_souffle
from datalog.syntax import Rules

NAMES = ("souffle", "clingo", "bitset")


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether an engine can be used here; `note` says which version, or why not."""

    name: str
    is_available: bool
    note: str


@dataclass(frozen=True, slots=True)
class Auto:
    """Picks an engine for each run by the number of facts.

    Starting a process and exchanging files costs some 30 ms, as much as the embedded evaluator needs for
    `threshold` facts; beyond, Soufflé is ahead if it is there.
    """

    small: Engine
    large: Engine
    threshold: int

    @property
    def name(self) -> str:
        return "auto"

    def version(self) -> str:
        return self.small.version() if self.small.name == self.large.name else ""

    def run(self, rules: Rules, facts: Facts, outputs: Sequence[str], timeout: float | None = None) -> Relations:
        engine = self.small if sum(map(len, facts.values())) <= self.threshold else self.large
        return engine.run(rules, facts, outputs, timeout)


def choose(name: str = "auto") -> Engine:
    """The engine of that name.

    *Raises*: `EngineFailure` if it is not there, `ValueError` if the name is none of NAMES and not "auto".
    """
    match name:
        case "auto":
            return Bitset()
        case "bitset":
            return Bitset()
        case "clingo":
            return Clingo()
        case "souffle":
            path = find_souffle()
            if path is None:
                raise EngineFailure("souffle is not on PATH; install it or use another --engine")
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
