"""Ways told apart by what they have decided: flags that say which lock a thread holds, or which thread it joins.

*Source*: trace partitioning (Rival and Mauborgne 2007), as copies of locations: a thread is at one of them with some of
the conditions known that later guards ask for, so that a guard whose condition is known not to hold is not there. Each
way through the copies is one through the template, and each execution goes one of them.

Where a thread is started there is one copy only, since what is started by one command, once, runs once.

So are ways by what else a thread has found out and asks again, a status of a call say, where that concerns few
locations: what was done on the one way was not on the other. Nothing of it is lost behind calls of bodies that are
shared, as far as these touch other cells: copies of a call go through the same body, and come back each in its place.

What a thread reads of a global and asks about later (a pointer that may be null, a flag) is told apart by the answer
where it is read: how far others have got says which values they can have written.

Which of several elements a thread has claimed (`claims`) is told apart until it gives that back, wherever it asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias

from networkx.utils import UnionFind

from duet.frontend.graph.claims import Claims, claims
from duet.frontend.graph.compact import compacted
from duet.frontend.graph.likewise import told_likewise
from duet.frontend.graph.reach import by_source, following, in_order, stuck
from duet.plip.returns import call_of, renumbered, shared
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Atomic,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Program,
    Relation,
    Spawn,
    Step,
    Template,
    steps,
)
from duet.plip.terms import compare, conjunction, constant, formula_cells, negate, variable
from duet.plip.touched import reads, writes

COPIES = 3
"""Times its own size that a template may grow to, beyond `SMALL` locations."""
SMALL = 60
REGION = 100
"""Locations of a thread that are told apart by one cell and its copies where no lock or join depends on them."""
QUESTIONS = 4
"""Questions about one cell and its copies."""
ELEMENTS = 20
"""Those about one that says which of several elements a thread has claimed."""
VALUES = 2
"""Values by which reads are told apart."""
Question: TypeAlias = tuple[Relation, int]
"""`x == c` or `x <= c`, of any cell `x`."""
Known: TypeAlias = tuple[bool | None, ...]
"""Answers to the questions about a cell, None for those that are not known."""
State: TypeAlias = tuple[tuple[str, Known], ...]
"""What is known of the cells of which something is known, in their order."""
UNKNOWN: State = ()


def decided(program: Program) -> Program:
    """The program in which threads that wait know what they have decided before.

    Templates in which nothing that they have decided is asked again, or that would become much larger, are as they
    were. *Approximates*: exact, for executions that come back from the calls that they have made.
    """
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    fresh = max(program.template_of, default=0) + 1
    claimed = {name: _claimed(program, template) for name, template in program.templates.items()}
    program = told_likewise(program) if any(claimed.values()) else program  # elements are accessed by copies
    calls = Calls(program)
    writers: dict[str, set[str]] = defaultdict(set)
    for command in program.commands:
        for cell in writes(command.instruction):
            writers[cell].add(program.template_of[command.source])
    for name, template in program.templates.items():
        own = [program.commands[index] for index in template.commands]
        others = {cell for cell, found in writers.items() if found - {name}}
        ways = _Ways(program, template, own, calls, others, claimed[name])
        told = ways.told_by_reads(fresh) or ways.told(fresh)
        found, atomic = (own, template.atomic) if told is None else told
        fresh = max((fresh, *(1 + max(it.source, it.target) for it in found)))
        numbers = tuple(range(len(commands), len(commands) + len(found)))
        templates[name] = replace(template, commands=numbers, atomic=atomic)
        commands += found
    return replace(program, templates=templates, commands=tuple(commands))


def _claimed(program: Program, template: Template) -> Claims:
    """What the threads of a template claim."""
    cells = program.cells
    shared = {name for name, cell in cells.items() if cell.template is None and not cell.summary}
    own = [program.commands[index] for index in template.commands]
    return claims(own, lambda name: cells[name].template == template.name and not cells[name].summary, shared)


class Calls:
    """The calls of bodies that are matched with the ways back, and numbers for copies of these."""

    def __init__(self, program: Program) -> None:
        self._touched = shared(program)
        self._copies: dict[tuple[int, int], int] = {}
        self._fresh = count(1 + max((abs(call_of(it.instruction)) for it in program.commands), default=0))

    def number(self, instruction: Instruction) -> int:
        """The number of the call that an instruction makes or comes back from, below 0 then; 0 if it is not matched."""
        number = call_of(instruction)
        return number if abs(number) in self._touched else 0

    def touched(self, number: int) -> frozenset[str]:
        """The cells that a thread may touch until it comes back."""
        return self._touched[abs(number)]

    def copy(self, number: int, place: int) -> int:
        """The number of a copy of a call: its own in the first place."""
        if not place:
            return number
        return self._copies.setdefault((number, place), next(self._fresh))


@dataclass
class _Ways:
    """The ways through one template."""

    program: Program
    template: Template
    commands: Sequence[Command]
    calls: Calls
    others: Container[str]
    """The cells that other threads write."""
    claimed: Claims
    cells: Mapping[str, None] = field(default_factory=dict)
    questions: Mapping[str, tuple[Question, ...]] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    steps_by: Mapping[tuple[str, str, int], None] = field(default_factory=dict)
    """Own cells that are set to so many steps from another one: both cells, and by how many."""

    def told_by_reads(self, fresh: int) -> tuple[list[Command], frozenset[int]] | None:
        """As `told`, with reads of what others write told apart by the answers to what is asked of them later.

        None where there are no such reads.
        """
        found = {
            index: cell
            for index, it in enumerate(self.commands)
            if (cell := next((name for name in self._read(it) if name in self._needed[it.target]), None))
        }
        if not found:
            return None
        split: list[Command] = []
        for index, command in enumerate(self.commands):
            split += self._answered(command, found[index]) if index in found else (command,)
        read = frozenset(found.values())
        return _Ways(self.program, self.template, split, self.calls, self.others, self.claimed, read=read).told(fresh)

    def _answered(self, command: Command, cell: str) -> Iterator[Command]:
        """A command that reads a cell, for each answer to what is asked of it."""
        done = tuple(step for step in steps(command.instruction) if isinstance(step, Step))
        values = [value for _, value in self.questions[cell]]
        equal = [compare(variable(cell), "==", constant(value)) for value in values]
        for answer in (*equal, conjunction(compare(variable(cell), "!=", constant(value)) for value in values)):
            yield replace(command, instruction=Atomic((*done, Guard(answer))))

    def _read(self, command: Command) -> Iterator[str]:
        """The cells that a command reads one of some globals into, or sets in a step in which it changes one.

        Only those of which all that is asked is which of few values they are.
        """
        instruction = command.instruction
        is_copy = isinstance(instruction, Assign) and not instruction.value.terms[1:] and not instruction.value.constant
        shared = {cell for cell in reads(instruction) if self._is_shared(cell)}
        if shared if is_copy else isinstance(instruction, Atomic) and shared & writes(instruction):
            for step in steps(instruction):
                if isinstance(step, Assign | Compute) and self._is_one_of_few(step.target):
                    yield step.target

    def _is_shared(self, name: str) -> bool:
        """Whether a cell is a global that others write."""
        cell = self.program.cells[name]
        return cell.template is None and not cell.summary and name in self.others

    def _is_one_of_few(self, cell: str) -> bool:
        """Whether all that is asked of a cell is whether it is one of few values."""
        found = self.questions.get(cell, ())
        return 0 < len(found) <= VALUES and all(relation is Relation.EQ for relation, _ in found)

    def __post_init__(self) -> None:
        self._outgoing = by_source(self.commands)
        self._made = {id(it.instruction): it.instruction for it in self.commands if self.calls.number(it.instruction)}
        self._behind: dict[int, list[Command]] = defaultdict(list)
        for command in self.commands:
            if (number := self._number(command)) < 0:
                self._behind[-number].append(command)
        self.questions = self._questions()
        self._needed = self._needed_by_location()
        calls = {number for it in self.commands if (number := self._number(it)) > 0}
        self._needed_behind = {number: self._left_alone(number, self._needed) for number in calls}

    def _number(self, command: Command) -> int:
        """The number of the call that a command makes or comes back from, below 0 then, if that is matched; else 0."""
        return self.calls.number(command.instruction) if id(command.instruction) in self._made else 0

    def told(self, fresh: int) -> tuple[list[Command], frozenset[int]] | None:
        """The commands over copies of locations, numbered from `fresh` on, and which of these are in atomic regions."""
        waits = [it for it in self.commands if isinstance(it.instruction, Join) or self._waited_for(it)]
        starts = {it.source for it in self.commands if isinstance(it.instruction, Spawn)}
        kept = {cell for it in waits for place in self._followed(it) for cell in self._needed[place]}
        joining = {it.source for it in waits if isinstance(it.instruction, Join)}
        if joining:  # which thread it is, and whether it was started
            kept.update(*(reads(it.instruction) for it in self.commands if it.target in joining))
            kept.update(*(self._needed[it.target] for it in self.commands if it.source in starts))
        classes = {self._alike[cell] for cell in kept | self.read if cell in self.questions}
        statuses = set(self._statuses())
        elements = self.claimed.told(self._alike)
        parts = (classes | elements | statuses, classes | elements, elements, classes | statuses, classes, statuses)
        attempts = dict.fromkeys(map(frozenset, parts))
        tried = (self._told(attempt, starts, fresh) for attempt in attempts if attempt)
        return next(filter(None, tried), None)

    def _told(self, kept: Set[str], starts: Set[int], fresh: int) -> tuple[list[Command], frozenset[int]] | None:
        """As `told`, by what is known of the cells of some classes."""
        self.cells = dict.fromkeys(cell for cell in self.questions if self._alike[cell] in kept)
        if not self.cells:
            return None
        self._telling = {id(it.instruction) for it in self.commands if self._tells(it.instruction)}
        ends = (back.source for backs in self._behind.values() for back in backs)
        single = {self.template.exit, *starts, *ends}
        most = max(SMALL, COPIES * len(self._needed))
        united: dict[int, State] = {}
        while True:
            found, more = self._explored(single, united, most)
            if len(found) > most:
                return None
            if more == united:
                return self._copied(found, united, fresh)
            united = more

    def _statuses(self) -> Iterator[str]:
        """The classes of cells that say later what a thread has done: they are set to several constants, or globals are
        written between what tells of them and what asks. Those of the fewest locations come first, while there is room.
        """
        members: dict[str, set[str]] = defaultdict(set)
        for cell in self.questions:
            members[self._alike[cell]].add(cell)
        begun: dict[str, list[Command]] = defaultdict(list)
        for command in self.commands:
            for cell in self._told_of(command.instruction):
                if not self._needed[command.target].isdisjoint(members[self._alike[cell]]):
                    begun[self._alike[cell]].append(command)
        found = [(len(region), name) for name in begun if (region := self._region(begun[name], members[name]))]
        room = max(SMALL // 2, len(self._needed) // 4)
        for size, name in sorted(found):
            room -= size
            if room < 0:
                return
            yield name

    def _told_of(self, instruction: Instruction) -> Iterator[str]:
        """The cells of which an instruction tells something by itself."""
        for step in steps(instruction):
            match step:
                case Guard(condition):
                    yield from (cell for cell, _, _ in _parts(condition) if cell in self.questions)
                case Assign(target, Linear((), _)) | Havoc(target, int(), int()) if target in self.questions:
                    yield target
                case _:
                    continue

    def _region(self, begun: Sequence[Command], members: Set[str]) -> Set[int] | None:
        """The locations where something is known of cells that is asked for later; None where these are too many, or
        nobody can tell later by it what was done.
        """
        work = [command.target for command in begun]
        seen = set(work)
        done = [step for command in begun for step in steps(command.instruction)]
        changed = frozenset().union(*map(writes, done))
        given = {it.value for it in done if isinstance(it, Assign) and it.target in members and not it.value.terms}
        matters = len(given) > 1 or any(self.program.cells[cell].template is None for cell in changed - members)
        while work:
            for command in self._outgoing[work.pop()]:
                for target, changed in self._onward(command, members):
                    matters = matters or any(self.program.cells[cell].template is None for cell in changed - members)
                    if target not in seen:
                        seen.add(target)
                        work.append(target)
                if len(seen) > REGION:
                    return None
        return seen if matters else None

    def _onward(self, command: Command, members: Set[str]) -> Iterator[tuple[int, frozenset[str]]]:
        """Where cells are still asked for behind a command of which something is known before, and what may change."""
        asked, changed, number = (
            self._needed[command.target] & members,
            writes(command.instruction),
            self._number(command),
        )
        if asked and not asked <= changed:
            yield command.target, changed
        if number > 0 and not members.isdisjoint(self._needed_behind[number]):
            yield from ((back.target, self.calls.touched(number)) for back in self._behind.get(number, ()))

    def _followed(self, wait: Command) -> Iterator[int]:
        """The locations behind a wait, as long as there is one way to go and what was waited for is not given back."""
        seen: set[int] = set()
        place, waited = wait.target, self._waited_for(wait)
        while place not in seen:
            seen.add(place)
            yield place
            found = self._outgoing[place]
            if len(found) == 1 and waited.isdisjoint(writes(found[0].instruction)):
                place = found[0].target

    def _waited_for(self, command: Command) -> Set[str]:
        """The globals that a command waits for and changes at once; none where another one passes if it does not."""
        asked = _asked(command.instruction)
        shared = {cell for cell in writes(command.instruction) if self.program.cells[cell].template is None}
        waited = shared & formula_cells(asked)
        others = (it for it in self._outgoing[command.source] if it.target == command.target)
        return frozenset() if waited and any(_asked(it.instruction) == negate(asked) for it in others) else waited

    def _questions(self) -> dict[str, tuple[Question, ...]]:
        """What guards ask of each cell of the thread, of those that are copies of each other, or some steps from it."""
        own = {name for name, it in self.program.cells.items() if it.template == self.template.name and not it.summary}
        classes = UnionFind(sorted(own))
        moved: dict[tuple[str, str, int], None] = {}
        asked: dict[str, set[Question]] = {}
        for command in self.commands:
            for step in steps(command.instruction):
                match step:
                    case Assign(target, Linear(((source, 1),), 0)) if {target, source} <= own:
                        classes.union(target, source)
                    case Assign(target, Linear(((source, 1),), by)) if {target, source} <= own and target != source:
                        moved[target, source, by] = None
                    case Guard(condition):
                        for cell, question, _ in _parts(condition):
                            if cell in own:
                                asked.setdefault(cell, set()).add(question)
                    case _:
                        continue
        equal = {cell: classes[cell] for cell in own}
        united: dict[str, set[Question]] = defaultdict(set)
        for cell, found in asked.items():
            united[equal[cell]] |= found
        self.steps_by = dict.fromkeys(move for move in moved if equal[move[0]] != equal[move[1]])
        for target, source, by in self.steps_by:
            united[equal[source]] |= {_before(question, by) for question in asked.get(target, ())}
            classes.union(target, source)
        self._alike = {cell: classes[cell] for cell in own}
        elements = self.claimed.told(equal)
        return {
            cell: tuple(sorted(united[equal[cell]]))
            for cell in sorted(own)
            if 0 < len(united[equal[cell]]) <= (ELEMENTS if equal[cell] in elements else QUESTIONS)
        }

    def _needed_by_location(self) -> Mapping[int, frozenset[str]]:
        """The cells that a guard asks about later, before they change, themselves or as a copy, by location."""
        incoming: dict[int, list[Command]] = defaultdict(list)
        for command in self.commands:
            incoming[command.target].append(command)
            for back in self._behind.get(self._number(command), ()):
                incoming[back.target].append(command)
        places = {self.template.entry, self.template.exit, *(p for it in self.commands for p in (it.source, it.target))}
        found: dict[int, frozenset[str]] = dict.fromkeys(places, frozenset())
        order = in_order(self.template.entry, following(self._outgoing))
        work = sorted(places, key=lambda place: order.get(place, 0))  # what comes later is asked first
        waiting = set(work)
        while work:
            place = work.pop()
            waiting.discard(place)
            for command in incoming[place]:
                before = found[command.source] | self._needed_at(command, found)
                if before != found[command.source]:
                    found[command.source] = before
                    if command.source not in waiting:
                        waiting.add(command.source)
                        work.append(command.source)
        return found

    def _needed_at(self, command: Command, found: Mapping[int, frozenset[str]]) -> frozenset[str]:
        """What is needed where a command starts: behind a call, too, but inside of a body only what that touches."""
        before = self._needed_before(command.instruction, found[command.target])
        number = self._number(command)
        if number < 0:
            return before & self.calls.touched(number)
        return before | self._needed_before(command.instruction, self._left_alone(number, found)) if number else before

    def _left_alone(self, number: int, found: Mapping[int, frozenset[str]]) -> frozenset[str]:
        """The cells needed behind a call that the body leaves alone."""
        backs = self._behind.get(number, ())  # none where the body is never left
        behind = (self._needed_before(back.instruction, found[back.target]) for back in backs)
        return frozenset().union(*behind) - self.calls.touched(number)

    def _needed_before(self, instruction: Instruction, behind: frozenset[str]) -> frozenset[str]:
        found = behind
        for step in reversed(steps(instruction)):
            match step:
                case Assign(target, Linear(((source, 1),), by)) if by == 0 or (target, source, by) in self.steps_by:
                    found = found - {target} | ({source} if target in found and source in self.questions else set())
                case Guard(condition):
                    found |= {cell for cell, _, _ in _parts(condition) if cell in self.questions}
                case _:
                    found -= writes(step)
        return found

    def _explored(
        self, single: set[int], united: Mapping[int, State], most: int
    ) -> tuple[set[tuple[int, State]], dict[int, State]]:
        """The copies that ways lead to, and what all ways to those that have one copy know there.

        `united` are the states of those so far: they only know less each time.
        """
        more = dict(united)
        start = (self.template.entry, UNKNOWN)
        found, work = {start}, [start]
        self._kept: dict[int, dict[State, State]] = defaultdict(dict)
        self._inside: dict[int, dict[State, None]] = defaultdict(dict)
        while work and len(found) <= most:
            place, state = work.pop()
            for command in self._outgoing[place]:
                for target, after in self._targets(command, state):
                    if target in single:
                        more[target] = _common(more[target], after) if target in more else after
                        after = united.get(target, after)
                    if (target, after) not in found:
                        found.add((target, after))
                        work.append((target, after))
        return found, more

    def _targets(self, command: Command, state: State) -> Iterator[tuple[int, State]]:
        """Where a command leads and what is known there, also where a thread comes back to from the body it enters."""
        number = self._number(command)
        if number < 0:
            self._inside[id(command)][state] = None
            for known in dict.fromkeys(self._kept[-number].values()):
                yield from self._led(command, _both(state, known))
            return
        yield from self._led(command, state)
        kept = self._after(command, state, self._needed_behind[number]) if number else None
        if kept is not None and state not in self._kept[number]:
            self._kept[number][state] = kept
            for back in self._behind.get(number, ()):
                for inside in self._inside[id(back)]:
                    yield from self._led(back, _both(inside, kept))

    def _led(self, command: Command, state: State) -> Iterator[tuple[int, State]]:
        if (after := self._after(command, state)) is not None:
            yield command.target, after

    def _after(self, command: Command, state: State, asked: Set[str] | None = None) -> State | None:
        """What is known behind a command that is still asked for; None where it cannot pass."""
        asked = self._needed[command.target] if asked is None else asked
        if id(command.instruction) not in self._telling:
            return state if all(cell in asked for cell, _ in state) else tuple(it for it in state if it[0] in asked)
        known: dict[str, Known] = dict(state)
        for step in steps(command.instruction):
            match step:
                case Guard(condition):
                    for cell, question, truth in _parts(condition):
                        if cell in self.cells:
                            told = _told(self.questions[cell], self._answers(cell, known), question, truth)
                            if told is None:
                                return None
                            known[cell] = told
                case Assign(target, Linear((), value)) if target in self.cells:
                    known[target] = tuple(_holds(question, value, value) for question in self.questions[target])
                case Assign(target, Linear(((source, 1),), by)) if {target, source} <= self.cells.keys() and (
                    by == 0 or (target, source, by) in self.steps_by
                ):
                    answers = dict(zip(self.questions[source], self._answers(source, known), strict=True))
                    known[target] = tuple(answers.get(_before(question, by)) for question in self.questions[target])
                case Havoc(target, int(lo), int(hi)) if target in self.cells:
                    known[target] = tuple(_holds(question, lo, hi) for question in self.questions[target])
                case _:
                    for cell in writes(step):
                        known.pop(cell, None)
        still = [it for it in known.items() if it[0] in asked and any(answer is not None for answer in it[1])]
        return tuple(sorted(still, key=_name))

    def _answers(self, cell: str, known: Mapping[str, Known]) -> Known:
        """What is known of a cell."""
        return known.get(cell) or (None,) * len(self.questions[cell])

    def _tells(self, instruction: Instruction) -> bool:
        """Whether an instruction may tell something of a cell of which nothing is known."""
        return any(
            cell in self.cells
            for step in steps(instruction)
            for cell in (reads(step) if isinstance(step, Guard) else writes(step))
        )

    def _copies(self, command: Command, state: State) -> Iterator[tuple[State, Instruction]]:
        """What is known behind a command, with its instruction, for each of the calls that it is of."""
        number = self._number(command)
        callers = list(enumerate(self._kept[abs(number)].items())) if number else []
        if number >= 0:
            copy = next((place for place, (caller, _) in callers if caller == state), 0)
            after = self._after(command, state)
            found = [] if after is None else [(after, copy)]
        else:
            behind = ((self._after(command, _both(state, kept)), place) for place, (_, kept) in callers)
            found = [(after, place) for after, place in behind if after is not None]
        for after, copy in found:
            told = self.calls.copy(abs(number), copy)
            yield after, renumbered(command.instruction, told if number > 0 else -told) if copy else command.instruction

    def _copied(
        self, found: set[tuple[int, State]], united: Mapping[int, State], fresh: int
    ) -> tuple[list[Command], frozenset[int]]:
        """The commands between copies; the first copy of each location has its number."""
        numbers: dict[tuple[int, State], int] = {(self.template.entry, UNKNOWN): self.template.entry}
        taken = {self.template.entry}
        for copy in sorted(found, key=repr):
            if copy not in numbers:
                numbers[copy] = copy[0] if copy[0] not in taken else fresh
                fresh += numbers[copy] == fresh
                taken.add(copy[0])
        copies: dict[int, list[tuple[State, int]]] = defaultdict(list)
        for (place, state), number in numbers.items():
            copies[place].append((state, number))
        is_claimed = not self.claimed.told(self._alike).isdisjoint(self._alike[cell] for cell in self.cells)
        result: list[Command] = []
        for command in self.commands:
            for state, number in copies[command.source]:
                behind = list(self._copies(command, state))
                result += [] if behind else stuck(command, number)
                for after, instruction in behind:
                    target = (command.target, united.get(command.target, after))
                    asked = self._unknown(instruction, dict(state)) if is_claimed else instruction
                    made = command if asked is command.instruction else replace(command, instruction=asked)
                    result.append(made.between(number, numbers[target]))
        atomic = frozenset(numbers[copy] for copy in found if copy[0] in self.template.atomic)
        return compacted(result, self.template.entry, self.template.exit, atomic) if is_claimed else (result, atomic)

    def _unknown(self, instruction: Instruction, known: Mapping[str, Known]) -> Instruction:
        """An instruction, a guard without what is known anyway."""
        if not isinstance(instruction, Guard):
            return instruction
        condition = instruction.condition
        asked = condition.parts if isinstance(condition, And) else (condition,)
        open_parts = [part for part in asked if not self._is_known(part, known)]
        return instruction if len(open_parts) == len(asked) else Guard(conjunction(open_parts))

    def _is_known(self, part: Formula, known: Mapping[str, Known]) -> bool:
        """Whether a part of a condition certainly holds."""
        answers = (
            dict(zip(self.questions[cell], known[cell], strict=True)).get(question) is truth
            for cell, question, truth in _parts(part)
            if cell in known
        )
        return any(answers)


def _both(state: State, kept: State) -> State:
    """What is known inside of a body and of cells that it does not touch."""
    return tuple(sorted((*state, *kept), key=_name)) if kept else state


def _asked(instruction: Instruction) -> Formula:
    """What the guards of an instruction ask."""
    return conjunction(step.condition for step in steps(instruction) if isinstance(step, Guard))


def _parts(condition: Formula) -> Iterator[tuple[str, Question, bool]]:
    """What a condition demands of single cells: the cell, the question, and the answer."""
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Atom(Linear(((cell, k),), constant), relation) if relation is not Relation.LE and constant % k == 0:
                yield cell, (Relation.EQ, -constant // k), relation is Relation.EQ
            case Atom(Linear(((cell, k),), constant), Relation.LE) if k > 0:
                yield cell, (Relation.LE, -constant // k), True
            case Atom(Linear(((cell, k),), constant), Relation.LE):
                yield cell, (Relation.LE, -(-constant // -k) - 1), False  # x >= c where not x <= c - 1
            case _:
                continue


def _before(question: Question, by: int) -> Question:
    """What to ask of a cell to know the answer for what is `by` more."""
    relation, bound = question
    return relation, bound - by


def _holds(question: Question, lo: int, hi: int) -> bool | None:
    """The answer for all numbers from `lo` to `hi`, None if they have several."""
    relation, bound = question
    if relation is Relation.LE:
        return True if hi <= bound else False if lo > bound else None
    return lo == hi if lo <= bound <= hi and lo == hi else None if lo <= bound <= hi else False


def _told(questions: Sequence[Question], known: Known, question: Question, truth: bool) -> Known | None:
    """What is known once a question has an answer, None where that contradicts what was known."""
    relation, bound = question
    result: list[bool | None] = []
    for (other, value), answer in zip(questions, known, strict=True):
        implied = truth if (other, value) == question else None
        if relation is Relation.EQ and truth:
            implied = _holds((other, value), bound, bound)
        elif relation is Relation.LE and truth and (value >= bound if other is Relation.LE else value > bound):
            implied = other is Relation.LE
        elif relation is Relation.LE and not truth and value <= bound:
            implied = False
        if implied is not None and answer is not None and implied is not answer:
            return None
        result.append(answer if implied is None else implied)
    return tuple(result)


def _common(left: State, right: State) -> State:
    """What two states both know."""
    others = dict(right)
    both = [
        (cell, tuple(a if a is b else None for a, b in zip(known, others[cell], strict=True)))
        for cell, known in left
        if cell in others
    ]
    return tuple((cell, known) for cell, known in both if any(answer is not None for answer in known))


def _name(known: tuple[str, Known]) -> str:
    return known[0]
