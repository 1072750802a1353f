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

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heappop, heappush
from typing import TypeAlias, assert_never

from duet.flow.copies import Copies, Fact, Facts
from duet.plip.graphs import postorder
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
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
    formula_cells,
    map_atoms,
    substitute,
    term_cells,
    variable,
)

Answer: TypeAlias = Callable[[str, int], bool]
"""An answer about a global cell while a thread is at a location; a no is always allowed."""


def forwarded(program: Program, is_stable: Answer, is_held: Answer, cells: Container[str] | None = None) -> Program:
    """The program with globals for their copies and with guards that others see.

    `is_stable`: no other thread can write the cell there. `is_held`: so because it is in a critical section,
    at whose end others will see what it leaves. `cells` are the globals that take the place of copies, None for all.
    Commands, locations and cells keep their names; in every reachable state each command does what it did.
    """
    return forwarding(program, is_stable, is_held)(cells)


def forwarding(program: Program, is_stable: Answer, is_held: Answer) -> Callable[[Container[str] | None], Program]:
    """As `forwarded`, for several choices of `cells`: what is certain of copies is found once for all."""
    rewriter = _Rewriter(program, is_stable, is_held)
    templates = program.templates.values()
    known = [(template, rewriter.facts(template), rewriter.pending(template)) for template in templates]

    def over(cells: Container[str] | None) -> Program:
        commands = list(program.commands)
        for template, facts, pending in known:
            for index in template.commands:
                if commands[index].source in facts:
                    commands[index] = rewriter.forwarded(commands[index], facts, pending, cells)
        return replace(program, commands=tuple(commands))

    return over


def substituted(program: Program, is_stable: Answer) -> Program:
    """The program with globals wherever locals are copies of them, for packs that have both in them.

    As `forwarded`, but every command stays of its kind: guards keep what they say of copies, too.
    """
    rewriter = _Rewriter(program, is_stable, is_stable, is_relating_only=False)
    commands = list(program.commands)
    for template in program.templates.values():
        facts = rewriter.facts(template)
        for index in template.commands:
            command = commands[index]
            if facts.get(command.source):
                changed = rewriter.rewritten(command.instruction, facts[command.source])
                commands[index] = replace(command, instruction=changed)
    return replace(program, commands=tuple(commands))


def _is_in_neither(left: Container[str], right: Container[str], cell: str) -> bool:
    return cell not in left and cell not in right


def certain_facts(program: Program, is_stable: Answer) -> Mapping[int, frozenset[Fact]]:
    """All that is certain of copies at each location that control can get to, of sums too."""
    rewriter = _Rewriter(program, is_stable, is_stable)
    return {
        location: frozenset(rewriter.copies.members(facts))
        for template in program.templates.values()
        for location, facts in rewriter.facts(template).items()
    }


def certain_copies(program: Program, template: Template, is_stable: Answer) -> tuple[Copies, Mapping[int, Facts]]:
    """What is certain of copies at each location of a template that control can get to."""
    rewriter = _Rewriter(program, is_stable, is_stable)
    return rewriter.copies, rewriter.facts(template)


