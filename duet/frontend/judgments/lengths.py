"""How long lists are: ghosts that know it, for programs that ask whether one is empty where they count what is in it.

    n->next = head; head = n; count++;      ...      if (count > 0) { n = head; head = n->next; count--; }

A list begins where a global (its head) leads to, and goes on by one member of its nodes (the link) until that is null.
As long as links are only written in nodes that are in no list, and a list only grows and shrinks at its head by such
nodes, or grows at its end, its length is known by what is done to it: it grows by one where the head is set to a node
that links to what was the head, and shrinks by one where it is set to what the first node links to. The head is null
exactly where the length is 0. Tests of the head, and of what was read of it and is the same still, say so.

Who has a node is alone with it: who has allocated it, or has taken it off a list, until it is put in one or given back.
A thread knows that a local is the head as long as it holds a lock under which all others write that (`guarded`).

A list may have an end (its tail), a global that leads to its last node. A ghost says that this is so, another one that
it is null if the list is empty. Where a thread links a node behind the tail and it is not so, no length is known from
then on: that is the length -1. All else is found out from the program, whatever its values are; where some command does
not fit, there are no ghosts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce
from itertools import starmap
from typing import assert_never

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Cell,
    Command,
    Formula,
    Guard,
    Instruction,
    Linear,
    Or,
    Relation,
    Step,
    steps,
    together,
)
from duet.plip.terms import add, atoms, compare, conjunction, constant, disjunction, variable
from duet.plip.touched import reads, writes

NULL = "0"
"""What stands for null among the names of cells."""


def _constant(address: int) -> str:
    """What stands for a constant address among the names of cells."""
    return f"#{address}"


@dataclass(frozen=True, slots=True)
class Course:
    """A template: its commands, where it begins, the locks that it holds by location, and where it is alone.

    `links` are the pointers to the nodes of which commands access the link, by the locations that these lead to.
    `made` are addresses of new objects, `given` of those that are given back, before a location is left.
    """

    name: str
    commands: Sequence[Command]
    entry: int
    held: Mapping[int, frozenset[str]]
    alone: frozenset[int]
    links: Mapping[int, Linear]
    made: Mapping[int, Sequence[Linear]]
    given: Mapping[int, Sequence[Linear]]

    def kept(self, command: Command) -> frozenset[str] | None:
        """The locks that the thread has in front of a command, and still behind it; None where it is alone."""
        if command.source in self.alone and command.target in self.alone:
            return None
        held = self.held.get(command.source, frozenset()) & self.held.get(command.target, frozenset())
        return held - writes(command.instruction)


@dataclass(frozen=True, slots=True)
class Links:
    """The cells for the links of the nodes of one type, and the globals that are pointers to such nodes."""

    cells: frozenset[str]
    globals: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Known:
    """What a thread knows of its cells, which have names here as `NULL` and constant addresses have.

    `own` are sets of cells that may hold the address of one node that the thread has, or null; those of different sets
    do not hold the same one. `equal` are cells with the globals that they are equal to, `links` pairs of a cell and of
    what its node links to, `last` cells that lead to the last node of the list of a head.
    """

    own: frozenset[frozenset[str]] = frozenset()
    equal: frozenset[tuple[str, str]] = frozenset()
    links: frozenset[tuple[str, str]] = frozenset()
    last: frozenset[tuple[str, str]] = frozenset()

    def common(self, other: _Known) -> _Known:
        if self == other:
            return self
        both = self.owned & other.owned
        groups: list[frozenset[str]] = []
        for group in (*self.own, *other.own):
            group &= both
            near = [it for it in groups if not it.isdisjoint(group)]
            groups = [it for it in groups if it.isdisjoint(group)]
            groups += [group.union(*near)] if group else []
        return _Known(frozenset(groups), self.equal & other.equal, self.links & other.links, self.last & other.last)

    @property
    def owned(self) -> frozenset[str]:
        return frozenset(name for group in self.own for name in group)

    def with_own(self, *names: str) -> _Known:
        near = [group for group in self.own if not group.isdisjoint(names)]
        return replace(self, own=self.own.difference(near) | {frozenset(names).union(*near)})

    def without_own(self, name: str) -> _Known:
        """Once the node of a cell is in a list, or given back."""
        return replace(self, own=frozenset(group for group in self.own if name not in group))

    def group(self, name: str) -> frozenset[str]:
        return next((group for group in self.own if name in group), frozenset())

    def likes(self, name: str) -> frozenset[str]:
        """The cells that hold the value of a global."""
        return frozenset(cell for cell, of in self.equal if of == name)

    def is_equal(self, cell: str, name: str | None) -> bool:
        return (cell, name) in self.equal

    def linked(self, cell: str) -> frozenset[str]:
        """What the node of a cell links to."""
        return frozenset(to for of, to in self.links if of == cell)

    def without(self, cell: str) -> _Known:
        """Once a cell holds something else."""
        own = frozenset(group - {cell} for group in self.own if group != {cell})
        equal = frozenset(it for it in self.equal if it[0] != cell)
        links = frozenset(it for it in self.links if cell not in it)
        return _Known(own, equal, links, frozenset(it for it in self.last if it[0] != cell))

    def copied(self, cell: str, source: str) -> _Known:
        """Once a cell holds what another one holds."""
        if cell == source:
            return self
        left = self.without(cell)
        own = frozenset(group | {cell} if source in group else group for group in left.own)
        equal = left.equal | {(cell, of) for it, of in left.equal if it == source}
        links = left.links | {(cell, to) for of, to in left.links if of == source}
        links |= {(of, cell) for of, to in links if to == source}
        return _Known(own, equal, links, left.last | {(cell, of) for it, of in left.last if it == source})

    def changed(self, name: str) -> _Known:
        """Once a global may hold something else."""
        return replace(self, equal=frozenset(it for it in self.equal if it[1] != name))

    def disturbed(self, lost: Collection[str]) -> _Known:
        """Once other threads may have written some globals, and the links of nodes that are in lists."""
        if not lost:
            return self
        owned = self.owned
        equal = frozenset(it for it in self.equal if it[1] not in lost)
        return _Known(self.own, equal, frozenset(it for it in self.links if it[0] in owned))

    def written(self, pointer: str, to: str | None, heads: Collection[str]) -> _Known:
        """Once the link of the node of a cell has been written: the thread has it, or it is in some list."""
        near = self.group(pointer)
        kept = self.owned - near
        if near:  # the first nodes of lists are others
            kept |= {cell for cell, of in self.equal if of in heads}
        links = frozenset(it for it in self.links if it[0] in kept)
        return replace(self, links=links | ({(pointer, to)} if to is not None else frozenset()))


class Move(StrEnum):
    """What a command does to a list."""

    GROW = "its head is set to a node that links to what was the head"
    SHRINK = "its head is set to what the first node links to"
    SINGLE = "its head is set to a node that links to nothing"
    EMPTY = "its head is set to null"
    APPEND = "the node of its tail is set to link to one that links to nothing"
    TAIL = "its tail is set"


@dataclass(frozen=True, slots=True)
class _Done:
    """A move of the list of a head: what is written is what a cell holds, if that has a name."""

    move: Move
    head: str
    cell: str = ""


@dataclass
class Lists:
    """The lists of nodes of one type, in all threads of a program; of `unseen` cells nobody reads what they begin with.

    `tails` are those of heads, by their names. All that is done to `heads` is understood once they `are_found`.
    """

    courses: Sequence[Course]
    cells: Mapping[str, Cell]
    links: Links
    unseen: Set[str]
    heads: set[str] = field(default_factory=set)
    tails: dict[str, str] = field(default_factory=dict)
    states: dict[str, Mapping[int, _Known]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.protecting: dict[str, frozenset[str]] = {}
        for course in self.courses:
            for command in course.commands:
                kept = course.kept(command)
                for name in writes(command.instruction) & self.links.globals if kept is not None else ():
                    self.protecting[name] = self.protecting.get(name, kept or frozenset()) & (kept or frozenset())

    def are_found(self) -> bool:
        """Finds the heads and tails of lists of which the lengths are known; false where there are none."""
        self.heads = {name for name in self.links.globals if self._begins_empty(name)}
        while self.heads:
            self.states = {course.name: self._known(course) for course in self.courses}
            refused, behind = self._refused()
            new = {tail for tail in behind if tail is not None and tail not in self.tails}
            if None in behind:
                return False
            if new:
                self.heads -= new
                if not all(map(self._pair, sorted(new))):
                    return False
                continue
            if not refused and not self._is_less_protected():
                break
            if not refused.isdisjoint(self.tails.values()):
                return False
            self.heads -= refused
        moves = {done.move for course in self.courses for done in self._moves(course)} if self.heads else set()
        return Move.SHRINK in moves and not moves.isdisjoint((Move.GROW, Move.APPEND))

    def _begins_empty(self, name: str) -> bool:
        cell = self.cells[name]
        return not cell.summary and (cell.lo == cell.hi == 0 or name in self.unseen)

    def _pair(self, tail: str) -> bool:
        """Finds the head of the list of a tail: the one under the same lock, or that in the same object."""
        locks = self.protecting.get(tail, frozenset())
        found = [head for head in sorted(self.heads) if self.protecting.get(head, locks) & locks or not locks]
        near = [head for head in found if head.rpartition(".")[0] == tail.rpartition(".")[0]]
        chosen = found if len(found) == 1 else near
        if len(chosen) != 1 or chosen[0] in self.tails.values() or not self._begins_empty(tail):
            return False
        self.tails[tail] = chosen[0]
        return True

    def _is_less_protected(self) -> bool:
        """Whether a list grows behind its tail under fewer locks than its head is set under; notes these."""
        before = dict(self.protecting)
        for course in self.courses:
            for command in course.commands:
                known, kept = self.states[course.name].get(command.source), course.kept(command)
                done = self._done(course, command, self._here(course, command.source, known)) if known else None
                if kept is not None and done is not None and done.move in (Move.APPEND, Move.TAIL):
                    self.protecting[done.head] = self.protecting.get(done.head, kept) & kept
        return before != self.protecting

    def _refused(self) -> tuple[set[str], set[str | None]]:
        """Globals that are set to something that is not understood, and those behind which nodes are linked.

        Among these is None where that is done elsewhere, or a node is given back that may be in a list.
        """
        refused: set[str] = set()
        behind: set[str | None] = set()
        for course in self.courses:
            for location, given in course.given.items():
                known = self.states[course.name].get(location)
                if known is not None and not all(_name(it) in (NULL, *known.owned) for it in given):
                    behind.add(None)
            for command in course.commands:
                known = self.states[course.name].get(command.source)
                if known is None:
                    continue
                known = self._here(course, command.source, known)
                touched = writes(command.instruction)
                if not touched.isdisjoint(self.links.cells):
                    behind.update(self._behind(course, command, known))
                if len(touched & self.tails.keys()) > 1:
                    behind.add(None)
                if set_here := touched & self.heads:
                    is_set = isinstance(command.instruction, Assign)
                    refused |= set_here if not is_set or self._done(course, command, known) is None else set()
        return refused, behind

    def _behind(self, course: Course, command: Command, known: _Known) -> Iterator[str | None]:
        """The tails behind whose nodes a command links one, if it does not do so in a node that the thread has."""
        pointer = course.links.get(command.target)
        if pointer is None or not isinstance(command.instruction, Assign) or (name := _name(pointer)) is None:
            yield None
        elif name not in known.owned:
            to = _name(command.instruction.value)
            is_new = to is not None and to in known.owned and self._is_end(known, to)
            tails = [of for cell, of in sorted(known.equal) if cell == name and of in self.links.globals]
            tails.sort(key=lambda tail: tail not in self.tails)
            yield tails[0] if is_new and tails else None

    def _moves(self, course: Course) -> Iterator[_Done]:
        for command in course.commands:
            known = self.states[course.name].get(command.source)
            if known is not None and (done := self._done(course, command, self._here(course, command.source, known))):
                yield done

    def _is_end(self, known: _Known, cell: str) -> bool:
        """Whether the node of a cell links to nothing."""
        return any(to == NULL or known.is_equal(to, NULL) for to in known.linked(cell))

    def _done(self, course: Course, command: Command, known: _Known) -> _Done | None:
        """What a command does to a list; None where it does nothing, or that is not known."""
        match command.instruction:
            case Assign(target, _) as step if target in self.heads:
                return self._head_set(course, command, step, known)
            case Assign(target, value) if target in self.tails:
                return _Done(Move.TAIL, self.tails[target], _name(value) or "")
            case instruction if tails := writes(instruction) & self.tails.keys():
                return _Done(Move.TAIL, self.tails[min(tails)])
            case Assign(target, value) if target in self.links.cells:
                pointer = _name(course.links.get(command.target, value))
                tail = next((of for cell, of in sorted(known.equal) if cell == pointer and of in self.tails), None)
                if tail is not None and pointer not in known.owned:
                    return _Done(Move.APPEND, self.tails[tail], _name(value) or "")
                return None
            case _:
                return None

    def _head_set(self, course: Course, command: Command, step: Assign, known: _Known) -> _Done | None:
        head, cell = step.target, _name(step.value)
        pointer = course.links.get(command.target)
        if not reads(step).isdisjoint(self.links.cells):
            is_first = pointer is not None and known.is_equal(_name(pointer) or "", head)
            return _Done(Move.SHRINK, head) if is_first else None
        if cell is None:
            return None
        if cell == NULL or known.is_equal(cell, NULL):
            return _Done(Move.EMPTY, head, cell)
        if any(known.is_equal(of, head) for of, to in known.links if to == cell):
            return _Done(Move.SHRINK, head, cell)
        if cell not in known.owned:
            return None
        if any(known.is_equal(to, head) for to in known.linked(cell)):
            return _Done(Move.GROW, head, cell)
        return _Done(Move.SINGLE, head, cell) if self._is_end(known, cell) else None

    def _known(self, course: Course) -> Mapping[int, _Known]:
        """What a thread knows at each location."""
        outgoing = by_source(course.commands)

        def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
            here = self._here(course, location, known)
            for command in outgoing[location]:
                yield command.target, self._after(course, command, here)

        return known_on_all_ways(course.entry, _Known(), behind, following(outgoing))

    def _here(self, course: Course, location: int, known: _Known) -> _Known:
        """What is known once what happens at a location has happened."""
        for given in course.given.get(location, ()):
            known = known.without_own(_name(given) or "")
        for made in course.made.get(location, ()):
            known = known.without(name).with_own(name) if (name := _name(made)) else known
        return known

    def _after(self, course: Course, command: Command, known: _Known) -> _Known:
        """What is known behind a command."""
        done = self._done(course, command, known)
        pointer = _name(course.links[command.target]) if command.target in course.links else None
        after = reduce(lambda it, step: self._behind_step(it, step, pointer), steps(command.instruction), known)
        if done is not None:
            after = self._behind_move(known, after, done)
        kept = course.kept(command)
        lost = () if kept is None else [it for it in self.links.globals if not self.protecting.get(it, kept) & kept]
        return after.disturbed(lost)

    def _behind_step(self, known: _Known, step: Instruction, pointer: str | None) -> _Known:
        """What is known behind a step, apart from what it does to lists; `pointer` is that to the link it accesses."""
        match step:
            case Guard(condition):
                parts = condition.parts if isinstance(condition, And) else (condition,)
                for part in parts:
                    match part:
                        case Atom(Linear(((cell, _),), 0), Relation.EQ) if self._is_local(cell):
                            known = replace(known.with_own(cell), equal=known.equal | {(cell, NULL)})
                        case _:
                            continue
                return known
            case Assign(target, value) if self._is_local(target):
                return self._set(known, target, value, pointer)
            case Assign(target, value) if target in self.links.globals:
                source = _name(value) or ""
                changed = known.changed(target)
                is_local = self._is_local(source)
                return replace(changed, equal=changed.equal | {(source, target)}) if is_local else changed
            case Assign(target, value) if target in self.links.cells and pointer is not None:
                to = _name(value)
                end = NULL if to is not None and known.is_equal(to, NULL) else to
                return known.written(pointer, end if pointer in known.owned else None, self.heads)
            case _:
                for name in writes(step):
                    known = known.changed(name) if name in self.links.globals else known.without(name)
                return known

    def _is_local(self, cell: str) -> bool:
        return cell in self.cells and self.cells[cell].is_own

    def _set(self, known: _Known, target: str, value: Linear, pointer: str | None) -> _Known:
        """What is known once a cell of the thread is set."""
        source = _name(value)
        if source is None:
            return known.without(target)
        if source == NULL:
            left = known.without(target).with_own(target)
            return replace(left, equal=left.equal | {(target, NULL)})
        if source in self.links.globals:
            like = next(iter(sorted(known.likes(source) - {target})), None)
            left = known.without(target) if like is None else known.copied(target, like)
            return replace(left, equal=left.equal | {(target, source)})
        if source in self.links.cells:
            left = known.without(target)
            is_there = pointer in known.owned or any(cell == pointer and of in self.heads for cell, of in known.equal)
            if pointer is None or pointer == target or not is_there:
                return left
            for to in sorted(known.linked(pointer) - {target, NULL}):
                left = left.copied(target, to)
            return replace(left, links=left.links | {(pointer, target)})
        return (
            known.copied(target, source) if source in known.owned or self._is_local(source) else known.without(target)
        )

    def _behind_move(self, before: _Known, after: _Known, done: _Done) -> _Known:
        """What is known behind a move, of that which is known behind its steps."""
        others = frozenset(it for it in after.last if it[1] != done.head)
        match done.move:
            case Move.GROW:
                return after.without_own(done.cell)
            case Move.SINGLE:
                return replace(after.without_own(done.cell), last=others | {(done.cell, done.head)})
            case Move.APPEND:
                return replace(after.without_own(done.cell), last=others | {(done.cell, done.head)})
            case Move.SHRINK:
                names = sorted(before.likes(done.head) - {done.cell})
                return replace(after.with_own(*names) if names else after, last=others)
            case Move.EMPTY:
                return replace(after, last=others)
            case _:
                return after

    def told(self, numbers: Callable[[], int]) -> tuple[Mapping[str, list[Command]], Mapping[int, int]]:
        """The commands of templates with what they do to lengths, and what they find out of them.

        With that, the locations that are new, each with one that is what it is but for that. *Requires*: `are_found`.
        """
        commands: dict[str, list[Command]] = {}
        new: dict[int, int] = {}
        for course in self.courses:
            commands[course.name] = told = []
            for command in course.commands:
                known = self.states[course.name].get(command.source)
                if known is None:
                    told.append(command)
                    continue
                known = self._here(course, command.source, known)
                if isinstance(command.instruction, Assert):
                    for ways in self._found_out(known, command.instruction.condition):
                        place = numbers()
                        new[place] = command.source
                        told += [Command(command.source, Guard(way), place, command.span) for way in ways]
                        command = replace(command, source=place)
                    told.append(command)
                elif (done := self._done(course, command, known)) is not None:
                    told += [replace(command, instruction=it) for it in self._moved(command.instruction, done, known)]
                else:
                    locks = course.kept(command)
                    told.append(replace(command, instruction=self._asked(command.instruction, known, locks)))
        return commands, new

    def ghosts(self) -> Iterator[Cell]:
        """The cells of the ghosts."""
        for head in sorted(self.heads):
            yield Cell(_length(head), lo=0, hi=0, label=f"length of the list at {self.cells[head].label or head}")
        for tail in sorted(self.tails):
            yield Cell(_is_last(tail), lo=1, hi=1)
            yield Cell(_is_null(tail), lo=1, hi=1)

    def _asked(self, instruction: Instruction, known: _Known, locks: frozenset[str] | None) -> Instruction:
        """An instruction with tests that also say what they find out of lengths, where the thread holds some locks."""
        if not any(isinstance(step, Guard) for step in steps(instruction)):
            return instruction
        told: list[Step] = []
        for step in steps(instruction):
            if isinstance(step, Guard) and not isinstance(step.condition, Or):
                more = [way for part in atoms(step.condition) for way in self._says(known, part)]
                told.append(Guard(conjunction((step.condition, *(condition for condition, _ in more)))))
                told += [
                    Assign(flag, constant(1))
                    for _, flags in more
                    for flag, head in flags.items()
                    if locks is None or locks & self.protecting.get(head, locks)
                ]
            elif isinstance(step, Step):
                told.append(step)
                known = _Known()  # what follows in one step sees what this has changed
        return together(told)

    def _heads_of(self, known: _Known, cell: str) -> Iterator[str]:
        """The heads and tails that a cell is, or is equal to."""
        for name in (cell, *(of for it, of in sorted(known.equal) if it == cell)):
            if name in self.heads or name in self.tails:
                yield name

    def _says(self, known: _Known, part: Atom) -> Iterator[tuple[Formula, Mapping[str, str]]]:
        """What an atom says of lengths, if it is about whether a head or a tail is null.

        With that, the ghosts of tails of a head that are 1 then, as they are set: whoever does that again changes none.
        """
        match part:
            case Atom(Linear(((cell, 1 | -1 as factor),), value), relation):
                is_zero = relation is Relation.EQ and value == 0
                is_other = (relation is Relation.EQ and value != 0) or (relation is Relation.NE and value == 0)
                is_above = relation is Relation.LE and factor == -1 and value > 0
                for name in self._heads_of(known, cell):
                    ghost = _is_last if is_zero else _is_null
                    if is_zero or is_other or is_above:
                        told = self._empty(name) if is_zero else self._filled(name)
                        yield told, {ghost(tail): name for tail, head in sorted(self.tails.items()) if head == name}
            case _:
                return

    def _empty(self, name: str) -> Formula:
        """What is known where a head or a tail is null."""
        if name in self.heads:
            return _is(_length(name), "<=", 0)
        return disjunction((_is(_length(self.tails[name]), "<=", 0), _is(_is_last(name), "==", 0)))

    def _filled(self, name: str) -> Formula:
        """What is known where a head or a tail is not null."""
        if name in self.heads:
            return _is(_length(name), "!=", 0)
        return disjunction((_is(_length(self.tails[name]), "!=", 0), _is(_is_null(name), "==", 0)))

    def _found_out(self, known: _Known, condition: Formula) -> Iterator[tuple[Formula, ...]]:
        """The cases of what a check asks of heads and tails, by their being null."""
        found: dict[str, str] = {}
        for part in atoms(condition):
            for cell, _ in part.term.terms if len(part.term.terms) == 1 else ():
                for name in self._heads_of(known, cell):
                    found.setdefault(name, cell)
        for name, cell in found.items():
            null, other = self._empty(name), self._filled(name)
            yield conjunction((_is(cell, "==", 0), null)), conjunction((_is(cell, "!=", 0), other))

    def _moved(self, instruction: Instruction, done: _Done, known: _Known) -> Iterator[Instruction]:
        """The ways of a command that does something to a list: each with its conditions, and what it does to ghosts."""
        parts: Sequence[Step] = steps(instruction)  # type: ignore[assignment]  # nothing else sets globals or links
        if self.tails:
            yield together([Guard(_is(_length(done.head), "<=", -1)), *parts])
        for way in self._ways(done, known):
            yield together([Guard(conjunction(way.conditions)), *parts, *starmap(Assign, way.ghosts.items())])

    def _ways(self, done: _Done, known: _Known) -> Iterator[_Way]:
        """The ways of what is done to a list as long as its length is known."""
        head = _length(done.head)
        tail = next((tail for tail, of in sorted(self.tails.items()) if of == done.head), None)
        longer, shorter, one, none = _more(head, 1), _more(head, -1), {head: constant(1)}, {head: constant(0)}
        if tail is None:
            match done.move:
                case Move.GROW:
                    yield _Way((_is(head, ">=", 0),), longer)
                case Move.SHRINK:
                    yield _Way((_is(head, ">=", 1),), shorter)
                case Move.SINGLE:
                    yield _Way((_is(head, "==", 0),), longer)
                    yield _Way((_is(head, ">=", 1),), one)
                case _:
                    yield _Way((_is(head, ">=", 0),), none)
            return
        is_null, is_other = _is(tail, "==", 0), _is(tail, "!=", 0)

        def way(*conditions: Formula, to: Mapping[str, Linear] | None = None, last: int | None, null: int) -> _Way:
            flags = {_is_null(tail): constant(null)} | ({} if last is None else {_is_last(tail): constant(last)})
            return _Way(conditions, {**(to or {}), **flags})

        match done.move:
            case Move.GROW:
                yield way(_is(head, "==", 0), to=longer, last=int(known.is_equal(done.cell, tail)), null=1)
                yield way(_is(head, ">=", 1), to=longer, last=None, null=1)
            case Move.SINGLE:
                yield way(_is(head, "==", 0), to=longer, last=int(known.is_equal(done.cell, tail)), null=1)
                yield way(_is(head, ">=", 1), to=one, last=int(known.is_equal(done.cell, tail)), null=1)
            case Move.EMPTY:
                yield way(_is(head, ">=", 0), is_null, to=none, last=1, null=1)
                yield way(_is(head, ">=", 0), is_other, to=none, last=1, null=0)
            case Move.SHRINK:
                yield way(_is(head, ">=", 2), to=shorter, last=None, null=1)
                yield way(_is(head, "==", 1), is_null, to=shorter, last=1, null=1)
                yield way(_is(head, "==", 1), is_other, to=shorter, last=1, null=0)
            case Move.APPEND:
                lost = {_length(name): constant(-1) for name in self.heads}
                yield way(_is(head, ">=", 1), _is(_is_last(tail), "==", 1), to=longer, last=0, null=1)
                yield _Way((_is(head, ">=", 1), _is(_is_last(tail), "!=", 1)), lost)
                yield _Way((_is(head, "==", 0),), lost)
            case Move.TAIL:
                yield from self._tail_ways(done, known, way)
            case _:
                assert_never(done.move)

    def _tail_ways(self, done: _Done, known: _Known, way: Callable[..., _Way]) -> Iterator[_Way]:
        """The ways of setting a tail."""
        head = _length(done.head)
        is_null = done.cell == NULL or known.is_equal(done.cell, NULL)
        if (done.cell, done.head) in known.last:
            yield way(_is(head, ">=", 0), last=1, null=1)
        elif not is_null and known.is_equal(done.cell, done.head):
            yield way(_is(head, ">=", 0), _is(head, "<=", 1), last=1, null=1)
            yield way(_is(head, ">=", 2), last=0, null=1)
        else:
            yield way(_is(head, "==", 0), last=1, null=int(is_null))
            yield way(_is(head, ">=", 1), last=0, null=1)


@dataclass(frozen=True, slots=True)
class _Way:
    """What a command does to ghosts where some conditions hold."""

    conditions: Sequence[Formula]
    ghosts: Mapping[str, Linear]


def _is(cell: str, relation: str, value: int) -> Formula:
    return compare(variable(cell), relation, constant(value))


def _more(cell: str, by: int) -> Mapping[str, Linear]:
    return {cell: add(variable(cell), constant(by))}


def _length(head: str) -> str:
    """The ghost of a list: how many nodes it has, -1 where nobody knows any more."""
    return f"{head} length"


def _is_last(tail: str) -> str:
    """The ghost of a tail: whether it leads to the last node of its list, if that has any."""
    return f"{tail} last"


def _is_null(tail: str) -> str:
    """The ghost of a tail: whether it is null if its list has no nodes."""
    return f"{tail} null"


def _name(term: Linear) -> str | None:
    """The name of a cell, of null or of a constant address, where a term is no more than that."""
    match term:
        case Linear(((cell, 1),), 0):
            return cell
        case Linear((), value):
            return _constant(value) if value else NULL
        case _:
            return None
