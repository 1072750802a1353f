"""Which members of new objects are certainly set before anybody reads them.

The memory that `malloc` gives holds anything. A cell that stands for a member of all objects of a place keeps that
for ever, as writes only add to it, unless this shows that nobody sees it: on every way from the allocation on, the
member of the new object is set while only the thread that allocated it has its address (`exclusion`), before the thread
reads the cell, and before it lets others know the address or loses track of it. What is given back needs no members.

*Approximates*: under. Then every object that a thread can find has been set, so the cell may as well begin with any
value that is written to it. So may one that stands for a member of a single object.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duet.frontend.graph.events import Allocation, Events
from duet.frontend.graph.reach import by_source, following, known_on_all_ways, reached
from duet.frontend.judgments.exclusion import Known
from duet.plip.execute import apply
from duet.plip.syntax import (
    Assign,
    Atom,
    Cell,
    Command,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Program,
    Relation,
    Spawn,
    Step,
    steps,
)
from duet.plip.terms import add, constant, evaluate
from duet.plip.touched import reads


@dataclass(frozen=True, slots=True)
class _Done:
    """The cells of which the member of the object that is new is set, or does not matter any more."""

    cells: frozenset[str] = frozenset()

    def common(self, other: _Done) -> _Done:
        return _Done(self.cells & other.cells)


@dataclass
class Settling:
    """What threads show of the members of new objects; `members` are the cells of these by the key of the object."""

    members: Mapping[str, Collection[str]]
    _made: set[str] = field(default_factory=set)
    _open: set[str] = field(default_factory=set)

    @property
    def open_members(self) -> frozenset[str]:
        """The cells that somebody may read before they are set, as far as threads were followed."""
        strange = (cell for key, cells in self.members.items() if key not in self._made for cell in cells)
        return frozenset((*self._open, *strange))

    def follow(self, commands: Sequence[Command], entry: int, known: Mapping[int, Known], events: Events) -> None:
        """Adds what a thread shows; `known` is what is known at its locations, with the objects that are new there."""
        owners = {cell: key for key, cells in self.members.items() for cell in cells}
        outgoing = by_source(commands)
        self._made.update(new.origin.key for made in events.allocations.values() for new in made)

        def behind(location: int, done: _Done) -> Iterator[tuple[int, _Done]]:
            begun, here = events.allocations.get(location, ()), known[location]
            new = here.new.union(begun)
            cells = done.cells - self._cells_of(item.origin.key for item in begun)
            cells |= self._cells_of(_freed(new, here, events.freed.get(location, ())))
            keys = [item.origin.key for item in new]
            self._open |= self._cells_of(key for key in keys if keys.count(key) > 1)
            for command in outgoing[location]:
                missing = null_on(command.instruction, here, new)
                read = (cell for cell in reads(command.instruction) if owners.get(cell) in keys)
                self._open.update(cell for cell in read if cell not in cells and owners[cell] not in missing)
                after = known.get(command.target)
                if after is None:
                    continue
                set_here = events.settings.get(command.target, ())
                if any(_is_elsewhere(here, at, new, owners.get(cell)) for cell, at in set_here):
                    continue
                behind_it = cells | {cell for cell, at in set_here if _is_at(here, at, new, owners.get(cell))}
                there = {item.origin.key for item in after.new}
                # what is new behind it, and was not in front of it, is null on this way
                behind_it |= self._cells_of(there.difference(keys).union(missing))
                self._open |= self._cells_of(set(keys) - there) - behind_it
                yield command.target, _Done(behind_it)

        known_on_all_ways(entry, _Done(), behind, following(outgoing))

    def _cells_of(self, keys: Iterable[str]) -> frozenset[str]:
        return frozenset(cell for key in keys for cell in self.members.get(key, ()))


def begun(program: Program, settled: Collection[str], filled: Collection[str] = ()) -> Program:
    """The program in which cells that nobody sees before they are set begin with a constant that may be written there.

    Any value would do. What is taken is what cells are first assigned, so that members of one element belong together.
    `settled` cells have it if they begin with 0. *Requires*: such of them hold integers.
    """
    made: defaultdict[str, list[Step]] = defaultdict(list)
    for command in program.commands if settled or filled else ():
        for target, step in _made(command.instruction):
            made[target].append(step)
    values: dict[str, int] = {}
    work = set(reached([*settled, *filled], lambda cell: (of for step in made[cell] for of in reads(step))))
    while found := {cell: value for cell in work if (value := _result(made[cell][:1], values)) is not None} or {
        cell: value for cell in work if (value := _result(made[cell], values)) is not None
    }:
        values.update(found)
        work -= found.keys()
    values = {cell: value for cell, value in values.items() if cell in settled or cell in filled}
    return replace(
        program, cells={name: _beginning(cell, values.get(name), filled) for name, cell in program.cells.items()}
    )


def _made(instruction: Instruction) -> Iterator[tuple[str, Step]]:
    """The cells that an instruction sets, with how."""
    for step in steps(instruction):
        match step:
            case Assign(target) | Havoc(target) | Compute(target):
                yield target, step
            case Spawn(_, arguments):
                yield from ((target, Assign(target, value)) for target, value in arguments)
            case _:
                continue


def _result(made: Iterable[Step], values: Mapping[str, int]) -> int | None:
    """What a cell is set to in the first of some ways of which that is known, where others have some values."""
    for step in made:
        if reads(step) <= values.keys():
            match step:
                case Assign(_, value):
                    return evaluate(value, values)
                case Havoc(_, int() as lo):
                    return lo
                case Compute(_, operation, arguments):
                    return apply(operation, [evaluate(one, values) for one in arguments])
                case _:
                    continue
    return None


def _beginning(cell: Cell, value: int | None, filled: Collection[str]) -> Cell:
    is_any = cell.name in filled or cell.lo == cell.hi == 0
    return replace(cell, lo=value, hi=value) if is_any and value is not None else cell


def _freed(new: Iterable[Allocation], known: Known, addresses: Iterable[Linear]) -> Iterator[str]:
    """The keys of the new objects that are given back."""
    freed = list(addresses)
    for item in new:
        if any(_is_same(known, address, item.address) for address in freed):
            yield item.origin.key


def _is_at(known: Known, pointer: Linear, new: Iterable[Allocation], key: str | None) -> bool:
    """Whether a pointer is the address of the new object with a key."""
    return any(item.origin.key == key and _is_same(known, pointer, item.address) for item in new)


def _is_elsewhere(known: Known, pointer: Linear, new: Iterable[Allocation], key: str | None) -> bool:
    """Whether a pointer is the address of another new object than the one with a key, if any: no way goes there then.

    Lowering goes on at each target that a pointer may have anywhere, whatever is known of it here.
    """
    here = [item.origin.key for item in new if _is_same(known, pointer, item.address)]
    return key is not None and bool(here) and key not in here


def null_on(instruction: Instruction, known: Known, new: frozenset[Allocation]) -> Collection[str]:
    """The keys of new objects that are not there where a way is only gone if their address is null."""
    match instruction:
        case Guard(Atom(term, Relation.EQ)):
            return {item.origin.key for item in replace(known, new=new).new_at(term)}
        case _:
            return ()


def _is_same(known: Known, one: Linear, other: Linear) -> bool:
    return known.resolved(add(one, other, -1)) == constant(0)
