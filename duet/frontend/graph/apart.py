"""Ways of a thread told apart by what they have found out, where the same is asked again behind them.

Accesses to an element that is not known ask which one it is: whether its address is that of the element that was
singled out (`singled`), or which of a few elements it has. Behind such a question a thread goes on in a copy of what is
there for each answer, up to where nobody asks the same again or the address is written. Executions are the same ones: a
location is told apart by what its own thread has found out of a term, which stays as it is while nobody writes its
cells.

*Requires*: the terms of `Questions` are over cells that only the thread writes, and over ghosts that nobody writes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import TypeAlias

from duet.frontend.graph.reach import by_source, stuck
from duet.frontend.graph.there import PAGE
from duet.plip.syntax import (
    FALSE,
    SKIP,
    TRUE,
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Command,
    Formula,
    Guard,
    Instruction,
    Linear,
    Relation,
    Step,
    steps,
    together,
)
from duet.plip.terms import atoms, map_atoms, negate_atom
from duet.plip.touched import writes

ROUND = "::"
"""In the names of variables of functions."""
MOST = 6
"""How many copies there are of a location, on average."""
Form: TypeAlias = tuple[tuple[str, int], ...]
"""The cells of a term with their factors, without a common divisor, the first one positive."""
Asked: TypeAlias = tuple[Form, int | None]
"""A term whose value is asked for, or whether it has some value."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of the value of a term without its constant: its bounds, or a value that it has not."""

    lo: int | None = None
    hi: int | None = None
    unlike: int | None = None

    def meets(self, other: Found) -> bool:
        """Whether some value may be both."""
        low = max((it for it in (self.lo, other.lo) if it is not None), default=None)
        high = min((it for it in (self.hi, other.hi) if it is not None), default=None)
        if low is not None and high is not None and low > high:
            return False
        return low is None or low != high or low not in (self.unlike, other.unlike)


