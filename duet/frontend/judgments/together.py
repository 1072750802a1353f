"""What members of one of many elements say of each other while nobody has the lock of the element.

A summary cell says which values a member may have, not which values of two members belong to one element. So a linear
combination of members (`used + free - size`) that the program compares or computes has a summary cell, too: for its
values of elements whose lock is free. Who takes a lock finds one of them, and who gives it back leaves one.

Before others can know of an element, nobody takes its lock: there a *stretch* is as good as having it. That begins
where the thread accesses a member of an element, and ends where it may mean another element, takes or gives back a
lock, or where others may find the element: the combinations have then been set together with the members.

*Approximates*: over. An element of which nobody has set anything has the values with which its members begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import partial
from math import gcd
from typing import TypeAlias

from duet.frontend.graph.events import Events
from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.frontend.judgments.families import NEW, Family, Thread
from duet.plip.syntax import Assert, Assign, Command, Guard, Join, Linear, Program, Spawn, steps
from duet.plip.terms import atoms, linear, show_term, term_cells
from duet.plip.touched import reads, writes
from duet.records import dataclass

Combined: TypeAlias = Sequence[tuple[Sequence[str], int]]
"""The cells of each member of a combination, with its factor."""
Members: TypeAlias = Mapping[str, Combined]
"""What is combined, by the cell of the combination."""
MOST = 8
"""How many combinations are looked at."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A linear combination of members by the names of their families, with the cell for its values."""

    term: Linear

    @property
    def cell(self) -> str:
        return f"{show_term(self.term)}:together"

    @property
    def families(self) -> tuple[str, ...]:
        return tuple(family for family, _ in self.term.terms)


def combinations(commands: Iterable[Command], meant: Callable[[str], tuple[int, str] | None]) -> Iterator[Combination]:
    """Those that conditions compare with constants, or that are computed.

    `meant` is the element and the family that a cell is a copy of.
    """
    for command in commands:
        for term in terms_of(command):
            found = [(meant(cell), factor) for cell, factor in term.terms]
            copies = [(copy, factor) for copy, factor in found if copy is not None]
            if len(copies) == len(found) > 1 and len({slot for (slot, _), _ in copies}) == 1:
                yield Combination(normal({family: factor for (_, family), factor in copies}))


def terms_of(command: Command) -> Iterator[Linear]:
    """The terms that a command compares or computes."""
    for step in steps(command.instruction):
        match step:
            case Guard(condition) | Assert(condition):
                yield from (atom.term for atom in atoms(condition))
            case Assign(_, value):
                yield value
            case _:
                continue


