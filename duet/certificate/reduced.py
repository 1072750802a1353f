"""The program that cubes are about: without cells that do not matter and without locations that nobody can tell apart.

A certificate names both, and the second in the order in which they are to be left out; here is decided whether they may
be. Nothing is searched for, and nothing is shared with `plip.sliced`, `plip.blocks` and `plip.movers`.

*Source*: Lipton, Reduction, 1975. A location that is neither an entry nor an exit is left out by composing each step
into it with each step out of it. There must be some of both, all of them steps, none from the location to itself.

- In an atomic region this is no change: whoever comes there goes on at once.
- Otherwise take an execution that fails. Either every step to the location can be put off until right in front of the
  thread's next step, and left out where there is none: it starts outside of regions, and no step of another thread
  that can come right behind it conflicts with it. Or every step from it can be brought forward until right behind the
  step that led there, and added where it was not taken, since in every state one of them passes: it ends outside of
  regions, and no step of another thread that can come right in front of it conflicts with it.

Two steps conflict if one writes a global that the other touches. With a conflict they can follow each other only if two
threads may be at the places that this takes: see `Established.may_meet`. A step that fails the check comes last and
leads nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import z3

from duet.certificate import patience
from duet.certificate.document import CubeLayer
from duet.certificate.established import Established
from duet.certificate.flows import touched
from duet.certificate.meaning import Expr, formula
from duet.plip.semantics import runs_once
from duet.plip.syntax import (
    SKIP,
    Assert,
    Atomic,
    Command,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Lookup,
    Program,
    Spawn,
    Step,
    Template,
)
from duet.result import Check

_MOST_STEPS = 100_000  # of all blocks together
_SECONDS = 5


class Refusal(Exception):
    """Why a program cannot be made smaller in the way that a certificate says: a place, and the reason."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place, self.reason = place, reason


def reduced(program: Program, layer: CubeLayer, known: Established) -> Program:
    """The program that the cubes of a layer are about: the check fails in it if it fails in the program.

    *Requires*: what is `known` holds in every execution. *Raises*: Refusal.
    """
    graph = _Graph(_without(program, layer), known)
    for location in layer.merged:
        graph.leave_out(location)
    return graph.program_left()


# Cells that do not matter


def _without(program: Program, layer: CubeLayer) -> Program:
    """The program without the steps that write some cells, and with one check; the others that stop are guards.

    No step that is left depends on these cells, and none that is gone can keep a thread from going on.
    """
    dropped, check = frozenset(layer.dropped), Check(*layer.check)
    if unknown := dropped - program.cells.keys():
        raise Refusal(f"cell {min(unknown)}", "the program has no such cell")
    commands = []
    for index, command in enumerate(program.commands):
        instruction = _smaller(command.instruction, dropped, check)
        what = touched(instruction)
        if lost := (what.reads | what.guards) & dropped:
            raise Refusal(f"command {index}", f"what it does depends on {min(lost)}, which is left out")
        commands.append(replace(command, instruction=instruction))
    cells = {name: cell for name, cell in program.cells.items() if name not in dropped}
    templates = {
        name: replace(template, parameters=tuple(cell for cell in template.parameters if cell not in dropped))
        for name, template in program.templates.items()
    }
    return replace(program, cells=cells, templates=templates, commands=tuple(commands))


def _smaller(instruction: Instruction, dropped: frozenset[str], check: Check) -> Instruction:
    match instruction:
        case Assert(condition, about, stops) if about != check:
            return Guard(condition) if stops else SKIP
        case Spawn(template, arguments):
            return Spawn(template, tuple((cell, value) for cell, value in arguments if cell not in dropped))
        case Atomic(parts):
            return Atomic(tuple(part for part in parts if not touched(part).writes & dropped or _refuses(part)))
        case Guard() | Assert() | Join():
            return instruction
        case _:
            is_gone = touched(instruction).writes <= dropped and not _refuses(instruction)
            return SKIP if is_gone else instruction


def _refuses(instruction: Instruction) -> bool:
    return touched(instruction).may_refuse


# Locations that nobody can tell apart


@dataclass(frozen=True, slots=True)
class _Edge:
    """Steps of one template in a row, or one instruction that is no step; the globals that it reads and writes."""

    template: str
    source: int
    target: int
    steps: tuple[Step, ...]
    other: Instruction | None
    reads: frozenset[str]
    writes: frozenset[str]

    @property
    def is_step(self) -> bool:
        return self.other is None

    @property
    def is_check(self) -> bool:
        return isinstance(self.other, Assert)

    def conflicts(self, edge: _Edge) -> bool:
        return bool(self.writes & (edge.reads | edge.writes) or edge.writes & self.reads)


