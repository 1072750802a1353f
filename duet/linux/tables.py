"""The variables of a driver that are structures, and the functions that their initialisers name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.source.parse import ParsedUnit
from duet.linux import callbacks
from duet.linux.buses import BUSES
from duet.linux.callbacks import Holder
from duet.linux.tree import declarations, members, name_of, nodes, structure_of, structures, text

HOLDERS: Mapping[str, Holder] = {
    holder.structure: holder for holder in (*callbacks.HOLDERS, *(bus.driver for bus in BUSES))
}
"""The structures of the kernel whose functions the harness calls."""
BOUND = frozenset[str]().union(*(holder.bound for holder in HOLDERS.values()))
"""Their members that say which functions are called."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The variables at file scope: `objects` are those with an initialiser, `kinds` the structures that any are.

    `named` maps an object to what its initialiser names: member to name. `functions` are those with a definition,
    understood or not, `callable` all that are declared, `declared` all names.
    """

    objects: Mapping[str, c_ast.Decl]
    kinds: Mapping[str, str]
    named: Mapping[str, Mapping[str, str]]
    functions: frozenset[str]
    callable: frozenset[str]
    declared: frozenset[str]

    def of(self, holder: Holder) -> tuple[str, ...]:
        """The objects that are such a structure."""
        return tuple(name for name in self.objects if self.kinds[name] == holder.structure)


def find_tables(unit: ParsedUnit) -> Tables:
    """Returns the variables of a unit.

    *Raises*: Unsupported where what is called cannot be read off an initialiser.
    """
    functions = frozenset(node.decl.name for node in unit.ast.ext if isinstance(node, c_ast.FuncDef))
    functions |= {lost.name for lost in unit.refused}
    prototypes = {node.name for node in declarations(unit.ast) if isinstance(node.type, c_ast.FuncDecl)}
    objects = {node.name: node for node in unit.ast.ext if isinstance(node, c_ast.Decl) and node.init is not None}
    defined = frozenset(
        str(node.name) for node in nodes(unit.ast) if isinstance(node, c_ast.Struct) and node.decls is not None
    )
    kinds = {node.name: structure_of(node) for node in declarations(unit.ast)}
    named = {name: _named(unit, decl, defined) for name, decl in objects.items()}
    found = Tables(objects, kinds, named, functions, functions | prototypes, functions | kinds.keys())
    for name in found.of(callbacks.MISC_DEVICE):
        if kinds.get(named[name].get("fops", "")) != callbacks.FILE_OPERATIONS.structure:
            raise Unsupported(f"the file operations of '{name}' cannot be read off", unit.span(objects[name].coord))
    return found


def _named(unit: ParsedUnit, decl: c_ast.Decl, defined: frozenset[str]) -> Mapping[str, str]:
    """The names that the members of a structure are initialised with; `defined` are the structures that are."""
    kind = structure_of(decl)
    if not isinstance(decl.init, c_ast.InitList):
        return {}
    if kind and kind not in defined:
        message = f"'struct {kind}' is not defined, so who calls its functions is not known"
        raise Unsupported(message, unit.span(decl.coord))
    holder = HOLDERS.get(kind)
    if holder and isinstance(decl.type, c_ast.ArrayDecl):
        raise Unsupported(f"arrays of 'struct {kind}' are not supported", unit.span(decl.coord))
    found: dict[str, str] = {}
    for item in decl.init.exprs or ():
        if isinstance(item, c_ast.NamedInitializer) and isinstance(item.name[0], c_ast.ID):
            member = item.name[0].name
            if name := name_of(item.expr):
                found[member] = name
            elif holder and member in BOUND and text(item.expr) not in ("0", "(void *) 0"):
                raise Unsupported(f"what '{member}' is cannot be read off", unit.span(item.coord or decl.coord))
        elif holder and not (isinstance(item, c_ast.Constant) and item.value == "0"):
            raise Unsupported(f"initialise the fields of 'struct {kind}' by name", unit.span(item.coord or decl.coord))
    if holder:
        _check_members(unit, decl, holder, found)
    return found


def _check_members(unit: ParsedUnit, decl: c_ast.Decl, holder: Holder, found: Mapping[str, str]) -> None:
    """Refuses members that the model headers do not have, and functions that no record is about."""
    known = {member.name: member for member in members(structures(unit.ast)[holder.structure])}
    for name in found:
        if name not in known:
            raise Unsupported(f"'{name}' of 'struct {holder.structure}' is not modelled", unit.span(decl.coord))
        kind = known[name].type
        if isinstance(kind, c_ast.PtrDecl) and isinstance(kind.type, c_ast.FuncDecl) and name not in holder.bound:
            message = f"when '{name}' of 'struct {holder.structure}' is called is not known"
            raise Unsupported(message, unit.span(decl.coord))
