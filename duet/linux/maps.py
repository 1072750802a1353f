"""Whether a driver has made all register maps that it uses, so that its configurations say how wide their values are.

A pointer to a map is its own if it comes from a call that makes one by a configuration, by way of variables, parameters
of functions that only the driver calls, members of structures that the driver's C file defines, and what the NVMEM core
gives back to the functions that it was registered with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit, Refused
from duet.linux.buses import MARKER
from duet.linux.lvalues import Types, locals_of
from duet.linux.tree import arguments, calls, declarations, members, nodes, structure_of

MAP = "regmap"
MADE, WIDTHS = f"{MARKER}made", (f"{MARKER}value_bytes", f"{MARKER}value_most")
"""Names of `linux/regmap.h` of the overlay: the variable that a new map is in, those that tell how wide values are."""
TRANSFERS = (f"{MARKER}regmap_bulk_read", f"{MARKER}regmap_bulk_write")
"""What is given a map first, and depends on how many bytes its values have."""


NVMEM, PRIVATE, TRANSFERRING = "nvmem_config", "priv", ("reg_read", "reg_write")
"""The structure, and the member of it with what nvmem_reg_read() and nvmem_reg_write() give its functions first."""


def own_widths(unit: ParsedUnit) -> tuple[str, ...]:
    """Variables of the overlay that are only about maps of the driver; none if it may use others, as its text shows."""
    found = tuple(item.name for item in declarations(unit.ast) if item.name in WIDTHS)
    return found if found and _Maps(unit).are_own() else ()


class _Maps:
    """The places of a unit that hold pointers to maps: variables, parameters, members of the driver's structures."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.unit = unit
        every = [item for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
        self.bodies = [item for item in every if unit.span(item.decl.coord).file in unit.source]
        self.headers = [item for item in every if unit.span(item.decl.coord).file not in unit.source]
        self.functions: Mapping[str, c_ast.FuncDef] = {str(item.decl.name): item for item in self.bodies}
        self.prototypes = {
            str(item.name): item
            for item in (node.decl if isinstance(node, c_ast.FuncDef) else node for node in unit.ast.ext)
            if isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.FuncDecl)
        }
        self.types = Types(unit)
        known = self.types.structures
        held = {(tag, str(item.name)) for tag in known for item in members(known[tag]) if _is_map(item.type)}
        self.own = {at for at in held if unit.span(known[at[0]].coord).file == unit.path}
        self.foreign = {name for _, name in held - self.own}
        others = (item for item in unit.ast.ext if isinstance(item, c_ast.Decl))
        self.variables = [item for item in others if unit.span(item.coord).file in unit.source]
        self.named = [
            node for item in (*self.bodies, *self.variables) for node in nodes(item) if isinstance(node, c_ast.ID)
        ]
        self.names = {str(item.name) for item in self.variables if _is_map(item.type)}
        self.given: frozenset[str] = frozenset()
        self.described: frozenset[int] = frozenset()
        of_nvmem = dict(self._of_nvmem())
        self.given, self.described = frozenset(of_nvmem), frozenset[int]().union(*of_nvmem.values())

    def are_own(self) -> bool:
        if any(_is_map(item.type) and "static" not in (item.storage or ()) for item in self.variables):
            return False
        if any(self._is_lost(lost) for lost in self.unit.refused):
            return False
        declared = list(self._declared())
        if any(_is_deep(item.type) for item in declared) or (self.given and not all(map(_is_by_name, declared))):
            return False
        return all(map(self._is_sound, self.bodies)) and all(map(self._hands_on, self.headers))

    def _is_lost(self, lost: Refused) -> bool:
        """Whether a function that cannot be parsed is the driver's, or one of a header that may use a map."""
        taking = {name for name, item in self.prototypes.items() if any(map(_is_map, _types(item)))}
        return lost.span.file in self.unit.source or any(name in taking.union(TRANSFERS) for name, _ in lost.mentions)

    def _hands_on(self, function: c_ast.FuncDef) -> bool:
        """Whether a function of a header uses no maps but those that it is given itself."""
        scope, given = locals_of(function), [item for item in _parameters(function.decl) if _is_map(item.type)]
        own = [id(item) for item in given if not _is_changed(item, function, scope)]
        return all(id(scope.get(id(value))) in own or _is_null(value) for value in self._values(function, scope))

    def _declared(self) -> Iterator[c_ast.Decl]:
        """What the driver's files declare, locals and parameters included."""
        items = (*self.variables, *(node for body in self.bodies for node in nodes(body)))
        return (item for item in items if isinstance(item, c_ast.Decl))

    def _of_nvmem(self) -> Iterator[tuple[str, frozenset[int]]]:
        """The functions that take a map from the NVMEM core, and the variables that describe this, by their ids."""
        found: dict[int, int] = {}
        for item in self._declared():
            if structure_of(item) == NVMEM and isinstance(item.init, c_ast.InitList):
                for part in item.init.exprs or ():
                    if isinstance(part, c_ast.NamedInitializer) and getattr(part.name[-1], "name", "") in TRANSFERRING:
                        found[id(part.expr)] = id(item)
        for name, body in self.functions.items():
            scope, first = locals_of(body), _parameters(body.decl)[:1]
            mentions = [id(node) for node in self.named if node.name == name]
            taken = (scope.get(id(value)) for value in self._values(body, scope))
            is_taken = (
                bool(first) and any(item is first[0] for item in taken) and not _is_changed(first[0], body, scope)
            )
            if is_taken and mentions and found.keys() >= set(mentions):
                yield name, frozenset(found[node] for node in mentions)

    def _is_private(self, place: c_ast.StructRef, scope: Mapping[int, c_ast.Decl]) -> bool:
        """Whether an lvalue may be the private data of such a description, by the variable that it is a member of."""
        if not self.given or place.field.name != PRIVATE:
            return False
        described = scope.get(id(place.name))
        is_other = described is not None and place.type == "." and id(described) not in self.described
        site = self.types.site(place, scope)
        return not is_other and (site is None or site.structure == NVMEM)

    def _is_sound(self, function: c_ast.FuncDef) -> bool:
        """Whether a function puts nothing but own maps where maps are."""
        scope = dict(locals_of(function))
        first = _parameters(function.decl)[:1] if function.decl.name in self.given else []
        self.private = {id(item) for item in first}
        if _is_result(function.decl.type) or not self._is_only_called(function):
            return False
        return all(self._is_own(value, scope) for value in self._values(function, scope))

    def _is_only_called(self, function: c_ast.FuncDef) -> bool:
        """Whether a function that is given maps is called by its name and in no other way."""
        if not any(_is_map(item.type) for item in _parameters(function.decl)):
            return True
        if "static" not in (function.decl.storage or ()):
            return False
        name = function.decl.name
        named = [node for node in self.named if node.name == name]
        called = [call.name for item in self.bodies for call in calls(item) if _is_name(call.name, name)]
        return len(named) == len(called)

    def _values(self, function: c_ast.FuncDef, scope: Mapping[int, c_ast.Decl]) -> Iterator[c_ast.Node]:
        """What a function makes pointers to maps of, and the maps that it gives functions of the kernel."""
        made = {id(node.init) for node in nodes(function.body) if isinstance(node, c_ast.Decl) and node.name == MADE}
        for node in nodes(function.body):
            if id(node) in made:
                continue
            match node:
                case c_ast.Decl(init=value) if id(value) not in made and value is not None and _is_map(node.type):
                    yield value
                case c_ast.Assignment(lvalue=place, rvalue=value) if self._is_place(place, scope):
                    yield value
                case c_ast.NamedInitializer(name=[*_, c_ast.ID(name=member)], expr=value) if self._may_hold(member):
                    yield value
                case c_ast.Decl(init=c_ast.InitList(exprs=parts)) if id(node) in self.described:
                    named = (part for part in parts or () if isinstance(part, c_ast.NamedInitializer))
                    yield from (part.expr for part in named if getattr(part.name[-1], "name", "") == PRIVATE)
                case c_ast.Cast(to_type=kind) if _is_map(kind.type):
                    yield node.expr
                case c_ast.UnaryOp(op="&", expr=place) if self._is_place(place, scope):
                    yield node  # somebody else may write it
                case c_ast.FuncCall(name=c_ast.ID(name=name)):
                    known = self.prototypes.get(name)
                    takes = [True] if name in TRANSFERS else [_is_map(item.type) for item in _parameters(known)]
                    yield from (value for value, is_map in zip(arguments(node), takes, strict=False) if is_map)
                    if known is not None and _is_result(known.type):
                        yield node
                case _:
                    pass

    def _may_hold(self, member: str) -> bool:
        """Whether a member of some structure may be one that own maps are in."""
        return any(member == name for _, name in self.own)

    def _is_place(self, place: c_ast.Node, scope: Mapping[int, c_ast.Decl]) -> bool:
        """Whether an lvalue is to hold nothing but own maps, as far as its type is known."""
        match place:
            case c_ast.ID():
                return _is_map(scope[id(place)].type) if id(place) in scope else place.name in self.names
            case c_ast.StructRef():
                site = self.types.site(place, scope)
                is_own = self._may_hold(place.field.name) if site is None else (site.structure, site.member) in self.own
                return is_own or self._is_private(place, scope)
            case _:
                return False

    def _is_own(self, value: c_ast.Node, scope: Mapping[int, c_ast.Decl]) -> bool:
        """Whether a pointer is null or leads to an own map, where all places of such pointers do."""
        match value:
            case c_ast.Constant() if _is_null(value):
                return True
            case c_ast.Cast(expr=inner):
                return self._is_own(inner, scope)
            case c_ast.TernaryOp(iftrue=one, iffalse=other):
                return self._is_own(one, scope) and self._is_own(other, scope)
            case c_ast.ExprList(exprs=[*_, last]) | c_ast.Compound(block_items=[*_, last]):
                return self._is_own(last, scope)
            case c_ast.ID() if id(value) in scope and id(scope[id(value)]) in self.private:
                return True
            case c_ast.StructRef() if self.types.site(value, scope) is None and value.field.name in self.foreign:
                return False
            case _:
                return self._is_place(value, scope)


