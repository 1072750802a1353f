"""Types from declarations: pycparser's type trees to C types, and the layout of structs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from pycparser import c_ast

from duet.errors import SourceError, Unsupported
from duet.frontend.ctypes.layout import Layout, Layouts, Member
from duet.frontend.ctypes.scope import Enumerator, Local, Scope, Symbol, TypeName
from duet.frontend.ctypes.types import (
    BASIC_WORDS,
    BOOL,
    INT,
    LLONG,
    UINT,
    ULLONG,
    ArrayType,
    CType,
    DataModel,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    basic_type,
    decay,
    enumeration_type,
    first_holding,
    plain,
    unmeasured,
)
from duet.frontend.source.nodes import Enumeration23, Node
from duet.frontend.source.words import (
    ALIGNED,
    ALIGNED_TYPE,
    AUTO_TYPE,
    MOST_ALIGN,
    PACK,
    PACKED,
    PACKED_ENUM,
    PACKED_MEMBER,
)
from duet.source import Span

T = TypeVar("T")


def _no_extent(_: Node, __: Scope) -> None:
    """No length that is not a constant is known."""


class TypeTable(Layouts):
    """Reads types off the tree. `constant` evaluates a constant expression, `opaque` names library objects.

    `extent` gives the expression for the length of an array that is no constant.

    `is_own` tells what the program declares itself from what headers of the system do.
    `apart` are the tags that several files define in different ways; it grows.
    """

    def __init__(
        self,
        constant: Callable[[Node, Scope], int | None],
        type_of: Callable[[Node, Scope], CType],
        span: Callable[[Node], Span],
        opaque: frozenset[str],
        is_own: Callable[[Node], bool],
        data: DataModel,
        apart: set[str] | None = None,
        extent: Callable[[Node, Scope], object] = _no_extent,
    ) -> None:
        super().__init__(data)
        self.constant = constant
        self.type_of = type_of
        self.span = span
        self.opaque = opaque
        self.is_own = is_own
        self.apart = set() if apart is None else apart
        self.extent = extent
        self._seen: dict[int, tuple[StructType, Mapping[str, Symbol], Mapping[str, StructType]]] = {}

    def read(self, node: Node, scope: Scope) -> CType:
        """The type that a type tree (or a Decl, Typename around one) denotes."""
        match node:
            case c_ast.Decl(name=None, type=c_ast.Struct(decls=None) | c_ast.Union(decls=None)):
                return self._declared(node.type, scope)
            case c_ast.Decl() | c_ast.Typename() | c_ast.Typedef():
                kind = self.read(node.type, scope)
                return _atomic(kind) if "_Atomic" in (node.quals or ()) else kind
            case c_ast.TypeDecl():
                kind = self.read(node.type, scope)
                return _atomic(kind) if "_Atomic" in (node.quals or ()) else kind
            case c_ast.PtrDecl():
                pointer = PointerType(self.read(node.type, scope))
                return _atomic(pointer) if "_Atomic" in (node.quals or ()) else pointer
            case c_ast.ArrayDecl():
                if node.dim is None:
                    return ArrayType(self.read(node.type, scope), None)
                length = self.constant(node.dim, scope)
                if length is not None and length < 0:
                    raise Unsupported("an array of negative length is declared here", self.span(node))
                extent = self.extent(node.dim, scope) if length is None else None
                return ArrayType(self.read(node.type, scope), length, extent)
            case c_ast.FuncDecl():
                return self._function(node, scope)
            case c_ast.IdentifierType():
                return self._named(node, scope)
            case c_ast.Struct() | c_ast.Union():
                return self._struct(node, scope)
            case c_ast.Enum():
                return self._enumeration(node, scope)
            case c_ast.TypeOf():
                return self._of_expression(node, scope)
            case _:
                raise Unsupported(f"type {type(node).__name__} is not modelled", self.span(node))

    def _of_expression(self, node: Node, scope: Scope) -> CType:
        """The type of `typeof` or of an `auto` object. *Raises*: Unsupported for that of a bit-field.

        *Approximates*: an atomic type becomes a plain one, as it does for GNU C; C23 keeps it.
        """
        kind = self.type_of(node.expr, scope)
        if isinstance(kind, IntType) and kind.width != 8 * kind.size and kind.name != BOOL.name:
            raise Unsupported("the type of a bit-field is not modelled here", self.span(node))
        if isinstance(kind, IntType | PointerType) and kind.atomic:
            kind = replace(kind, atomic=False)
        return decay(kind) if node.op == AUTO_TYPE else kind

    def _function(self, node: Node, scope: Scope) -> FunctionType:
        result = self.read(node.type, scope)
        if node.args is None:
            return FunctionType(result, None)
        kinds: list[CType] = []
        variadic = False
        scope = scope.of_parameters()
        for parameter in node.args.params:
            match parameter:
                case c_ast.EllipsisParam():
                    variadic = True
                case c_ast.ID():
                    return FunctionType(result, None)
                case _:
                    kinds.append(self.parameter(parameter, scope))
        if len(kinds) == 1 and isinstance(kinds[0], VoidType):
            kinds = []
        return FunctionType(unmeasured(result), tuple(map(unmeasured, kinds)), variadic)

    def parameter(self, node: Node, scope: Scope) -> CType:
        """The type of a parameter, of an array a pointer; its name, of which lengths may be made, is declared."""
        is_array = isinstance(node.type, c_ast.ArrayDecl)
        kind = PointerType(self.read(node.type.type, scope)) if is_array else decay(self.read(node, scope))
        if node.name is not None:
            scope.names[node.name] = Local(node.name, kind, node)
        return kind

    def _named(self, node: Node, scope: Scope) -> CType:
        if len(node.names) == 1:
            symbol = scope.find(node.names[0])
            if isinstance(symbol, TypeName):
                return symbol.type
        if not BASIC_WORDS.issuperset(node.names):
            raise Unsupported(f"type '{' '.join(node.names)}' is not modelled", self.span(node))
        kind = basic_type(node.names, self.data)
        if kind is None:
            raise Unsupported(f"type '{' '.join(node.names)}' is not there with {self.data.name}", self.span(node))
        return kind

    def typedef(self, name: str, node: Node, scope: Scope) -> None:
        """Declares a typedef name; those of library objects become opaque, but not what a program calls so itself."""
        kind = self.read(node, scope)
        if name in self.opaque and not (self.is_own(node) and self._is_spelled_out(kind)):
            kind = OpaqueType(name, self.size(kind) or 0, self.align(kind))
        scope.names[name] = TypeName(kind, self._given_align(node, scope), self.is_plain(node, scope))

    def _is_spelled_out(self, kind: CType) -> bool:
        """Whether a type is not as libraries define theirs: structs whose members all have reserved names."""
        members = self.members(kind) if isinstance(kind, StructType) else ()
        return not members or not all(member.name.startswith("__") for member in members)

    def assertion(self, node: Node, scope: Scope) -> None:
        """Checks a static assertion, or takes note of the attribute of a type that `attributes` has written as one.

        *Raises*: SourceError for one that fails. What is no constant here is not checked: it means nothing else.
        """
        message = str(getattr(node.message, "value", ""))
        if not message.startswith('"__duet '):
            try:
                value = self.constant(node.cond, scope)
            except Unsupported:
                return
            if value == 0:
                raise SourceError(f"static assertion failed{f': {message}' if message else ''}", self.span(node))
        self._realign(node, message, scope)

    def _realign(self, node: Node, message: str, scope: Scope) -> None:
        """Takes note of an attribute `aligned` of a typedef name."""
        symbol = scope.names.get(message.removeprefix(ALIGNED_TYPE).rstrip('"'))
        if message.startswith(ALIGNED_TYPE) and isinstance(symbol, TypeName):
            align = self.constant(node.cond, scope)
            if align is None:
                raise Unsupported("this alignment is no constant", self.span(node))
            scope.names[message.removeprefix(ALIGNED_TYPE).rstrip('"')] = replace(symbol, align=align)

    def _given_align(self, node: Node, scope: Scope) -> int | None:
        """The alignment that the typedef name in a declaration has by an attribute."""
        while isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.Typename | c_ast.TypeDecl | c_ast.ArrayDecl):
            node = node.type
        symbol = scope.find(node.names[0]) if isinstance(node, c_ast.IdentifierType) else None
        return symbol.align if isinstance(symbol, TypeName) else None

    def is_plain(self, node: Node, scope: Scope) -> bool:
        """Whether a declaration or type name is neither of an enumeration nor qualified."""
        while isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.Typename | c_ast.TypeDecl):
            if node.quals:
                return False
            node = node.type
        symbol = scope.find(node.names[0]) if isinstance(node, c_ast.IdentifierType) else None
        if isinstance(symbol, TypeName):
            return symbol.is_plain
        return not isinstance(node, c_ast.Enum | c_ast.TypeOf) and not getattr(node, "quals", None)

    def align_of(self, node: Node, scope: Scope) -> int:
        """The alignment in bytes of the type that a declaration or type name denotes."""
        return self._given_align(node, scope) or self.align(self.read(node, scope))

    def _enumeration(self, node: Node, scope: Scope) -> CType:
        """The type of an enumeration. Enumerators that are no `int` have it too, as GNU C has it before C23."""
        tag = f"enum {node.name}"
        fixed = None if node.underlying_type is None else self.read(node.underlying_type, scope)
        if isinstance(fixed, IntType) and node.name:
            scope.names[tag] = TypeName(fixed)
        if node.values is None:
            known = scope.find(tag) if node.name else None
            return known.type if isinstance(known, TypeName) else UINT
        value = 0
        values: dict[str, int] = {}
        kind: CType = INT
        for item in node.values.enumerators:
            if item.value is not None:
                found = self.constant(item.value, scope)
                if found is None:
                    raise Unsupported(f"the value of '{item.name}' is no constant", self.span(item))
                value, kind = found, self.type_of(item.value, scope)
            if item.name != PACKED_ENUM:
                values[item.name] = value
                holding = first_holding(value, (INT, kind, self.data.long, self.data.ulong, LLONG, ULLONG))
                scope.names[item.name] = Enumerator(value, holding or ULLONG)
            value += 1
        kind = enumeration_type(
            values.values(), any(item.name == PACKED_ENUM for item in node.values.enumerators), self.data
        )
        if isinstance(fixed, IntType):
            kind = fixed
        outside = [name for name, value in values.items() if not INT.lo <= value <= INT.hi]
        is_whole = isinstance(fixed, IntType) or (isinstance(node, Enumeration23) and outside)
        for name, value in values.items():
            if not kind.lo <= value <= kind.hi:
                raise Unsupported(f"'{name}' is outside of the type of its enumeration", self.span(node))
            scope.names[name] = Enumerator(value, kind if is_whole else first_holding(value, (INT, kind)) or kind)
        if node.name:
            scope.names[tag] = TypeName(kind)
        return kind

    def _declared(self, node: Node, scope: Scope) -> StructType:
        """The type that `struct T;` declares here, whatever the tag means around it (C11 6.7.2.3p7)."""
        found = scope.tags.get(node.name)
        if found is None:
            found = scope.tags[node.name] = StructType(self._key(node, scope), isinstance(node, c_ast.Union))
        return found

    def _struct(self, node: Node, scope: Scope) -> StructType:
        is_union = isinstance(node, c_ast.Union)
        if node.decls is None:
            return scope.find_tag(node.name) or self._declared(node, scope)
        found = self._seen.get(id(node))
        if found is None:
            before = len(scope.names), len(scope.tags)
            known = self._defined(node, scope, is_union)
            self._seen[id(node)] = known, _since(scope.names, before[0]), _since(scope.tags, before[1])
        else:
            known, names, tags = found
            scope.names.update(names)
            scope.tags.update(tags)
        if node.name:
            scope.tags[node.name] = known
        return known

    def _defined(self, node: Node, scope: Scope, is_union: bool) -> StructType:
        """The type that a struct with its members defines: one for all definitions that say the same of a key."""
        declared = scope.tags.get(node.name) if node.name else None
        found = declared or StructType(self._key(node, scope), is_union)
        if node.name:
            scope.tags[node.name] = found
        layout = self._layout(node, scope, is_union)
        while self.layouts.setdefault(found.key, layout) != layout:
            if found.key == node.name and not self.apart.issuperset((found.key,)):
                self.apart.add(found.key)  # another struct of that name in another file: from the next round on
            found = StructType(f"{found.key}'", is_union)
        return found

    def _key(self, node: Node, scope: Scope) -> str:
        """What tells a struct from others: its tag where the same one in several files is one type, else its place."""
        is_file = scope.file is not None
        if node.name and is_file and node.name not in self.apart:
            return str(node.name)
        at = node.coord  # as the parser has it: in each file that includes a header the same, but for the way there
        place = at if at is None else f"{os.path.normpath(at.file)}:{at.line}:{at.column}"
        return f"{node.name or 'anonymous'}@{scope.file if node.name and is_file else place}"

    def _layout(self, node: Node, scope: Scope, is_union: bool) -> Layout:
        """The layout that compilers choose (System V ABI for x86-64 and i386, 3.1.2).

        *Raises*: Unsupported for a bit-field of a type that is larger than its alignment, as there are with ILP32.
        """
        is_packed, align, pack = self._attributes(node, scope)
        self._check_attributes(node, scope, is_packed, pack)
        members: list[Member] = []
        end = size = 0  # in bits
        is_next_packed = is_apart = False
        for number, declaration in enumerate(node.decls):
            if isinstance(declaration, c_ast.StaticAssert):
                self.assertion(declaration, scope)
                is_next_packed |= declaration.message is not None and declaration.message.value == PACKED_MEMBER
            if not isinstance(declaration, c_ast.Decl):
                continue
            is_tight, is_next_packed = is_packed or is_next_packed, False
            kind = unmeasured(self.read(declaration.type, scope))
            if isinstance(declaration.type, c_ast.ArrayDecl) and declaration.type.dim and self.size(kind) is None:
                raise Unsupported("an array of variable length in a structure is not modelled", self.span(declaration))
            width = None if declaration.bitsize is None else self.constant(declaration.bitsize, scope)
            if declaration.name is None and width is None and not _is_anonymous(declaration.type):
                if isinstance(kind, StructType):
                    message = "whether a structure without a name is a member is a matter of the compiler's options"
                    raise Unsupported(message, self.span(declaration))
                continue
            step = min(self._member_align(declaration, scope, is_tight), pack)
            unit = 8 * max(self.size(kind) or 1, 1)
            if width is not None and isinstance(kind, IntType):
                if unit > 8 * self.align(kind):
                    raise Unsupported(f"a bit-field of type '{kind.name}' is not modelled", self.span(declaration))
                is_dense = is_tight or pack < MOST_ALIGN
                if width == 0 or (not is_dense and end // unit != (end + width - 1) // unit):
                    end = _rounded(end, 8 * self.align(kind))
                if declaration.name and width:
                    align = max(align, step)
                    if width == unit and end % 8:
                        raise Unsupported("a bit-field across the bytes of its type", self.span(declaration))
                    kind = replace(plain(kind), width=width)
                    offset = end // 8 if width == unit else end // unit * unit // 8
                    members.append(Member(declaration.name, kind, offset, is_bits=True, is_apart=is_apart))
                is_apart = width == 0 or (is_apart and not declaration.name)
                end += width
            else:
                align = max(align, step)
                end = _rounded(end, 8 * step)
                name = declaration.name or f"anon{number}"
                members.append(Member(name, kind, end // 8, declaration.name is None))
                end += 8 * (self.size(kind) or 0)
            size = max(size, end)
            end = 0 if is_union else end
        return Layout(tuple(members), _rounded(size, 8 * align) // 8, align)

    def _attributes(self, node: Node, scope: Scope) -> tuple[bool, int, int]:
        """Whether a struct is packed, its least alignment and the most of its members: see `attributes`."""
        is_packed, align, pack = False, 1, MOST_ALIGN
        for item in node.decls:
            if isinstance(item, c_ast.StaticAssert) and item.message is not None:
                is_packed = is_packed or item.message.value == PACKED
                value = self.constant(item.cond, scope) or 1
                align = max(align, value if item.message.value == ALIGNED else 1)
                pack = value if item.message.value == PACK else pack
        return is_packed, align, pack

    def _check_attributes(self, node: Node, scope: Scope, is_packed: bool, pack: int) -> None:
        """*Raises*: Unsupported for attributes whose sum means more than each of them."""
        members = [item for item in node.decls if isinstance(item, c_ast.Decl)]
        given = [item for item in members if item.align or self._given_align(item, scope)]
        if (pack < MOST_ALIGN and (given or (is_packed and pack > 1))) or any(item.bitsize for item in given):
            message = "these attributes of a struct and its members are not supported together"
            raise Unsupported(message, self.span((given or members)[0]))

    def _member_align(self, declaration: Node, scope: Scope, is_packed: bool) -> int:
        given = [
            self.align_of(item.alignment, scope)
            if isinstance(item.alignment, c_ast.Typename)
            else self.constant(item.alignment, scope) or 1
            for item in declaration.align or ()
        ]
        return max(1 if is_packed else self.align_of(declaration.type, scope), *given, 1)


def _since(entries: dict[str, T], count: int) -> dict[str, T]:
    """What was entered in a table behind the first entries: enumerators and tags that members define."""
    return dict(islice(reversed(entries.items()), len(entries) - count))


def _is_anonymous(node: Node) -> bool:
    """Whether members without a name of a type are members (C11 6.7.2.1 p13): no tag, nor anything but a structure."""
    return isinstance(node, c_ast.Struct | c_ast.Union) and node.name is None


def _rounded(bits: int, step: int) -> int:
    """The next multiple of `step`."""
    return -(-bits // step) * step


def is_const(node: Node) -> bool:
    """Whether the elements of an array, or the object itself, are const."""
    while isinstance(node, c_ast.ArrayDecl):
        node = node.type
    return isinstance(node, c_ast.TypeDecl | c_ast.PtrDecl) and "const" in (node.quals or [])


def read_only(function: Node, kind: FunctionType, *targets: type[CType]) -> frozenset[int]:
    """Which parameters of a function that is declared are pointers to something const of one of some kinds."""
    given = function.type.args.params if function.type.args is not None else ()
    known = [parameter for parameter in given if not isinstance(parameter, c_ast.EllipsisParam)]
    return frozenset(
        place
        for place, (parameter, of) in enumerate(zip(known, kind.parameters or (), strict=False))
        if isinstance(of, PointerType) and isinstance(of.target, targets)
        if isinstance(parameter.type, c_ast.PtrDecl | c_ast.ArrayDecl) and is_const(parameter.type.type)
    )


def single(function: Node) -> frozenset[int]:
    """Which parameters of a function that is declared are written as pointers, not as arrays."""
    given = function.type.args.params if function.type.args is not None else ()
    return frozenset(
        place for place, parameter in enumerate(given) if isinstance(getattr(parameter, "type", None), c_ast.PtrDecl)
    )


def is_volatile(node: Node) -> bool:
    """Whether the elements of an array, or the object itself, are volatile."""
    node = node.type if isinstance(node, c_ast.Decl) else node
    while isinstance(node, c_ast.ArrayDecl):
        node = node.type
    return isinstance(node, c_ast.TypeDecl | c_ast.PtrDecl) and "volatile" in (node.quals or [])


def _atomic(kind: CType) -> CType:
    return replace(kind, atomic=True) if isinstance(kind, IntType | PointerType) else kind
