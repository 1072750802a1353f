"""What a configuration has to work with: libraries, a clock, and the time that it may take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from datalog.engine import Engine, EngineFailure
from datalog.registry import choose
from domains.registry import DomainName, NumericName, NumericUnavailable, describe
from domains.registry import domain as numeric_domain
from domains.valued import ValuedDomain
from duet.absint.state import Value
from duet.clock import Clock
from duet.deadline import Deadline
from duet.errors import EngineError, UsageError
from duet.options import AnalysisOptions


@dataclass(frozen=True, slots=True)
class Resources:
    """What a fixpoint is computed with.

    With `everywhere`, invariants are wanted for every cell at every location instead of where they matter.
    """

    engine: Engine
    clock: Clock
    deadline: Deadline
    everywhere: bool = False

    def until(self, deadline: Deadline) -> Resources:
        """The same with another deadline."""
        return replace(self, deadline=deadline)


def choose_engine(name: str) -> Engine:
    """The Datalog engine of that name. *Raises*: EngineError if it is not there."""
    try:
        return choose(name)
    except EngineFailure as failure:
        raise EngineError(failure.message, failure.command, failure.stderr) from failure


def choose_domain(name: DomainName, numeric: str) -> ValuedDomain[Value]:
    """The numeric domain of that name in that library. *Raises*: UsageError if the library is not there."""
    try:
        return numeric_domain(name, cast(NumericName, numeric))
    except NumericUnavailable as missing:
        raise UsageError(f"error: {missing}") from missing


def libraries(options: AnalysisOptions) -> tuple[str, str]:
    """The engine and the numeric library that the options mean, with their versions.

    *Raises*: UsageError where one is not there, EngineError where it is but does not work.
    """
    try:
        engine = choose(options.engine)
        return f"{engine.name} {engine.version()}".strip(), describe(cast(NumericName, options.numeric))
    except EngineFailure as failure:
        if failure.command:
            raise EngineError(failure.message, failure.command, failure.stderr) from failure
        raise UsageError(failure.message) from failure
    except NumericUnavailable as missing:
        raise UsageError(str(missing)) from missing
