"""A program in which equal templates are one, which any number of threads may run.

Templates are equal if they differ in the names of their own cells, in constants and in elements of arrays only. A
constant that differs becomes a cell of the thread, which its spawn sets; elements that differ become one cell that
stands for all of them. Where a thread starts such threads one after the other, and does nothing in between that others
see but to write such elements, the locations there become one, at which it may start any number of them, in any order.

*Approximates*: over. Each execution of the program is one of the folded program, thread by thread and step by step: a
thread is where `places` says, its cells are those of `cells` with the same values, and those of `values` besides. To
wait for one of several threads that run one template now is to wait for none. So whatever never fails in the folded
program does not fail in the program; what fails may take more threads than the program starts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import networkx as nx

from duet.plip.graphs import spawn_graph
from duet.plip.multiplicity import many
from duet.plip.printer import normal_form
from duet.plip.renamed import renamed, with_terms
from duet.plip.syntax import (
    SKIP,
    Assign,
    Cell,
    Command,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Program,
    Spawn,
    Template,
    steps,
)
from duet.plip.terms import add, constant, rename_term, scale, variable
from duet.plip.touched import reads, writes
from duet.plip.wellformed import violations

_INDEX = re.compile(r"\[\d+\]")
FEWEST = 3
"""Equal templates that are worth it: two are told apart as quickly."""


@dataclass(frozen=True)
class Folded:
    """The folded program, and what of it each template, location and cell of the program is.

    `values` are, for each template, the values of the cells that its constants have become.
    """

    program: Program
    templates: Mapping[str, str]
    places: Mapping[int, int]
    cells: Mapping[str, str]
    values: Mapping[str, Mapping[str, int]]


def folded(program: Program, fewest: int = FEWEST) -> Folded | None:
    """The folded program; None where no `fewest` templates are equal. *Requires*: well-formed."""
    folding = _Folding(program)
    if max(map(len, folding.groups())) < fewest:
        return None
    merged = folding.program_left()
    loops = _loops(merged)
    whole = normal_form(_with_loops(merged, loops))
    if violations(whole):  # elements that are read otherwise than one by one
        return None
    return Folded(
        whole,
        {name: folding.first.get(name, name) for name in program.templates},
        {place: loops.get(found := folding.places.get(place, place), found) for place in program.template_of},
        {name: folding.cells.get(name, name) for name in program.cells},
        {name: folding.values.get(name, {}) for name in program.templates},
    )


# Equal templates


@dataclass(frozen=True, slots=True)
class _Outline:
    """A template with numbers for its locations and own cells: equal for equal templates, but for the constants."""

    shape: Hashable
    places: tuple[int, ...]
    cells: tuple[str, ...]
    constants: tuple[int, ...]
    elements: tuple[str, ...]


@dataclass
class _Folding:
    """Templates by the first one that they are equal to, those that are started first."""

    program: Program
    first: dict[str, str] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)
    values: dict[str, Mapping[str, int]] = field(default_factory=dict)
    _terms: dict[str, Sequence[Linear]] = field(default_factory=dict)  # for the constants of a template, in order
    _given: dict[str, Cell] = field(default_factory=dict)  # cells for constants
    _elements: nx.Graph[str] = field(default_factory=nx.Graph)  # globals that are one cell now

    def groups(self) -> list[list[str]]:
        """The templates that are equal to each other; only those are that start equal ones."""
        found: list[list[str]] = []
        for level in _levels(self.program):
            alike: dict[Hashable, list[tuple[str, _Outline]]] = defaultdict(list)
            for name in level:
                outline = self._outline(name)
                alike[outline.shape].append((name, outline))
            for members in alike.values():
                self._join([name for name, _ in members], [outline for _, outline in members])
                found.append([name for name, _ in members])
        for together in nx.connected_components(self._elements):
            names = [name for name in self.program.globals if name in together]
            self.cells.update(dict.fromkeys(names, f"{names[0]} and others"))
        return found or [[]]

    def _join(self, names: Sequence[str], outlines: Sequence[_Outline]) -> None:
        first = outlines[0]
        for name, outline in zip(names, outlines, strict=True):
            self.first[name] = names[0]
            self.places.update(zip(outline.places, first.places, strict=True))
            self.cells.update(zip(outline.cells, first.cells, strict=True))
        for row in zip(*(outline.elements for outline in outlines), strict=True):
            if len(set(row)) > 1:
                nx.add_path(self._elements, row)
        rows = list(zip(*(outline.constants for outline in outlines), strict=True))
        given, self._terms[names[0]] = _given(rows, lambda number: self._fresh(names[0], number))
        for cell, values in given.items():
            self._given[cell] = Cell(cell, names[0], lo=min(values), hi=max(values))
        for number, name in enumerate(names):
            self.values[name] = {cell: values[number] for cell, values in given.items()}

    def _fresh(self, template: str, number: int) -> str:
        name = f"{template}::given{number}"
        while name in self.program.cells:
            name += "'"
        return name

    def _outline(self, name: str) -> _Outline:
        program, template = self.program, self.program.templates[name]
        own = [cell for cell in program.cells.values() if cell.template == name]
        number = {cell.name: f"\n{index:06}" for index, cell in enumerate(own)}
        families = {cell.name: family for cell in program.cells.values() if (family := _family(cell))}
        names = number | families
        order = _order(program, template)
        at = {place: index for index, place in enumerate(order)}
        constants: list[int] = []

        def without(term: Linear) -> Linear:
            constants.append(term.constant)
            return Linear(term.terms)

        taken = [
            (at[place], at[command.target], with_terms(self._renamed(command.instruction, names), without))
            for place in order
            for command in (program.commands[index] for index in program.outgoing[place])
        ]
        elements = tuple(
            cell
            for place in order
            for index in program.outgoing[place]
            for cell in _named(program.commands[index].instruction)
            if cell in families
        )
        kinds = tuple((cell.summary, cell.lo, cell.hi, cell.label) for cell in own)
        inside = tuple(place in template.atomic for place in order)
        parameters = tuple(number[cell] for cell in template.parameters)
        ends = at[template.entry], at[template.exit], template.interrupts, template.function
        shape = ends, kinds, parameters, inside, tuple(taken)
        return _Outline(shape, order, tuple(number), tuple(constants), elements)

    def _renamed(self, instruction: Instruction, names: Mapping[str, str]) -> Instruction:
        """An instruction about folded templates, with other names for own cells."""
        match instruction:
            case Spawn(template, arguments):
                given = tuple(
                    (self.cells.get(cell, cell), rename_term(value, lambda one: names.get(one, one)))
                    for cell, value in arguments
                )
                more = ((cell, constant(value)) for cell, value in self.values.get(template, {}).items())
                return Spawn(self.first.get(template, template), (*given, *more))
            case Join(template):
                return Join(self.first.get(template, template))
            case _:
                return renamed(instruction, names)

    def program_left(self) -> Program:
        """The program of the first templates of all groups."""
        program = self.program
        size: dict[str, int] = defaultdict(int)
        for name in program.templates:
            size[self.first.get(name, name)] += 1
        commands: list[Command] = []
        templates: dict[str, Template] = {}
        for name, template in program.templates.items():
            if self.first.get(name, name) != name:
                continue
            start = len(commands)
            terms = iter(self._terms.get(name, ()))
            changed = {
                index: self._instruction(program.commands[index].instruction, terms, size)
                for place in _order(program, template)
                for index in program.outgoing[place]
            }
            commands += (
                replace(program.commands[index], instruction=changed[index], accesses=()) for index in template.commands
            )
            more = tuple(cell.name for cell in self._given.values() if cell.template == name)
            own = tuple(range(start, len(commands)))
            templates[name] = replace(template, commands=own, parameters=(*template.parameters, *more))
        kept = [cell for cell in program.cells.values() if cell.template is None or cell.template in templates]
        cells = [
            cell for cell in kept if self.cells.get(cell.name, cell.name) == cell.name or cell.template is not None
        ]
        cells += [*self._united(), *self._given.values()]
        return Program({cell.name: cell for cell in cells}, templates, tuple(commands), program.main)

    def _united(self) -> Iterator[Cell]:
        """The cells that stand for several globals."""
        for together in nx.connected_components(self._elements):
            members = [self.program.cells[name] for name in self.program.globals if name in together]
            lows, highs = [cell.lo for cell in members], [cell.hi for cell in members]
            lo = None if None in lows else min(low for low in lows if low is not None)
            hi = None if None in highs else max(high for high in highs if high is not None)
            label = _INDEX.sub("[*]", members[0].label)
            yield Cell(self.cells[members[0].name], None, summary=True, lo=lo, hi=hi, label=label, span=members[0].span)

    def _instruction(self, instruction: Instruction, terms: Iterator[Linear], size: Mapping[str, int]) -> Instruction:
        if isinstance(instruction, Join):
            only = self.first.get(instruction.template, instruction.template)
            return Join(only) if size[only] == 1 else SKIP

        def of_all(term: Linear) -> Linear:
            return add(Linear(term.terms), next(terms, constant(term.constant)))

        united = {name: other for name, other in self.cells.items() if self.program.cells[name].template is None}
        return with_terms(self._renamed(instruction, united), of_all)


def _levels(program: Program) -> list[list[str]]:
    """The templates but main that do not come to start themselves, each behind those that it starts."""
    graph = spawn_graph(program)
    height: dict[int, int] = {}
    levels: dict[int, list[str]] = defaultdict(list)
    condensed = nx.condensation(graph)
    for component in reversed(list(nx.topological_sort(condensed))):
        height[component] = 1 + max((height[after] for after in condensed.successors(component)), default=0)
        members: set[str] = condensed.nodes[component]["members"]
        (*rest, name) = sorted(members)
        if not rest and name != program.main and not graph.has_edge(name, name):
            levels[height[component]].append(name)
    rank = {name: index for index, name in enumerate(program.templates)}
    return [sorted(levels[level], key=rank.__getitem__) for level in sorted(levels)]


def _family(cell: Cell) -> str:
    """What elements of an array have in common, by the user's name for them; empty for what is none."""
    is_element = cell.template is None and not cell.summary and _INDEX.search(cell.label)
    return f"\r{_INDEX.sub('[*]', cell.label)}" if is_element else ""


