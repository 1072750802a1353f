"""The rule programs that come with the package, by name."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from datalog.parser import parse
from datalog.syntax import Rules

# Files in the order in which they are read: a relation is declared after those that it depends on.
INTERFERENCE = ("schema.dl", "coreachable.dl", "may_reach.dl", "output.dl")
POINTS_TO = ("points_to_schema.dl", "points_to.dl", "points_to_output.dl")


@cache  # coarsening asks for the same program in every round
def load(names: tuple[str, ...], is_linear: bool = True) -> Rules:
    """The program made of the named files of `datalog/rules`."""
    folder = files("datalog") / "rules"
    return parse(tuple((name, (folder / name).read_text(encoding="utf-8")) for name in names), is_linear=is_linear)


def interference() -> Rules:
    """The rules of the interference analysis."""
    return load(INTERFERENCE)


def points_to() -> Rules:
    """The rules of the points-to analysis; inclusion through two pointers at once cannot be said linearly."""
    return load(POINTS_TO, is_linear=False)
