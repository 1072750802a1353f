"""What a thread has put together on its way to a location: what it compares there, as a term over globals.

    for (i = 0; i < 3; i++) { pthread_join(t[i], &result); got += (long)result; }
    assert(granted == 2 * got);

There `got` is the sum of the results of three threads, as all that leads there has set it so, step by step, and nobody
writes a result any more. A step back is one over a command where one alone leads to a location, else one to where all
ways part that lead there (the immediate dominator), if none of these ways writes what is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from duet.flow.forward import Answer
from duet.plip.graphs import dominators
from duet.plip.syntax import Assign, Compute, Instruction, Linear, Operation, Program, Spawn, steps
from duet.plip.terms import constant, substitute, term_cells
from duet.plip.touched import writes

Keeps: TypeAlias = Callable[[int, Linear, int, int], bool]
"""Whether a term over the values before a command is certainly in a range there, so that a wrap does not change it.

A term over globals alone is what the wrap is about, if that is known."""
MOST = 1_000
"""Steps back."""


@dataclass(frozen=True)
class Traced:
    """The ways of the threads of a program. `is_stable`: no other thread can write a global while one is at a location.

    *Requires*: `is_stable` and `keeps` hold in every execution.
    """

    program: Program
    is_stable: Answer
    keeps: Keeps
    _above: dict[str, Mapping[int, int]] = field(default_factory=dict)
    _found: dict[tuple[int, Linear], Linear | None] = field(default_factory=dict)

    def over_globals(self, location: int, term: Linear) -> Linear | None:
        """A term over globals to which one is equal whenever a thread is at a location; None if none is found.

        *Approximates*: under.
        """
        if (location, term) not in self._found:
            self._found[location, term] = None  # while it is looked for: what comes back behind itself is not known
            self._found[location, term] = self._followed(location, term)
        return self._found[location, term]

    def _followed(self, location: int, term: Linear) -> Linear | None:
        way = _Way(location, term, {location})
        for _ in range(MOST):
            if not self._own(way.term):
                return way.term
            before, name = self.program.incoming[way.here], self.program.template_of[way.here]
            if way.here == self.program.templates[name].entry:
                return None if before else self._begun(way)
            if not (self._over_command(way, before[0]) if len(before) == 1 else self._over_branches(way)):
                return None
            way.passed.add(way.here)
        return None

    def _own(self, term: Linear) -> frozenset[str]:
        """The cells of a term that are the thread's own."""
        return frozenset(cell for cell in term_cells(term) if self.program.cells[cell].template is not None)

    def _begun(self, way: _Way) -> Linear | None:
        """The term of a way where the thread begins, if its cells begin with one number each."""
        first = {cell: self.program.cells[cell] for cell in self._own(way.term)}
        values = {name: it.lo for name, it in first.items() if it.lo == it.hi and name not in self._given}
        found = substitute(way.term, {cell: constant(value) for cell, value in values.items() if value is not None})
        return None if self._own(found) else found

    @cached_property
    def _given(self) -> frozenset[str]:
        """The cells that threads are given when they are started."""
        found = (step for command in self.program.commands for step in steps(command.instruction))
        return frozenset(cell for step in found if isinstance(step, Spawn) for cell, _ in step.arguments)

    def _over_command(self, way: _Way, index: int) -> bool:
        """Goes back over the only command that leads to where a way is; whether that is possible."""
        command = self.program.commands[index]
        done = steps(command.instruction)
        for place in reversed(range(len(done))):
            step = done[place]
            written = writes(step)
            if not written.isdisjoint(self._own(way.term)):
                value = self._value(index, done[:place], step)
                if value is None or not self._stays(way, value):
                    return False
                way.term = substitute(way.term, {next(iter(written)): value})
            way.written |= written
        way.here = command.source
        return True

    def _stays(self, way: _Way, value: Linear) -> bool:
        """Whether the globals of a value are the same from where it is read to the end of a way."""
        shared = term_cells(value) - self._own(value)
        return shared.isdisjoint(way.written) and all(self.is_stable(it, at) for it in shared for at in way.passed)

    def _value(self, index: int, before: Sequence[Instruction], step: Instruction) -> Linear | None:
        """What a step sets a cell to, behind other steps of its command; None where that is not known."""
        match step:
            case Assign(_, value) if not any(self.program.cells[cell].summary for cell in term_cells(value)):
                return value  # of what stands for many, two reads may find two values
            case Compute(_, Operation.WRAP, (value, Linear((), lo), Linear((), hi))):
                first = self._in_front(index, before, value)
                if first is None:
                    return None
                known = self.over_globals(self.program.commands[index].source, first) or first
                return value if self.keeps(index, known, lo, hi) else None
            case _:
                return None

    def _in_front(self, index: int, before: Sequence[Instruction], term: Linear) -> Linear | None:
        """A term behind some steps of a command as one over the values in front of them."""
        for place in reversed(range(len(before))):
            written = writes(before[place])
            if written.isdisjoint(term_cells(term)):
                continue
            value = self._value(index, before[:place], before[place])
            if value is None:
                return None
            term = substitute(term, {next(iter(written)): value})
        return term

    def _over_branches(self, way: _Way) -> bool:
        """Goes back to where all ways to a location part, if none of them writes what is asked about.

        A command with which all of them begin is one to go back over.
        """
        name = self.program.template_of[way.here]
        above = self._dominators(name).get(way.here)
        if above is None:
            return False
        between, taken = self._between(above, way.here)
        first = [index for index in self.program.outgoing[above] if index in taken]
        rest = taken.difference(first if len(first) == 1 else ())
        written = {cell for index in rest for cell in writes(self.program.commands[index].instruction)}
        if not written.isdisjoint(self._own(way.term)):
            return False
        way.passed |= between
        way.written |= written
        way.here = above
        return len(first) != 1 or self._over_command(way, first[0])

    def _between(self, above: int, location: int) -> tuple[set[int], set[int]]:
        """The locations between one and another one that it dominates, on all ways there, and their commands."""
        between, taken, work = set[int](), set[int](), [location]
        while work:
            for index in self.program.incoming[work.pop()]:
                source = self.program.commands[index].source
                taken.add(index)
                if source != above and source not in between:
                    between.add(source)
                    work.append(source)
        return between, taken

    def _dominators(self, name: str) -> Mapping[int, int]:
        """The immediate dominators of the locations of a template."""
        if name not in self._above:
            commands, incoming, outgoing = self.program.commands, self.program.incoming, self.program.outgoing
            self._above[name] = dominators(
                self.program.templates[name].entry,
                lambda location: (commands[index].target for index in outgoing[location]),
                lambda location: (commands[index].source for index in incoming[location]),
            )
        return self._above[name]


@dataclass
class _Way:
    """A way back: where it has got to, the term there, and the locations and the cells written from there on.

    Globals in the term are what they are at the end of the way, the thread's own cells what they are `here`.
    """

    here: int
    term: Linear
    passed: set[int]
    written: set[str] = field(default_factory=set)
