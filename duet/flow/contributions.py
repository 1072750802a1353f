"""Programs with a ghost for what each thread has added to a global, or to a sum of globals.

A thread's contribution to `x` is the sum of what its own commands have changed `x` by; that of the first thread begins
with the initial value of `x`. So `x` is always the sum of the contributions of all threads, of those that have ended,
too; so it is with a sum of such globals (`duet.flow.sums`). As an auxiliary variable (*Source*: Owicki, Gries: An
axiomatic proof technique for parallel programs, 1976) it is local to its thread: no other can change it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

import networkx as nx

from duet.flow.differences import Differs, differences
from duet.flow.effects import effects
from duet.flow.forward import Answer, certain_copies
from duet.flow.questions import questions
from duet.flow.sums import settled, sums
from duet.flow.traced import Traced
from duet.plip.graphs import control_graph
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Linear,
    Lookup,
    Operation,
    Program,
    Relation,
    Spawn,
    Step,
    steps,
    together,
)
from duet.plip.terms import (
    add,
    atoms,
    constant,
    formula_cells,
    map_atoms,
    rename_term,
    scale,
    show_term,
    substitute,
    term_cells,
    variable,
)

ASKED = 4
"""Sums that checks are about."""
_COPIED = 3
Bounds: TypeAlias = tuple[float | None, float | None]
Known: TypeAlias = Callable[[int, Linear], Bounds]
"""Bounds of a term over a thread's own cells at one of its locations; None where that is not known."""
Values: TypeAlias = dict[str, Linear | None]
"""Cells by what they are equal to, as terms over the values before a command; None if that is not known."""


@dataclass(frozen=True, slots=True)
class Wrap:
    """A wrap that was taken to leave its argument as it is: `term` before `command` has to be in `[lo, hi]`."""

    command: int
    term: Linear
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Contributions:
    """A program with ghosts: `ghosts[term][template]` is the local cell that holds the contribution to a term.

    A term is a global or a sum of globals. The first thread always has a ghost, which begins with the initial value; of
    other templates those have none whose threads never change the term. It is the sum of all contributions in every
    execution in which the `wraps` of its globals leave their arguments as they are.
    """

    program: Program
    ghosts: Mapping[Linear, Mapping[str, str]]
    wraps: Mapping[str, tuple[Wrap, ...]]
    read: Mapping[str, Linear]  # what locals are copied from wherever they are set, though perhaps not any more
    signs: Mapping[str, int]
    """Globals that are never negative (1), or never positive (-1), where no wrap of these changes any."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What a command adds to a global, as a term over cells that it reads, if its wraps change nothing.

    It is over their values before the command; after it, if the command is the one that reads what the global was.
    """

    by: Linear
    wraps: tuple[Wrap, ...]
    to: int | None = None
    """What it sets the global to, whatever that was."""
    read: str = ""
    """The cell that it sets to what the global was."""


@dataclass(frozen=True, slots=True)
class _Later:
    """What locals are at the locations where a cell is set, if the `wraps` change nothing."""

    known: Mapping[int, Values]
    wraps: tuple[Wrap, ...]


