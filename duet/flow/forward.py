"""Programs rewritten with what is certain of copies: the same states are reached, and relations between globals show.

C reads every shared cell into a temporary: `x = x + 1` is `t := x; x := t + 1`, and `x == y` compares temporaries too.
A pack of globals has no temporaries in it, so its record loses `x == y` there. Where no other thread can have written
`x` since it was read, `t` and `x` are still equal, so `x` can stand for `t`: the instruction does the same in every
state that is reached, and Alg. 2 finds the relation.

A guard on cells that its thread has written under a lock is made a write of the same values, `atomic{[phi]; x := x}`.
It does nothing more than the guard, but as a definition it ends the one before it for the other threads, too, who then
know that `phi` held (the reading of guards in thesis Def. 3.2.1, for the guards where it pays).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Or,
    Program,
    Relation,
    Spawn,
    Step,
    Template,
)
from duet.plip.terms import (
    add,
    atom,
    atoms,
    compare,
    conjunction,
    disjunction,
    formula_cells,
    scale,
    term_cells,
    variable,
)

Answer: TypeAlias = Callable[[str, int], bool]
"""An answer about a global cell while a thread is at a location; a no is always allowed."""

# `(local, cell, c)`: the local is equal to the global cell plus c.
Copy: TypeAlias = tuple[str, str, int]
Copies: TypeAlias = frozenset[Copy]


def forwarded(program: Program, is_stable: Answer, is_held: Answer, cells: Container[str] | None = None) -> Program:
    """The program with globals for their copies and with guards that others see.

    `is_stable`: no other thread can write the cell there. `is_held`: so because it is in a critical section,
    at whose end others will see what it leaves. `cells` are the globals that take the place of copies, None for all.
    Commands, locations and cells keep their names; in every reachable state each command does what it did.
    """
    rewriter = _Rewriter(program, is_stable, is_held)
    commands = list(program.commands)
    for template in program.templates.values():
        copies = rewriter.copies(template)
        pending = rewriter.pending(template)
        for index in template.commands:
            command = commands[index]
            if command.source in copies:
                left = pending[command.source]
                known = frozenset(c for c in copies[command.source] if cells is None or c[1] in cells or c[1] in left)
                changed = rewriter.rewritten(command.instruction, known)
                if isinstance(changed, Guard) and (seen := sorted(formula_cells(changed.condition) & left)):
                    changed = Atomic((changed, *(Assign(cell, variable(cell)) for cell in seen)))
                if changed != command.instruction:
                    commands[index] = replace(command, instruction=changed)
    return replace(program, commands=tuple(commands))


def certain_copies(program: Program, template: Template, is_stable: Answer) -> Mapping[int, Copies]:
    """What is certain of copies at each location of a template that control can get to."""
    return _Rewriter(program, is_stable, is_stable).copies(template)


@dataclass(frozen=True, slots=True)
class _Rewriter:
    program: Program
    is_stable: Answer
    is_held: Answer

    def copies(self, template: Template) -> Mapping[int, Copies]:
        """What is certain of copies at each location that control can get to: true along every path."""
        known: dict[int, Copies] = {template.entry: frozenset()}
        work = [template.entry]
        while work:
            location = work.pop()
            for index in self.program.outgoing[location]:
                command = self.program.commands[index]
                after = self._after(command.instruction, known[location])
                after = frozenset(copy for copy in after if self.is_stable(copy[1], command.target))
                before = known.get(command.target)
                if before is None or not before <= after:
                    known[command.target] = after if before is None else before & after
                    work.append(command.target)
        return known

    def pending(self, template: Template) -> Mapping[int, frozenset[str]]:
        """The globals that the thread may have written since it holds them, by location."""
        known: dict[int, frozenset[str]] = {template.entry: frozenset()}
        work = [template.entry]
        while work:
            location = work.pop()
            for index in self.program.outgoing[location]:
                command = self.program.commands[index]
                found = known[location] | self._written(command.instruction)
                found = frozenset(cell for cell in found if self.is_held(cell, command.target))
                before = known.get(command.target)
                if before is None or not found <= before:
                    known[command.target] = found | (before or frozenset())
                    work.append(command.target)
        return known

    def _written(self, instruction: Instruction) -> frozenset[str]:
        match instruction:
            case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
                return frozenset((target,)) if self._is_global(target) else frozenset()
            case Atomic(steps):
                return frozenset().union(*map(self._written, steps))
            case _:
                return frozenset()

    def _is_global(self, cell: str) -> bool:
        found = self.program.cells[cell]
        return found.template is None and not found.summary

    def _is_local(self, cell: str) -> bool:
        found = self.program.cells[cell]
        return found.template is not None and not found.summary

    # What an instruction leaves of the copies

    def _after(self, instruction: Instruction, copies: Copies) -> Copies:
        match instruction:
            case Assign(target, value):
                return self._assigned(copies, target, value)
            case Havoc(target) | Compute(target) | Lookup(target):
                return _without(copies, target)
            case Guard(condition):
                return copies | self._compared(condition)
            case Assert(condition, _, stops):
                return copies | self._compared(condition) if stops else copies
            case Spawn() | Join():
                return copies
            case Atomic(steps):
                for step in steps:
                    copies = self._after(step, copies)
                return copies
            case _:
                assert_never(instruction)

    def _assigned(self, copies: Copies, target: str, value: Linear) -> Copies:
        if self.program.cells[target].summary:
            return copies
        match value.terms:
            case ((source, 1),):
                delta = self._delta(copies, target, source)
            case _:
                return _without(copies, target)
        c = value.constant
        if delta is not None:
            moved = frozenset(_shifted(copy, target, delta + c) for copy in copies)
        else:
            moved = _without(copies, target)
        if source == target:
            return moved
        if self._is_local(target):
            found = {(target, cell, k + c) for local, cell, k in copies if local == source and cell != target}
            return moved | found | ({(target, source, c)} if self._is_global(source) else set())
        if self._is_local(source):
            return moved | {(source, target, -c)}
        return moved | {(local, target, k - c) for local, cell, k in copies if cell == source}

    def _delta(self, copies: Copies, target: str, source: str) -> int | None:
        """The constant d, if one is known, such that the source is now equal to the target plus d."""
        if source == target:
            return 0
        return min((k for local, cell, k in copies if (local, cell) == (source, target)), default=None)

    def _compared(self, condition: Formula) -> Copies:
        """The copies that a condition says are there."""
        parts = condition.parts if isinstance(condition, And) else (condition,)
        found: set[Copy] = set()
        for part in parts:
            match part:
                case Atom(Linear(((a, ka), (b, kb)), c), Relation.EQ) if ka == -kb and abs(ka) == 1:
                    for local, cell, k in ((a, b, ka), (b, a, kb)):
                        if self._is_local(local) and self._is_global(cell):
                            found.add((local, cell, -c * k))
                case _:
                    pass
        return frozenset(found)

    # Rewriting

    def rewritten(self, instruction: Instruction, copies: Copies) -> Instruction:
        """An instruction that does the same where `copies` are true, over globals where that relates more of them."""
        if not copies:
            return instruction
        match instruction:
            case Assert(condition):
                better = self._over_globals(condition, copies)
                return replace(instruction, condition=better) if self._relates_more(better, condition) else instruction
            case Spawn(_, arguments):
                given = tuple((cell, self._if_relating(term, copies)) for cell, term in arguments)
                return replace(instruction, arguments=given)
            case Join():
                return instruction
            case Atomic(steps):
                done: list[Step] = []
                for step in steps:
                    done.extend(self._rewritten_step(step, copies))
                    copies = self._after(step, copies)
                return Atomic(tuple(done))
            case _:
                steps = self._rewritten_step(instruction, copies)
                return steps[0] if len(steps) == 1 else Atomic(steps)

    def _rewritten_step(self, step: Step, copies: Copies) -> tuple[Step, ...]:
        match step:
            case Assign(target, value):
                if self._is_global(target):
                    return self._assignment(target, value, copies)
                return (Assign(target, self._if_relating(value, copies)),)
            case Compute(target, operation, arguments):
                return (Compute(target, operation, tuple(self._if_relating(term, copies) for term in arguments)),)
            case Lookup(target, table, index):
                return (Lookup(target, table, self._if_relating(index, copies)),)
            case Guard(condition):
                better = self._over_globals(condition, copies)
                return (step if better == condition else Guard(conjunction((condition, better))),)
            case Havoc():
                return (step,)
            case _:
                assert_never(step)

    def _assignment(self, target: str, value: Linear, copies: Copies) -> tuple[Step, ...]:
        """An assignment over globals, behind guards that tell them what checks and guards found of the copies."""
        chosen = _chosen(copies, target)
        told = (
            Guard(compare(variable(name), "==", Linear(((chosen[name][0], 1),), chosen[name][1])))
            for name, _ in value.terms
            if name in chosen
        )
        return (*told, Assign(target, _substituted(value, copies, target)))

    def _if_relating(self, term: Linear, copies: Copies) -> Linear:
        better = _substituted(term, copies)
        return better if self._globals_in(better) > max(1, self._globals_in(term)) else term

    def _globals_in(self, term: Linear) -> int:
        return sum(self._is_global(cell) for cell in term_cells(term))

    def _relates_more(self, better: Formula, condition: Formula) -> bool:
        old = max((self._globals_in(found.term) for found in atoms(condition)), default=0)
        new = max((self._globals_in(found.term) for found in atoms(better)), default=0)
        return new > max(1, old) or (not atoms(better) and bool(atoms(condition)))

    def _over_globals(self, condition: Formula, copies: Copies) -> Formula:
        match condition:
            case Atom(term, relation):
                return atom(_substituted(term, copies), relation)
            case And(parts):
                return conjunction(self._over_globals(part, copies) for part in parts)
            case Or(parts):
                return disjunction(self._over_globals(part, copies) for part in parts)
            case _:
                assert_never(condition)


def _without(copies: Copies, target: str) -> Copies:
    return frozenset(copy for copy in copies if target not in copy[:2])


def _shifted(copy: Copy, target: str, delta: int) -> Copy:
    """A copy after its local or its cell has grown by `delta`."""
    local, cell, k = copy
    return local, cell, k + (delta if local == target else 0) - (delta if cell == target else 0)


def _chosen(copies: Copies, prefer: str = "") -> dict[str, tuple[str, int]]:
    """A global cell and an offset for each copy; the cell `prefer` where there is a choice."""
    chosen: dict[str, tuple[str, int]] = {}
    for local, cell, k in sorted(copies, key=lambda copy: (copy[1] != prefer, copy)):
        chosen.setdefault(local, (cell, k))
    return chosen


def _substituted(term: Linear, copies: Copies, prefer: str = "") -> Linear:
    """A term of the same value with globals for their copies."""
    chosen = _chosen(copies, prefer)
    result = Linear((), term.constant)
    for name, k in term.terms:
        cell, offset = chosen.get(name, (name, 0))
        result = add(result, scale(Linear(((cell, 1),), offset), k))
    return result
