"""Statements about what threads have added to globals, and what these say of the globals.

A global is its initial value plus what each thread has changed it by, also the threads that have ended; so is a sum of
globals. What a thread has changed it by is by definition the difference that its own steps have made, so that nothing
has to be known of the form of these steps. It is a cell of the thread here, its part, which no other thread changes (an
auxiliary variable: Owicki, Gries 1976). It starts at 0, that of the first thread with the initial value of the global.
All is one induction over the steps of an execution: in a state in which the statements hold of every thread they bound
the globals, which may be needed to see that a step does not wrap.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import z3

from duet.certificate import meaning
from duet.certificate.document import Counts, Phrase
from duet.certificate.established import Established
from duet.certificate.flows import touched
from duet.certificate.knowledge import Knowledge, Prover, Statement
from duet.certificate.lives import pasts
from duet.certificate.meaning import Expr, cell_of
from duet.certificate.meeting import Meeting
from duet.errors import UsageError
from duet.plip.semantics import runs_once
from duet.plip.syntax import Cell, Program, Spawn

Sums: TypeAlias = int
"""The number of what the parts of all threads say of the globals."""
NOTHING: Sums = -1


def part_of(cell: str, template: str) -> str:
    """The name, in statements, of what a thread of a template has changed a global by."""
    return f"<{cell} by {template}>"


class Parts:
    """The parts that threads have in globals, and what they say of these.

    What is known holds for the program, and `meeting` is about it. *Raises*: UsageError where `counts` are malformed.
    """

    def __init__(
        self, program: Program, counts: Counts, knowledge: Knowledge, meeting: Meeting, reached: Collection[int]
    ) -> None:
        self._program, self._counts, self._knowledge = program, counts, knowledge
        self._live = frozenset(reached) - knowledge.dead
        self._cells = sorted({cell for term in counts.sums for cell, _ in term})
        for cell in self._cells:
            if cell not in program.globals or program.cells[cell].summary:
                raise UsageError(f"the certificate counts {cell}, which is no global cell, or stands for several")
        self._written: dict[str, set[str]] = {name: set() for name in program.templates}
        for command in program.commands:
            writes = touched(command.instruction).writes
            self._written[program.template_of[command.source]] |= writes.intersection(self._cells)
        if not runs_once(program, program.main):
            raise UsageError("the certificate counts in a program in which others run what the first thread does")
        self._written[program.main].update(self._cells)
        own = {part_of(cell, name): name for name, cells in self._written.items() for cell in cells}
        if not program.cells.keys().isdisjoint(own):
            raise UsageError("the program has cells that are named like what threads add")
        added = {part: Cell(part, name, lo=0, hi=0) for part, name in own.items()}
        for found in (program.cells[cell] for cell in self._cells):
            part = part_of(found.name, program.main)
            added[part] = Cell(part, program.main, lo=found.lo, hi=found.hi)
        self._counted = frozenset(self._cells)
        self._whole = replace(program, cells={**program.cells, **added})
        self._prover = Prover(self._whole)
        self._known = Established(program, knowledge, meeting)
        self._once = frozenset(name for name in program.templates if runs_once(program, name))
        self._inside = frozenset().union(*(template.atomic for template in program.templates.values()))
        self._starts: dict[int, list[int]] = {template.entry: [] for template in program.templates.values()}
        for index, command in enumerate(program.commands):
            if isinstance(command.instruction, Spawn):
                self._starts[program.templates[command.instruction.template].entry].append(index)
        self._pasts = pasts(program)
        self._adding_up: dict[tuple[int, int | None, frozenset[str]], Sums] = {}
        self._sums: list[tuple[Expr, ...]] = []
        self._number_of: dict[tuple[int, ...], Sums] = {}
        self._there: dict[tuple[str, tuple[Phrase, ...]], Expr] = {}
        self._others: dict[tuple[object, ...], tuple[Expr, ...]] = {}

    def failures(self) -> Iterator[tuple[int, str]]:
        """The locations at which a statement about parts or a bound need not hold, each with the reason."""
        for location, phrases in self._counts.added.items():
            yield from ((location, reason) for phrase in phrases for reason in self.complaints(location, phrase))
        for location, phrases in self._counts.bounds.items():
            for phrase in phrases:
                if not self.is_bounded(location, phrase):
                    yield location, f"what threads have added does not show that {phrase}"

    def _statement(self, phrase: Phrase) -> Statement:
        return self._prover.statements[self._prover.number(phrase)]

    # That statements about parts are true along each thread

    def complaints(self, location: int, phrase: Phrase) -> Iterator[str]:
        """Why a statement need not hold of a thread at a location."""
        program = self._program
        if location not in program.template_of:
            raise UsageError(f"the certificate speaks of a location that there is not: {location}")
        name = program.template_of[location]
        found = [self._whole.cells[cell] for cell in self._statement(phrase).cells]
        if any(cell.template != name or cell.summary for cell in found):
            yield f"{phrase} is not about the parts and the cells of one thread"
            return
        if location not in self._live:
            return
        if location == program.templates[program.main].entry and not self._starts_with(phrase):
            yield f"the program may start without {phrase}"
        for index in self._starts.get(location, ()):
            if program.commands[index].source in self._live and not self._is_given(index, phrase):
                yield f"command {index} may start a thread without {phrase}"
        for index in program.incoming[location]:
            if program.commands[index].source in self._live and not self._is_kept(index, phrase):
                yield f"'{phrase}' need not hold after command {index}"

    def _starts_with(self, phrase: Phrase) -> bool:
        cells = sorted(self._statement(phrase).cells)
        return self._prover.is_valid(meaning.initial(self._whole, cells), self._statement(phrase).meaning)

    def _is_given(self, index: int, phrase: Phrase) -> bool:
        """Whether a statement holds of a thread that a command starts: its cells are given, or have initial values."""
        given = self._knowledge.effect(index).after
        store: dict[str, Expr] = {}
        ranges: list[Expr] = []
        for cell in sorted(self._statement(phrase).cells):
            store[cell] = given[cell] if cell in given else z3.FreshInt("initial")
            if cell not in given:
                ranges += meaning.between(store[cell], self._whole.cells[cell].lo, self._whole.cells[cell].hi)
        return self._follows(index, frozenset(), ranges, meaning.phrase(self._prover.reader, phrase, store))

    def _is_kept(self, index: int, phrase: Phrase) -> bool:
        """Whether a statement holds of a thread after a command of its own."""
        command = self._program.commands[index]
        name, cells = self._program.template_of[command.source], self._statement(phrase).cells
        changed = {cell for cell in touched(command.instruction).writes if cell in self._written[name]}
        written = touched(command.instruction).writes | {part_of(cell, name) for cell in changed}
        is_told = phrase in self._counts.added.get(command.source, ())
        if is_told and (written.isdisjoint(cells) or isinstance(command.instruction, Spawn)):
            return True
        effect = self._knowledge.effect(index)
        store: dict[str, Expr] = {} if isinstance(command.instruction, Spawn) else dict(effect.after)
        for cell in changed:
            part = part_of(cell, name)
            store[part] = cell_of(part) + effect.after[cell] - cell_of(cell)
        return self._follows(index, cells | changed, (), meaning.phrase(self._prover.reader, phrase, store))

    def _follows(self, index: int, cells: frozenset[str], ranges: Sequence[Expr], wanted: Expr) -> bool:
        """Whether something that has to do with cells holds after a command, by all that holds before it."""
        source = self._program.commands[index].source
        own = [self._statement(phrase) for phrase in self._counts.added.get(source, ())]
        cells = cells.union(*(found.cells for found in own)) & self._program.cells.keys()
        before = [*ranges, *self._knowledge.before(index, cells), *(found.meaning for found in own)]
        return self._prover.is_valid(before, wanted) or self._prover.is_valid(
            [*before, *self.said(self._added_up(source))], wanted
        )

    # What the parts of all threads say of the globals

    def is_bounded(self, location: int, phrase: Phrase) -> bool:
        """Whether a statement about globals and the thread's own cells holds while it is at a location.

        No other thread is inside a region then.
        """
        found, name = self._statement(phrase), self._program.template_of.get(location)
        own = (self._program.cells.get(cell) for cell in found.cells.difference(self._cells))
        if not all(cell is not None and cell.template == name and not cell.summary for cell in own):
            return False
        if location not in self._live:
            return True
        summed = [frozenset(cell for cell, _ in term) for term in self._counts.sums]
        cells = found.cells.union(*(cells for cells in summed if not cells.isdisjoint(found.cells)))
        known = self._knowledge.prover.meanings(self._knowledge.premises(location, cells))
        return self._prover.is_valid([*known, *self.said(self._added_up(location))], found.meaning) or (
            location not in self._inside
            and self._program.template_of[location] != self._program.main
            and all(
                self._prover.is_valid([*known, *self.said(sums)], found.meaning)
                for sums in dict.fromkeys(self._added_up(location, moment) for moment in self._moments(location))
            )
        )

    def _moments(self, location: int) -> Iterator[int]:
        """Where the first thread may be while another one is at a location, and no one inside a region."""
        places = (place for place, owner in self._program.template_of.items() if owner == self._program.main)
        yield from (p for p in places if p in self._live - self._inside and self._known.may_meet(location, p))

    def is_about(self, cells: Collection[str]) -> bool:
        """Whether some cells are counted."""
        return not self._counted.isdisjoint(cells)

    def are_counted_together(self, location: int, place: int) -> bool:
        """Whether threads at two locations have parts in one sum of several globals."""
        owners = (self._program.template_of[at] for at in (location, place))
        written = [self._written[owner] for owner in owners]
        sums = (frozenset(cell for cell, _ in term) for term in self._counts.sums if len(term) > 1)
        return any(all(not cells.isdisjoint(sum_) for cells in written) for sum_ in sums)

    def beside(self, location: int, place: int, absent: frozenset[str]) -> Sums:
        """That each global is the sum of all parts while a thread is at a location and another one at a place.

        Of threads of one template nothing is said. `absent` are templates of which no thread has been started.
        """
        owner = self._program.template_of
        if owner[location] == owner[place] or not {location, place} <= self._live:
            return NOTHING
        return self._added_up(location, place, absent)

    def said(self, sums: Sums) -> tuple[Expr, ...]:
        """What sums say."""
        return () if sums == NOTHING else self._sums[sums]

    def _added_up(self, location: int, place: int | None = None, absent: frozenset[str] = frozenset()) -> Sums:
        """That each global is the sum of the parts of all threads, and what is known of these parts.

        With `place`, a thread of another template is there. `absent` are templates of which no thread has been started.
        """
        key = (location, place, absent)
        if key not in self._adding_up:
            owner = self._program.template_of
            here, there = owner[location], None if place is None else owner[place]
            total: dict[str, list[Expr]] = {cell: [] for cell in self._cells}
            told = [self._statement(phrase).meaning for phrase in self._counts.added.get(location, ())]
            for name, cells in self._written.items():
                if not cells or name in absent:
                    continue
                for cell in cells:
                    part = part_of(cell, name)
                    total[cell] += [cell_of(part)] if name == here else []
                    total[cell] += [_there(part)] if name == there else []
                if name == there and place is not None:
                    told.append(self._said_there(name, place))
                if name not in (here, there) or name not in self._once:
                    for cell in cells:
                        total[cell].append(_of_others(cell, name))
                    told += self._told_of_others(name, location, place)
            sums = (cell_of(cell) == z3.Sum(*parts) for cell, parts in total.items())
            said = (*told, *sums)
            number = self._number_of.setdefault(tuple(part.get_id() for part in said), len(self._sums))
            if number == len(self._sums):
                self._sums.append(said)
            self._adding_up[key] = number
        return self._adding_up[key]

    def _told_of_others(self, name: str, location: int, place: int | None) -> tuple[Expr, ...]:
        """What is known of the parts of the other threads of a template while one is at a location, one at a place."""
        where = [at for at in (location, place) if at is not None]
        pasts_ = [self._pasts[at] for at in where if at in self._pasts]
        is_once = name in self._once
        places: Iterable[int] = (at for at, owner in self._program.template_of.items() if owner == name)
        if is_once and any(name in past.ended for past in pasts_):
            places = (self._program.templates[name].exit,)
        met = {
            self._counts.added.get(other, ())
            for other in places
            if other in self._live - self._inside and all(self._known.may_meet(at, other) for at in where)
        }
        is_there = is_once and any(name in past.begun for past in pasts_)
        key = (name, is_there, frozenset(met))
        if key not in self._others:
            cases = sorted(met)
            self._others[key] = (self._one(name, cases, is_there),) if is_once else tuple(self._signs(name, cases))
        return self._others[key]

    def _said_there(self, name: str, place: int) -> Expr:
        """What is said of another thread where it is."""
        phrases = self._counts.added.get(place, ())
        if (name, phrases) not in self._there:
            own = (cell for cell, found in self._whole.cells.items() if found.template == name)
            store = {cell: _there(cell) for cell in own}
            told = (meaning.phrase(self._prover.reader, phrase, store) for phrase in phrases)
            self._there[name, phrases] = z3.And(*told)
        return self._there[name, phrases]

    def _one(self, name: str, cases: Sequence[tuple[Phrase, ...]], is_there: bool) -> Expr:
        """That the one thread of a template is somewhere where it may be, or has not started."""
        own = (cell for cell, found in self._program.cells.items() if found.template == name)
        store = {cell: z3.Int(f"cell {cell} elsewhere") for cell in own}
        store.update({part_of(cell, name): _of_others(cell, name) for cell in self._written[name]})
        reader = self._prover.reader
        told = [z3.And(*(meaning.phrase(reader, phrase, store) for phrase in phrases)) for phrases in cases]
        absent = z3.And(*(_of_others(cell, name) == 0 for cell in self._written[name]))
        return z3.Or(*told, *([] if is_there else [absent]))

    def _signs(self, name: str, cases: Sequence[tuple[Phrase, ...]]) -> Iterator[Expr]:
        """The signs of what any number of threads have added to sums, where that of each has the same sign."""
        for term in self._counts.sums:
            own = [(cell, k) for cell, k in term if cell in self._written[name]]
            one = z3.Sum(*(k * cell_of(part_of(cell, name)) for cell, k in own)) if own else z3.IntVal(0)
            several = z3.Sum(*(k * _of_others(cell, name) for cell, k in own)) if own else z3.IntVal(0)
            for is_signed, result in ((one >= 0, several >= 0), (one <= 0, several <= 0)):
                told = ([self._statement(phrase).meaning for phrase in phrases] for phrases in cases)
                if own and all(self._prover.is_valid(premises, is_signed) for premises in told):
                    yield result


def _of_others(cell: str, name: str) -> Expr:
    """What the other threads of a template have changed a global by, all together."""
    return z3.Int(f"{part_of(cell, name)} of others")


def _there(cell: str) -> Expr:
    """The value of a cell of the other one of two threads."""
    return z3.Int(f"cell {cell} there")