@dataclass(frozen=True, slots=True)
class _Rewriter:
    program: Program
    is_stable: Answer
    is_held: Answer
    is_relating_only: bool = True
    copies: Copies = field(default_factory=Copies)

    def facts(self, template: Template) -> Mapping[int, Facts]:
        """What is certain of copies at each location that control can get to: true along every path."""
        known: dict[int, Facts] = {template.entry: 0}
        along = list(reversed(postorder([template.entry], self._following)))
        place = {location: number for number, location in enumerate(along)}
        work, waiting = [0], {0}
        while work:  # each location behind those that lead to it, or it would be looked at once for each way there
            number = heappop(work)
            waiting.discard(number)
            location = along[number]
            for index in self.program.outgoing[location]:
                command = self.program.commands[index]
                after = self._after(command.instruction, known[location])
                after = self.copies.without(after, partial(self._is_unstable, command.target))
                before = known.get(command.target)
                if before is None or before & ~after:
                    known[command.target] = after if before is None else before & after
                    if (target := place[command.target]) not in waiting:
                        waiting.add(target)
                        heappush(work, target)
        return known

    def _following(self, location: int) -> Iterator[int]:
        return (self.program.commands[index].target for index in self.program.outgoing[location])

    def _is_unstable(self, location: int, cell: str) -> bool:
        return not self.is_stable(cell, location)

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
        return self.program.cells[cell].is_own

    # What an instruction leaves of the copies

    def _after(self, instruction: Instruction, facts: Facts) -> Facts:
        match instruction:
            case Assign(target, value):
                return self._assigned(facts, target, value)
            case Havoc(target) | Compute(target) | Lookup(target):
                return facts & ~self.copies.touched(target)
            case Guard(condition):
                return facts | self._compared(condition)
            case Assert(condition, _, stops):
                return facts | self._compared(condition) if stops else facts
            case Spawn() | Join():
                return facts
            case Atomic(steps):
                for step in steps:
                    facts = self._after(step, facts)
                return facts
            case _:
                assert_never(instruction)

    def _assigned(self, facts: Facts, target: str, value: Linear) -> Facts:
        if self.program.cells[target].summary:
            return facts
        by = self._growth(facts, target, value)
        touched = facts & self.copies.touched(target)
        left = facts & ~touched
        if by is not None:
            left |= self.copies.set_of([_grown(fact, target, by) for fact in self.copies.members(touched)])
        if target in term_cells(value):
            return left
        if self._is_local(target):
            return left | self.copies.set_of((target, term) for term in self._alternatives(facts, value))
        match value:
            case Linear(((source, 1),), c) if self._is_local(source):
                return left | self.copies.set_of([(source, Linear(((target, 1),), -c))])
            case Linear(((source, 1),), c):
                same = self.copies.equal_to(facts, source)
                return left | self.copies.set_of((local, Linear(((target, 1),), k - c)) for local, k in same)
            case _:
                return left

    def _growth(self, facts: Facts, target: str, value: Linear) -> int | None:
        """By what constant an assignment changes its target, if that is known."""
        match self._substituted(value, facts, target) if self._is_global(target) else value:
            case Linear(((cell, 1),), by) if cell == target:
                return by
            case _:
                return None

    def _alternatives(self, facts: Facts, value: Linear) -> set[Linear]:
        """The terms over globals alone that are known to be equal to a value."""
        found = {self._substituted(value, facts)}
        if len(value.terms) == 1:
            (source, k), c = value.terms[0], value.constant
            found |= {add(Linear((), c), term, k) for _, term in self.copies.of(facts, (source,))}
        return {term for term in found if term.terms and all(self._is_global(cell) for cell, _ in term.terms)}

    def _substituted(self, term: Linear, facts: Facts, prefer: str = "") -> Linear:
        """A term of the same value with globals for their copies."""
        return substitute(term, _chosen(self.copies.of(facts, term_cells(term)), prefer))

    def _compared(self, condition: Formula) -> Facts:
        """The copies that a condition says are there."""
        parts = condition.parts if isinstance(condition, And) else (condition,)
        found: set[Fact] = set()
        for part in parts:
            match part:
                case Atom(Linear(((a, ka), (b, kb)), c), Relation.EQ) if ka == -kb and abs(ka) == 1:
                    for local, cell, k in ((a, b, ka), (b, a, kb)):
                        if self._is_local(local) and self._is_global(cell):
                            found.add((local, Linear(((cell, 1),), -c * k)))
                case _:
                    pass
        return self.copies.set_of(found)

    # Rewriting

    def forwarded(
        self,
        command: Command,
        facts: Mapping[int, Facts],
        pending: Mapping[int, frozenset[str]],
        cells: Container[str] | None,
    ) -> Command:
        """A command with some globals, or all, for their copies; a guard writes what its thread has written."""
        instruction, known = command.instruction, facts[command.source]
        left = pending[command.source] if isinstance(instruction, Guard) else frozenset[str]()
        if cells is not None:
            known = self.copies.without(known, partial(_is_in_neither, cells, left))
        changed = self.rewritten(instruction, known)
        if isinstance(changed, Guard) and (seen := sorted(formula_cells(changed.condition) & left)):
            changed = Atomic((changed, *(Assign(cell, variable(cell)) for cell in seen)))
        return command if changed == instruction else replace(command, instruction=changed)

    def rewritten(self, instruction: Instruction, facts: Facts) -> Instruction:
        """An instruction that does the same where the facts are true, over globals where that relates more of them."""
        if not facts:
            return instruction
        match instruction:
            case Assert(condition):
                better = self._over_globals(condition, facts)
                return replace(instruction, condition=better) if self._relates_more(better, condition) else instruction
            case Spawn(_, arguments):
                given = tuple((cell, self._if_relating(term, facts)) for cell, term in arguments)
                return replace(instruction, arguments=given)
            case Join():
                return instruction
            case Atomic(steps):
                done: list[Step] = []
                for step in steps:
                    done.extend(self._rewritten_step(step, facts))
                    facts = self._after(step, facts)
                return Atomic(tuple(done))
            case _:
                steps = self._rewritten_step(instruction, facts)
                return steps[0] if len(steps) == 1 else Atomic(steps)

    def _rewritten_step(self, step: Step, facts: Facts) -> tuple[Step, ...]:
        match step:
            case Assign(target, value):
                if self._is_global(target):
                    return self._assignment(target, value, facts)
                return (Assign(target, self._if_relating(value, facts)),)
            case Compute(target, operation, arguments):
                return (Compute(target, operation, tuple(self._if_relating(term, facts) for term in arguments)),)
            case Lookup(target, table, index):
                return (Lookup(target, table, self._if_relating(index, facts)),)
            case Guard(condition):
                better = self._over_globals(condition, facts)
                return (step if better == condition else replace(step, condition=conjunction((condition, better))),)
            case Havoc():
                return (step,)
            case _:
                assert_never(step)

    def _assignment(self, target: str, value: Linear, facts: Facts) -> tuple[Step, ...]:
        """An assignment over globals, behind guards that tell them what checks and guards found of the copies."""
        if not self.is_relating_only:
            return (Assign(target, self._substituted(value, facts, target)),)
        chosen = _chosen(self.copies.of(facts, term_cells(value)), target)
        told = (Guard(compare(variable(name), "==", chosen[name])) for name, _ in value.terms if name in chosen)
        return (*told, Assign(target, self._substituted(value, facts, target)))

    def _if_relating(self, term: Linear, facts: Facts) -> Linear:
        better = self._substituted(term, facts)
        if not self.is_relating_only:
            return better
        return better if self._globals_in(better) > max(1, self._globals_in(term)) else term

    def _globals_in(self, term: Linear) -> int:
        return sum(self._is_global(cell) for cell in term_cells(term))

    def _relates_more(self, better: Formula, condition: Formula) -> bool:
        if not self.is_relating_only:
            return True
        old = max((self._globals_in(found.term) for found in atoms(condition)), default=0)
        new = max((self._globals_in(found.term) for found in atoms(better)), default=0)
        return new > max(1, old) or (not atoms(better) and bool(atoms(condition)))

    def _over_globals(self, condition: Formula, facts: Facts) -> Formula:
        return map_atoms(condition, lambda found: atom(self._substituted(found.term, facts), found.relation))


def _grown(fact: Fact, target: str, by: int) -> Fact:
    """A fact after its local or a cell of its term has grown by a constant."""
    local, term = fact
    change = by if local == target else -by * dict(term.terms).get(target, 0)
    return local, Linear(term.terms, term.constant + change)


def _chosen(facts: Iterable[Fact], prefer: str = "") -> dict[str, Linear]:
    """A term for each local that has one; the cell `prefer` where there is a choice, else a short one."""
    chosen: dict[str, Linear] = {}
    order = sorted(
        facts, key=lambda f: (f[1].terms != ((prefer, 1),), len(f[1].terms), f[0], f[1].terms, f[1].constant)
    )
    for local, term in order:
        chosen.setdefault(local, term)
    return chosen