def _is_changed(parameter: c_ast.Decl, body: c_ast.FuncDef, scope: Mapping[int, c_ast.Decl]) -> bool:
    """Whether a function may change a parameter."""
    for node in nodes(body):
        place = node.lvalue if isinstance(node, c_ast.Assignment) else None
        if isinstance(node, c_ast.UnaryOp) and node.op in ("&", "++", "--", "p++", "p--"):
            place = node.expr
        if place is not None and scope.get(id(place)) is parameter:
            return True
    return False


def _is_by_name(item: c_ast.Decl) -> bool:
    """Whether all members of such a description are initialised by name, where any is."""
    if structure_of(item) != NVMEM or item.init is None:
        return True
    named = isinstance(item.init, c_ast.InitList) and not isinstance(item.type, c_ast.ArrayDecl)
    return named and all(isinstance(part, c_ast.NamedInitializer) for part in item.init.exprs or ())


def _is_null(value: c_ast.Node) -> bool:
    return isinstance(value, c_ast.Constant) and value.value == "0"


def _types(function: c_ast.Decl) -> list[c_ast.Node]:
    """The types of what a function is given and gives."""
    return [function.type.type, *(item.type for item in _parameters(function))]


def _is_name(node: c_ast.Node, name: str) -> bool:
    return isinstance(node, c_ast.ID) and node.name == name


def _parameters(function: c_ast.Decl | None) -> list[c_ast.Decl]:
    found = function.type.args.params if function is not None and function.type.args else []
    return [item for item in found if isinstance(item, c_ast.Decl | c_ast.Typename)]


def _is_result(function: c_ast.FuncDecl) -> bool:
    return _is_map(function.type)


def _is_map(kind: c_ast.Node | None) -> bool:
    """Whether a type is a pointer to a map."""
    return isinstance(kind, c_ast.PtrDecl) and _is_structure(kind.type)


def _is_deep(kind: c_ast.Node | None) -> bool:
    """Whether a type is a pointer to, or an array of, pointers to maps, or a function that gives or takes such."""
    return isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl) and (_is_map(kind.type) or _is_deep(kind.type))


def _is_structure(kind: c_ast.Node | None) -> bool:
    inner = kind.type if isinstance(kind, c_ast.TypeDecl) else None
    return isinstance(inner, c_ast.Struct) and inner.name == MAP
