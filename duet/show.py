"""What `duet show` prints: trees, forms, points-to sets, control flow and data flow graphs, as text or for Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pycparser.c_generator import CGenerator

from duet.coarsen.needed import Pointers
from duet.coarsen.results import Analysis, Fixpoint
from duet.coarsen.words import instruction_words, label
from duet.errors import SourceError
from duet.flow.reaching import Initial
from duet.frontend.form.control import Body
from duet.frontend.form.printer import body_text
from duet.frontend.source.parse import ParsedUnit
from duet.plip.multiplicity import multiplicities
from duet.plip.syntax import Program


@dataclass(frozen=True, slots=True)
class Flow:
    """One data flow `command =>cells location`; no command for an initial value."""

    kind: str  # "init", "intra" or "inter"
    command: int | None
    cells: tuple[str, ...]
    location: int


def flows(fixpoint: Fixpoint, only_inter: bool) -> Iterator[Flow]:
    """The data flows of the final graph, by cells and location, without those of the pseudo-cell `reachable`."""
    graph = fixpoint.graph
    for pack, cells in enumerate(graph.packing.packs):
        shown = tuple(cells)
        for location in sorted(graph.wanted[pack]):
            for source in () if only_inter else graph.own_sources(pack, location):
                if isinstance(source, Initial):
                    yield Flow("init", None, shown, location)
                else:
                    yield Flow("intra", source.command, shown, location)
            for command in sorted(graph.inter.get((pack, location), ())):
                yield Flow("inter", command, shown, location)


def tree_text(unit: ParsedUnit) -> str:
    """The tree of a translation unit as C: what of its headers it needs, and its own text as the parser took it."""
    lines = [f"/* {unit.path} */"]
    lines += [f"/* not understood: {lost.name} ({lost.span}): {lost.error.message} */" for lost in unit.refused]
    return _joined([*lines, CGenerator().visit(unit.ast).rstrip("\n")])


def form_text(bodies: Mapping[str, Body | SourceError]) -> str:
    """The bodies of functions with types and places, or why they are not understood."""
    return "\n".join(
        f"{key} is not understood: {body}\n" if isinstance(body, SourceError) else body_text(body)
        for key, body in bodies.items()
    )


def pointers_text(pointers: Pointers) -> str:
    """What each cell may point to, one cell a line; functions with "()"."""
    return _joined([f"{cell} -> {', '.join(map(str, objects))}" for cell, objects in pointers.items()])


def cfg_text(program: Program) -> str:
    """The control flow graph of every template, one command a line."""
    counts = multiplicities(program)
    lines: list[str] = []
    for template in program.templates.values():
        lines.append(f"template {template.name} ({counts[template.name]}): {template.entry} to {template.exit}")
        for index in template.commands:
            command = program.commands[index]
            inside = " (inside an atomic region)" if command.source in template.atomic else ""
            lines.append(f"  {command.source} -> {command.target}: {_command(program, index)}{inside}")
    return _joined(lines)


def cfg_dot(program: Program) -> str:
    """The control flow graph for Graphviz, one cluster a template."""
    lines = ["digraph cfg {", '  node [shape=circle, fontname="monospace"];', '  edge [fontname="monospace"];']
    for number, template in enumerate(program.templates.values()):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(template.name)};"]
        lines += [f"    {template.entry} [shape=box];", f"    {template.exit} [shape=doublecircle];"]
        for index in template.commands:
            command = program.commands[index]
            lines.append(f"    {command.source} -> {command.target} [label={_quoted(_command(program, index))}];")
        lines.append("  }")
    return _joined([*lines, "}"])


def flows_text(analysis: Analysis, only_inter: bool) -> str:
    """The data flows of each configuration, one a line."""
    lines: list[str] = []
    for fixpoint in analysis.fixpoints:
        lines.append(f"{fixpoint.name}: {fixpoint.rounds} rounds")
        for flow in flows(fixpoint, only_inter):
            source = "initial value" if flow.command is None else _source(analysis.program, flow.command)
            where = f"{analysis.program.template_of[flow.location]} at {flow.location}"
            lines.append(f"  {flow.kind:5} {_cells(analysis.program, flow.cells)}: {source} -> {where}")
    return _joined(lines)


def flows_dot(analysis: Analysis, only_inter: bool) -> str:
    """The data flows of the last configuration for Graphviz: from each command to the commands where they matter."""
    program, fixpoint = analysis.program, analysis.fixpoints[-1]
    style = {"init": "dotted", "intra": "solid", "inter": "bold"}
    nodes: dict[str, str] = {}
    edges: dict[str, None] = {}
    for flow in flows(fixpoint, only_inter):
        start = "init" if flow.command is None else f"c{flow.command}"
        nodes[start] = "init" if flow.command is None else _source(program, flow.command)
        for reader in _readers(fixpoint, flow):
            nodes[f"c{reader}"] = _source(program, reader)
            colour = ', color="#b06000"' if flow.kind == "inter" else ""
            cells = _quoted(_cells(program, flow.cells))
            edges[f"  {start} -> c{reader} [label={cells}, style={style[flow.kind]}{colour}];"] = None
    lines = ["digraph dfg {", '  node [shape=box, fontname="monospace"];']
    lines += [f"  {name} [label={_quoted(text)}];" for name, text in nodes.items()]
    return _joined([*lines, *edges, "}"])


def _readers(fixpoint: Fixpoint, flow: Flow) -> Sequence[int]:
    """The commands from the flow's location that use its cells."""
    graph = fixpoint.graph
    pack = graph.packing.pack_of[flow.cells[0]]
    return [index for index in graph.program.outgoing[flow.location] if pack in graph.used[index]]


def _source(program: Program, index: int) -> str:
    owner = program.template_of[program.commands[index].source]
    return f"{owner}: {_command(program, index)}"


def _command(program: Program, index: int) -> str:
    command = program.commands[index]
    place = f"  ({command.span.file}:{command.span.line})" if command.span else ""
    return f"{instruction_words(program, command.instruction)}{place}"


def _cells(program: Program, cells: Iterable[str]) -> str:
    return ", ".join(label(program, cell) for cell in cells)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