@dataclass
class _Graph:
    program: Program
    known: Established
    into: dict[int, list[_Edge]] = field(default_factory=lambda: defaultdict(list))
    out: dict[int, list[_Edge]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        program = self.program
        self._shared = frozenset(program.globals)
        self._fixed = {place for found in program.templates.values() for place in (found.entry, found.exit)}
        self._atomic = frozenset().union(*(found.atomic for found in program.templates.values()))
        self._once = frozenset(name for name in program.templates if runs_once(program, name))
        self._size = 0
        for command in program.commands:
            name, instruction = program.template_of[command.source], command.instruction
            if isinstance(instruction, Assert | Spawn | Join):
                self._add(name, command.source, command.target, (), instruction)
            else:
                parts = instruction.steps if isinstance(instruction, Atomic) else (instruction,)
                parts = tuple(step for step in parts if step != SKIP)
                self._add(name, command.source, command.target, parts, None)

    def _add(self, template: str, source: int, target: int, parts: tuple[Step, ...], other: Instruction | None) -> None:
        found = [touched(part) for part in ((other,) if other is not None else parts)]
        reads = frozenset().union(*(what.reads | what.guards for what in found))
        # a spawn writes the cells of the new thread, which no other has seen yet
        writes = frozenset().union(*(what.writes for what in found))
        edge = _Edge(template, source, target, parts, other, reads & self._shared, writes & self._shared)
        self.into[target].append(edge)
        self.out[source].append(edge)
        self._size += len(parts) + 1
        if self._size > _MOST_STEPS:
            raise Refusal(f"location {target}", "there would be too many ways")

    def leave_out(self, place: int) -> None:
        """Composes the steps at a location. *Raises*: Refusal where that may change what fails."""
        into, out = self.into.get(place, []), self.out.get(place, [])
        where = f"location {place}"
        if not into or not out or place in self._fixed:
            raise Refusal(where, "it cannot be left out, since threads start or stay there")
        if not all(edge.is_step and edge.source != edge.target for edge in (*into, *out)):
            raise Refusal(where, "it cannot be left out, since not all around it are steps from one place to another")
        if place not in self._atomic and not self._can_wait(into) and not self._can_hurry(out):
            raise Refusal(where, "it cannot be left out, since others may notice what is done there")
        del self.into[place], self.out[place]
        for first in into:
            self.out[first.source].remove(first)
            self._size -= len(first.steps) + 1
        for second in out:
            self.into[second.target].remove(second)
            self._size -= len(second.steps) + 1
        for first in into:
            for second in out:
                self._add(first.template, first.source, second.target, first.steps + second.steps, None)

    def _can_wait(self, edges: Sequence[_Edge]) -> bool:
        """Whether steps can be put off until the thread's next one."""
        return all(
            edge.source not in self._atomic
            and not any(
                self.known.may_meet(edge.source, other.source) and self.known.may_meet(edge.target, other.source)
                for other in self._conflicting(edge)
            )
            for edge in edges
        )

    def _can_hurry(self, edges: Sequence[_Edge]) -> bool:
        """Whether steps can be brought forward until right behind the thread's last one."""
        return _is_passing(edges) and all(
            edge.target not in self._atomic
            and not any(
                self.known.may_meet(edge.source, other.source)
                and (other.is_check or self.known.may_meet(edge.source, other.target))
                for other in self._conflicting(edge)
            )
            for edge in edges
        )

    def _conflicting(self, edge: _Edge) -> Iterable[_Edge]:
        """The steps of other threads that conflict with one."""
        for found in self.out.values():
            for other in found:
                if edge.conflicts(other) and not (other.template == edge.template and edge.template in self._once):
                    yield other

    def program_left(self) -> Program:
        """What is left, with a command for each edge."""
        commands: list[Command] = []
        templates: dict[str, Template] = {}
        edges = [edge for found in self.out.values() for edge in found]
        for name, template in self.program.templates.items():
            first = len(commands)
            commands += (_command(edge) for edge in edges if edge.template == name)
            used = {place for command in commands[first:] for place in (command.source, command.target)}
            numbers = tuple(range(first, len(commands)))
            templates[name] = replace(template, commands=numbers, atomic=template.atomic & used)
        return replace(self.program, templates=templates, commands=tuple(commands))


def _command(edge: _Edge) -> Command:
    instruction = edge.other or (edge.steps[0] if len(edge.steps) == 1 else Atomic(edge.steps) if edge.steps else SKIP)
    return Command(edge.source, instruction, edge.target)


def _is_passing(edges: Sequence[_Edge]) -> bool:
    """Whether in every state one of some edges can be passed to its end."""
    ways: list[Expr] = []
    for edge in edges:
        needs: list[Expr] = []
        written = False
        for step in edge.steps:
            match step:
                case Guard(condition) if not written:
                    needs.append(formula(condition, {}))
                case Guard() | Lookup():
                    return False
                case Compute() if _refuses(step):
                    return False
                case Havoc(_, lo, hi) if lo is not None and hi is not None and lo > hi:
                    return False
                case _:
                    written = True
        ways.append(z3.And(*needs))
    solver = patience.solver(_SECONDS)
    solver.add(z3.Not(z3.Or(*ways)))
    return bool(solver.check() == z3.unsat)