def with_contributions(
    program: Program,
    is_stable: Answer,
    open_checks: Collection[int] = (),
    tokens: AbstractSet[str] = frozenset(),
    left_out: Collection[str] = (),
    balanced: Collection[Linear] = (),
    known: Known = lambda *_: (None, None),
) -> Contributions | None:
    """The program with ghosts for the globals that other threads than the first one add something to.

    Of globals that are not `left_out`, threads know when they read them that these are at least (or at most) what they
    have added themselves, where all that is added has one sign, in executions in which no wrap of these changes any.
    Sums of these that `open_checks` are about have some, too, and sums with `tokens`, globals that are never negative,
    and those that are `balanced`.

    Left out are globals that are set, rather than added to, where there may be other threads, and summaries. Commands
    and locations keep their names, and each command does what it did to the cells that were there. None: no ghost.
    *Requires*: `is_stable` as in `duet.flow.equalities`; `known` holds in every execution.
    """
    found = _Changes(program, is_stable, known)
    changes = {cell: changed for cell in program.globals if (changed := found.of(cell))}
    if not changes or _is_started(program, program.main):
        return None
    changes |= found.compared(changes.keys(), open_checks)
    changes = found.apart(changes)
    late = {index for changed in changes.values() for index, change in changed.items() if change.read}
    signs = {
        cell: sign
        for cell, it in changes.items()
        if cell not in left_out and (sign := _side(program, cell, it, late, known))
    }
    more = (*found.sums(changes, open_checks, tokens), *(it for it in balanced if term_cells(it) <= changes.keys()))
    terms = tuple(dict.fromkeys((*map(variable, changes), *more)))
    added: dict[str, Cell] = {}
    ghosts: dict[Linear, dict[str, str]] = {term: {} for term in terms}
    told: dict[int, list[Step]] = {}
    for term in terms:
        first = ghosts[term][program.main] = _name(term, program.main)
        lo, hi = _initial(program, term)
        added[first] = Cell(first, program.main, lo=lo, hi=hi)
        for index, by in _added(term, changes).items():
            source = program.commands[index].source
            template = program.template_of[source]
            ghost = ghosts[term].setdefault(template, _name(term, template))
            added.setdefault(ghost, Cell(ghost, template, lo=0, hi=0))
            # Nobody else has added anything while there is no other thread that may.
            is_first = all(found.is_first(cell, source) for cell in term_cells(term))
            after = found.shortened(source, term, add(term, by)) if is_first else add(variable(ghost), by)
            told.setdefault(index, []).append(Assign(ghost, after))
    commands = list(program.commands)
    grown = {cell: sign for cell, changed in changes.items() if cell not in left_out and (sign := _sign(changed))}
    asked = {name: _decided_by(program, name) for name in program.templates} if grown else {}
    for index, command in enumerate(program.commands):
        own = tuple(_with_own_parts(program, index, changes, ghosts, grown, asked, signs))
        if index in late:
            commands[index] = replace(command, instruction=Atomic((*own, *told[index])))
        elif index in told or len(own) > 1:
            commands[index] = replace(command, instruction=Atomic((*told.get(index, ()), *own)))
    wraps = {
        cell: tuple(wrap for change in changed.values() for wrap in change.wraps) for cell, changed in changes.items()
    }
    program = replace(program, cells={**program.cells, **added}, commands=tuple(commands))
    return Contributions(program, ghosts, wraps, found.read, signs)


def _name(term: Linear, template: str) -> str:
    return f"<{show_term(term)} by {template}>"


def _initial(program: Program, term: Linear) -> tuple[int | None, int | None]:
    """The bounds of what a term may be at first."""
    lows, highs = list[int | None](), list[int | None]()
    for cell, k in term.terms:
        ends = program.cells[cell].lo, program.cells[cell].hi
        for found, end in zip((lows, highs), ends if k > 0 else reversed(ends), strict=True):
            found.append(None if end is None else k * end)
    lo, hi = ([end for end in found if end is not None] for found in (lows, highs))
    return sum(lo) if len(lo) == len(lows) else None, sum(hi) if len(hi) == len(highs) else None


def _added(term: Linear, changes: Mapping[str, Mapping[int, _Change]]) -> dict[int, Linear]:
    """What each command adds to a sum, where it is something."""
    found: dict[int, Linear] = {}
    for cell, k in term.terms:
        for index, change in changes[cell].items():
            found[index] = add(found.get(index, constant(0)), change.by, k)
    is_single = len(term.terms) == 1
    return {index: by for index, by in found.items() if is_single or by != constant(0)}


