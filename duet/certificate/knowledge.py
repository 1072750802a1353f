"""What a certificate says so far, location by location, and z3's answers about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import z3

from duet.certificate import meaning, patience
from duet.certificate.document import Phrase
from duet.certificate.flows import touched
from duet.certificate.meaning import Effect, Expr
from duet.certificate.reading import Reader
from duet.deadline import NO_DEADLINE, Deadline
from duet.plip.syntax import Atom, Program, guards
from duet.plip.terms import atoms, formula_cells

_SECONDS = 10
_FEW, _FEW_OF_ONE = 80, 16  # pairs of operands, or values of one of them, that are looked at one by one
FALSE = Phrase("false")
Premises: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A phrase with its cells and its meaning."""

    phrase: Phrase
    cells: frozenset[str]
    meaning: Expr


@dataclass(frozen=True, slots=True)
class Condition:
    """An observable condition: an atom of a guard over globals, or the negation of one."""

    cells: frozenset[str]
    meaning: Expr


Question: TypeAlias = tuple[frozenset[int], int]
"""Premises and a conclusion, as numbers that z3 gives expressions while somebody has them."""
Answers: TypeAlias = dict[Question, tuple[bool, Sequence[Expr]]]
"""Whether conclusions follow, each with the expressions that are asked about."""


class Prover:
    """Statements by number, and which follow from which; answers are cached, also for other provers that get them."""

    def __init__(self, program: Program, deadline: Deadline = NO_DEADLINE, answers: Answers | None = None) -> None:
        self.reader = Reader(program)
        self.queries = 0
        self.deadline = deadline
        self._answers: Answers = {} if answers is None else answers
        self.statements: list[Statement] = []
        self._numbers: dict[Phrase, int] = {}
        self._implied: dict[tuple[Premises, int], bool] = {}
        self._solver = patience.solver(_SECONDS)

    def number(self, phrase: Phrase) -> int:
        """The number of a phrase."""
        found = self._numbers.get(phrase)
        if found is None:
            cells = frozenset().union(*map(self._cells, phrase.cases))
            found = self._numbers[phrase] = len(self.statements)
            self.statements.append(Statement(phrase, cells, meaning.phrase(self.reader, phrase, {})))
        return found

    def _cells(self, phrase: Phrase) -> frozenset[str]:
        return formula_cells(self.reader.formula(phrase)) | {cell for cell, _, _ in phrase.residues}

    def is_valid(self, premises: Iterable[Expr], conclusion: Expr) -> bool:
        """Whether a conclusion certainly follows. *Raises*: OutOfTime."""
        asked = (*premises, conclusion)
        key = frozenset(part.get_id() for part in asked[:-1]), conclusion.get_id()
        if key not in self._answers:
            self.deadline.check()
            self.queries += 1
            self._solver.push()
            self._solver.add(*asked[:-1], z3.Not(conclusion))
            answer = self._solver.check()
            self._solver.pop()
            self._answers[key] = bool(answer == z3.unsat), asked
        return self._answers[key][0]

    def values(self, premises: Iterable[Expr], one: Expr, two: Expr, most: int = _FEW) -> list[tuple[int, int]] | None:
        """The pairs of values that two terms can have, None if there are more than so many."""
        found: list[tuple[int, int]] = []
        self._solver.push()
        self._solver.add(*premises)
        while len(found) <= most and self._solver.check() == z3.sat:
            model = self._solver.model()
            pair = [model.eval(value, model_completion=True).as_long() for value in (one, two)]
            found.append((pair[0], pair[1]))
            self._solver.add(z3.Or(one != pair[0], two != pair[1]))
        is_all = len(found) <= most and self._solver.check() == z3.unsat
        self._solver.pop()
        return found if is_all else None

    def meanings(self, premises: Premises) -> list[Expr]:
        """The formulas of statements."""
        return [self.statements[number].meaning for number in premises]

    def connected(self, numbers: Iterable[int], cells: Collection[str]) -> Premises:
        """The statements that have to do with cells, be it through other cells."""
        found: set[int] = set()
        seen, left, grows = set(cells), set(numbers), True
        while grows:
            new = {number for number in left if not seen.isdisjoint(self.statements[number].cells)}
            seen.update(*(self.statements[number].cells for number in new))
            found |= new
            left -= new
            grows = bool(new)
        return tuple(sorted(found))

    def implies(self, premises: Premises, conclusion: int) -> bool:
        """Whether a statement follows from others."""
        if conclusion in premises:
            return True
        key = (premises, conclusion)
        if key not in self._implied:
            wanted = self.statements[conclusion].meaning
            self._implied[key] = self.is_valid(self.meanings(premises), wanted)
        return self._implied[key]


