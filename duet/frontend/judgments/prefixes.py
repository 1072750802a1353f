"""How many elements of arrays are set, from the first one on: ghosts that know it, for reads that find no other.

    slots[count++] = job;  ...  if (count > 0) job = slots[--count];

What an array began with is seen by nobody who only reads elements that were set. Where `filled` finds no proof of that
(others count the elements, under a lock), an array has a ghost: so many elements are set, from the first one on. It
grows in the step that sets the element behind these. In a ring this goes on when it starts over (`positions`): then
each element is set at whose position modulo the number of elements one of so many is, and all are when these are as
many. The array begins with what is written to it; who reads an element that need not be set, as far as the ghost says,
may find what the array began with. So the program does what it did, and the analyses are left to find out that nobody
does so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from duet.frontend.graph.events import Element
from duet.frontend.judgments.filled import Row
from duet.frontend.judgments.positions import Positions, alike, counters, positions
from duet.plip.execute import apply
from duet.plip.syntax import (
    FALSE,
    TRUE,
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Step,
    steps,
)
from duet.plip.terms import (
    add,
    atoms,
    compare,
    conjunction,
    constant,
    evaluate,
    formula_cells,
    negate,
    satisfies,
    term_cells,
    variable,
)
from duet.plip.touched import reads, touched, writes

MOST_VALUES = 4
"""Values that a cell may get from what an array begins with: of more not all are looked at."""


@dataclass(frozen=True, slots=True)
class Array:
    """The cells of a part of the elements of an array: one for all, or one for each with its number.

    The row has no count where that is not known. *Requires*: the cells are those of one array, or of one in each thread
    that has these for itself.
    """

    name: str
    row: Row
    cells: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Access:
    """Which element a command accesses, by its number, if `where` holds; `is_inside` if that is certainly one."""

    cell: str
    index: Linear
    is_inside: bool
    where: Formula = TRUE

    @property
    def asked(self) -> frozenset[str]:
        """The cells that tell which element it is."""
        return term_cells(self.index) | formula_cells(self.where)


@dataclass(frozen=True, slots=True)
class _Told:
    """An array with its ghost and the positions of its indices, if these start over."""

    array: Array
    ghost: str
    around: Positions | None

    def commands(self, command: Command, access: Access | None, cells: Mapping[str, Cell]) -> Iterator[Command]:
        """A command with what it sets and finds unset; `access` is what it does if that is all that it does."""
        instruction = command.instruction
        parts: Sequence[Step] = steps(instruction)  # type: ignore[assignment]  # of accesses, and of what reads cells
        if not reads(instruction).isdisjoint(self.array.cells):
            first = [_as_first(step, self.array.cells, cells) for step in parts]
            yield command
            for condition in self._unset(access):
                yield replace(command, instruction=Atomic((Guard(condition), *first)))
        elif access is not None and (access.is_inside or self._position(access) == access.index):
            is_next = compare(self._position(access), "==", variable(self.ghost))
            ways = ((access.where, is_next, 1), (access.where, negate(is_next), 0), (negate(access.where), TRUE, 0))
            for where, condition, by in ways:
                # the ghost is written in any case, so that others know which way was taken
                written = Assign(self.ghost, add(variable(self.ghost), constant(by)))
                if where != FALSE:
                    guard = Guard(conjunction((where, condition)))
                    yield replace(command, instruction=Atomic((guard, *parts, written)))
        else:
            yield command

    def _position(self, access: Access) -> Linear:
        return access.index if self.around is None else self.around.of(access.index)

    def _unset(self, access: Access | None) -> Iterator[Formula]:
        """The conditions of which one holds if an element is not set: it is not in front of the others, or not known.

        They are not all set, besides.
        """
        ghost, count = variable(self.ghost), self.array.row.count
        rest = compare(ghost, "<", constant(count)) if count else TRUE
        if access is None:
            yield rest
            return
        position = self._position(access)
        yield conjunction((access.where, compare(position, ">=", ghost), rest))
        if position != access.index:  # where it is negative, the index need not be
            yield conjunction((access.where, compare(position, "<", constant(0)), rest))
        if access.where != TRUE:
            yield conjunction((negate(access.where), rest))


def _as_first(step: Instruction, of: Collection[str], cells: Mapping[str, Cell]) -> Step:
    """A step that reads what a cell began with instead of the cell."""
    match step:
        case Assign(target, Linear(((cell, 1),), 0)) if cell in of:
            lo, hi = cells[cell].lo, cells[cell].hi
            return Assign(target, constant(lo)) if lo is not None and lo == hi else Havoc(target, lo, hi)
        case Assign() | Compute() | Guard() | Havoc() | Lookup():
            return step
        case _:
            raise AssertionError("only steps read cells of arrays that have a ghost")


@dataclass(frozen=True)
class Prefixes:
    """The commands of each template, and by template and index of the command which element that accesses.

    Of a `single` template there is one thread only.
    """

    commands: Mapping[str, Sequence[Command]]
    cells: Mapping[str, Cell]
    accesses: Mapping[str, Mapping[int, Access]]
    single: str | None = None

    def worthwhile(self, arrays: Iterable[Array]) -> Iterator[Array]:
        """The arrays that are set in order, to other values than they begin with, for which some check would fail."""
        readers: defaultdict[str, list[Step]] = defaultdict(list)
        asked: defaultdict[str, list[Atom]] = defaultdict(list)
        concerning: defaultdict[str, list[Command]] = defaultdict(list)
        for command in self._all():
            for cell in reads(command.instruction) | writes(command.instruction):
                concerning[cell].append(command)
            for step in steps(command.instruction):
                if isinstance(step, Assign | Compute) and len(reads(step)) == 1:
                    readers[next(iter(reads(step)))].append(step)
                elif isinstance(step, Assert):
                    for part in atoms(step.condition):
                        asked[part.term.terms[0][0]] += [part] if len(part.term.terms) == 1 else []
        for array in arrays:
            concerned = (command for cell in sorted(array.cells) for command in concerning[cell])
            if any(_is_odd(it, array.cells, self.cells) for it in concerned) or not self._is_set_in_order(array):
                continue
            found = _derived({cell: self.cells[cell] for cell in array.cells}, readers)
            if any(
                value is None or not satisfies(part, {cell: value})
                for cell, values in found.items()
                for value in values
                for part in asked[cell]
            ):
                yield array

    def rings(self, arrays: Iterable[Array]) -> Iterator[Array]:
        """The arrays of which a check asks whether two indices, which start over at their length, are at one place."""
        checks = (step for command in self._all() for step in steps(command.instruction) if isinstance(step, Assert))
        pairs = [frozenset(pair) for check in checks if (pair := alike(check.condition))]
        for array in arrays:
            around = self._positions(array.row.count, [array]) if pairs and array.row.count else None
            if around is not None and any(pair <= around.moduli.keys() for pair in pairs):
                yield array

    def told(
        self, arrays: Sequence[Array], rings: Sequence[Array]
    ) -> tuple[Mapping[str, list[Command]], Mapping[str, Cell]]:
        """The commands with ghosts for arrays, and for indices of these and of others, and the cells of the ghosts."""
        both = (*arrays, *rings)
        around = {count: self._positions(count, both) for count in {array.row.count for array in both} if count}
        known = [it for it in around.values() if it is not None]
        told = [_Told(array, f"{array.name} set", around.get(array.row.count)) for array in arrays]
        commands = {
            name: [
                part
                for index, command in enumerate(found)
                for part in self._rewritten(command, self.accesses[name].get(index), told, known)
            ]
            for name, found in self.commands.items()
        }
        cells = {it.ghost: self._ghost(it) for it in told}
        for positions_of in known:
            cells |= positions_of.cells(self.cells)
        return commands, cells

    def _ghost(self, told: _Told) -> Cell:
        """The cell of a ghost, of each thread that has the array for itself, or of the only one that accesses it."""
        owner = self.owner(told.array) if told.around is None else self._template(told.array)
        return Cell(told.ghost, owner, lo=0, hi=0, label=f"elements of {told.array.name} that are set")

    def owner(self, array: Array) -> str | None:
        """The template that has an array for itself in each of its threads, or of which the only thread accesses it."""
        owner = self._template(array)
        if owner is None and self.single is not None:
            others = (it for name, found in self.commands.items() if name != self.single for it in found)
            owner = self.single if touched(others).isdisjoint(array.cells) else None
        return owner

    def _template(self, array: Array) -> str | None:
        return next(iter({self.cells[cell].template for cell in array.cells}))

    def _rewritten(
        self, command: Command, access: Access | None, told: Sequence[_Told], known: Sequence[Positions]
    ) -> list[Command]:
        parts = [command]
        for one in told:
            mine = access if access is not None and access.cell in one.array.cells else None
            parts = [made for part in parts for made in one.commands(part, mine, self.cells)]
        for positions_of in known:
            parts = [made for part in parts for made in positions_of.followed(part)]
        return parts

    def _positions(self, count: int, arrays: Sequence[Array]) -> Positions | None:
        of = {cell for array in arrays if array.row.count == count for cell in array.cells}
        accesses = (access for found in self.accesses.values() for access in found.values() if access.cell in of)
        indices = {cell for access in accesses for cell in term_cells(access.index)}
        return positions(self._all(), self.cells, count, indices)

    def _all(self) -> Iterator[Command]:
        return (command for commands in self.commands.values() for command in commands)

    def _is_set_in_order(self, array: Array) -> bool:
        """Whether a command sets an element of which the number comes from what is counted.

        Where each element has a cell, all is known of them but how rings go on.
        """
        indices = {
            cell
            for name, found in self.accesses.items()
            for index, access in found.items()
            if access.cell in array.cells and access.cell in writes(self.commands[name][index].instruction)
            for cell in term_cells(access.index)
        }
        if not indices or not counters(self._all(), self.cells, indices):
            return False
        is_ring = bool(array.row.count) and positions(self._all(), self.cells, array.row.count, indices) is not None
        return is_ring or None in array.cells.values()


def _derived(first: Mapping[str, Cell], readers: Mapping[str, Sequence[Step]]) -> Mapping[str, frozenset[int | None]]:
    """The values that cells may get from what some begin with alone, if they are not many; None for any value."""
    found: dict[str, frozenset[int | None]] = {
        name: frozenset([cell.lo if cell.lo == cell.hi else None]) for name, cell in first.items()
    }
    work = list(found)
    while work:
        cell = work.pop()
        for step in readers.get(cell, ()):
            made = {None if value is None else _result(step, {cell: value}) for value in found[cell]}
            for target in writes(step):
                before = found.get(target, frozenset())
                if not made <= before and len(before) < MOST_VALUES:
                    found[target] = before | made
                    work.append(target)
    return found


def _result(step: Step, values: Mapping[str, int]) -> int | None:
    """What a step sets its target to, where others have some values; None where that is not known."""
    match step:
        case Assign(_, value):
            return evaluate(value, values)
        case Compute(_, operation, arguments):
            return apply(operation, [evaluate(one, values) for one in arguments])
        case _:
            return None


def _is_odd(command: Command, of: Collection[str], cells: Mapping[str, Cell]) -> bool:
    """Whether a command does more with a cell than to assign it to another one, or sets it to what it began with."""
    for step in steps(command.instruction):
        match step:
            case Assign(target, Linear((), value)) if target in of and value == cells[target].lo == cells[target].hi:
                return True
            case Assign(_, Linear(((cell, 1),), 0)) if cell in of:
                continue
            case _ if not reads(step).isdisjoint(of):
                return True
            case _:
                continue
    return False


def element(
    command: Command, noted: Element | None, array: Array, resolved: Callable[[Linear], Linear]
) -> Access | None:
    """Which element of an array a command sets or reads, if it does nothing else and that is known.

    Where it is reached by a pointer, that is so if this is `resolved` to the address of an element, or leads to where
    the array begins.
    """
    match command.instruction:
        case Assign(_, Linear(((cell, 1),), 0)) if cell in array.cells:
            pass
        case Assign(cell) | Compute(cell) | Lookup(cell) if cell in array.cells:
            pass
        case _:
            return None
    number, row = array.cells[cell], array.row
    begin = noted.spot.begin if noted is not None and noted.cell == cell else None
    if noted is None or begin is None:
        return None if number is None else Access(cell, constant(number), is_inside=True)
    behind = add(begin, constant(row.first), -1)
    if (index := _divided(behind, row.step)) is not None:
        return Access(cell, index, is_inside=noted.spot.pointer is None or not noted.spot.pointer.terms)
    if (index := _divided(resolved(behind), row.step)) is not None:
        return Access(cell, index, is_inside=True)
    for pointer in (variable(name) for name, factor in begin.terms if factor == 1):
        if (index := _divided(add(behind, add(pointer, constant(row.start), -1), -1), row.step)) is not None:
            return Access(cell, index, is_inside=True, where=compare(pointer, "==", constant(row.start)))
    return None if number is None else Access(cell, constant(number), is_inside=True)


def _divided(term: Linear, divisor: int) -> Linear | None:
    """A term divided by a number, if each part of it can be."""
    if any(factor % divisor for factor in (term.constant, *(factor for _, factor in term.terms))):
        return None
    return Linear(tuple((cell, factor // divisor) for cell, factor in term.terms), term.constant // divisor)