def _with_own_parts(
    program: Program,
    index: int,
    changes: Mapping[str, Mapping[int, _Change]],
    ghosts: Mapping[Linear, Mapping[str, str]],
    grown: Mapping[str, int],
    asked: Mapping[str, AbstractSet[str]],
    signs: Mapping[str, int],
) -> Iterator[Step]:
    """The steps of a command, where the ghosts are set first, with what it reads of globals that only grow, or shrink.

    What a command reads to take all of it, after which the ghosts are set, has the global's sign (`_side`), and guards
    on the global are about that, too.

    A global that all steps of threads add constants of one sign to is at least what it was at first and what the
    thread has added itself, or at most. `grown` are these, with the signs; `asked` are, by template, the cells that it
    decides something by.
    """
    command, written = program.commands[index], set[str]()
    name = program.template_of[command.source]
    is_read = any(index in it and it[index].read for it in changes.values())
    sides = {**(dict.fromkeys(changes, 0) if is_read else {}), **signs}
    copies: dict[str, Linear] = {}
    for step in _steps(command):
        yield step
        changed = {step.target} if isinstance(step, Assign | Compute | Havoc | Lookup) else set[str]()
        copies = {cell: it for cell, it in copies.items() if changed.isdisjoint((cell, *term_cells(it)))}
        match step:
            case Assign(target, Linear(((cell, 1),), 0)) if cell in sides and cell not in written:
                copies.update({cell: variable(target)} if is_read else {})
                if sides[cell]:
                    yield Guard(Atom(scale(variable(target), -sides[cell]), Relation.LE))
            case Guard(condition) if not copies.keys().isdisjoint(formula_cells(condition)):
                yield Guard(map_atoms(condition, partial(_substituted_atom, copies)))
            case Assign(target, Linear(((cell, 1),), 0)) if cell in grown and cell not in written:
                by = changes[cell][index].by if index in changes[cell] else constant(0)
                ghost, sign = ghosts[variable(cell)].get(name), grown[cell]
                start = constant(0) if name == program.main else _first(program, cell, sign)
                if ghost and start and not by.terms and target in asked[name]:
                    own = add(add(variable(ghost), by, -1), start)  # before this command
                    yield Guard(Atom(scale(add(own, variable(target), -1), sign), Relation.LE))
            case _:
                pass
        written |= changed


def _substituted_atom(values: Mapping[str, Linear], atom: Atom) -> Atom:
    return Atom(substitute(atom.term, values), atom.relation)


def _sign(changes: Mapping[int, _Change]) -> int:
    """1 if no command takes anything from a global, -1 if none adds to it, 0 if that is not known."""
    by = [None if change.by.terms else change.by.constant for change in changes.values()]
    if not by or None in by:
        return 0
    known = [value for value in by if value is not None]
    return 1 if min(known) >= 0 else -1 if max(known) <= 0 else 0


def _side(program: Program, cell: str, changes: Mapping[int, _Change], late: Collection[int], known: Known) -> int:
    """1 if a global that some command takes all of is never negative, -1 if it is never positive, 0 if that is unknown.

    It starts on that side of 0, and each command sets it to a constant there, or adds what is known to be there: of
    those that are `late` behind them, as that is over what they read themselves.
    """
    if all(change.to is None for change in changes.values()):
        return 0
    ends: list[Bounds] = [(program.cells[cell].lo, program.cells[cell].hi)]
    for index, change in changes.items():
        command, by = program.commands[index], change.by if change.to is None else constant(change.to)
        place = command.target if index in late else command.source
        known_by = known(place, by) if _is_own(program, by) else (None, None)
        ends.append(known_by if by.terms else (by.constant, by.constant))
    is_up, is_down = (all(_are_within(end, lo, hi) for end in ends) for lo, hi in ((0, math.inf), (-math.inf, 0)))
    return 1 if is_up else -1 if is_down else 0


def _is_own(program: Program, term: Linear) -> bool:
    """Whether a term is over cells of a thread alone."""
    return all(program.cells[cell].template is not None for cell in term_cells(term))


def _are_within(ends: Bounds, lo: float, hi: float) -> bool:
    """Whether what has some bounds is in a range, if it is bounded."""
    return ends[0] is not None and ends[1] is not None and lo <= ends[0] and ends[1] <= hi


def _first(program: Program, cell: str, sign: int) -> Linear | None:
    """The least initial value of a global that grows, the largest one of a global that shrinks."""
    bound = program.cells[cell].lo if sign > 0 else program.cells[cell].hi
    return None if bound is None else constant(bound)


