"""A Boolean program as a PLIP program: a template for each function, or label in it, that threads start at.

With any number of threads every start of a thread happens any number of times; if none is started, `main` runs so.
"""

from __future__ import annotations

from duet.boolean.body import Body, Entry
from duet.boolean.formulas import either_value
from duet.boolean.syntax import Assign, BooleanProgram, Start, kinds, names_in, own_names
from duet.errors import SourceError, Unsupported
from duet.plip.build import ProgramBuilder
from duet.plip.syntax import SKIP, Cell, Program, Spawn

_MAIN = "main"


def lower(program: BooleanProgram, is_parameterized: bool) -> Program:
    """The program in PLIP. *Raises*: SourceError for what has no meaning, Unsupported for what is not followed."""
    main = program.functions[_MAIN]
    if main.parameters:
        raise Unsupported("main takes no arguments", main.span)
    starts = any(isinstance(kind, Start) for f in program.functions.values() for kind in kinds(f.body))
    runs_many = is_parameterized and not starts
    first = f"{_MAIN} of all" if runs_many else _MAIN
    builder = ProgramBuilder(first)
    _declare(builder, program)
    given = _set_first(program)
    inputs = [name.name for name in program.variables if runs_many or name.name not in given]
    todo = [Entry(_MAIN, None)]
    done: set[Entry] = set()
    if runs_many:
        template = builder.template(first)
        here = template.entry
        for name in inputs:
            here = template.then(here, either_value(name), main.span)
        template.command(here, Spawn(_MAIN), here, main.span)
        template.command(here, SKIP, template.exit)
        inputs = []
    while todo:
        entry = todo.pop(0)
        if entry not in done:
            done.add(entry)
            body = Body(builder, program, entry, is_parameterized)
            todo += body.build(inputs if entry == Entry(_MAIN, None) else ())
    return builder.program()


def _declare(builder: ProgramBuilder, program: BooleanProgram) -> None:
    for name in program.variables:
        if builder.has_cell(name.name):
            raise SourceError(f"{name.name} is declared twice", name.span)
        builder.cell(Cell(name.name, None, False, 0, 0, name.name, name.span))


def _set_first(program: BooleanProgram) -> frozenset[str]:
    """Shared variables that main sets before anything else happens: what they hold at first does not matter."""
    found: set[str] = set()
    for statement in program.functions[_MAIN].body:
        kind = statement.kind
        if statement.labels or not isinstance(kind, Assign) or kind.constraint is not None:
            break
        if not {name.name for value in kind.values for name in names_in(value)} <= found:
            break
        found |= {target.name for target in kind.targets}
    return frozenset(found - {name.name for name in own_names(program.functions[_MAIN])})