def _named(instruction: Instruction) -> Iterator[str]:
    """The cells that an instruction reads and those that it writes, step by step."""
    for step in steps(instruction):
        yield from sorted(reads(step))
        yield from sorted(writes(step)) if not isinstance(step, Spawn) else ()


def _order(program: Program, template: Template) -> tuple[int, ...]:
    """The locations of a template in the order in which they are met from its entry; then the others."""
    found: dict[int, None] = {}
    own = sorted({place for place, name in program.template_of.items() if name == template.name})
    for start in (template.entry, template.exit, *own):
        work = [start]
        while work:
            place = work.pop()
            if place not in found:
                found[place] = None
                work += [program.commands[index].target for index in reversed(program.outgoing[place])]
    return tuple(found)


def _given(
    rows: Sequence[tuple[int, ...]], fresh: Callable[[int], str]
) -> tuple[dict[str, tuple[int, ...]], list[Linear]]:
    """Cells for constants that differ, with their values; and the terms of all constants over them.

    `rows` are the values of a constant in each template. One that is a multiple of another one, and a number more, in
    all of them, has the same cell.
    """
    cells: dict[str, tuple[int, ...]] = {}
    terms: list[Linear] = []
    for row in rows:
        if len(set(row)) == 1:
            terms.append(constant(row[0]))
            continue
        found = next((term for cell, values in cells.items() if (term := _as_term(row, cell, values))), None)
        if found is None:
            cell = fresh(len(cells))
            cells[cell] = row
            found = variable(cell)
        terms.append(found)
    return cells, terms