def _decided_by(program: Program, template: str) -> frozenset[str]:
    """The cells that a thread decides something by, and those of which it does by a copy."""
    commands = (program.commands[index] for index in program.templates[template].commands)
    found = [step for command in commands for step in steps(command.instruction)]
    cells = frozenset[str]().union(*(formula_cells(it.condition) for it in found if isinstance(it, Guard)))
    copies = [it for it in found if isinstance(it, Assign) and it.target in cells and len(it.value.terms) == 1]
    return cells | {it.value.terms[0][0] for it in copies if it.value == variable(it.value.terms[0][0])}


def _steps(command: Command) -> tuple[Step, ...]:
    """The steps of a command that writes a cell."""
    return tuple(step for step in steps(command.instruction) if isinstance(step, Step))


class _Changes:
    """What the commands of a program add to globals."""

    def __init__(self, program: Program, is_stable: Answer, known: Known) -> None:
        self._program = program
        self._known = known
        self._effects = effects(program)
        self._writers: dict[str, list[int]] = {name: [] for name in program.cells}
        for index, effect in enumerate(self._effects):
            for cell in effect.writes:
                self._writers[cell].append(index)
        self._is_stable = is_stable
        self._copies = {name: certain_copies(program, found, is_stable) for name, found in program.templates.items()}
        self._differ: dict[int, Mapping[str, Differs]] = {}
        self._many = multiplicities(program)
        self._first: dict[AbstractSet[str], Collection[int]] = {}

    def of(self, cell: str) -> Mapping[int, _Change] | None:
        """What each command that writes a cell adds to it; None for cells that get no ghost."""
        is_counted = not self._program.cells[cell].summary and self._owners(cell) - {self._program.main}
        return self._of(cell) if is_counted else None

    def compared(self, counted: AbstractSet[str], open_checks: Collection[int]) -> Mapping[str, Mapping[int, _Change]]:
        """As `of`, of globals that checks compare with counted ones, where one template alone changes them."""
        cells = self._program.cells
        own = {name for name in self._program.globals if not cells[name].summary and len(self._owners(name)) <= 1}
        asked = (term_cells(term) for index in sorted(open_checks) for term in self._asked(index, counted | own))
        wanted = frozenset[str]().union(*(it for it in asked if not counted.isdisjoint(it))) - counted
        found = {cell: changed for cell in sorted(wanted) if (changed := self._of(cell, is_compared=True)) is not None}
        return {cell: changed for cell, changed in found.items() if not any(it.wraps for it in changed.values())}

    def is_first(self, cell: str, location: int) -> bool:
        """Whether the first thread is at a location only before any other one that may change a cell was started."""
        owners = self._owners(cell)
        if owners not in self._first:
            self._first[owners] = _before(self._program, owners)
        return location in self._first[owners]

    def _owners(self, cell: str) -> frozenset[str]:
        """The templates that write a cell."""
        return frozenset(
            {self._program.template_of[self._program.commands[index].source] for index in self._writers[cell]}
        )

    def shortened(self, location: int, term: Linear, value: Linear) -> Linear:
        """A value with globals of a term in the place of their copies, of which then less may be left."""
        for cell in term_cells(term) if len(term.terms) > 1 else ():
            known = {name: it for name, it in self._equal(location, cell).items() if it is not None}
            value = substitute(value, known)
        return value

    def _of(self, cell: str, is_compared: bool = False) -> Mapping[int, _Change] | None:
        program = self._program
        found: dict[int, _Change] = {}
        later: dict[str, _Later] = {}
        for index in self._writers[cell]:
            change = self._change(index, cell)
            if change is None:
                name = program.template_of[program.commands[index].source]
                if name not in later:
                    later[name] = self._later(name, cell)
                change = self._change(index, cell, later[name])
            if change is None and (alike := self._alike(index, cell, is_compared)) is not None:
                change = self._change(index, cell, alike=alike)
            if change is None:
                change = self._change(index, cell, is_read=True)
            if change is None:
                return None
            found[index] = change
        return found

    def _later(self, name: str, cell: str) -> _Later:
        """What the locals of a template are that a cell is set to, if wraps of the cell's own value change nothing.

        `t := wrap(x + 1); x := t` are two commands where `t` is read again. The wraps are those of all locals that the
        cell is set to, where their arguments certainly are about the cell: under these alone are the copies certain.
        """
        program, template = self._program, self._program.templates[name]
        kept = {
            step.value.terms[0][0]
            for index in template.commands
            for step in steps(program.commands[index].instruction)
            if isinstance(step, Assign) and step.target == cell and len(step.value.terms) == 1
        }
        commands, wraps = list(program.commands), list[Wrap]()
        for index in template.commands:
            changed = list[Step]()
            for step in steps(commands[index].instruction):
                if isinstance(step, Compute) and step.operation is Operation.WRAP and step.target in kept:
                    found = self._wraps(index, cell, step)
                    wraps += found
                    changed.append(Assign(step.target, step.arguments[0]) if found else step)
                elif isinstance(step, Step):
                    changed.append(step)
            if any(wrap.command == index for wrap in wraps):
                commands[index] = replace(commands[index], instruction=together(changed))
        if not wraps:
            return _Later({}, ())
        copies, facts = certain_copies(replace(program, commands=tuple(commands)), template, self._is_stable)
        writers = {program.commands[index].source for index in self._writers[cell]} & facts.keys()
        known = {place: _by_copy(copies.equal_to(facts[place], cell), cell) for place in sorted(writers)}
        return _Later(known, tuple(wraps))

    def _wraps(self, index: int, cell: str, asked: Compute) -> list[Wrap]:
        """The wrap that a step of a command is, over the values before it; none if it is not about a cell."""
        command = self._program.commands[index]
        values: Values = {name: None for name in self._effects[index].reads if self._program.cells[name].summary}
        values.update(self._equal(command.source, cell))
        for step in steps(command.instruction):
            if step is asked:
                break
            match step:
                case Assign(target, value) if not self._program.cells[target].summary:
                    values[target] = _substituted(value, values)
                case Assign(target) | Compute(target) | Havoc(target) | Lookup(target):
                    values[target] = None
                case _:
                    pass
        argument, lo, hi = asked.arguments
        term = _substituted(argument, values)
        if term is None or cell not in term_cells(term) or lo.terms or hi.terms:
            return []
        return [Wrap(index, term, lo.constant, hi.constant)]

    def sums(
        self, changes: Mapping[str, Mapping[int, _Change]], open_checks: Collection[int], tokens: AbstractSet[str]
    ) -> list[Linear]:
        """The sums of globals that are worth a ghost: those that checks are about, and those of `duet.flow.sums`."""
        asked = list(dict.fromkeys(found for index in sorted(open_checks) for found in self._asked(index, changes)))
        by = {
            cell: {
                i: constant(0) if self.is_first(cell, self._program.commands[i].source) else self._told(c.by)
                for i, c in found.items()
            }
            for cell, found in changes.items()
        }
        wrapped = [wrap.term for found in changes.values() for change in found.values() for wrap in change.wraps]
        whole = [add(term, constant(-term.constant)) for term in wrapped if term_cells(term) <= changes.keys()]
        several = [term for term in dict.fromkeys((*asked, *whole)) if len(term.terms) > 1]
        bounding = sums(self._program, by, asked, tokens & changes.keys())
        kept = settled(self._program, by, frozenset().union(*map(term_cells, asked)))
        found: dict[Linear, None] = {}
        for term in (*several[:ASKED], *bounding, *kept):
            found.update({} if scale(term, -1) in found else {term: None})
        return list(found)

    def _asked(self, index: int, cells: Collection[str]) -> Iterator[Linear]:
        """The sums of some globals in a check, where locals stand for the globals that they are read from."""
        for atom in [atom for _, asked in questions(self._program, index) for atom in atoms(asked)]:
            term = add(atom.term, constant(-atom.term.constant))
            for _ in range(_COPIED):
                term = substitute(term, {**self._summed, **self.read})
            traced = self._traced.over_globals(self._program.commands[index].source, atom.term)
            known = (add(it, constant(-it.constant)) for it in (term, traced) if it is not None)
            found = next((it for it in known if it.terms and term_cells(it) <= set(cells)), None)
            if found is not None:
                yield found if found.terms[0][1] > 0 else scale(found, -1)

    @cached_property
    def _traced(self) -> Traced:
        """What threads have put together, where wraps change nothing."""
        return Traced(self._program, self._is_stable, lambda *_: True)

    def _told(self, by: Linear) -> Linear:
        """What a command adds, as a constant where it is the difference of what another one made of the same values."""
        found = substitute(by, self._made)
        return by if found.terms else found

    @cached_property
    def read(self) -> Mapping[str, Linear]:
        """What locals are copied from, where that is one global, or one cell, whatever the order of reads."""
        found: dict[str, set[Linear]] = {}
        for command in self._program.commands:
            for step in steps(command.instruction):
                if isinstance(step, Assign) and self._program.cells[step.target].template is not None:
                    found.setdefault(step.target, set()).add(step.value)
        once = {cell: value for cell, (value, *more) in found.items() if len(value.terms) == 1 and not more}
        several = {cell: {substitute(value, once) for value in values} for cell, values in found.items()}
        return {cell: value for cell, (value, *more) in several.items() if len(value.terms) == 1 and not more}

    @cached_property
    def _summed(self) -> Mapping[str, Linear]:
        """The locals that one command sets to a sum, where that is in the range of their type."""
        found: dict[str, list[Linear]] = {}
        for command in self._program.commands:
            for step in steps(command.instruction):
                if isinstance(step, Compute) and step.operation is Operation.WRAP and len(step.arguments[0].terms) > 1:
                    found.setdefault(step.target, []).append(step.arguments[0])
        return {cell: value for cell, (value, *more) in found.items() if not more}

    @cached_property
    def _made(self) -> Mapping[str, Linear]:
        """The locals that one command sets, each with what it makes of the values before it, named by the command."""
        found: dict[str, Linear | None] = {}
        for index, command in enumerate(self._program.commands):
            values: dict[str, Linear | None] = {}
            for step in steps(command.instruction):
                if isinstance(step, Assign | Compute | Havoc | Lookup):
                    values[step.target] = _substituted(step.value, values) if isinstance(step, Assign) else None
            for cell, value in values.items():
                named = None if value is None else rename_term(value, f"{index}: {{}}".format)
                found[cell] = None if cell in found else named
        return {cell: value for cell, value in found.items() if value is not None}

    def _change(
        self,
        index: int,
        cell: str,
        later: _Later | None = None,
        alike: Linear | None = None,
        is_read: bool = False,
    ) -> _Change | None:
        """What a command adds to a cell, which before is what `alike` is, if that is given, or what it reads itself."""
        command = self._program.commands[index]
        values: Values = {name: None for name in self._effects[index].reads if self._program.cells[name].summary}
        if later is not None:
            values.update(later.known.get(command.source, {}))
        values.update(self._equal(command.source, cell))
        wraps: list[Wrap] = [] if later is None else [*later.wraps]
        through: dict[str, tuple[Wrap, ...]] = {}
        assigned: set[str] = set()
        may_read = self._effects[index].reads | {cell} | (frozenset() if alike is None else term_cells(alike))
        for step in steps(command.instruction):
            assigned |= {step.target} if isinstance(step, Assign | Compute | Havoc | Lookup) else set()
            match step:
                case Guard(condition) if cell not in assigned:
                    equal = dict(_equal_there(condition, cell, assigned))
                    values.update(equal)
                    for other, copied, more in self._copied(index, equal, assigned):
                        values[other] = copied
                        wraps += more
                    alike = alike or next(_by_locals(equal, cell), None)
                case Assign(target, value):
                    values[target] = None if self._program.cells[target].summary else _substituted(value, values)
                    through[target] = tuple(it for name in sorted(term_cells(value)) for it in through.get(name, ()))
                case Compute(target, Operation.WRAP, (argument, Linear((), lo), Linear((), hi))):
                    term = _substituted(argument, values)
                    is_about = term is not None and any(name == cell for name, _ in term.terms)
                    through[target] = tuple(it for name in sorted(term_cells(argument)) for it in through.get(name, ()))
                    if term is not None and is_about:
                        through[target] += (Wrap(index, term, lo, hi),)
                    is_same = is_about or (term is not None and self._is_within(command.source, term, lo, hi))
                    values[target] = term if is_same else None
                case Havoc(target) | Compute(target) | Lookup(target):
                    values[target] = None
                case _:
                    pass
        wraps += through.get(cell, ())
        after = values.get(cell, variable(cell))
        if after is None:
            return None
        by = add(after, variable(cell), -1)
        if alike is not None:
            by = substitute(by, {cell: alike})
        to = None if after.terms else after.constant
        read = ""
        if is_read and not self.is_first(cell, command.source):
            copies = sorted(it for it in assigned & self._set_of_thread(index) if values[it] == variable(cell))
            if not copies or not (term_cells(by) - {cell}).isdisjoint(assigned):
                return None
            read = copies[0]
            wraps += through.get(read, ())
            by = substitute(by, {cell: variable(read)})
            may_read |= {read}
        is_known = cell not in term_cells(by) or self.is_first(cell, command.source)
        return _Change(by, tuple(wraps), to, read) if is_known and term_cells(by) <= may_read else None

    def _is_within(self, location: int, term: Linear, lo: int, hi: int) -> bool:
        """Whether a term over a thread's own cells is in a range at a location."""
        return _is_own(self._program, term) and _are_within(self._known(location, term), lo, hi)

    def _set_of_thread(self, index: int) -> frozenset[str]:
        """The thread's own cells that a command sets."""
        cells = self._program.cells
        return frozenset(it for it in self._effects[index].writes if cells[it].template and not cells[it].summary)

    def apart(self, changes: Mapping[str, Mapping[int, _Change]]) -> dict[str, Mapping[int, _Change]]:
        """The changes over one state of each command: that after it, if it reads itself what some global was."""
        read: dict[int, dict[str, Linear]] = {}
        for cell, changed in changes.items():
            for index, change in changed.items():
                if change.read:
                    read.setdefault(index, {})[cell] = variable(change.read)
        found: dict[str, Mapping[int, _Change]] = {}
        for cell, changed in changes.items():
            late = {index: self._after(index, it, read[index]) for index, it in changed.items() if index in read}
            known = {index: it for index, it in late.items() if it is not None}
            if len(known) == len(late):
                found[cell] = {**changed, **known}
        return found

    def _after(self, index: int, change: _Change, read: Mapping[str, Linear]) -> _Change | None:
        """A change over the cells after a command; `read` are the copies that it makes of globals before it."""
        if change.read:
            return change
        by = substitute(change.by, read)
        copies = frozenset().union(*map(term_cells, read.values()))
        is_kept = (term_cells(change.by) | (term_cells(by) - copies)).isdisjoint(
            self._effects[index].writes - read.keys()
        )
        return replace(change, by=by) if is_kept else None

    def _alike(self, index: int, cell: str, is_compared: bool) -> Linear | None:
        """What a cell is before a command that sets it: its initial value, or a copy, give or take a constant."""
        source = self._program.commands[index].source
        first = self._untouched(source, cell) if is_compared else None
        return first or next(_by_locals(self._equal(source, cell), cell), None)

    def _untouched(self, location: int, cell: str) -> Linear | None:
        """The initial value of a cell that a single thread alone writes, and has not written yet at a location."""
        program, known = self._program, self._program.cells[cell]
        name = program.template_of[location]
        writers = [program.commands[index] for index in self._writers[cell]]
        is_own = self._many[name] is Multiplicity.ONE and all(program.template_of[it.source] == name for it in writers)
        if known.lo is None or known.lo != known.hi or not is_own:
            return None
        graph = control_graph(program, program.templates[name].commands)
        is_late = any(nx.has_path(graph, command.target, location) for command in writers)
        return None if is_late else constant(known.lo)

    def _copied(
        self, index: int, equal: Mapping[str, Linear], assigned: Collection[str]
    ) -> Iterator[tuple[str, Linear, tuple[Wrap, ...]]]:
        """What a command reads that is certainly as much more or less than some own cells, which are known to be terms.

        Each with the wraps that change nothing then: if the command passes, their arguments are known by these terms.
        """
        copies = self._own_copies(self._program.commands[index].source)
        wanted = self._effects[index].reads - equal.keys() - set(assigned)
        for name, term in sorted(equal.items()):
            known = copies.get(name, Differs(name, 0))
            root = add(term, constant(-known.by))
            for other in sorted(wanted) if not known.wraps else ():  # what wraps may have changed tells nothing of that
                found = copies.get(other, Differs(other, 0))
                if found.of == known.of:
                    wraps = (Wrap(index, add(root, constant(by)), lo, hi) for by, lo, hi in found.wraps)
                    yield other, add(root, constant(found.by)), tuple(wraps)

    def _own_copies(self, location: int) -> Mapping[str, Differs]:
        if location not in self._differ:
            self._differ[location] = differences(self._program, location)
        return self._differ[location]

    def _equal(self, location: int, cell: str) -> Values:
        """The locals that are certainly a copy of a cell at a location, by what they are."""
        copies, facts = self._copies[self._program.template_of[location]]
        return _by_copy(copies.equal_to(facts[location], cell), cell) if location in facts else {}


