"""What is found out about a program once, whoever asks for it: it is kept with the program."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from duet.plip.syntax import Program

Found = TypeVar("Found")


def once(function: Callable[[Program], Found]) -> Callable[[Program], Found]:
    """A function of programs that is computed once for each; nobody may change what it returns."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def known(program: Program) -> Found:
        found = program.found
        if name not in found:
            found[name] = function(program)
        return cast(Found, found[name])

    return known
