"""What is refused: a function of the driver that is handed to something whose calls of it are not known.

A harness without these calls would miss executions of the driver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.source.parse import ParsedUnit
from duet.linux import callbacks
from duet.linux.buses import MARKER, REGISTERING
from duet.linux.callbacks import Taker
from duet.linux.tables import BOUND, HOLDERS, Tables
from duet.linux.tree import arguments, calls, name_of, nodes, text

EXPORTED = f"{MARKER}exported_"
COPYING = frozenset({"memcpy", "memmove", "memset", "swap"})
"""Functions with a model that may bind other functions all the same."""
TAKERS: Mapping[str, Taker] = {taker.function: taker for taker in (*callbacks.TAKERS, *REGISTERING)}


def check_text(unit: ParsedUnit) -> None:
    """Refuses what the text of a unit has anywhere. *Raises*: Unsupported."""
    _check_macros(unit)
    _check_takers(unit)


def check_uses(unit: ParsedUnit, bodies: Mapping[str, c_ast.FuncDef], tables: Tables) -> None:
    """Refuses what functions do with others, and with the structures that have them. *Raises*: Unsupported."""
    for body in bodies.values():
        for call in calls(body):
            _check_call(unit, call, tables)
            _check_registration(unit, call, tables)
    _check_assignments(unit, bodies.values(), tables)
    _check_exports(unit, tables)
    _check_hidden(unit, bodies.values(), tables)


def _check_macros(unit: ParsedUnit) -> None:
    """Refuses macros that no header here defines where they declare something: they look like functions without types.

    What `DECLARE_WORK(work, function);` mentions, or makes names of, may be called by the kernel.
    """
    for node in nodes(unit.ast):
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        if not (isinstance(declaration, c_ast.Decl) and isinstance(declaration.type, c_ast.FuncDecl)):
            continue
        typed = {item.name for item in getattr(node, "param_decls", None) or ()}
        given = declaration.type.args.params if declaration.type.args else []
        result = declaration.type.type.type if isinstance(declaration.type.type, c_ast.TypeDecl) else None
        is_typed = str(getattr(result, "coord", "")) != str(declaration.coord)
        if not is_typed or any(isinstance(item, c_ast.ID) and item.name not in typed for item in given):
            raise Unsupported(f"'{declaration.name}' is no macro that is modelled", unit.span(declaration.coord))


def _check_takers(unit: ParsedUnit) -> None:
    """Refuses to call by a pointer what is understood by the names of its arguments."""
    found = list(nodes(unit.ast))
    named = {id(node.name) for node in found if isinstance(node, c_ast.FuncCall)}
    named |= {id(node.field) for node in found if isinstance(node, c_ast.StructRef)}
    for node in found:
        if isinstance(node, c_ast.ID) and node.name in TAKERS and id(node) not in named:
            raise Unsupported(f"the address of '{node.name}' is not supported", unit.span(node.coord))


def _check_call(unit: ParsedUnit, call: c_ast.FuncCall, tables: Tables) -> None:
    """Refuses calls that hand a function, or an object with functions, to something unknown."""
    callee = name_of(call.name)
    taker = TAKERS.get(callee)
    position = taker.callback if taker else None
    for index, argument in enumerate(arguments(call)):
        name = name_of(argument)
        if name in tables.callable and position is None and callee not in tables.functions:
            raise Unsupported(f"when '{callee}' calls '{name}' is not known", unit.span(call.coord))
        if tables.kinds.get(name) in HOLDERS and callee not in tables.declared - COPYING:
            raise Unsupported(f"'{callee}', which gets '{name}', has no model", unit.span(call.coord))
        if taker and taker.is_named and index == position and name not in tables.callable:
            raise Unsupported(f"the function that '{callee}' gets cannot be read off", unit.span(call.coord))


def _check_registration(unit: ParsedUnit, call: c_ast.FuncCall, tables: Tables) -> None:
    """Refuses to register what is not a variable with functions that are known."""
    taker, given = TAKERS.get(name_of(call.name)), arguments(call)
    if taker is None or not taker.structure or not given:
        return
    name = name_of(given[0])
    if name not in tables.objects or tables.kinds[name] != taker.structure:
        raise Unsupported(f"{taker.function} of something other than '&variable'", unit.span(call.coord))


def _check_exports(unit: ParsedUnit, tables: Tables) -> None:
    """Refuses to export what this module does not declare."""
    for node in unit.ast.ext:
        name = str(getattr(node, "name", ""))
        if name.startswith(EXPORTED) and name.removeprefix(EXPORTED) not in tables.declared:
            raise Unsupported(f"'{name.removeprefix(EXPORTED)}' is exported, but not declared", unit.span(node.coord))


def _check_hidden(unit: ParsedUnit, bodies: Iterable[c_ast.FuncDef], tables: Tables) -> None:
    """Refuses to hand over a variable of a function that hides what has its name at file scope."""
    for body in bodies:
        local = {node.name for node in nodes(body) if isinstance(node, c_ast.Decl) and node is not body.decl}
        hiding = local & tables.declared
        for call in calls(body) if hiding else ():
            if name_of(call.name) not in TAKERS:
                continue
            for node in (node for argument in arguments(call) for node in nodes(argument)):
                if isinstance(node, c_ast.ID) and node.name in hiding:
                    raise Unsupported(f"another '{node.name}' is hidden by this one", unit.span(node.coord))


def _check_assignments(unit: ParsedUnit, bodies: Iterable[c_ast.FuncDef], tables: Tables) -> None:
    """Refuses functions that are bound to a field of the kernel by an assignment, also of a whole structure."""
    for node in (node for body in bodies for node in nodes(body) if isinstance(node, c_ast.Assignment)):
        sides = {side.name for side in (node.lvalue, node.rvalue) if isinstance(side, c_ast.ID)}
        if HOLDERS.keys() & {tables.kinds.get(name) for name in sides}:
            raise Unsupported(f"set '{text(node.lvalue)}' where it is declared", unit.span(node.coord))
        if not isinstance(node.lvalue, c_ast.StructRef):
            continue
        if name_of(node.rvalue) in tables.callable or node.lvalue.field.name in BOUND:
            field = node.lvalue.field.name
            raise Unsupported(f"set '{field}' in the initialiser of its structure", unit.span(node.coord))
