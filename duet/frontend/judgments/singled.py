"""One element of an array, whichever it is, that has cells of its own: what holds of it holds of each.

    lock(&m); if (a[i].free >= n) { a[i].free -= n; a[i].used += n; } assert(a[i].free + a[i].used == SIZE); unlock(&m);

One cell stands for a member of all elements of a long array, so nothing is known of two members of one of them. Here
one element is singled out: it begins at an address that a ghost holds, which has any value at first and for ever, and
its members have cells of their own. An access to an element at a known address means the one if that is the address of
the ghost, and the rest if it is not; any other access may mean either, and a write both.

A check after such an access asks something only where that element is the one. If it fails in an execution, it fails in
the same one with the address of that element in the ghost, since nothing else depends on the ghost; so no failure is
lost, whichever element is asked about. Schedules, numbers of threads and inputs play no part in this.

*Requires*: accesses with a known address are to a whole member of an element, not to some of its bytes. *Approximates*:
over. What a thread does with the element and with others is told apart by `apart`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product

from duet.frontend.graph.apart import Form, Found, found_of
from duet.frontend.graph.events import Element
from duet.frontend.graph.reach import by_source, following, known_on_all_ways, reached, reaches
from duet.frontend.judgments.prefixes import Array
from duet.plip.marks import SEVERAL, united
from duet.plip.syntax import (
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Spawn,
    Step,
    guards,
    steps,
)
from duet.plip.terms import add, compare, constant, disjunction, formula_cells, term_cells, variable
from duet.plip.touched import reads, writes

NEAR = 4
"""How far in front of a check without a condition of its own its conditions are looked for."""
MEMBERS = 2
"""Of one of a few elements that a check asks about, else it is not worth a copy of what a thread does for each."""
MOST_STEPS = 2
"""Of a command that access elements: it may mean either for each."""
_ONE = "#one"


def one(cell: str) -> str:
    """The cell of the element that is singled out, for one that stands for all."""
    return f"{cell}{_ONE}"


@dataclass(frozen=True, slots=True)
class Group:
    """The members of the elements of an array, with how far each is from where its element begins.

    The array begins at `start`, its elements are `step` apart. There are `few` if each has cells of its own.
    """

    start: int
    step: int
    few: int
    offsets: Mapping[str, int]

    @property
    def ghost(self) -> str:
        return f"{min(self.offsets)} address of one"

    def answers(self, address: Linear) -> Iterator[tuple[Form, Found]]:
        """What is found out where an access by an address means one of a few elements, one outside the next one."""
        for number in range(self.few):
            relation = ">=" if number == self.few - 1 else "==" if number else "<="
            part = compare(address, relation, constant(self.start + number * self.step))
            equal = compare(address, "==", constant(self.start + number * self.step))
            for one_part in (part, equal):
                if isinstance(one_part, Atom) and (found := found_of(one_part)) is not None:
                    yield found

    def is_address(self, term: Linear, aligned: Container[str]) -> bool:
        """Whether a term certainly is where an element begins, or a place outside; `aligned` cells hold such."""
        pointers = [cell for cell, factor in term.terms if factor == 1 and cell in aligned]
        rest = [factor for cell, factor in term.terms if cell not in pointers]
        behind = term.constant if pointers else term.constant - self.start
        return len(pointers) <= 1 and all(number % self.step == 0 for number in (behind, *rest))

    def aligned(self, commands: Iterable[Command], cells: Mapping[str, Cell]) -> frozenset[str]:
        """The cells that only ever hold addresses where elements begin, or null."""
        written: defaultdict[str, list[Linear | None]] = defaultdict(list)
        for command in commands:
            for step in steps(command.instruction):
                for target, value in _values(step):
                    written[target].append(value)
        told = (cell for cell in written if cell in cells)  # not those of what another group has singled out
        found = {cell for cell in told if not cells[cell].summary and self._begins_well(cells[cell])}
        while True:
            left = {cell for cell in found if all(self._is_pointer(value, found) for value in written[cell])}
            if left == found:
                return frozenset(found)
            found = left

    def _begins_well(self, cell: Cell) -> bool:
        """Whether a cell holds null or an address of an element at first, or has no value then."""
        return cell.template is not None or (cell.lo == cell.hi and self._is_pointer(constant(cell.lo or 0), ()))

    def _is_pointer(self, value: Linear | None, aligned: Container[str]) -> bool:
        return value is not None and (value == constant(0) or self.is_address(value, aligned))


def _values(step: Instruction) -> Iterator[tuple[str, Linear | None]]:
    """The cells that a step writes, with what; None for what is not known."""
    match step:
        case Assign(target, value):
            yield target, value
        case Spawn(_, arguments):
            yield from arguments
        case _:
            yield from ((target, None) for target in writes(step))


def groups(arrays: Iterable[Array]) -> Iterator[Group]:
    """The members of the elements of each array of which one cell stands for each member, or each element has cells."""
    found: defaultdict[tuple[int, int, int], dict[str, int]] = defaultdict(dict)
    for array in arrays:
        row = array.row
        for cell, number in array.cells.items():
            few = 0 if number is None else len(array.cells)
            found[row.start, row.step, few][cell] = row.first - row.start
    for (start, step, few), offsets in found.items():
        if step > 0:
            yield Group(start, step, few, offsets)


@dataclass(frozen=True, slots=True)
class Thread:
    """A template: its commands, where it begins, which elements they access by target, and which cells are its own."""

    commands: Sequence[Command]
    entry: int
    noted: Callable[[int], Element | None]
    is_own: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _Asked:
    """Addresses of elements that were accessed, and are held by the same cells since then."""

    found: frozenset[Linear] = frozenset()

    def common(self, other: _Asked) -> _Asked:
        return _Asked(self.found & other.found)


@dataclass(frozen=True)
class Singled:
    """The threads of a program, with the cells of all."""

    threads: Mapping[str, Thread]
    cells: Mapping[str, Cell]

    def of(self, found: Iterable[Group], most: int) -> tuple[Mapping[str, list[Command]], Mapping[str, Cell]]:
        """The commands with an element of some groups singled out, where checks ask about these, and the new cells."""
        commands = {name: list(thread.commands) for name, thread in self.threads.items()}
        cells: dict[str, Cell] = {}
        many = (group for group in found if not group.few)
        for group in islice(filter(partial(self._is_asked, commands), many), most):
            commands = replace(self, cells={**self.cells, **cells})._with(group, commands)
            cells[group.ghost] = Cell(group.ghost, label=f"an element of {min(group.offsets)}")
            for cell in group.offsets:
                cells[one(cell)] = replace(self.cells[cell], name=one(cell), summary=False)
        return commands, cells

    def _is_asked(self, commands: Mapping[str, Sequence[Command]], group: Group) -> bool:
        """Whether a check asks about elements of a group, and all commands access these in ways that are understood."""
        if any(_is_odd(command.instruction, group.offsets) for own in commands.values() for command in own):
            return False
        known = self._addresses(commands, group)
        return any(self._asked(name, own, group, known) for name, own in commands.items())

    def answers(self, found: Iterable[Group]) -> Iterator[tuple[Form, Found]]:
        """What accesses find out of which of a few elements they mean, where a check asks about these."""
        commands = {name: thread.commands for name, thread in self.threads.items()}
        for group in (group for group in found if group.few > 1):
            known = self._addresses(commands, group)
            for name, own in commands.items():
                for address in self._asked(name, own, group, known, MEMBERS).values():
                    yield from group.answers(address) if _is_input(address, own) else ()

    def _with(self, group: Group, commands: Mapping[str, Sequence[Command]]) -> dict[str, list[Command]]:
        """The commands with an element of a group singled out."""
        known = self._addresses(commands, group)
        return {
            name: [
                part
                for asked in (self._asked(name, own, group, known),)
                for command in own
                for part in self._parts(command, group, known.get(id(command)), asked.get(id(command)))
            ]
            for name, own in commands.items()
        }

    def _addresses(self, commands: Mapping[str, Sequence[Command]], group: Group) -> Mapping[int, Linear]:
        """Where the elements begin that commands access, by the identity of the command."""
        aligned = group.aligned((it for own in commands.values() for it in own), self.cells)
        found: dict[int, Linear] = {}
        for name, own in commands.items():
            thread = self.threads[name]
            entered: defaultdict[int, set[int]] = defaultdict(set)
            for command in own:
                entered[command.target].add(command.source)
            for command in own:
                noted = thread.noted(command.target)
                begin = noted.spot.begin if noted is not None and noted.cell in group.offsets else None
                if noted is None or begin is None or not isinstance(command.instruction, Step):
                    continue
                if len(entered[command.target]) > 1:  # what was noted there may be of another one
                    continue
                address = add(begin, constant(-group.offsets[noted.cell]))
                touched = group.offsets.keys() & (reads(command.instruction) | writes(command.instruction))
                is_own = all(map(thread.is_own, term_cells(address)))
                if touched == {noted.cell} and is_own and group.is_address(address, aligned):
                    found[id(command)] = address
        return found

    def _asked(
        self, name: str, commands: Sequence[Command], group: Group, known: Mapping[int, Linear], members: int = 1
    ) -> Mapping[int, Linear]:
        """The addresses of the elements of which checks ask about so many members, by the identity of the command."""
        outgoing = by_source(commands)

        def behind(location: int, here: _Asked) -> Iterator[tuple[int, _Asked]]:
            for command in outgoing[location]:
                written = writes(command.instruction)
                asked = here.found | ({known[id(command)]} if id(command) in known else set())
                yield command.target, _Asked(frozenset(it for it in asked if written.isdisjoint(term_cells(it))))

        is_far = members == 1  # what a check says of several members is of what it reads itself
        if not any(id(command) in known for command in commands):
            return {}
        asked = known_on_all_ways(self.threads[name].entry, _Asked(), behind, following(outgoing))
        made: defaultdict[str, set[str]] = defaultdict(set)
        read: defaultdict[str, set[tuple[Linear, int]]] = defaultdict(set)
        for command in commands:
            for step in steps(command.instruction):
                for target in writes(step):
                    made[target] |= reads(step)
                    for cell in reads(step) & group.offsets.keys() if id(command) in known else ():
                        read[target].add((known[id(command)], group.offsets[cell]))
        entering: defaultdict[int, list[Command]] = defaultdict(list)
        for command in commands:
            entering[command.target].append(command)
        found: dict[int, Linear] = {}
        for command in commands:
            here = asked.get(command.source)
            if isinstance(command.instruction, Assert) and here is not None and here.found:
                asked_for = _condition(command, entering)
                sources = reached(asked_for, lambda cell: made.get(cell, ()) if is_far or cell.startswith("$") else ())
                parts = {part for cell in sources for part in read.get(cell, ()) if part[0] in here.found}
                numbers = Counter(address for address, _ in parts)
                if numbers and max(numbers.values()) >= members:
                    found[id(command)] = max(sorted(numbers, key=str), key=numbers.__getitem__)
        return found

    def _parts(self, command: Command, group: Group, address: Linear | None, asked: Linear | None) -> Iterator[Command]:
        """A command, or those that do what it does to the one element and to the rest."""
        instruction, ghost = command.instruction, variable(group.ghost)
        if isinstance(instruction, Assert) and asked is not None:
            condition = disjunction((instruction.condition, compare(asked, "!=", ghost)))
            yield replace(command, instruction=replace(instruction, condition=condition))
        elif not _touching(instruction, group.offsets):
            yield command
        elif address is not None and isinstance(instruction, Step):
            other, same = compare(address, "!=", ghost), compare(address, "==", ghost)
            yield replace(command, instruction=Atomic((Guard(other), instruction)))
            yield self._marked(replace(command, instruction=Atomic((Guard(same), _of_one(instruction, group.offsets)))))
        else:
            parts: Sequence[Step] = steps(instruction)  # type: ignore[assignment]  # no other access elements
            for way in product(*(_ways(step, group.offsets) for step in parts)):
                yield self._marked(replace(command, instruction=Atomic(tuple(part for found in way for part in found))))

    def _marked(self, command: Command) -> Command:
        """The command with a mark, if it reads what began with one of several values."""
        read = (self.cells[cell.removesuffix(_ONE)] for cell in reads(command.instruction) if cell.endswith(_ONE))
        is_vague = any(cell.lo != cell.hi for cell in read)
        return command.marked(united(command.approximates, SEVERAL)) if is_vague else command


def _is_input(address: Linear, commands: Iterable[Command]) -> bool:
    """Whether an address is made of an input, not of what a thread was given: that is one element for all its life."""
    made: defaultdict[str, set[str]] = defaultdict(set)
    inputs: set[str] = set()
    for command in commands:
        for step in steps(command.instruction):
            for target in writes(step):
                made[target] |= reads(step)
                inputs |= {target} if isinstance(step, Havoc) else set()
    return reaches(term_cells(address), inputs, lambda cell: made.get(cell, ()))


def _condition(command: Command, entering: Mapping[int, Sequence[Command]]) -> frozenset[str]:
    """The cells of the condition of a check; of the guards in front of one that fails whenever it is met."""
    found, places = reads(command.instruction), {command.source}
    for _ in range(NEAR):
        before = [it for place in places for it in entering.get(place, ())]
        found = found or frozenset().union(*(formula_cells(it) for one in before for it in guards(one.instruction)))
        places = {it.source for it in before}
    return found


def _touching(instruction: Instruction, of: Container[str]) -> list[Instruction]:
    """The steps of an instruction that access cells of elements."""
    return [step for step in steps(instruction) if any(cell in of for cell in reads(step) | writes(step))]


def _is_odd(instruction: Instruction, of: Container[str]) -> bool:
    """Whether an instruction does more with cells of elements than to read or write a few of them."""
    touching = _touching(instruction, of)
    return len(touching) > MOST_STEPS or not all(_is_plain(step, of) for step in touching)


def _is_plain(step: Instruction, of: Container[str]) -> bool:
    match step:
        case Assign(target, Linear(((cell, 1),), 0)) if cell in of:
            return target not in of
        case Assign() | Havoc() | Compute() | Lookup():
            return not any(cell in of for cell in reads(step))
        case _:
            return False


def _of_one(step: Step, of: Container[str]) -> Step:
    """What a step does to a cell of elements, done to that of the one."""
    match step:
        case Assign(target, Linear(((cell, 1),), 0)) if cell in of:
            return Assign(target, variable(one(cell)))
        case Assign(target) | Havoc(target) | Compute(target) | Lookup(target) if target in of:
            return replace(step, target=one(target))
        case _:
            return step


def _ways(step: Step, of: Container[str]) -> list[tuple[Step, ...]]:
    """What a step may do that accesses an element that is not known: what is written may be written to many."""
    single = _of_one(step, of)
    if single == step:
        return [(step,)]
    return [(step,), (step, single) if any(cell in of for cell in writes(step)) else (single,)]