def _by_copy(found: Iterable[tuple[str, int]], cell: str) -> Values:
    """Copies of a cell, each with what it is more than that, by what they are."""
    return {name: add(variable(cell), Linear((), by)) for name, by in found}


def _by_locals(copies: Mapping[str, Linear | None], cell: str) -> Iterator[Linear]:
    """What a cell is by each of its copies."""
    for name, term in copies.items():
        if term is not None:
            yield add(variable(name), add(term, variable(cell), -1), -1)


def _equal_there(condition: Formula, cell: str, assigned: Collection[str]) -> Iterator[tuple[str, Linear]]:
    """The other cells that a condition says are a cell plus a constant, with what they are."""
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Atom(Linear(((one, k), (other, opposite)), value), Relation.EQ) if {k, opposite} == {1, -1}:
                if cell in (one, other):
                    name, sign = (other, k) if one == cell else (one, opposite)
                    if name not in assigned:
                        yield name, add(variable(cell), constant(sign * value))
            case _:
                continue


def _substituted(term: Linear, values: Values) -> Linear | None:
    """A term over the values before a command, None if that is not known."""
    known = {cell: value for cell, value in values.items() if value is not None}
    is_known = all(cell in known or cell not in values for cell in term_cells(term))
    return substitute(term, known) if is_known else None


def _before(program: Program, names: AbstractSet[str]) -> Collection[int]:
    """The locations of the first thread that it can be at only before threads of some other templates were started."""
    if _is_started(program, program.main):
        return ()
    main = program.templates[program.main]
    graph = control_graph(program, main.commands)
    graph.add_node(main.entry)
    starts = [(it, it.instruction.template) for it in program.commands if isinstance(it.instruction, Spawn)]
    starting: nx.DiGraph[str] = nx.DiGraph([(program.template_of[command.source], name) for command, name in starts])
    leading = frozenset(names).union(*(nx.ancestors(starting, name) for name in names if name in starting)) - {
        program.main
    }
    after = {command.target for command, name in starts if name in leading and command.target in graph}
    return graph.nodes - after.union(*(nx.descendants(graph, location) for location in after))


def _is_started(program: Program, name: str) -> bool:
    """Whether some command starts threads of a template."""
    instructions = (command.instruction for command in program.commands)
    return any(isinstance(found, Spawn) and found.template == name for found in instructions)
