"""Whether cubes show that a check never fails: no execution starts in one, and no step leads into one.

*Source*: thesis Def. 5.3.16, with logic for triples. A cube is a set of threads at locations with literals over globals
and their own cells; it holds in a state if some distinct threads of it are there and the literals hold. It is shown
that in every state of every execution no cube holds: (a) where the check is about to fail a cube holds, so it never is;
(b) no cube holds at first; (c) if a step leads to a state in which a cube holds, one held before. For (c) it is enough
to look at the threads of the cube and the one that moves: more threads only add to what is known before.

What moves is a thread of the cube, or another one; a spawn also starts one thread of the cube, or none. Steps are
followed forwards, by the semantics of `meaning`. Who waits for the only instance of a template finds it at its exit.
What is known of the state before a step, from layers that hold, is a premise. `reduced` says which program it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import z3

from duet.certificate import patience
from duet.certificate.document import CubeLayer, Literal, Shape
from duet.certificate.established import GLOBAL, Known, of_thread, value
from duet.certificate.layers import Failure
from duet.certificate.meaning import Expr, between, effect, formula
from duet.plip.semantics import runs_once
from duet.plip.syntax import Assert, Command, Instruction, Join, Program, Spawn
from duet.plip.terms import formula_cells
from duet.plip.touched import reads, writes
from duet.result import Check

_SECONDS = 5
_MOST_THREADS = 8


@dataclass(frozen=True, slots=True)
class Obligation:
    """That a command which one thread takes does not lead into a cube, by numbers.

    `threads` are where threads are before it: those of the cube that are there, the one that moves (`actor`), one that
    is joined. `premises` hold where it passes, and `holds` says that the cube holds after it, of the values before.
    """

    cube: int
    command: int
    actor: int
    threads: Mapping[int, int]
    premises: Sequence[Expr]
    holds: Expr


class Inductive:
    """Checks the cubes of one layer against the program that they are about, given what is known of it."""

    def __init__(self, program: Program, layer: CubeLayer, known: Known | None = None) -> None:
        self._program, self._layer, self._known = program, layer, known
        self._once = frozenset(name for name in program.templates if runs_once(program, name))
        self._atomic = frozenset().union(*(template.atomic for template in program.templates.values()))
        self._meanings: dict[tuple[int, tuple[int, ...]], Expr] = {}
        self._steps_taken: dict[tuple[int, int, int | None], tuple[list[Expr], list[tuple[Expr, Expr]]]] = {}
        self._solver = patience.solver(_SECONDS)
        self.queries = 0

    def run(self) -> list[Failure]:
        """Why the layer does not hold; empty if it does."""
        wrong = [number for number, cube in enumerate(self._layer.cubes) if not self._is_sound(cube)]
        if wrong:
            return [self._failure(f"cube {number}", "names what the program does not have") for number in wrong]
        return [*self._errors(), *self._starts(), *self._steps()]

    def _failure(self, place: str, reason: str) -> Failure:
        return Failure(f"cubes for {self._layer.check[0]}:{self._layer.check[1]}", place, reason)

    def _is_sound(self, cube: Shape) -> bool:
        """Whether the threads are at locations of the program, and the literals about cells that are theirs."""
        templates = [self._program.template_of.get(place) for place in cube.locations]
        if None in templates or not 0 < len(templates) <= _MOST_THREADS:
            return False
        for literal in cube.literals:
            for _, name, thread in literal.terms:
                cell = self._program.cells.get(name)
                if cell is None or cell.summary or literal.relation not in ("<=", "==", "!="):
                    return False
                if cell.template is None and thread != GLOBAL:
                    return False
                if cell.template is not None and not (
                    0 <= thread < len(templates) and templates[thread] == cell.template
                ):
                    return False
        return True

    def _errors(self) -> Iterator[Failure]:
        if not self._copies():
            yield self._failure("check", "the program has no such check")
        for found in self.failing():
            if not self._is_kept(found):
                place = self._program.commands[found.command].source
                yield self._failure(f"location {place}", "the check may fail outside of the cubes")

    def _copies(self) -> Sequence[tuple[int, Command, Assert]]:
        """The commands that make the check."""
        return [
            (index, command, command.instruction)
            for index, command in enumerate(self._program.commands)
            if isinstance(command.instruction, Assert) and command.instruction.check == Check(*self._layer.check)
        ]

    def failing(self) -> Iterator[Obligation]:
        """For each copy of the check that a thread may come to, that it does not fail; the cube is -1."""
        for index, command, instruction in self._copies():
            if self._is_possible({0: command.source}, 0):
                condition = instruction.condition
                fails = of_thread(self._program, z3.Not(formula(condition, {})), 0, formula_cells(condition))
                yield Obligation(-1, index, 0, {0: command.source}, (), fails)

    def _starts(self) -> Iterator[Failure]:
        main = self._program.templates[self._program.main]
        for number, cube in enumerate(self._layer.cubes):
            if cube.locations != (main.entry,):
                continue  # at first there is one thread
            given = [self._holds(number, (0,))]
            for cell in self._program.cells.values():
                if not cell.summary and cell.template in (None, main.name):
                    given += between(value(cell.name, GLOBAL if cell.template is None else 0), cell.lo, cell.hi)
            if not self._is_empty(given):
                yield self._failure(f"cube {number}", "an execution may start in it")

    def _steps(self) -> Iterator[Failure]:
        for found in self.obligations():
            if not self._is_kept(found):
                yield self._failure(f"command {found.command}", f"leads into cube {found.cube} from outside")

    def obligations(self) -> Iterator[Obligation]:
        """What is to be shown of each step that may lead into a cube."""
        for number, cube in enumerate(self._layer.cubes):
            touched = {name for literal in cube.literals for _, name, thread in literal.terms if thread == GLOBAL}
            for index, command in enumerate(self._program.commands):
                spawned = command.instruction.template if isinstance(command.instruction, Spawn) else ""
                entry = self._program.templates[spawned].entry if spawned else -1
                actors = [thread for thread, place in enumerate(cube.locations) if place == command.target]
                if entry in cube.locations or not touched.isdisjoint(writes(command.instruction)):
                    actors.append(len(cube.locations))  # one that is not in the cube
                for actor in actors:
                    children = [t for t, place in enumerate(cube.locations) if place == entry and t != actor]
                    for child in (None, *children):
                        threads = self._before(cube, index, actor, child)
                        if threads is not None:
                            premises, changed = self._taken(index, actor, child)
                            holds = z3.substitute(self._holds(number, tuple(range(len(cube.locations)))), *changed)
                            yield Obligation(number, index, actor, threads, premises, holds)

    def _before(self, cube: Shape, index: int, actor: int, child: int | None) -> Mapping[int, int] | None:
        """Where threads are before a command that leads to the locations of a cube; None where that cannot be."""
        command = self._program.commands[index]
        before = {thread: place for thread, place in enumerate(cube.locations) if thread != child}
        before[actor] = command.source
        if isinstance(command.instruction, Join) and command.instruction.template in self._once:
            end = self._program.templates[command.instruction.template].exit
            there = [t for t, p in before.items() if self._template(p) == command.instruction.template and t != actor]
            if any(before[thread] != end for thread in there):
                return None
            if not there:
                before[len(cube.locations) + 1] = end
        known = [self._template(place) for place in before.values()]
        known += [command.instruction.template] if isinstance(command.instruction, Spawn) else []
        if any(known.count(name) > 1 for name in self._once):
            return None  # there are no such threads
        if any(place in self._atomic for thread, place in before.items() if thread != actor):
            return None  # nobody else moves then
        return before if self._is_possible(before, actor) else None

    def _is_possible(self, threads: Mapping[int, int], actor: int) -> bool:
        return self._known is None or self._known.is_possible(list(threads.values()), threads[actor])

    def _is_kept(self, found: Obligation) -> bool:
        """Whether an obligation is met: the cube does not hold after the step if none did before."""
        place = found.threads[found.actor]
        given = (
            []
            if self._known is None
            else [part for thread, at in found.threads.items() for part in self._known.at(at, thread, place)]
        )
        outside = (exclusion for _, _, exclusion in self.outside(list(found.threads.items())))
        return self._is_empty([*given, *outside, *found.premises, found.holds])

    def _taken(self, index: int, actor: int, child: int | None) -> tuple[list[Expr], list[tuple[Expr, Expr]]]:
        """What holds where a thread takes a command, and the new values of cells."""
        key = (index, actor, child)
        if key not in self._steps_taken:
            self._steps_taken[key] = self._effect(self._program.commands[index].instruction, actor, child)
        return self._steps_taken[key]

    def _effect(
        self, instruction: Instruction, actor: int, child: int | None
    ) -> tuple[list[Expr], list[tuple[Expr, Expr]]]:
        found = effect(self._program, instruction)
        cells = sorted(writes(instruction) | reads(instruction))
        premises = [of_thread(self._program, part, actor, cells) for part in (*found.needs, *found.laws)]
        given = {cell: of_thread(self._program, after, actor, cells) for cell, after in found.after.items()}
        if not isinstance(instruction, Spawn):
            changed = [
                (value(cell, GLOBAL if self._program.cells[cell].template is None else actor), after)
                for cell, after in given.items()
            ]
            return premises, changed
        changed = []
        for cell in self._program.cells.values() if child is not None else ():
            if cell.template == instruction.template and child is not None:
                start = given.get(cell.name)
                if start is None:
                    start = z3.Int(f"new {cell.name}")
                    premises += between(start, cell.lo, cell.hi)
                changed.append((value(cell.name, child), start))
        return premises, changed

    def _template(self, location: int) -> str:
        return self._program.template_of[location]

    def outside(self, threads: Sequence[tuple[int, int]]) -> Iterator[tuple[int, tuple[int, ...], Expr]]:
        """That no cube holds of some threads, by number with their locations: each cube, of which threads, and that."""
        for number, names in self._instances(threads):
            yield number, names, z3.Not(self._holds(number, names))

    def _instances(self, threads: Sequence[tuple[int, int]]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The cubes that may hold of some threads, by number with their locations, and of which of them."""
        places = {place for _, place in threads}
        for number, cube in enumerate(self._layer.cubes):
            if len(cube.locations) <= len(threads) and places.issuperset(cube.locations):
                for chosen in permutations(threads, len(cube.locations)):
                    if all(place == wanted for (_, place), wanted in zip(chosen, cube.locations, strict=True)):
                        yield number, tuple(thread for thread, _ in chosen)

    def _holds(self, number: int, threads: tuple[int, ...]) -> Expr:
        """That the literals of a cube hold of threads."""
        if (number, threads) not in self._meanings:
            literals = self._layer.cubes[number].literals
            self._meanings[number, threads] = z3.And(*(_literal(literal, threads) for literal in literals))
        return self._meanings[number, threads]

    def _is_empty(self, conditions: Iterable[Expr]) -> bool:
        self.queries += 1
        self._solver.push()
        self._solver.add(*conditions)
        answer = self._solver.check()
        self._solver.pop()
        return bool(answer == z3.unsat)


def _literal(literal: Literal, threads: Sequence[int]) -> Expr:
    total = z3.IntVal(literal.constant)
    for factor, cell, thread in literal.terms:
        total = total + factor * value(cell, GLOBAL if thread == GLOBAL else threads[thread])
    return total <= 0 if literal.relation == "<=" else total == 0 if literal.relation == "==" else total != 0