def normal(factors: Mapping[str, int]) -> Linear:
    """The combination with the smallest factors, the first one positive."""
    divisor = gcd(*factors.values())
    sign = 1 if factors[min(factors)] > 0 else -1
    return linear({family: sign * factor // divisor for family, factor in factors.items()})


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Where the lock of the element is of which a stretch is, if there is one."""

    at: Linear | None = None

    def common(self, other: _Stretch) -> _Stretch:
        return self if self == other else _Stretch()


def stretches(
    commands: Sequence[Command],
    entry: int,
    accessed: Mapping[int, Linear],
    cells: Set[str],
    events: Events,
    stays: Callable[[int, Linear], bool],
) -> Mapping[int, Linear]:
    """Where the lock of the element is of which there is a stretch at a location.

    `accessed` are the locks of elements that are accessed where a thread leaves a location, `cells` those of their
    members, and `stays` says whether nobody else knows an element at a location.
    """
    outgoing = by_source(commands)

    def behind(location: int, here: _Stretch) -> Iterator[tuple[int, _Stretch]]:
        at = accessed.get(location, here.at)
        for command in outgoing[location]:
            is_over = at is None or (
                _ends(command, at, frozenset() if location in accessed else cells, events)
                or not stays(command.target, at)
            )
            yield command.target, _Stretch(None if is_over else at)

    found = known_on_all_ways(entry, _Stretch(), behind, following(outgoing))
    return {
        location: known.at
        for location, known in found.items()
        if known.at is not None and accessed.get(location, known.at) == known.at
    }


def _ends(command: Command, at: Linear, cells: Set[str], events: Events) -> bool:
    """Whether a stretch ends with a command, which accesses no element of which one is."""
    instruction = command.instruction
    written = writes(instruction)
    return (
        any(isinstance(step, Spawn | Join) for step in steps(instruction))
        or not written.isdisjoint(term_cells(at))
        or not cells.isdisjoint(written | reads(instruction))
        or command.source in events.takings
        or command.source in events.givings
        or command.target in events.givings
    )


@dataclass(frozen=True)
class Together:
    """Families with their stretches: by thread where it accesses some members in these, and where they are.

    `combinations` are those of their members.
    """

    families: frozenset[str] = frozenset()
    accessed: Mapping[str, Mapping[int, Linear]] = field(default_factory=dict)
    stretches: Mapping[str, Mapping[int, Linear]] = field(default_factory=dict)
    combinations: Sequence[Combination] = ()


def told_together(threads: Sequence[Thread], families: Iterable[Family], kind: str = "") -> Together:
    """Those families of a kind whose members are only written in sections and in stretches; or all of new objects."""
    told = [family for family in families if family.is_told and family.kind == kind]
    while told:
        accessed = {thread.name: _accessed(thread, told) for thread in threads}
        open_ones = [family for family in told if any(_is_open(family, it, accessed[it.name]) for it in threads)]
        closed = told if kind == NEW else [family for family in told if family not in open_ones]
        if closed == told:
            break
        told = closed
    cells = frozenset(cell for family in told for cell in family.cells)

    def stays(thread: Thread, location: int, at: Linear) -> bool:
        return thread.is_alone_with(location, at) or thread.is_ungiven(location, at, kind)

    found = {
        it.name: stretches(it.commands, it.entry, accessed[it.name], cells, it.events, partial(stays, it))
        for it in (threads if told else ())
    }
    return Together(frozenset(family.name for family in told), accessed if told else {}, found)


def _is_open(family: Family, thread: Thread, accessed: Mapping[int, Linear]) -> bool:
    """Whether a thread writes members that nobody else knows where it is not told which ones."""
    commands = (thread.commands[index] for name, index in family.quiet if name == thread.name)
    return any(
        command.source not in accessed and not writes(command.instruction).isdisjoint(family.cells)
        for command in commands
    )


def _accessed(thread: Thread, families: Sequence[Family]) -> Mapping[int, Linear]:
    """Where the lock of an element is that a thread accesses where it leaves a location, whichever way it goes."""
    locks = {index: at for it in families for (name, index), at in it.quiet.items() if name == thread.name}
    leaving: dict[int, set[Linear | None]] = defaultdict(set)
    for index, command in enumerate(thread.commands):
        leaving[command.source].add(locks.get(index))
    happening = thread.events.takings.keys() | thread.events.givings.keys()
    return {
        location: at
        for location, found in leaving.items()
        if len(found) == 1 and (at := next(iter(found))) is not None and location not in happening
    }


def begun_together(program: Program, found: Members) -> Program:
    """The program in which cells of combinations begin with what the cells of their members begin with.

    Of each there are the cells of members, with the factors of these.
    """
    cells = dict(program.cells)
    for name, members in found.items():
        low, high = 0, 0
        is_known = True
        for own, factor in members:
            ends = [end for cell in own for end in (cells[cell].lo, cells[cell].hi)]
            known = [factor * end for end in ends if end is not None]
            is_known = is_known and len(known) == len(ends)
            low, high = low + min(known, default=0), high + max(known, default=0)
        cells[name] = replace(cells[name], lo=low if is_known else None, hi=high if is_known else None)
    return replace(program, cells=cells)
