"""The protocol of a Datalog engine: facts in, output relations out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from datalog.relation import Facts, Relations
from datalog.syntax import Rules


class EngineFailure(Exception):
    """An engine failed, hung or printed nonsense.

    `command` is its command line (empty for an embedded engine), `stderr` the end of what it printed there,
    `timed_out` tells a hang from a failure.
    """

    def __init__(self, message: str, command: tuple[str, ...] = (), stderr: str = "", timed_out: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.command = command
        self.stderr = stderr
        self.timed_out = timed_out


class Engine(Protocol):
    """Evaluates rule programs; an object is immutable and may be used any number of times."""

    @property
    def name(self) -> str:
        """How it is called on the command line."""
        ...

    def version(self) -> str:
        """The version of what computes, for reports; "" if it has none of its own."""
        ...

    def run(self, rules: Rules, facts: Facts, outputs: Sequence[str], timeout: float | None = None) -> Relations:
        """The relations `outputs`, evaluated completely.

        *Requires*: `facts` has only relations declared as inputs; one that is missing is empty.
        *Units*: `timeout` in seconds, None for no limit.
        *Raises*: `EngineFailure`.
        """
        ...
