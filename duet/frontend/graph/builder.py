"""Builds the control flow graph of one template while its code is lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from duet.frontend.ctypes.origins import NO_OBJECT, Origins, addresses
from duet.frontend.graph.entries import split
from duet.frontend.graph.events import (
    Allocation,
    Events,
    Giving,
    Lasting,
    Registering,
    Releasing,
    Spot,
    Storing,
    Taking,
)
from duet.frontend.graph.insides import Given, Noted, Stretch, Text
from duet.frontend.graph.rereads import Reread
from duet.frontend.graph.returns import Crossing, SharedCall
from duet.plip.accesses import Access
from duet.plip.marks import Loss, any_value, guesses
from duet.plip.syntax import (
    FALSE,
    SKIP,
    TRUE,
    Assert,
    Assign,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Operation,
)
from duet.plip.terms import formula_cells, negate, rename_formula, rename_term, term_cells, variable
from duet.plip.touched import writes
from duet.result import Check
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Deferred:
    """A read of a shared cell into a temporary that is not emitted yet: its only user may take it over."""

    temporary: str
    cell: str
    span: Span | None


@dataclass
class Builder:
    """The graph so far and the place where code is being added.

    `current` is where the next command starts. Behind a jump it is a location without predecessors; what is added
    there is dropped at the end unless a label makes it reachable. `last` is where a thread goes to its destructors.
    `doubts` are the locations from which all goes on by more than C does, with the reason; `given` those where an input
    of the program decides how it goes on (see `exact`); while it `is_guessing`, nothing is an input, and while it
    `is_telling`, it was noted what is written. `landings` are where jumps out of functions lead back, each behind the
    location from where on they may, `leaps` where they are made, `chances` where code that is not there may make one.
    `insides` are the checks that say that bytes are inside of an object, or that strings end. `crossings` are calls of
    bodies that several calls share, and landings.
    """

    numbers: Iterator[int]
    commands: list[Command] = field(default_factory=list)
    atomic: set[int] = field(default_factory=set)
    deferred: Deferred | None = None
    span: Span | None = None
    reached: set[int] = field(default_factory=set)
    gates: set[int] = field(default_factory=set)
    accesses: dict[int, dict[Access, Spot]] = field(default_factory=dict)
    events: Events = field(default_factory=Events)
    doubts: dict[int, str] = field(default_factory=dict)
    given: set[int] = field(default_factory=set)
    is_guessing: bool = False
    is_telling: bool = False
    landings: list[tuple[int, int, Span]] = field(default_factory=list)
    leaps: list[tuple[int, Span | None]] = field(default_factory=list)
    insides: Noted = field(default_factory=Noted)
    crossings: list[Crossing] = field(default_factory=list)
    entering: dict[int, int] = field(default_factory=dict)
    chances: list[tuple[int, Span | None]] = field(default_factory=list)
    _successors: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.entry = next(self.numbers)
        self.exit = next(self.numbers)
        self.last = next(self.numbers)
        self.current = self.entry
        self.mark(self.entry)

    def mark(self, location: int) -> None:
        """Records that a location, and so what follows it, may be reached."""
        stack = [location]
        while stack:
            place = stack.pop()
            if place not in self.reached:
                self.reached.add(place)
                stack.extend(self._successors.get(place, ()))

    def successors(self, location: int) -> Iterable[int]:
        """The locations that commands lead to from one."""
        return self._successors.get(location, ())

    def constant_of(self, cell: str) -> int | None:
        """The value of a cell of this thread here, if a constant was assigned on the one way that leads here."""
        place = self.current
        for command in reversed(self.commands):
            if command.target != place or isinstance(command.instruction, Guard):  # jumps are guards, too
                return None
            match command.instruction:
                case Assign(target, term) if target == cell:
                    return None if term.terms else term.constant
                case Assign():
                    place = command.source
                case _:
                    return None
        return None

    def is_as_at(self, location: int) -> bool:
        """Whether nothing but temporaries was set on the one way that leads here from a location."""
        place = self.current
        for command in reversed(self.commands):
            if place == location:
                return True
            is_plain = all(cell.startswith("$") for cell in writes(command.instruction))
            if command.target != place or isinstance(command.instruction, Guard) or not is_plain:
                return False
            place = command.source
        return place == location

    def regions(self) -> frozenset[int]:
        """The locations that are in an atomic region on every way to them.

        A join or label made inside of a region may also be reached from outside; there nothing is atomic any more.
        """
        inside = set(self.atomic)
        stack = [place for place in self._successors if place not in inside]
        while stack:
            for target in self._successors.get(stack.pop(), ()):
                if target in inside and target not in self.gates:
                    inside.remove(target)
                    stack.append(target)
        return frozenset(inside)

    @property
    def is_live(self) -> bool:
        """Whether anything leads to the current location, as far as is known by now."""
        return self.current in self.reached

    @property
    def is_inside(self) -> bool:
        """Whether the current location is in an atomic region."""
        return self.current in self.atomic

    def fresh(self) -> int:
        """A new location, in an atomic region iff the current one is."""
        location = next(self.numbers)
        if self.is_inside:
            self.atomic.add(location)
        return location

    def outside(self) -> int:
        """A new location that is in no atomic region."""
        return next(self.numbers)

    def at(self, location: int) -> None:
        """Goes on at `location`. *Requires*: nothing is deferred."""
        assert self.deferred is None
        self.current = location

    def edge(
        self,
        instruction: Instruction,
        target: int,
        is_given: bool = False,
        loss: Loss | None = None,
        mark: str = "",
    ) -> None:
        """Adds a command from here to `target`; stays here. `is_given`: any value in it is an input of the program.

        `loss` is what was lost where any value is taken that is no input. `mark` says in what else the command stands
        for more than C does.
        """
        if not (isinstance(instruction, Guard) and instruction.condition == FALSE):
            is_given = is_given and not self.is_guessing
            mark = mark or ("" if is_given or not guesses(instruction) else any_value(loss))
            self.commands.append(Command(self.current, instruction, target, self.span, approximates=mark))
            self._note_told(self.current, target)
            self._successors.setdefault(self.current, []).append(target)
            if self.current in self.reached:
                self.mark(target)

    def _note_told(self, source: int, target: int) -> None:
        if self.is_telling:
            self.insides.told.add((source, target))

    def emit(self, instruction: Instruction, is_given: bool = False, loss: Loss | None = None, mark: str = "") -> None:
        """Adds a command to a new location and goes there; see `edge`."""
        self.flush()
        target = self.fresh()
        self.edge(instruction, target, is_given, loss, mark)
        self.current = target

    @contextmanager
    def telling(self) -> Iterator[None]:
        """What steps that are added inside write in memory is among what was noted of it."""
        before, self.is_telling = self.is_telling, True
        try:
            yield
        finally:
            self.is_telling = before

    @contextmanager
    def guessing(self, is_guessing: bool) -> Iterator[None]:
        """Whether values and ways that are lowered inside are guesses, even where they are said to be inputs."""
        before, self.is_guessing = self.is_guessing, is_guessing
        try:
            yield
        finally:
            self.is_guessing = before

    def doubt(self, reason: str) -> None:
        """Notes that what is lowered here stands for more than C does."""
        self.doubts.setdefault(self.current, reason)

    def refill(self, steps: Mapping[int, Sequence[Instruction]]) -> None:
        """Puts others in the place of commands, given by their numbers, that do nothing."""
        for place, instructions in steps.items():
            command = self.commands[place]
            self.span = command.span
            self.at(command.source)
            for instruction in instructions:
                self.emit(instruction)
            self.edge(SKIP, command.target)
        self.commands = [command for place, command in enumerate(self.commands) if place not in steps]

    def flush(self) -> None:
        """Emits the read that was deferred, if there is one."""
        if self.deferred is None:
            return
        read, self.deferred = self.deferred, None
        span, self.span = self.span, read.span
        self.emit(Assign(read.temporary, variable(read.cell)))
        self.span = span

    def note(self, access: Access, place: int | None = None, spot: Spot | None = None) -> None:
        """Notes what the thread is about to do here, behind the read that was deferred, or at another place.

        `spot` is where the accessed memory is, as far as that is known.
        """
        self.flush()
        noted = self.accesses.setdefault(self.current if place is None else place, {})
        noted[access] = spot if spot is not None and noted.get(access, spot) == spot else Spot()

    def note_taking(self, taking: Taking) -> None:
        """Notes that the thread has taken a lock before it is here; goes on behind that."""
        self.events.takings.setdefault(self.current, []).append(taking)
        self.emit(SKIP)

    def note_chance(self) -> None:
        """Notes that code that is not there may jump out of functions from here."""
        self.flush()
        self.chances.append((self.current, self.span))

    def note_giving(self, giving: Giving) -> None:
        """Notes that the thread may give a lock back; what it has done so far is in front of that."""
        self.emit(SKIP)
        self.events.givings.setdefault(self.current, []).append(giving)

    def note_allocation(self, new: Allocation) -> None:
        """Notes that the thread has allocated an object before it is here; goes on behind that."""
        self.events.allocations.setdefault(self.current, []).append(new)
        self.emit(SKIP)

    def note_beginning(self, key: str) -> None:
        """Notes that an automatic array begins here; goes on behind that."""
        self.flush()
        self.events.begun.setdefault(self.current, []).append(key)
        self.emit(SKIP)

    def note_freeing(self, address: Linear) -> None:
        """Notes that the thread gives back an object, if there is one, before it leaves here."""
        self.flush()
        self.events.freed.setdefault(self.current, []).append(address)

    def note_release(self, address: Linear, keys: frozenset[str] | None) -> None:
        """Notes that the thread gives back one of some objects before it leaves here, any one where these are None."""
        self.flush()
        self.events.released.setdefault(self.current, []).append(Releasing(address, keys))

    def note_showing(self, origins: Origins) -> None:
        """Notes that the thread lets others know addresses of some origins before it leaves here."""
        if named := addresses(origins) - NO_OBJECT:
            self.flush()
            self.events.shown.setdefault(self.current, set()).update(named)

    def note_setting(self, cell: str, pointer: Linear) -> None:
        """Notes that the last command has set a member of the object that a pointer leads to."""
        self.events.settings.setdefault(self.current, []).append((cell, pointer))

    def note_storing(self, storing: Storing) -> None:
        """Notes that the thread has written private data before it is here; goes on behind that."""
        self.flush()
        self.events.stored.setdefault(self.current, []).append(storing)
        self.emit(SKIP)

    def note_registering(self, registering: Registering) -> None:
        """Notes that the thread is about to register what has private data; goes on behind that."""
        self.flush()
        self.events.registered.setdefault(self.current, []).append(registering)
        self.emit(SKIP)

    def note_lasting(self, lasting: Lasting) -> None:
        """Notes that something that was registered lasts from here on; goes on behind that."""
        self.flush()
        self.events.lasting.setdefault(self.current, []).append(lasting)
        self.emit(SKIP)

    def note_ending(self, end: str, what: Linear) -> None:
        """Notes that a function ends here what lasts; goes on behind that."""
        self.flush()
        self.events.ended.setdefault(self.current, []).append((end, what))
        self.emit(SKIP)

    def note_closing(self) -> None:
        """Notes that nobody is in an operation any more, or will be; goes on behind that."""
        self.flush()
        self.events.closed.add(self.current)
        self.emit(SKIP)

    def settle(self, values: Mapping[str, Linear]) -> None:
        """Gives temporaries that hold any value the one that they certainly have."""
        for place, command in enumerate(self.commands):
            if isinstance(command.instruction, Havoc) and command.instruction.target in values:
                known = Assign(command.instruction.target, values[command.instruction.target])
                self.commands[place] = replace(command, instruction=known, approximates="")

    def defer(self, temporary: str, cell: str) -> None:
        """Reads a shared cell into a temporary, as late as possible."""
        self.flush()
        self.deferred = Deferred(temporary, cell, self.span)

    def goto(self, target: int) -> None:
        """Jumps; what follows is not reached from here."""
        self.flush()
        self.edge(SKIP, target)
        self.dead()

    def enter(self, entry: int) -> int:
        """Jumps to a body; the location where that is done."""
        self.flush()
        at = self.current
        self.entering[at] = len(self.commands)
        self.goto(entry)
        return at

    def come_back(self, call: SharedCall) -> None:
        """Goes on behind a call of a body, where an end of the body leads; a jump to it for each of its ends."""
        number = call.back + 1
        place = self.entering.pop(call.at, None)
        if place is None:
            self.at(call.at)
            self.edge(Guard(TRUE, number), call.entry)
        else:
            self.commands[place] = replace(self.commands[place], instruction=Guard(TRUE, number))
        self.at(call.hub)
        self.edge(Guard(TRUE, -number), call.back)
        self.crossings.append(call)
        self.at(call.back)

    def dead(self) -> None:
        """Goes on at a new location that nothing leads to."""
        self.flush()
        self.current = self.fresh()

    def branch(self, condition: Formula) -> tuple[int, int]:
        """The locations where a condition holds and where not; its deferred read becomes part of the test.

        *Requires*: the value read is not used again.
        """
        condition = self._take_over(condition)
        holds, fails = self._both(condition)
        yes, no = self.fresh(), self.fresh()
        self.edge(Guard(holds), yes)
        self.edge(Guard(fails), no)
        self.dead()
        return yes, no

    def branch_to(self, condition: Formula, yes: int, no: int) -> None:
        """Jumps to `yes` where a condition holds, else to `no`; see `branch`."""
        condition = self._take_over(condition)
        if condition == TRUE:
            self.goto(yes)
            return
        if condition == FALSE:
            self.goto(no)
            return
        holds, fails = self._both(condition)
        self.edge(Guard(holds), yes)
        self.edge(Guard(fails), no)
        self.dead()

    def fork(self, count: int, is_given: bool = False) -> list[int]:
        """As many locations as asked for, any of which may be next; an input of the program chooses if `is_given`."""
        self.flush()
        if is_given and not self.is_guessing:
            self.given.add(self.current)
        ways = [self.fresh() for _ in range(count)]
        for way in ways:
            self.edge(SKIP, way)
        self.dead()
        return ways

    def assume(self, condition: Formula) -> None:
        """Lets pass only where the condition holds; see `branch` for the deferred read."""
        condition = self._take_over(condition)
        if condition == FALSE:
            self.dead()
        elif condition != TRUE:
            self.emit(Guard(self._both(condition)[0]))

    def _both(self, condition: Formula) -> tuple[Formula, Formula]:
        """A condition and its negation, with what they say of the index of the table that was read last."""
        last = self.commands[-1] if self.commands else None
        if last is not None and last.target == self.current and isinstance(last.instruction, Lookup):
            return split(last.instruction, condition)
        return condition, negate(condition)

    def check(self, condition: Formula, check: Check, stops: bool = True) -> None:
        """Emits a copy of a check; see `branch` for the deferred read."""
        self.emit(Assert(self._take_over(condition), check, stops))

    def note_inside(self, stretch: Stretch) -> None:
        """Notes the bytes of which the last check says that they are inside of an object."""
        last = self.commands[-1]
        assert isinstance(last.instruction, Assert)
        self.insides.bytes[last.source] = stretch

    def note_text(self, text: Text, is_limited: bool = False) -> None:
        """Notes the string of which the last check says that it ends, or that so much is there if it `is_limited`."""
        last = self.commands[-1]
        assert isinstance(last.instruction, Assert)
        (self.insides.limited if is_limited else self.insides.texts)[last.source] = text

    def note_as_given(self) -> None:
        """Notes that what the last check asks holds as long as nothing was written to strings of the library."""
        self.insides.as_given.add(self.commands[-1].source)

    def note_given(self, *known: Given) -> None:
        """Notes what bytes are inside of objects, what strings end, and what was read of memory, from here on."""
        self.flush()
        before = self.current
        self.emit(SKIP)
        self.insides.given[before, self.current] += known

    def note_reread(self, reread: Reread) -> None:
        """Notes that a temporary was set to what was read of memory, from here on."""
        last = self.commands[-1] if self.commands else None
        if last is not None and last.target == self.current and writes(last.instruction) == {reread.cell}:
            self.insides.given[last.source, last.target].append(reread)
        else:
            self.note_given(reread)

    def _take_over(self, condition: Formula) -> Formula:
        """The condition with the deferred read in it, or after the read."""
        read = self.deferred
        if read is None:
            return condition
        if read.temporary not in formula_cells(condition):
            self.flush()
            return condition
        self.deferred = None
        return rename_formula(condition, _renaming(read.temporary, read.cell))

    def assign(self, target: str, value: Linear, is_shared: bool, is_kept: bool = False) -> None:
        """`target := value`, as one command with the read or computation that gave `value` where that is one access.

        *Requires*: the temporary in `value`, if it is one, is not used again, unless `is_kept`.
        """
        read = self.deferred
        if read is not None and not is_shared and not is_kept and read.temporary in term_cells(value):
            self.deferred = None
            self.emit(Assign(target, rename_term(value, _renaming(read.temporary, read.cell))))
            return
        self.flush()
        is_alone = len(value.terms) == 1 and value.terms[0][1] == 1 and value.constant == 0
        if is_kept or not is_alone or not self._retarget(value, target):
            self.emit(Assign(target, value))

    def _retarget(self, value: Linear, target: str) -> bool:
        """Whether the last command, which computed a temporary from locals, now writes `target` instead."""
        name = value.terms[0][0]
        if not name.startswith("$") or not self.commands:
            return False
        last = self.commands[-1]
        if last.target != self.current or not isinstance(last.instruction, Havoc | Compute | Lookup):
            return False
        if last.instruction.target != name:
            return False
        self.commands[-1] = replace(last, instruction=replace(last.instruction, target=target))
        self._note_told(last.source, last.target)
        if noted := self.insides.given.pop((last.source, last.target), None):
            found = (item.into(target) if isinstance(item, Reread) else item for item in noted)
            self.insides.given[last.source, last.target] = [item for item in found if item is not None]
        return True

    def compute(self, target: str, operation: Operation, *arguments: Linear) -> None:
        """`target := operation(arguments)`."""
        self.emit(Compute(target, operation, arguments))


def _renaming(old: str, new: str) -> Callable[[str], str]:
    return lambda name: new if name == old else name
