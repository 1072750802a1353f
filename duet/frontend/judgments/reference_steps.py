"""What one step of a thread makes of a count of references, and of what the thread knows of it.

See `duet.frontend.judgments.references` for what counts of references are, and why all of this holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from duet.frontend.judgments import shared_out
from duet.frontend.judgments.first_comers import lock_taken
from duet.frontend.judgments.shared_out import Inequalities
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Command,
    Compute,
    Formula,
    Guard,
    Instruction,
    Linear,
    Operation,
    Program,
    Relation,
    Spawn,
    Template,
    steps,
)
from duet.plip.terms import add, constant, formula_cells, scale, term_cells
from duet.plip.touched import writes
from duet.records import dataclass

Copy: TypeAlias = tuple[str, int, tuple[int, int] | None]
"""The cell that is copied, a number that is added, and the limits that the sum is wrapped to."""
MOST = 1 << 7
"""References that a thread may have: more are not followed."""
NEEDS = 1 << 4
"""References that a thread may be given when it starts."""
_FAR = 4 * MOST
ANY = 1 << 40
"""How many a thread has at most where that is not known."""
BEGIN = ANY >> 1
"""How many a thread begins with while it is not known how many it needs."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a thread knows of a counter: that it has `lo` references at least, and `hi` at most.

    With `is_whole` nobody else has any, and with `is_exact` the counter is away from its target by what all have;
    without, nobody has any. With `is_alone` no other thread has been started. `is_last` says whether the thread has
    found that it has given back the last one, None for maybe. `copies` are the counter itself and own cells that differ
    from it by a number, `left` those that differ by one from what the thread left behind when it gave back last. The
    thread may have written `touched` quiet cells. `more` says how many it has by cells of its own; where it is not
    exact, that is how far the counter is away.
    """

    lo: int
    hi: int
    is_whole: bool = False
    is_exact: bool = True
    is_alone: bool = False
    is_last: bool | None = False
    held: frozenset[str] = frozenset()
    copies: frozenset[tuple[str, int]] = frozenset()
    left: frozenset[tuple[str, int]] = frozenset()
    touched: frozenset[str] = frozenset()
    more: Inequalities = shared_out.NOTHING

    def common(self, other: Known) -> Known:
        return Known(
            min(self.lo, other.lo),
            max(self.hi, other.hi),
            self.is_whole and other.is_whole,
            self.is_exact and other.is_exact,
            self.is_alone and other.is_alone,
            self.is_last if self.is_last is other.is_last else None,
            self.held & other.held,
            self.copies & other.copies,
            self.left & other.left,
            self.touched | other.touched,
            shared_out.common(self.more, other.more),
        )

    def zeros(self, quiet: frozenset[str]) -> frozenset[str]:
        """Those of the cells that are 0 until somebody has found that the last reference is given back that are 0."""
        return quiet - self.touched if self.lo or self.is_last else frozenset()

    def with_more(self, amount: int) -> Known:
        """With so many references more, or less."""
        lo, hi = max(self.lo + amount, 0), max(self.hi + amount, 0)
        is_followed = lo <= _FAR or lo >= BEGIN - NEEDS
        more = shared_out.with_more(self.more, amount)
        return replace(self, lo=lo if is_followed else 0, hi=hi if hi <= _FAR else ANY, more=more)

    def with_told(self, more: Inequalities) -> Known:
        """With what is known by own cells."""
        lo = max(self.lo, min(shared_out.least(more), MOST))
        return replace(self, more=more, lo=lo, is_exact=self.is_exact or lo > 0)


def is_plain(program: Program, cell: str, template: str | None) -> bool:
    """Whether a cell is one for each thread of a template, or one global for None."""
    found = program.cells.get(cell)
    return found is not None and found.template == template and not found.summary


def copy_of(step: Instruction) -> Copy | None:
    """What a step copies, if it does only that."""
    match step:
        case Assign(_, Linear(((cell, 1),), more)):
            return cell, more, None
        case Compute(_, Operation.WRAP, (Linear(((cell, 1),), more), Linear((), lo), Linear((), hi))):
            return cell, more, (lo, hi)
        case _:
            return None


def bounds(condition: Formula) -> Iterator[tuple[str, int, int]]:
    """Cells that are at most a number, times a sign, where a condition holds: `(cell, sign, number)`."""
    match condition:
        case And(parts):
            for part in parts:
                yield from bounds(part)
        case Atom(Linear(((cell, 1 | -1 as k),), more), Relation.LE | Relation.EQ as relation):
            yield cell, k, -more
            if relation is Relation.EQ:
                yield cell, -k, more
        case _:
            return


def is_zero(step: Instruction) -> bool:
    """Whether a step sets a cell to 0."""
    return isinstance(step, Assign) and step.value == Linear(())


def _nonzero(instruction: Instruction) -> Iterator[str]:
    """Cells that are not 0 where an instruction begins and passes, as far as its guards say so directly."""
    written: set[str] = set()
    for step in steps(instruction):
        match step:
            case Guard(Atom(Linear(((cell, _),), 0), Relation.NE)) if cell not in written:
                yield cell
            case _:
                written |= writes(step)


class Tried:
    """What is taken to be so of a counter of references while that is tried.

    It is its `target`, None while any may be, and `sign` times how many there are. Threads of a template have as many
    at first as they need. All who change it have the `guards`, which are `locks`; `quiet` cells are 0 until somebody
    has found that the last reference is given back.
    """

    def __init__(self, program: Program, counter: str, sign: int) -> None:
        self.program, self.counter, self.sign = program, counter, sign
        self.target: int | None = None
        self.needs: dict[str, int] = dict.fromkeys(program.templates, 0)
        self.locks: frozenset[str] = frozenset()
        self.guards: frozenset[str] = frozenset()
        self.quiet: frozenset[str] = frozenset()

    def set_to(self, known: Known, value: Linear | None) -> Known:
        """Where the counter is set to a value, None for any, while nobody else has references."""
        rest = frozenset(it for it in known.more if not it[0])
        known = replace(known, lo=0, hi=0, is_exact=False, left=frozenset(), more=rest)
        known = replace(known, copies=frozenset(((self.counter, 0),)))
        if value is None or self.target is None:
            return known if value is None else replace(known, lo=BEGIN, hi=ANY, is_exact=True)
        away = scale(add(value, constant(-self.target)), self.sign)
        hi = shared_out.most(rest, away)
        known = replace(known, hi=max(0, ANY if hi is None else min(hi, ANY)))
        is_zero = not away.terms and not away.constant
        return replace(known, is_exact=True) if is_zero else known.with_told(rest | {(True, away)})

    def elsewhere(self, known: Known, command: Command, template: Template) -> Known:
        """What is known once others may have run behind a command, if that itself concerns nothing that is followed."""
        if command.target in template.atomic or known.is_whole or not known.held.isdisjoint(self.guards):
            return known
        counter = frozenset(((self.counter, 0),))
        if known.copies == counter and known.left.isdisjoint(counter):
            return known
        return replace(known, copies=counter, left=known.left - counter)

    def at(self, references: int) -> int:
        """What the counter is while there are so many references."""
        assert self.target is not None
        return self.target + self.sign * references


class Run:
    """One command of a thread, step by step."""

    def __init__(self, tried: Tried, template: Template, counting: frozenset[str], known: Known) -> None:
        self.tried, self.template, self.counting, self.known = tried, template, counting, known
        self.lowest = known.lo
        self.targets: set[int] = set()
        self.limits: list[tuple[int, int, int, int]] = []
        self.spoiled: set[str] = set()
        self.loud: set[str] = set()
        self.is_refused = self.is_changing = self.is_finding = self.is_idle = self.takes_more = False

    def behind(self, command: Command) -> Known | None:
        """What is known behind a command; None if no thread passes it."""
        lock = lock_taken(command)
        if not self.known.zeros(self.tried.quiet).isdisjoint(_nonzero(command.instruction)):
            return None
        for step in steps(command.instruction):
            match step:
                case Guard(condition):
                    self._asked(condition)
                case Spawn(template):
                    self._started(template)
                case _:
                    for target in sorted(writes(step)):
                        self._written(step, target, lock)
        if self.is_idle:
            return None
        if lock in self.tried.locks:
            self.known = replace(self.known, held=self.known.held | {lock})
        return self.tried.elsewhere(self.known, command, self.template)

    def _asked(self, condition: Formula) -> None:
        """Follows what a guard says of own cells, and of what the thread has left, which is the target at least."""
        if formula_cells(condition) and formula_cells(condition) <= self.counting:
            self.known = self.known.with_told(shared_out.told(self.known.more, condition))
        for cell, sign, most in bounds(condition):
            for more in (more for of, more in self.known.left if of == cell and sign == self.tried.sign):
                self.targets.add(sign * (most - sign * more))
                if self.tried.target is None or most - sign * more > sign * self.tried.target:
                    continue
                if self.known.lo:
                    self.is_idle = True
                elif self.known.is_last is False:
                    self.is_finding = True
                    self.known = replace(self.known, is_last=True)

    def _started(self, template: str) -> None:
        self.known = replace(self.known, is_alone=False)
        if self.tried.needs[template]:
            self.known = replace(self.known, is_whole=False)
            self._give(self.tried.needs[template])

    def _give(self, amount: int) -> None:
        """Gives away so many references, which the thread has to have."""
        self.lowest = min(self.lowest, self.known.lo - amount)
        self.is_refused |= self.known.lo < amount
        self.known = self.known.with_more(-amount)

    def _written(self, step: Instruction, target: str, lock: str | None) -> None:
        """Follows a write to a cell."""
        tried, known = self.tried, self.known
        if target == tried.counter:
            self._changed(step)
        elif is_plain(tried.program, target, self.template.name):
            copied = copy_of(step)
            is_there = known.lo or known.is_whole or copied is None or copied[2] is None
            copies = self._kept(copied if is_there else None, known.copies, target)
            left = self._kept(copied, known.left, target)
            self._limited(copied)
            more = known.more
            if target in self.counting:
                more = shared_out.assigned(more, target, self._value(step), known.lo)
            self.known = replace(known, copies=copies, left=left, more=more)
        elif target in tried.locks and target != lock:
            self.spoiled |= {target} if target not in known.held and not known.is_alone else set()
            self.spoiled |= set() if is_zero(step) else {target}
            self.known = replace(known, held=known.held - {target})
        if target in tried.quiet and not is_zero(step):
            self.loud |= set() if known.is_last else {target}
            self.known = replace(self.known, touched=known.touched | {target})

    def _kept(self, copied: Copy | None, found: frozenset[tuple[str, int]], target: str) -> frozenset[tuple[str, int]]:
        """Cells that differ by numbers from something, once one of them has a copy of another."""
        new = {(target, more + copied[1]) for cell, more in found if cell == copied[0]} if copied is not None else set()
        return frozenset(it for it in found if it[0] != target).union(new)

    def _limited(self, copied: Copy | None) -> None:
        """Notes that a sum with the counter, or with what the thread left of it, has to be inside of limits."""
        if copied is None or copied[2] is None:
            return
        cell, more, (lo, hi) = copied[0], copied[1], copied[2]
        for found, least in ((self.known.copies, self.known.lo), (self.known.left, 0)):
            is_there = least or self.known.is_whole or found is self.known.left
            self.limits += [(lo, hi, more + by, least) for of, by in found if of == cell and is_there]

    def _changed(self, step: Instruction) -> None:
        """Follows a change of the counter."""
        known, sign = self.known, self.tried.sign
        copied = copy_of(step)
        by = [more + copied[1] for cell, more in known.copies if cell == copied[0]] if copied is not None else []
        amount = sign * by[0] if by else None
        self.is_changing |= not known.is_whole
        if amount is not None and known.is_exact and (known.lo >= max(-amount, 1) or (known.is_whole and amount >= 0)):
            self._limited(copied)
            self._moved(amount)
        elif not known.is_whole:
            self.is_refused = True
            self.lowest = min(self.lowest, known.lo - max(-(amount or 0), 1))
            self._moved(amount or 0)
        else:
            self._set(step)

    def _moved(self, amount: int) -> None:
        """Follows a change by some references."""
        by = self.tried.sign * amount
        copies = frozenset((cell, 0 if cell == self.tried.counter else more - by) for cell, more in self.known.copies)
        if amount < 0:
            self._give(-amount)
            self.known = replace(self.known, copies=copies, left=copies)
        else:
            self.takes_more |= amount > 0
            self.lowest = min(self.lowest, self.known.lo - 1)
            self.is_refused |= not self.known.lo and self.known.is_last is not False
            left = frozenset(it for it in self.known.left if it[0] != self.tried.counter and self.known.lo)
            self.known = replace(self.known.with_more(amount), copies=copies, left=left)

    def _set(self, step: Instruction) -> None:
        """Follows a write of another number while nobody else has references."""
        self.is_refused |= self.known.is_last is not False
        self.known = self.tried.set_to(self.known, self._value(step))

    def _value(self, step: Instruction) -> Linear | None:
        """What a step writes, over own cells that are followed."""
        copied = copy_of(step)
        value = step.value if isinstance(step, Assign) else None
        if copied is not None and copied[2] is not None:
            value, (lo, hi) = Linear(((copied[0], 1),), copied[1]), copied[2]
            ends = (shared_out.most(self.known.more, scale(value, sign)) for sign in (1, -1))
            is_inside = all(end is not None and end <= most for end, most in zip(ends, (hi, -lo), strict=True))
            value = value if is_inside else None
        return value if value is not None and term_cells(value) <= self.counting else None
