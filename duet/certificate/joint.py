"""Statements about a thread's locals and globals together: true along each thread, and disturbed by nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import z3

from duet.certificate import meaning
from duet.certificate.document import Phrase, Record
from duet.certificate.equivalence import Keeping
from duet.certificate.flows import touched
from duet.certificate.knowledge import Knowledge
from duet.certificate.lives import pasts
from duet.certificate.meaning import Expr
from duet.certificate.meeting import Meeting
from duet.plip.semantics import runs_once
from duet.plip.syntax import Join, Program, Spawn


def joint_failures(
    program: Program,
    joint: Mapping[int, tuple[Phrase, ...]],
    records: Sequence[Record],
    knowledge: Knowledge,
    meeting: Meeting | None,
    reached: Collection[int],
) -> Iterator[tuple[int, str]]:
    """The locations at which a statement need not hold, each with the reason.

    What is known before a command, the command, and what `records` say of globals where it leads to imply it there; no
    other thread may write its cells while the thread is there. Behind a join the statements at the exit of the thread
    that has ended are known, too. Records are checked against flows elsewhere; all is one induction over the steps of
    an execution.
    """
    keeping = Keeping(program, meeting)
    starts: dict[int, list[int]] = {template.entry: [] for template in program.templates.values()}
    for index, command in enumerate(program.commands):
        if isinstance(command.instruction, Spawn):
            starts[program.templates[command.instruction.template].entry].append(index)
    arrival = _Arrival(program, joint, records, knowledge)
    for location in sorted(joint.keys() & set(reached)):
        commands = [*program.incoming[location], *starts.get(location, ())]
        live = [index for index in commands if program.commands[index].source in set(reached) - knowledge.dead]
        for phrase in joint[location]:
            cells = knowledge.prover.statements[knowledge.prover.number(phrase)].cells
            complaints = list(keeping.complaints(location, phrase, cells))
            if complaints and not _outlasts(program, keeping, knowledge, location, phrase):
                yield from ((location, reason) for reason in complaints)
            if location == program.templates[program.main].entry and not arrival.is_initial(location, phrase):
                yield location, f"the program may start without {phrase}"
            for index in live:
                if not arrival.holds(index, location, phrase):
                    yield location, f"'{phrase}' need not hold after command {index}"


def _outlasts(program: Program, keeping: Keeping, knowledge: Knowledge, location: int, phrase: Phrase) -> bool:
    """Whether a statement about a thread's own cells and globals stays true whatever other threads write meanwhile.

    Each of their commands that may write a global of it must keep it, given what is known where that command passes.
    """
    prover, owner = knowledge.prover, program.template_of
    cells = prover.statements[prover.number(phrase)].cells
    if any(
        program.cells[cell].summary or program.cells[cell].template not in (None, owner[location]) for cell in cells
    ):
        return False
    shared = {cell for cell in cells if program.cells[cell].template is None}
    own = {cell: z3.FreshInt("reader") for cell in sorted(cells - shared)}
    before = meaning.phrase(prover.reader, phrase, own)
    for index in keeping.disturbing(location, shared):
        after = {cell: value for cell, value in knowledge.effect(index).after.items() if cell in shared}
        if not shared.isdisjoint(touched(program.commands[index].instruction).writes - after.keys()):
            return False
        premises = [before, *knowledge.before(index, shared)]
        if not prover.is_valid(premises, meaning.phrase(prover.reader, phrase, {**own, **after})):
            return False
    return True


class _Arrival:
    """Whether a statement holds where a thread arrives."""

    def __init__(
        self,
        program: Program,
        joint: Mapping[int, tuple[Phrase, ...]],
        records: Sequence[Record],
        knowledge: Knowledge,
    ) -> None:
        self.program, self.joint, self.knowledge = program, joint, knowledge
        self._pasts = pasts(program)
        self._at: dict[int, list[Phrase]] = {}
        for record in records:
            if program.cells[record.cells[0]].template is None and not program.cells[record.cells[0]].summary:
                for location, phrase in record.at.items():
                    self._at.setdefault(location, []).append(phrase)

    def is_initial(self, location: int, phrase: Phrase) -> bool:
        """Whether a statement holds where the program starts."""
        cells = sorted(self._cells(phrase))
        premises = [*meaning.initial(self.program, cells), *self._of_globals(location, phrase, {})]
        return self._follows(premises, phrase, {})

    def holds(self, index: int, location: int, phrase: Phrase) -> bool:
        """Whether a statement holds after a command, of the thread itself or of one that starts."""
        command = self.program.commands[index]
        cells = self._cells(phrase)
        if command.target == location and phrase in self.joint.get(command.source, ()):
            what = touched(command.instruction)
            if what.writes.isdisjoint(cells):
                return True
        effect = self.knowledge.effect(index)
        store: dict[str, Expr] = dict(effect.after)
        ranges: list[Expr] = []
        if isinstance(command.instruction, Spawn):
            is_child = location == self.program.templates[command.instruction.template].entry
            if is_child:
                ranges, store = self._started(location, effect.after)
                if not self._follows([*ranges, *self._before(index, location, phrase, store)], phrase, store):
                    return False
            if command.target != location:
                return is_child
            ranges, store = [], {}
        before = self._before(index, location, phrase, store)
        return self._follows([*ranges, *before], phrase, store) or (
            bool(effect.open_results)
            and self._follows([*before, *self.knowledge.results(index, before)], phrase, store)
        )

    def _before(self, index: int, location: int, phrase: Phrase, store: Mapping[str, Expr]) -> list[Expr]:
        """What is known where a command passes, and of globals behind it."""
        cells = set(self._cells(phrase))
        for found in self._at.get(location, ()):
            if not cells.isdisjoint(more := self._cells(found)):
                cells |= more
        return [*self.knowledge.before(index, cells), *self._of_globals(location, phrase, store), *self._at_ends(index)]

    def _at_ends(self, index: int) -> Iterator[Expr]:
        """What holds at the exits of threads that have certainly ended behind a command that waits for one."""
        match self.program.commands[index].instruction:
            case Join(name) if runs_once(self.program, name):
                end = self._pasts.get(self.program.templates[name].exit)
                for other in sorted({name} | (end.ended if end else frozenset())):
                    for phrase in self.joint.get(self.program.templates[other].exit, ()):
                        yield meaning.phrase(self.knowledge.prover.reader, phrase, {})
            case _:
                return

    def _of_globals(self, location: int, phrase: Phrase, store: Mapping[str, Expr]) -> Iterator[Expr]:
        cells = self._cells(phrase)
        for found in self._at.get(location, ()):
            if not cells or not cells.isdisjoint(self._cells(found)):
                yield meaning.phrase(self.knowledge.prover.reader, found, store)

    def _started(self, entry: int, given: Mapping[str, Expr]) -> tuple[list[Expr], dict[str, Expr]]:
        """What the own cells of a new thread hold: what they are given, else any initial value."""
        ranges: list[Expr] = []
        store: dict[str, Expr] = {}
        for name, cell in self.program.cells.items():
            if cell.template == self.program.template_of[entry]:
                store[name] = given[name] if name in given else z3.FreshInt("initial")
                if name not in given:
                    ranges += meaning.between(store[name], cell.lo, cell.hi)
        return ranges, store

    def _follows(self, premises: Sequence[Expr], phrase: Phrase, store: Mapping[str, Expr]) -> bool:
        prover = self.knowledge.prover
        return prover.is_valid(premises, meaning.phrase(prover.reader, phrase, store))

    def _cells(self, phrase: Phrase) -> frozenset[str]:
        prover = self.knowledge.prover
        return prover.statements[prover.number(phrase)].cells
