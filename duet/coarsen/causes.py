"""Why a check is open: the definition that its missing part goes back to, followed through copies and arithmetic.

*Approximates*: either way; it decides only what reports say, and which open checks they put together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from domains.values import arithmetic
from domains.values.number import Number, contains
from duet.absint.state import Value
from duet.coarsen.results import Fixpoint
from duet.coarsen.words import label
from duet.flow.reaching import Initial
from duet.plip.marks import ALLOCATION_FAILS, ANY_VALUE, ANY_WAY, GIVES_NULL, MAY_GIVE_NULL, in_words, loss_of
from duet.plip.syntax import (
    Assert,
    Assign,
    Atom,
    Command,
    Compute,
    Formula,
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Relation,
    steps,
)
from duet.plip.terms import atoms, substitute, term_cells
from duet.result import Cause, CauseKind, Chance
from duet.source import NOWHERE, Span

NULL_ON_A_WAY = "which way is taken here is not followed: on one of them it is null"
"""The cause where a pointer is null on one of several ways, and no function is known that gives it."""
_MOST = 400
"""The most definitions that are looked at for one check."""


def may_be_null(place: Span, mark: str = "") -> Cause:
    """The cause of a pointer that is null on one of several ways at a place, as what a function of the library gives.

    The `mark` of the command that gives it may have the name of the function.
    """
    text = mark if names_giver(mark) else NULL_ON_A_WAY
    chance = Chance.RARELY if names_giver(mark) and not mark.endswith(MAY_GIVE_NULL) else Chance.EVEN
    return Cause(CauseKind.VALUE, text, place.file, place.line, chance)


def names_giver(mark: str) -> bool:
    """Whether a mark has the name of the function that gives null."""
    return mark.endswith(GIVES_NULL)


@dataclass(frozen=True, slots=True)
class _Question:
    """Which definitions give a cell at a location a value for which an atom does not hold."""

    cell: str
    location: int
    test: Atom | None


def cause(fixpoint: Fixpoint, command: int, parts: Iterable[Formula], followed: Collection[str] = ()) -> Cause:
    """What keeps the missing parts of the condition of a command from being known.

    `followed` are cells with pointers that another check asks first whether they are null: that is no cause here.
    """
    program = fixpoint.graph.program
    location = program.commands[command].source
    found = [atom for part in parts for atom in atoms(part)]
    if any(atom.relation is Relation.NE for atom in found):  # of a pointer that is moved: it is not null, or by nothing
        found = [atom for atom in found if atom.relation is Relation.NE]
    found = list(dict.fromkeys(map(_of_pointer, found)))
    single = found[0] if len(found) == 1 else None
    cells = sorted({cell for atom in found for cell in term_cells(atom.term)})
    asked = program.commands[command].instruction
    is_for_null = isinstance(asked, Assert) and asked.check.property_name == "null-dereference"
    roots = list(
        _Search(fixpoint, followed, "null" if is_for_null else "0").roots(
            [_Question(cell, location, single) for cell in cells]
        )
    )
    if roots:
        return min(enumerate(roots), key=lambda item: (_ORDER.index(item[1].kind), item[0]))[1]
    named = [name for cell in cells if not (name := label(program, cell)).startswith("$")]
    place = program.commands[command].span or NOWHERE
    what = ", ".join(dict.fromkeys(named)) or "what is computed here"
    text = f"no closer bounds are known of {what}"
    return Cause(CauseKind.LOST, text, place.file, place.line)


_ORDER = (CauseKind.VALUE, CauseKind.WRITE, CauseKind.INPUT, CauseKind.LOST)


class _Search:
    """Follows values backwards, breadth first, each cell at each location once; `zero` is how a 0 is called."""

    def __init__(self, fixpoint: Fixpoint, followed: Collection[str], zero: str) -> None:
        self._fixpoint = fixpoint
        self._zero = zero
        self._pointers = followed
        self._graph = fixpoint.graph
        self._program = fixpoint.graph.program

    def roots(self, questions: list[_Question]) -> Iterator[Cause]:
        """The causes, the nearest first."""
        work, seen = deque(questions), {(one.cell, one.location) for one in questions}
        count = 0
        while work and count < _MOST:
            question = work.popleft()
            for command, value, is_foreign in self._definitions(question):
                count += 1
                if value is None or self._is_fine(question, value):
                    continue
                if command is None:
                    if not self._is_constant(question):
                        yield self._initial(question)
                    continue
                root = self._root(command, question, is_foreign)
                if root is not None:
                    yield root
                    continue
                for follow in self._followed(command, question):
                    if (follow.cell, follow.location) not in seen:
                        seen.add((follow.cell, follow.location))
                        work.append(follow)

    def _definitions(self, question: _Question) -> Iterator[tuple[Command | None, Value | None, bool]]:
        """The definitions of a cell that flow to a location, with what they give, and whether others make them."""
        pack = self._graph.packing.pack_of[question.cell]
        solution = self._fixpoint.invariants.solution
        for source in self._graph.own_sources(pack, question.location):
            if isinstance(source, Initial):
                yield None, self._fixpoint.invariants.space.initial(pack), False
            else:
                yield self._program.commands[source.command], solution.definition(source.command, pack), False
        for index in sorted(self._graph.inter.get((pack, question.location), ())):
            yield self._program.commands[index], solution.definition(index, pack), True

    def _is_fine(self, question: _Question, value: Value) -> bool:
        """Whether every value that a definition gives satisfies the test, or another check asks for all that do not."""
        test = question.test
        space = self._fixpoint.invariants.space
        found = space.domain.number(value, space.packing.position[question.cell])
        if question.cell in self._pointers and found.lo == found.hi == 0:
            return True
        if test is None or not _is_about(test, question.cell):
            return False
        ((_, k),) = test.term.terms
        return _satisfies(arithmetic.shift(arithmetic.scale(found, k), test.term.constant), test.relation)

    def _root(self, command: Command, question: _Question, is_foreign: bool) -> Cause | None:
        """The cause that a definition is, None where its value comes from elsewhere."""
        place = command.span or NOWHERE
        name = label(self._program, question.cell)
        shown = "" if name.startswith("$") else name
        given = [step for step in steps(command.instruction) if getattr(step, "target", None) == question.cell]
        match given[-1:]:
            case [Havoc()]:
                return self._lost(command, place, shown)
            case [Assign(_, Linear((), value))] if _is_about(question.test, question.cell):
                if command.approximates == ALLOCATION_FAILS or not command.approximates:
                    set_to = str(value) if value else self._zero
                    text = command.approximates or (f"{shown} is set to {set_to}" if shown else f"this may be {set_to}")
                    chance = Chance.OFTEN if command.approximates else Chance.SOMETIMES
                    return Cause(CauseKind.VALUE, text, place.file, place.line, chance)
                if value == 0 and question.test is not None and question.test.relation is Relation.NE:
                    return may_be_null(place, command.approximates)
                return Cause(CauseKind.LOST, _lost_value(command.approximates), place.file, place.line)
            case [Assign(_, Linear((), _))]:
                return None
            case [Assign(_, Linear(((source, _), *_), _))] if self._program.cells[source].summary:
                cell = self._program.cells[source]
                there = cell.span or place
                what = cell.label or source
                text = f"what is known of {what} is known of all objects or elements that it stands for together"
                return Cause(CauseKind.LOST, text, there.file, there.line)
            case [Assign() | Compute() | Lookup()] if is_foreign:
                text = f"another thread writes {shown or 'it'}"
                return Cause(CauseKind.WRITE, text, place.file, place.line, Chance.RARELY)
            case _:
                return None

    def _lost(self, command: Command, place: Span, name: str) -> Cause:
        """The cause that a definition with any value is."""
        mark = command.approximates
        loss = loss_of(mark)
        if loss is not None:
            where = (loss.file, loss.line) if loss.line else (place.file, place.line)
            return Cause(CauseKind.LOST, loss.text, *where)
        if mark and mark != ANY_VALUE:
            return Cause(CauseKind.LOST, _lost_value(mark), place.file, place.line)
        if not place.line:
            owner = self._program.templates[self._program.template_of[command.source]].label
            return Cause(CauseKind.INPUT, f"any arguments of {owner} are possible", place.file, place.line)
        kind = CauseKind.LOST if mark else CauseKind.INPUT
        if mark:
            text = f"what {name} holds is not tracked" if name else "what is read here is not tracked"
        else:
            text = f"{name or 'what is used here'} comes from outside of the program"
        return Cause(kind, text, place.file, place.line)

    def _is_constant(self, question: _Question) -> bool:
        """Whether a value that was computed with goes back to one that a cell begins with: that says nothing."""
        found = self._program.cells[question.cell]
        return question.test is None and found.lo == found.hi

    def _initial(self, question: _Question) -> Cause:
        """The cause that an initial value is."""
        found = self._program.cells[question.cell]
        place, name = found.span or NOWHERE, label(self._program, question.cell)
        shown = "a value" if name.startswith("$") else name
        if found.template is None:
            text = f"{shown} is {found.lo} at the start" if found.lo == found.hi else f"{shown} may start as anything"
            kind = CauseKind.VALUE if _is_about(question.test, question.cell) else CauseKind.LOST
            return Cause(kind, text, place.file, place.line)
        return Cause(CauseKind.LOST, f"nothing is known of {shown} at first", place.file, place.line)

    def _followed(self, command: Command, question: _Question) -> Iterator[_Question]:
        """The values that a definition makes its value from; where a condition narrows it, that is the value itself."""
        for cell, test in _before(steps(command.instruction), question.cell, question.test):
            yield _Question(cell, command.source, test)


def _before(parts: Sequence[Instruction], cell: str, test: Atom | None) -> Iterator[tuple[str, Atom | None]]:
    """The cells whose values in front of some steps make the value of a cell behind them, with tests of these."""
    at = max((number for number, step in enumerate(parts) if getattr(step, "target", None) == cell), default=None)
    if at is None:
        yield cell, test
        return
    for found, asked in _made_of(parts[at], cell, test):
        yield from _before(parts[:at], found, asked)


def _made_of(step: Instruction, cell: str, test: Atom | None) -> Iterator[tuple[str, Atom | None]]:
    """The cells that a step makes the value of a cell from, with tests of these."""
    match step:
        case Assign(_, value):
            cells = term_cells(value)
            if test is not None:
                whole = Atom(substitute(test.term, {cell: value}), test.relation)
                test = _of_pointer(whole)
                cells = cells if test == whole else term_cells(test.term)
            yield from ((found, test) for found in sorted(cells))
        case Compute(_, _, arguments):
            yield from ((found, None) for found in sorted({it for given in arguments for it in term_cells(given)}))
        case Lookup(_, _, place):
            yield from ((found, None) for found in sorted(term_cells(place)))
        case _:
            return


def _lost_value(mark: str) -> str:
    """What a mark of a command that gives a value says was lost."""
    return "which of several values is here is not known" if mark == ANY_WAY else in_words(mark)


def _of_pointer(atom: Atom) -> Atom:
    """Of an atom that a pointer is not null where it was moved by a number of elements, that the pointer is not."""
    moved = [cell for cell, k in atom.term.terms if abs(k) == 1]
    if atom.relation is not Relation.NE or len(moved) != 1 or len(atom.term.terms) == 1:
        return atom
    return Atom(Linear(((moved[0], 1),), 0), Relation.NE)


def _is_about(test: Atom | None, cell: str) -> bool:
    """Whether a test is about one cell only."""
    return test is not None and [name for name, _ in test.term.terms] == [cell]


def _satisfies(found: Number, relation: Relation) -> bool:
    """Whether `n relation 0` for every value of a number."""
    match relation:
        case Relation.LE:
            return found.hi <= 0
        case Relation.EQ:
            return found.lo == found.hi == 0
        case _:
            return not contains(found, 0)
