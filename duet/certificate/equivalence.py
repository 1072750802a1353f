"""Facts that stay true along each thread, and rewritten commands that do the same where they are true."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import z3

from duet.certificate import meaning
from duet.certificate.document import Phrase
from duet.certificate.flows import touched
from duet.certificate.knowledge import Knowledge
from duet.certificate.meeting import Meeting
from duet.plip.syntax import Assert, Command, Join, Program, Spawn


def fact_failures(
    program: Program,
    facts: Mapping[int, tuple[Phrase, ...]],
    knowledge: Knowledge,
    meeting: Meeting | None,
    reached: Collection[int],
) -> Iterator[tuple[int, str]]:
    """The locations at which a fact need not hold, each with the reason.

    A fact holds nowhere by itself: every way of the thread to its location must make it true or keep it, and no other
    thread may write its cells while the thread is there.
    """
    prover = knowledge.prover
    entries = {template.entry for template in program.templates.values()}
    keeping = Keeping(program, meeting)
    for location, phrases in facts.items():
        if location not in reached:
            continue
        for phrase in phrases:
            statement = prover.statements[prover.number(phrase)]
            if location in entries:
                yield location, f"a thread starts here without knowing that {phrase}"
            yield from ((location, reason) for reason in keeping.complaints(location, phrase, statement.cells))
            for index in program.incoming[location]:
                if program.commands[index].source in reached and not _keeps(program, index, facts, phrase, knowledge):
                    yield location, f"'{phrase}' need not hold after command {index}"


class Keeping:
    """Which cells keep their values, but for what a thread does itself, while it is at a location."""

    def __init__(self, program: Program, meeting: Meeting | None) -> None:
        self._program = program
        self._meeting = meeting
        self._writes: dict[str, set[int]] = {}
        self._disturbed: dict[str, int] = {}
        self._places: dict[int, int] = {}
        for index, command in enumerate(program.commands):
            for cell in touched(command.instruction).writes:
                self._writes.setdefault(cell, set()).add(index)

    def complaints(self, location: int, phrase: Phrase, cells: Collection[str]) -> Iterator[str]:
        """Why a statement about cells need not stay true while a thread is at a location."""
        for cell in sorted(cells):
            found = self._program.cells[cell]
            if found.summary or found.template not in (None, self._program.template_of[location]):
                yield f"{cell} is not of this thread, or stands for several, in {phrase}"
            elif found.template is None and self._is_disturbed(location, cell):
                yield f"another thread may write {cell} here, so it need not stay that {phrase}"

    def disturbing(self, location: int, cells: Collection[str]) -> Iterator[int]:
        """The commands by which another thread may write some global cells while a thread is at a location."""
        writing = sorted(set[int]().union(*(self._writes.get(cell, set()) for cell in cells)))
        number = self._meeting.number.get(location) if self._meeting else None
        for index in writing:
            if self._meeting is None:
                yield index
            elif number is not None:
                if index not in self._places:
                    self._places[index] = self._meeting.disturbed((index,))
                if self._places[index] >> number & 1:
                    yield index

    def _is_disturbed(self, location: int, cell: str) -> bool:
        if self._meeting is None:
            return True
        if cell not in self._disturbed:
            self._disturbed[cell] = self._meeting.disturbed(self._writes.get(cell, set()))
        number = self._meeting.number.get(location)
        return number is not None and bool(self._disturbed[cell] >> number & 1)


def _keeps(
    program: Program, index: int, facts: Mapping[int, tuple[Phrase, ...]], phrase: Phrase, knowledge: Knowledge
) -> bool:
    """Whether a fact holds after a command, given the facts before it."""
    prover, command = knowledge.prover, program.commands[index]
    if command.source in knowledge.dead:
        return True
    before = facts.get(command.source, ())
    what = touched(command.instruction)
    statement = prover.statements[prover.number(phrase)]
    if phrase in before and what.writes.isdisjoint(statement.cells):
        return True
    effect = meaning.effect(program, command.instruction)  # a value read from a summary cell may be any
    store = {} if isinstance(command.instruction, Spawn) else effect.after
    cells = statement.cells | what.reads | what.guards
    known = prover.meanings(knowledge.premises(command.source, cells))
    told = prover.meanings(prover.connected([prover.number(fact) for fact in before], cells))
    wanted = meaning.phrase(prover.reader, phrase, store)
    return prover.is_valid([*known, *told, *effect.laws, *effect.needs], wanted)


def same(program: Program, old: Command, new: Command, knowledge: Knowledge) -> bool:
    """Whether two commands do the same in every state that is known to be possible before them.

    Both take the same open values in the same order, so that only what they do with these is compared.
    """
    left, right = old.instruction, new.instruction
    if (isinstance(left, Assert), isinstance(left, Spawn), isinstance(left, Join)) != (
        isinstance(right, Assert),
        isinstance(right, Spawn),
        isinstance(right, Join),
    ):
        return False
    match left, right:
        case Assert(), Assert():
            if left.check != right.check or left.stops != right.stops:
                return False
        case Spawn(), Spawn():
            if left.template != right.template:
                return False
        case Join(), Join():
            return left == right
        case _:
            pass
    prover = knowledge.prover
    one = meaning.effect(program, left, is_symbolic=True)
    two = meaning.effect(program, right, is_symbolic=True)
    if len(one.choices) != len(two.choices) or one.added.keys() != two.added.keys():
        return False
    if {cell: len(found) for cell, found in one.added.items()} != {c: len(f) for c, f in two.added.items()}:
        return False
    first, second = touched(left), touched(right)
    cells = first.reads | first.guards | first.writes | second.reads | second.guards | second.writes
    known = prover.meanings(knowledge.premises(old.source, cells))
    conditions = z3.And(*one.needs, *one.laws) == z3.And(*two.needs, *two.laws)
    if isinstance(left, Assert) and isinstance(right, Assert):
        asserted = meaning.formula(left.condition, {}) == meaning.formula(right.condition, {})
        conditions = z3.And(conditions, asserted)
    if isinstance(left, Spawn) and one.after.keys() != two.after.keys():
        return False
    results = [
        one.after.get(cell, meaning.cell_of(cell)) == two.after.get(cell, meaning.cell_of(cell))
        for cell in sorted(one.after.keys() | two.after.keys())
    ]
    results += [a == b for cell in one.added for a, b in zip(one.added[cell], two.added[cell], strict=True)]
    return prover.is_valid(known, conditions) and prover.is_valid([*known, *one.needs, *one.laws], z3.And(*results))
