"""A program with large blocks: locations at which nothing can be told apart from in front of or behind them are gone.

*Source*: Lipton, Reduction, 1975. A location is left out by composing each step
into it with each step out of it, where all of these are steps and it is neither an entry nor an exit nor the head of a
loop, and

- B1: it is atomic: nobody else moves there. (A thread that would be stuck behind the first step now waits in front of
  it, so more can happen; everything that fails did so before, since the steps of a failing execution all pass.)
- B2: only steps over cells of the thread's own lead to it. Each can be delayed until the next step is taken: others
  neither see it nor change what it does. A thread that stays at the location may as well stay in front of it.
- B3: only steps over the thread's own cells leave it, one of which can always be taken. They can be brought forward.
  If none could be taken, the thread would be held up in front of the first step, which others may see.

- B4: all steps to it are right movers, or all steps from it are left movers of which one can always be taken
  (`plip.movers`). This is B2 and B3 for steps over globals that no other thread can take notice of there: a right mover
  is put off until the next step, or left out where none follows; a left mover is taken as soon as it can be.

For B2 to B4 the location, and where the thread stays instead, must not be atomic: there it would keep others from
moving. A check fails in the blocks iff it fails in the program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import networkx as nx

from duet.plip.exclusive import are_exhaustive
from duet.plip.marks import united
from duet.plip.movers import Edge, Movers, Together
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    SKIP,
    Assert,
    Atomic,
    Command,
    Compute,
    Guard,
    Instruction,
    Join,
    Lookup,
    Program,
    Spawn,
    Step,
    Template,
)
from duet.plip.touched import PARTIAL, reads, writes

_MOST_WAYS = 24
_MOST_STEPS = 64


@dataclass(frozen=True)
class Blocks:
    """A program of blocks, and for each of its commands the commands of the original program that it consists of.

    `merged` are the locations that are gone, in the order in which they were left out.
    """

    program: Program
    parts: tuple[tuple[int, ...], ...]
    merged: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Block:
    template: str
    source: int
    steps: tuple[Step, ...]
    target: int
    parts: tuple[int, ...]
    other: Instruction | None = None  # one that is no step

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"


def blocks(program: Program, together: Together | None = None) -> Blocks:
    """The program with blocks as large as the rules allow; B4 only where it is known which locations are `together`.

    *Requires*: well-formed; `together` is true of every execution.
    """
    graph = _Graph(program, None if together is None else _movers(program, together))
    for name, template in program.templates.items():
        for index in template.commands:
            graph.add(_start(name, index, program.commands[index]))
    fixed = {place for template in program.templates.values() for place in (template.entry, template.exit)}
    for template in program.templates.values():
        fixed |= _heads(program, template)
    graph.leave_out(sorted({*graph.into, *graph.out} - fixed))
    commands: list[Command] = []
    parts: list[tuple[int, ...]] = []
    templates: dict[str, Template] = {}
    for name, template in program.templates.items():
        found = sorted((block for block in graph.all_blocks() if block.template == name), key=lambda block: block.parts)
        first = len(commands)
        for block in found:
            commands.append(_command(program, block))
            parts.append(block.parts)
        used = {place for block in found for place in (block.source, block.target)}
        templates[name] = replace(template, commands=tuple(range(first, len(commands))), atomic=template.atomic & used)
    return Blocks(replace(program, templates=templates, commands=tuple(commands)), tuple(parts), tuple(graph.merged))


def _movers(program: Program, together: Together) -> Movers:
    atomic = frozenset().union(*(template.atomic for template in program.templates.values()))
    return Movers(frozenset(program.templates) - many(program), atomic, together)


def _command(program: Program, block: _Block) -> Command:
    steps_of = block.steps
    instruction: Instruction = SKIP if not steps_of else steps_of[0] if len(steps_of) == 1 else Atomic(steps_of)
    members = [program.commands[index] for index in block.parts]
    span = next((command.span for command in members if command.instruction != SKIP), members[0].span)
    mark = united(*(command.approximates for command in members))
    return Command(block.source, block.other or instruction, block.target, span, (), mark)


@dataclass
class _Graph:
    """The blocks of all templates, by the locations that they lead to and from; as edges, for movers."""

    program: Program
    movers: Movers | None
    into: dict[int, list[_Block]] = field(default_factory=lambda: defaultdict(list))
    out: dict[int, list[_Block]] = field(default_factory=lambda: defaultdict(list))
    edges: dict[_Block, Edge] = field(default_factory=dict)
    merged: list[int] = field(default_factory=list)

    def add(self, block: _Block) -> None:
        self.into[block.target].append(block)
        self.out[block.source].append(block)
        if self.movers is not None:
            self.edges[block] = _edge(self.program, block)

    def all_blocks(self) -> set[_Block]:
        return {block for found in self.out.values() for block in found}

    def leave_out(self, candidates: Sequence[int]) -> None:
        """Composes the steps at one location after the other, until no more can go."""
        is_changed = True
        while is_changed:
            is_changed = False
            for place in candidates:
                if self.out[place] and self.into[place] and self._can_go(place):
                    self._compose(place)
                    self.merged.append(place)
                    is_changed = True

    def _can_go(self, place: int) -> bool:
        """Whether a location may be left out."""
        into, out = self.into[place], self.out[place]
        both = (*into, *out)
        if any(block.other is not None or block.source == block.target for block in both):
            return False
        if len(into) * len(out) > max(_MOST_WAYS, len(into) + len(out)):
            return False
        if max(len(block.steps) for block in into) + max(len(block.steps) for block in out) > _MOST_STEPS:
            return False
        atomic = self.program.templates[both[0].template].atomic
        if place in atomic:
            return True
        if all(_is_local(self.program, block) and block.source not in atomic for block in into):
            return True
        is_passing = not any(_may_stop(block) for block in out) and are_exhaustive([Atomic(b.steps) for b in out])
        if is_passing and all(_is_local(self.program, block) and block.target not in atomic for block in out):
            return True
        return self.movers is not None and self._moves(self.movers, into, out if is_passing else ())

    def _moves(self, movers: Movers, into: Sequence[_Block], out: Sequence[_Block]) -> bool:
        """Whether all blocks that lead there are right movers, or all of some that leave it left movers."""
        edges = self.edges.values()
        if all(movers.is_right(self.edges[block], edges) for block in into):
            return True
        return bool(out) and all(movers.is_left(self.edges[block], edges) for block in out)

    def _compose(self, place: int) -> None:
        for first in self.into[place]:
            for second in self.out[place]:
                steps, parts = first.steps + second.steps, first.parts + second.parts
                self.add(_Block(first.template, first.source, steps, second.target, parts))
        for first in self.into.pop(place):
            self.out[first.source].remove(first)
            self.edges.pop(first, None)
        for second in self.out.pop(place):
            self.into[second.target].remove(second)
            self.edges.pop(second, None)


def _edge(program: Program, block: _Block) -> Edge:
    """A block as what others see of it."""
    shared = frozenset(program.globals)
    instructions = (block.other,) if block.other is not None else block.steps
    read = frozenset().union(*(reads(instruction) for instruction in instructions)) & shared
    written = frozenset().union(*(writes(instruction) for instruction in instructions)) & shared
    is_check = isinstance(block.other, Assert)
    return Edge(block.template, block.source, block.target, read, written, is_check)


def _start(template: str, index: int, command: Command) -> _Block:
    instruction = command.instruction
    if isinstance(instruction, Assert | Spawn | Join):
        return _Block(template, command.source, (), command.target, (index,), instruction)
    parts = instruction.steps if isinstance(instruction, Atomic) else (instruction,)
    found = tuple(step for step in parts if step != SKIP)
    return _Block(template, command.source, found, command.target, (index,))


def _heads(program: Program, template: Template) -> set[int]:
    """Locations such that every cycle goes through one of them."""
    graph: nx.DiGraph[int] = nx.DiGraph(
        (program.commands[i].source, program.commands[i].target) for i in template.commands
    )
    heads: set[int] = set()
    pending = [set(part) for part in nx.strongly_connected_components(graph)]
    while pending:
        part = pending.pop()
        if len(part) == 1 and not graph.has_edge(next(iter(part)), next(iter(part))):
            continue
        # prefer a location that is entered from outside: it starts the loop
        head = min(part, key=lambda place: (all(p in part for p in graph.predecessors(place)), place))
        heads.add(head)
        pending += [set(inner) for inner in nx.strongly_connected_components(graph.subgraph(part - {head}))]
    return heads


def _is_local(program: Program, block: _Block) -> bool:
    """Whether no other thread sees a block or changes what it does."""
    return all(program.cells[cell].template is not None for step in block.steps for cell in reads(step) | writes(step))


def _may_stop(block: _Block) -> bool:
    """Whether a block may have no result for another reason than the guards in front of its writes."""
    written = False
    for step in block.steps:
        match step:
            case Lookup():
                return True
            case Compute(_, operation):
                if operation in PARTIAL:
                    return True
                written = True
            case Guard():
                if written:
                    return True
            case _:
                written = True
    return False
