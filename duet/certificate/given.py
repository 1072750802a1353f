"""What own cells of a thread are by the number that it was given, where no two threads of its kind are given the same.

    void *work(void *given) { long id = (long)given; for (i = id * 10; i < id * 10 + 10; i++) a[i] = 0; }

The number is a cell of the thread here that keeps the first value of its parameter (an auxiliary variable: Owicki,
Gries 1976). Of the statements about it that are proposed those are used that are inductive together. That the numbers
of two threads are so far apart, and what threads find where these lead, is what the front end says (`Template.apart`),
if the first thread converts no number that it gives others to another one, which is asked of z3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import z3

from duet.certificate import meaning
from duet.certificate.document import Phrase
from duet.certificate.established import of_thread, value
from duet.certificate.flows import touched
from duet.certificate.knowledge import Knowledge, Prover, Statement
from duet.certificate.meaning import Expr, cell_of
from duet.errors import UsageError
from duet.plip.syntax import Apart, Cell, Compute, Operation, Program, Spawn, steps


def number_of(template: str) -> str:
    """The name, in statements, of the number that a thread of a template was given."""
    return f"<given to {template}>"


class Given:
    """What is known of the threads of one template by their numbers; nothing, if these need not be apart.

    *Raises*: UsageError where statements are malformed.
    """

    def __init__(
        self, program: Program, template: str, proposed: Mapping[int, Collection[Phrase]], knowledge: Knowledge
    ) -> None:
        self._program, self._template, self._knowledge = program, program.templates[template], knowledge
        self._number = number_of(template)
        if self._number in program.cells:
            raise UsageError("the program has cells that are named like numbers that threads are given")
        added = Cell(self._number, template)
        self._whole = replace(program, cells={**program.cells, self._number: added})
        self._prover = Prover(self._whole, knowledge.prover.deadline)
        self._apart = self._known_apart()
        own = (place for place in proposed if program.template_of.get(place) == template)
        self._at = {place: tuple(filter(self._is_own, proposed[place])) for place in own} if self._apart else {}
        self._settle()

    @property
    def apart(self) -> int:
        """How far the numbers of two threads are apart at least; 0 if they need not be."""
        return self._apart.by if self._apart is not None else 0

    def said(self, location: int, thread: int) -> Iterator[Expr]:
        """What holds of a thread, by its number here, at a location."""
        for phrase in self._at.get(location, ()):
            found = self._statement(phrase)
            yield of_thread(self._whole, found.meaning, thread, found.cells)

    def number(self, thread: int) -> Expr:
        """What a thread, by its number here, was given."""
        return value(self._number, thread)

    def _statement(self, phrase: Phrase) -> Statement:
        return self._prover.statements[self._prover.number(phrase)]

    def _is_own(self, phrase: Phrase) -> bool:
        found = [self._whole.cells[cell] for cell in self._statement(phrase).cells]
        return all(cell.template == self._template.name and not cell.summary for cell in found)

    # That the numbers are apart

    def _known_apart(self) -> Apart | None:
        apart = self._template.apart
        if apart is None or len(self._template.parameters) != 1:
            return None
        return apart if all(self._is_as_it_was(index, apart.made) for index in self._converting(apart.made)) else None

    def _converting(self, made: Collection[str]) -> Iterator[int]:
        """The commands of the first thread that convert to a number in some cells."""
        for index in self._program.templates[self._program.main].commands:
            found = steps(self._program.commands[index].instruction)
            if any(isinstance(it, Compute) and it.operation is Operation.WRAP and it.target in made for it in found):
                yield index

    def _is_as_it_was(self, index: int, made: Collection[str]) -> bool:
        """Whether a command, if it is a conversion, leaves the number as it is; others are not looked into."""
        command = self._program.commands[index]
        if self._knowledge.is_dead(command.source):
            return True
        match command.instruction:
            case Compute(target, Operation.WRAP, (number, low, high)) if target in made:
                cells = {cell for cell, _ in number.terms}
                if low.terms or high.terms or any(self._program.cells[cell].summary for cell in cells):
                    return False
                known = self._knowledge.prover.meanings(self._knowledge.premises(command.source, cells))
                inside = meaning.between(meaning.term(number, {}), low.constant, high.constant)
                return self._prover.is_valid(known, z3.And(*inside))
            case _:
                return False

    # Which statements hold

    def _settle(self) -> None:
        """Leaves out statements that need not hold by those that are left, until all do."""
        places = set(self._at)
        while places:
            changed: set[int] = set()
            for place in sorted(places):
                kept = tuple(phrase for phrase in self._at[place] if self._holds(place, phrase))
                if kept != self._at[place]:
                    self._at[place] = kept
                    commands = self._program.outgoing[place]
                    changed.update(self._program.commands[index].target for index in commands)
            places = changed & self._at.keys()

    def _holds(self, location: int, phrase: Phrase) -> bool:
        """Whether a statement is true where a thread begins, and behind each command that leads to its place."""
        if location == self._template.entry and not self._begins_with(phrase):
            return False
        return all(
            self._is_behind(index, phrase)
            for index in self._program.incoming[location]
            if not self._knowledge.is_stopped(index)
        )

    def _begins_with(self, phrase: Phrase) -> bool:
        (parameter,) = self._template.parameters
        cells = sorted(self._statement(phrase).cells - {parameter, self._number})
        first = [cell_of(parameter) == cell_of(self._number), *meaning.initial(self._program, cells)]
        return self._prover.is_valid(first, self._statement(phrase).meaning)

    def _is_behind(self, index: int, phrase: Phrase) -> bool:
        command, wanted = self._program.commands[index], self._statement(phrase)
        told = [self._statement(found) for found in self._at.get(command.source, ())]
        if wanted in told and touched(command.instruction).writes.isdisjoint(wanted.cells):
            return True
        effect = self._knowledge.effect(index)
        after = {} if isinstance(command.instruction, Spawn) else effect.after
        cells = wanted.cells.union(*(found.cells for found in told)) - {self._number}
        premises = [*self._knowledge.before(index, cells), *(found.meaning for found in told), *self._found_by(index)]
        return self._prover.is_valid(premises, meaning.phrase(self._prover.reader, phrase, after))

    def _found_by(self, index: int) -> Iterator[Expr]:
        """What a command reads where the number leads."""
        known = {it.cell: it for it in self._apart.contents} if self._apart is not None else {}
        for cell, chosen, added in self._knowledge.effect(index).summary_reads:
            if cell in known and not added:
                it = known[cell]
                yield it.times * chosen == it.factor * cell_of(self._number) + it.constant