class Knowledge:
    """What is claimed to hold at each location, and at which no thread ever is.

    Implements `meeting.Judge` for a program whose commands do what those of the certificate's program do.
    """

    def __init__(self, program: Program, prover: Prover) -> None:
        self.program = program
        self.prover = prover
        self.dead: set[int] = set()
        self._at: dict[int, dict[str, tuple[int, ...]]] = defaultdict(dict)
        self._after: dict[int, tuple[int, ...]] = {}
        self._effects: dict[int, Effect] = {}
        self._closed: dict[tuple[int, frozenset[str]], Premises] = {}
        self._stopped: dict[int, bool] = {}
        self._entailed: dict[tuple[Premises, int], bool] = {}
        self._refused: dict[tuple[Premises, int, int], bool] = {}
        self._conditions: tuple[Condition, ...] = ()
        self._groups: Mapping[frozenset[str], tuple[int, ...]] = {}
        self.take(program)

    def take(self, program: Program) -> None:
        """From now on it is about a program that does the same in other words."""
        self.program = program
        self._effects, self._stopped, self._refused, self._entailed = {}, {}, {}, {}
        self._conditions = observable(program)
        groups: dict[frozenset[str], list[int]] = defaultdict(list)
        for index, condition in enumerate(self._conditions):
            groups[condition.cells].append(index)
        self._groups = {cells: tuple(found) for cells, found in groups.items()}

    def add(self, statements: Mapping[int, Iterable[Phrase]], dead: Iterable[int] = ()) -> None:
        """More that is claimed to hold."""
        self._closed, self._stopped = {}, {}
        self.dead.update(dead)
        for location, phrases in statements.items():
            here = self._at[location]
            for phrase in phrases:
                if phrase == FALSE:
                    self.dead.add(location)
                    continue
                number = self.prover.number(phrase)
                for cell in self.prover.statements[number].cells:
                    if number not in here.get(cell, ()):
                        here[cell] = (*here.get(cell, ()), number)

    def add_after(self, command: int, phrase: Phrase) -> None:
        """More that holds after each time that a command has passed."""
        self._after[command] = (*self._after.get(command, ()), self.prover.number(phrase))

    def after(self, command: int) -> Sequence[int]:
        """What holds after a command."""
        return self._after.get(command, ())

    def about(self, location: int, cells: Iterable[str]) -> Premises:
        """The statements at a location that name one of some cells."""
        here = self._at.get(location, {})
        return tuple(sorted({number for cell in cells for number in here.get(cell, ())}))

    def all_at(self, location: int) -> Premises:
        """All statements at a location."""
        return self.about(location, self._at.get(location, ()))

    def premises(self, location: int, cells: Collection[str]) -> Premises:
        """All statements at a location that have to do with cells, be it through other cells."""
        key = (location, frozenset(cells))
        if key not in self._closed:
            here = self._at.get(location, {})
            found: set[int] = set()
            seen, work = set(cells), list(cells)
            while work:
                for number in here.get(work.pop(), ()):
                    if number not in found:
                        found.add(number)
                        more = self.prover.statements[number].cells - seen
                        seen |= more
                        work += more
            self._closed[key] = tuple(sorted(found))
        return self._closed[key]

    def effect(self, command: int) -> Effect:
        """What a command does."""
        if command not in self._effects:
            self._effects[command] = meaning.effect(self.program, self.program.commands[command].instruction)
        return self._effects[command]

    def before(self, command: int, cells: Collection[str]) -> list[Expr]:
        """What is known where a command passes, as far as it has to do with it and with cells."""
        found = self.program.commands[command]
        what = touched(found.instruction)
        known = self.premises(found.source, what.reads | what.guards | frozenset(cells))
        effect = self.effect(command)
        read = [self._read(found.source, *one) for one in effect.summary_reads]
        return [*self.prover.meanings(known), *read, *effect.laws, *effect.needs]

    def _read(self, location: int, cell: str, chosen: Expr, added: Sequence[Expr]) -> Expr:
        """That a value is one of a summary cell, or one of those just added."""
        reader, statements = self.prover.reader, self.prover.statements
        told = [
            meaning.phrase(reader, statements[number].phrase, {cell: chosen})
            for number in self.about(location, (cell,))
        ]
        return z3.Or(z3.And(*told), *(chosen == one for one in added))

    def results(self, command: int, before: Sequence[Expr]) -> list[Expr]:
        """The exact results of operations that the laws leave open, where operands, or one of them, are few numbers."""
        found: list[Expr] = []
        for one in self.effect(command).open_results:
            known = [*before, *found]
            pairs = self.prover.values(known, one.left, one.right)
            if pairs is not None:
                found.append(z3.Or(*(one.of(*pair) for pair in pairs)))
                continue
            for place, operand in enumerate(one.operands):
                values = self.prover.values(known, operand, operand, _FEW_OF_ONE)
                found += [] if values is None else [z3.Or(*(one.where(place, value) for value, _ in values))]
        return found

    # The judgments that `meeting` asks for

    def is_dead(self, location: int) -> bool:
        return location in self.dead

    def is_stopped(self, command: int) -> bool:
        if self.program.commands[command].source in self.dead:
            return True
        if command not in self._stopped:
            self._stopped[command] = bool(self.effect(command).needs) and self.prover.is_valid(
                self.before(command, ()), z3.BoolVal(False)
            )
        return self._stopped[command]

    def known(self, location: int) -> int:
        if location in self.dead:
            return (1 << len(self._conditions)) - 1
        found = 0
        for cells, indices in self._groups.items():
            known = self.premises(location, cells)
            if known:
                for index in indices:
                    if self._entails(known, index):
                        found |= 1 << index
        return found

    def _entails(self, known: Premises, index: int) -> bool:
        key = (known, index)
        if key not in self._entailed:
            wanted = self._conditions[index].meaning
            self._entailed[key] = self.prover.is_valid(self.prover.meanings(known), wanted)
        return self._entailed[key]

    def refused(self, command: int, useful: int) -> int:
        source = self.program.commands[command].source
        what = touched(self.program.commands[command].instruction)
        own = what.reads | what.guards
        found = 0
        for cells, indices in self._groups.items():
            known = self.premises(source, cells)
            is_connected = bool(self.effect(command).needs) and self._is_connected(source, own, cells)
            if not known and not is_connected:
                continue
            for index in indices:
                if useful >> index & 1 and self._refuses(command, known, cells, index, is_connected):
                    found |= 1 << index
        return found

    def _is_connected(self, location: int, own: frozenset[str], cells: frozenset[str]) -> bool:
        return not own.isdisjoint(cells) or not set(self.premises(location, own)).isdisjoint(
            self.premises(location, cells)
        )

    def _refuses(self, command: int, known: Premises, cells: frozenset[str], index: int, is_connected: bool) -> bool:
        key = (known, -1, index)
        false, condition = z3.BoolVal(False), self._conditions[index].meaning
        if key not in self._refused:
            self._refused[key] = self.prover.is_valid([*self.prover.meanings(known), condition], false)
        if self._refused[key] or not is_connected:
            return self._refused[key]
        return self.prover.is_valid([*self.before(command, cells), condition], false)


def observable(program: Program) -> tuple[Condition, ...]:
    """The atoms of guards and stopping checks over globals that are not summaries, and their negations."""
    shared = {name for name, cell in program.cells.items() if cell.template is None and not cell.summary}
    found: dict[Atom, None] = {}
    for command in program.commands:
        for condition in guards(command.instruction):
            found.update(dict.fromkeys(atom for atom in atoms(condition) if formula_cells(atom) <= shared))
    conditions: list[Condition] = []
    for atom in found:
        holds = meaning.formula(atom, {})
        conditions += [Condition(formula_cells(atom), holds), Condition(formula_cells(atom), z3.Not(holds))]
    return tuple(conditions)
