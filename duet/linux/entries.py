"""What a harness says of each function of a driver that the kernel finds: where it finds it, and when it calls it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.cycles import Life
from duet.linux.mentions import Mentions
from duet.linux.operations import Operation

ANY_TIME = "at any time once the kernel has it, beside everything, any number at once"
KEPT = "by the driver only"


@dataclass(frozen=True, slots=True)
class Entry:
    """A function, the places where the kernel finds it, and when it calls it."""

    function: str
    found: tuple[str, ...]
    called: tuple[str, ...]


def find_entries(
    unit: ParsedUnit,
    mentions: Mentions,
    lives: Sequence[Life],
    standing: Mapping[str, Sequence[str]],
    operations: Mapping[str, Operation],
    kept: Container[str],
) -> Iterator[Entry]:
    """The functions of a unit that the kernel may find, in the order of the source."""
    lives_of = {life.thread for life in lives}
    for item in unit.ast.ext:
        name = str(item.decl.name) if isinstance(item, c_ast.FuncDef) else ""
        sites, handed = mentions.sites.get(name, ()), mentions.handed.get(name, ())
        members = (f"{site.structure}.{site.member}" for site in sites)
        found = tuple(dict.fromkeys((*members, *(f"given to {function}()" for function in handed))))
        if name in operations:
            told = [f"from a call of {' or '.join(operations[name].registers)}() on, any number at once"]
        elif name in kept:
            told = [KEPT]
        elif name in standing:
            threads = standing[name]
            told = [f"in {own}(), once for each object" for own in threads if own in lives_of]
            told += [ANY_TIME] if name in threads else []
        else:
            told = [ANY_TIME]
        if found:
            yield Entry(name, found, tuple(told))