def found_of(part: Atom) -> tuple[Form, Found] | None:
    """What an atom says of a term without its constant; None where it cannot hold.

    >>> found_of(Atom(Linear((("i", -8),), 16), Relation.LE))
    ((('i', 1),), Found(lo=2, hi=None, unlike=None))
    """
    divisor = gcd(*(factor for _, factor in part.term.terms)) * (1 if part.term.terms[0][1] > 0 else -1)
    form = tuple((cell, factor // divisor) for cell, factor in part.term.terms)
    value, rest = divmod(-part.term.constant, divisor)
    match part.relation:
        case Relation.LE:
            return form, Found(hi=value) if divisor > 0 else Found(lo=value + (rest != 0))
        case Relation.EQ:
            return None if rest else (form, Found(value, value))
        case _:
            return form, Found() if rest else Found(unlike=value)


@dataclass(frozen=True, slots=True)
class Questions:
    """What ways are told apart by: whether something is the value of a ghost, and some answers about other terms."""

    ghosts: frozenset[str] = frozenset()
    answers: frozenset[tuple[Form, Found]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.ghosts or self.answers)

    def is_asked(self, part: Atom) -> bool:
        """Whether an atom asks about a ghost."""
        return part.relation is not Relation.LE and any(cell in self.ghosts for cell, _ in part.term.terms)

    def asked(self, instruction: Instruction) -> Iterator[Asked]:
        """What an instruction asks for."""
        for step in steps(instruction):
            for part in atoms(step.condition) if isinstance(step, Guard | Assert) else ():
                answer = found_of(part)
                if answer is not None and (self.is_asked(part) or answer[0] in self.forms):
                    yield self._asked(part, answer)

    @property
    def forms(self) -> frozenset[Form]:
        """The terms of which answers tell ways apart."""
        return frozenset(form for form, _ in self.answers)

    def found(self, part: Formula) -> tuple[Asked, Found] | None:
        """What is found out where a part of a guard holds, if that counts."""
        answer = found_of(part) if isinstance(part, Atom) else None
        if answer is None or not isinstance(part, Atom) or not (self.is_asked(part) or answer in self.answers):
            return None
        return self._asked(part, answer), answer[1]

    def _asked(self, part: Atom, answer: tuple[Form, Found]) -> Asked:
        form, found = answer
        return form, (found.lo if found.unlike is None else found.unlike) if self.is_asked(part) else None


def led_to(commands: Sequence[Command], is_own: Callable[[str], bool]) -> frozenset[tuple[Form, Found]]:
    """What is found out of a pointer where it may lead to one of a few objects, if a check is about two members of it.

    The pointer is a cell of the thread's own, and each member is read behind a question which object it is.
    """
    outgoing = by_source(commands)
    read: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    answers: defaultdict[str, set[tuple[Form, Found]]] = defaultdict(set)
    for command in commands:
        match command.instruction:
            case Guard(Atom(Linear(((pointer, 1),), value), Relation.EQ) as part) if -value >= PAGE and is_own(pointer):
                answer = found_of(part)
                answers[pointer] |= {answer} if answer is not None else set()
                behind = outgoing[command.target]
                copied = [it for one in behind for it in outgoing[one.target]]
                for cell in {cell for it in (*behind, *copied) for cell in writes(it.instruction)}:
                    read[cell].add((pointer, command.source))
            case _:
                continue
    found: set[str] = set()
    for command in commands:
        for part in atoms(command.instruction.condition) if isinstance(command.instruction, Assert) else ():
            places = [read[cell] for cell, _ in part.term.terms if cell in read]
            one_each = Counter(pointer for these in places for pointer in {pointer for pointer, _ in these})
            found |= {pointer for pointer, count in one_each.items() if count > 1 and len(answers[pointer]) > 1}
    return frozenset().union(*(answers[pointer] for pointer in found))


_Known: TypeAlias = Mapping[Asked, Found]


@dataclass
class _Copies:
    """The copies of the locations of a template, by what was found out; once there are more than `most`, no new ones.

    Those that are there go on from where they are: `work` has each with its location and what is known there.
    """

    most: int
    asked: Mapping[int, frozenset[Asked]]
    numbers: Iterator[int]
    places: dict[tuple[int, frozenset[tuple[Asked, Found]]], int] = field(default_factory=dict)
    work: list[tuple[int, int, _Known]] = field(default_factory=list)

    def place(self, location: int, known: _Known) -> int:
        """The copy of a location for what is known, of which counts what somebody asks for again."""
        is_full = len(self.places) > self.most
        kept = {} if is_full else {asked: found for asked, found in known.items() if asked in self.asked[location]}
        key = location, frozenset(kept.items())
        if key not in self.places:
            self.places[key] = next(self.numbers) if kept else location
            self.work.append((self.places[key], location, kept))
        return self.places[key]


def told_apart(
    commands: Sequence[Command], entry: int, atomic: frozenset[int], questions: Questions, numbers: Iterator[int]
) -> tuple[list[Command], frozenset[int]]:
    """The commands of a template with its locations told apart, and those in atomic regions."""
    if not any(True for command in commands for _ in questions.asked(command.instruction)):
        return list(commands), atomic
    outgoing = by_source(commands)
    copies = _Copies(MOST * len(outgoing), _asked(commands, questions), numbers)
    copies.place(entry, {})
    made: list[Command] = []
    for source, location, known in copies.work:  # it grows meanwhile
        if ways := list(_ways(copies, source, location, known, outgoing[location], questions)):
            made += [Command(source, Guard(part), target) for part, target in ways]
            continue
        for command in outgoing[location]:
            behind = dict(known)
            if (instruction := _under(command.instruction, behind, questions)) is not None:
                target = copies.place(command.target, behind)
                made.append(replace(command, source=source, instruction=instruction, target=target))
            else:
                made += stuck(command, source)
    return made, frozenset(place for (location, _), place in copies.places.items() if location in atomic)


def _ways(
    copies: _Copies, source: int, location: int, known: _Known, commands: Sequence[Command], questions: Questions
) -> Iterator[tuple[Formula, int]]:
    """The copies of a location for both answers to what a check there asks about a ghost, if that is not known."""
    for command in commands:
        check = command.instruction
        for part in atoms(check.condition) if isinstance(check, Assert) else ():
            if questions.is_asked(part) and _decided(part, known) == part:
                both = [replace(part, relation=relation) for relation in (Relation.EQ, Relation.NE)]
                ways = [(one, dict((found,))) for one in both if (found := questions.found(one)) is not None]
                places = [(one, copies.place(location, {**known, **found})) for one, found in ways]
                if len(places) == 2 and source not in [place for _, place in places]:
                    yield from places
                    return


def _asked(commands: Sequence[Command], questions: Questions) -> Mapping[int, frozenset[Asked]]:
    """The terms that are asked about behind each location, before a cell of theirs is written."""
    entering: defaultdict[int, list[Command]] = defaultdict(list)
    found: defaultdict[int, frozenset[Asked]] = defaultdict(frozenset)
    for command in commands:
        entering[command.target].append(command)
        found[command.source] |= frozenset(questions.asked(command.instruction))
    work = list(found)
    while work:
        location = work.pop()
        for command in entering[location]:
            more = found[location].difference(_written(found[location], command.instruction))
            if not more <= found[command.source]:
                found[command.source] |= more
                work.append(command.source)
    return found


def _written(asked: Iterable[Asked], instruction: Instruction) -> list[Asked]:
    """What is asked of terms of which an instruction writes a cell.

    A single cell that is compared with some values keeps these to itself: another round of a loop that was unrolled,
    as a number that is assigned shows, had better ask again.
    """
    written = writes(instruction)
    is_round = isinstance(instruction, Assign) and not instruction.value.terms and ROUND in instruction.target
    return [it for it in asked if any(cell in written for cell, _ in it[0]) or (is_round and _is_single(it))]


def _is_single(asked: Asked) -> bool:
    form, value = asked
    return value is not None and len(form) == 1


def _under(instruction: Instruction, known: dict[Asked, Found], questions: Questions) -> Instruction | None:
    """An instruction under what is known, None if it cannot pass; then that is what is known behind it."""
    if isinstance(instruction, Assert):
        return _asserted(instruction, known, questions)
    if not isinstance(instruction, Step | Atomic):
        for asked in _written(known, instruction):
            del known[asked]
        return instruction
    done: list[Step] = []
    for step in instruction.steps if isinstance(instruction, Atomic) else (instruction,):
        made: Step = step
        if isinstance(step, Guard):
            condition = _decided(step.condition, known)
            if condition == FALSE:
                return None
            for part in condition.parts if isinstance(condition, And) else (condition,):
                if (answer := questions.found(part)) is not None:
                    known[answer[0]] = answer[1]
            made = Guard(condition)
        for asked in _written(known, step):
            del known[asked]
        done += [made] if made != SKIP else []
    return together(done)


def _asserted(check: Assert, known: _Known, questions: Questions) -> Instruction:
    """A check under what is known: where it asks for nothing then, it still stops what the rest of it stops."""
    condition = _decided(check.condition, known)
    if condition != TRUE or check.condition == TRUE or not any(map(questions.is_asked, atoms(check.condition))):
        return replace(check, condition=condition)
    rest = map_atoms(check.condition, lambda part: FALSE if questions.is_asked(part) else part)
    return Guard(rest) if check.stops else SKIP


def _decided(condition: Formula, known: _Known) -> Formula:
    """A condition under what is known."""

    def may_hold(part: Formula) -> bool:
        answer = found_of(part) if isinstance(part, Atom) else None
        return answer is not None and all(
            answer[1].meets(found) for (form, _), found in known.items() if form == answer[0]
        )

    def decided(part: Atom) -> Formula:
        return FALSE if not may_hold(part) else part if may_hold(negate_atom(part)) else TRUE

    return map_atoms(condition, decided)