def _as_term(row: Sequence[int], cell: str, values: Sequence[int]) -> Linear | None:
    """Numbers as one term over a cell that has some values; None if there is none."""
    other = next(index for index, value in enumerate(values) if value != values[0])
    factor, rest = divmod(row[other] - row[0], values[other] - values[0])
    offset = row[0] - factor * values[0]
    if rest or any(number != factor * value + offset for number, value in zip(row, values, strict=True)):
        return None
    return add(scale(variable(cell), factor), constant(offset))


# Threads that are started one after the other


def _loops(program: Program) -> dict[int, int]:
    """For each location between two such starts, the location in front of the first one."""
    several = many(program)
    atomic = frozenset(spot for template in program.templates.values() for spot in template.atomic)
    after: dict[int, Command] = {}  # how a thread goes on from a location, if that may be repeated
    for place, leaving in program.outgoing.items():
        ways = [program.commands[index] for index in leaving]
        if len(ways) > 1:  # it may also give up: where several ways meet, no run goes on
            ways = [command for command in ways if len(program.incoming[command.target]) == 1]
        if len(ways) == 1 and place not in atomic and _is_repeatable(ways[0], program, several):
            after[place] = ways[0]
    found: dict[int, int] = {}
    seen: set[int] = set()
    for start in sorted(after):
        if start not in seen and isinstance(after[start].instruction, Spawn):
            run = _run(start, program, after)
            seen.update(run)
            last = max(index for index, place in enumerate(run) if isinstance(after[place].instruction, Spawn))
            found |= dict.fromkeys(run[1 : last + 1], start)
    return found


def _run(start: int, program: Program, after: Mapping[int, Command]) -> list[int]:
    """A location, and those behind it that nothing else leads to."""
    run = {start: None}
    place = start
    while (place := after[place].target) in after and place not in run and len(program.incoming[place]) == 1:
        run[place] = None
    return list(run)


def _is_repeatable(command: Command, program: Program, several: frozenset[str]) -> bool:
    """Whether a command starts a thread of which there are several, or sets a cell of the thread's own."""
    match command.instruction:
        case Spawn(template):
            return template in several
        case Assign(target) | Havoc(target):
            return program.cells[target].template is not None or program.cells[target].summary
        case Guard():
            return command.instruction == SKIP
        case _:
            return False


def _with_loops(program: Program, loops: Mapping[int, int]) -> Program:
    """The program with some locations for others, each command once."""
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    for name, template in program.templates.items():
        distinct: dict[tuple[int, Instruction, int], Command] = {}
        for index in template.commands:
            command = program.commands[index]
            source, target = (loops.get(place, place) for place in (command.source, command.target))
            distinct.setdefault((source, command.instruction, target), command.between(source, target))
        start = len(commands)
        commands += distinct.values()
        templates[name] = replace(template, commands=tuple(range(start, len(commands))))
    return replace(program, templates=templates, commands=tuple(commands))
