"""Types from declarations: pycparser's type trees to C types, and the layout of structs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.scope import Enumerator, Scope, TypeName
from duet.frontend.types import (
    INT,
    LONG,
    UINT,
    ULONG,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    basic_type,
    decay,
    plain,
)
from duet.frontend.values import Node
from duet.frontend.words import ALIGNED, AUTO_TYPE, PACKED
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct at a byte offset; an anonymous struct has a made-up name, `is_bits` is for a bit-field."""

    name: str
    type: CType
    offset: int
    is_anonymous: bool = False
    is_bits: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The members of a struct or union in order, its size and alignment in bytes."""

    members: tuple[Member, ...]
    size: int
    align: int


class TypeTable:
    """Reads types off the tree. `constant` evaluates a constant expression, `opaque` names library objects.

    `apart` are the tags that several files define in different ways; it grows.
    """

    def __init__(
        self,
        constant: Callable[[Node, Scope], int | None],
        type_of: Callable[[Node, Scope], CType],
        span: Callable[[Node], Span],
        opaque: frozenset[str],
        apart: set[str] | None = None,
    ) -> None:
        self.constant = constant
        self.type_of = type_of
        self.span = span
        self.opaque = opaque
        self.layouts: dict[str, Layout] = {}
        self.apart = set() if apart is None else apart
        self._seen: dict[int, StructType] = {}

    def read(self, node: Node, scope: Scope) -> CType:
        """The type that a type tree (or a Decl, Typename around one) denotes."""
        match node:
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
                length = None if node.dim is None else self.constant(node.dim, scope)
                return ArrayType(self.read(node.type, scope), length)
            case c_ast.FuncDecl():
                return self._function(node, scope)
            case c_ast.IdentifierType():
                return self._named(node, scope)
            case c_ast.Struct() | c_ast.Union():
                return self._struct(node, scope)
            case c_ast.Enum():
                return self._enumeration(node, scope)
            case c_ast.TypeOf():
                kind = self.type_of(node.expr, scope)
                return decay(kind) if node.op == AUTO_TYPE else kind
            case _:
                raise Unsupported(f"type {type(node).__name__} is not modelled", self.span(node))

    def _function(self, node: Node, scope: Scope) -> FunctionType:
        result = self.read(node.type, scope)
        if node.args is None:
            return FunctionType(result, None)
        kinds: list[CType] = []
        variadic = False
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
        return FunctionType(result, tuple(kinds), variadic)

    def parameter(self, node: Node, scope: Scope) -> CType:
        """The type of a parameter: of an array a pointer, whatever its length is (that may name other parameters)."""
        if isinstance(node.type, c_ast.ArrayDecl):
            return PointerType(self.read(node.type.type, scope))
        return decay(self.read(node, scope))

    def _named(self, node: Node, scope: Scope) -> CType:
        if len(node.names) == 1:
            symbol = scope.find(node.names[0])
            if isinstance(symbol, TypeName):
                return symbol.type
        return basic_type(node.names)

    def typedef(self, name: str, node: Node, scope: Scope) -> None:
        """Declares a typedef name; those of library objects become opaque."""
        kind = self.read(node, scope)
        if name in self.opaque:
            kind = OpaqueType(name)
        scope.names[name] = TypeName(kind)

    def _enumeration(self, node: Node, scope: Scope) -> CType:
        """The type of an enumeration: as compilers for LP64 choose it, `unsigned int` where no value is negative."""
        tag = f"enum {node.name}"
        if node.values is None:
            known = scope.find(tag) if node.name else None
            return known.type if isinstance(known, TypeName) else UINT
        value = 0
        values: list[int] = []
        for item in node.values.enumerators:
            if item.value is not None:
                found = self.constant(item.value, scope)
                if found is None:
                    raise Unsupported(f"the value of '{item.name}' is no constant", self.span(item))
                value = found
            scope.names[item.name] = Enumerator(value)
            values.append(value)
            value += 1
        kinds = (UINT, ULONG) if min(values, default=0) >= 0 else (INT, LONG)
        kind = kinds[0] if all(kinds[0].lo <= value <= kinds[0].hi for value in values) else kinds[1]
        if node.name:
            scope.names[tag] = TypeName(kind)
        return kind

    def _struct(self, node: Node, scope: Scope) -> StructType:
        is_union = isinstance(node, c_ast.Union)
        if node.decls is None:
            found = scope.find_tag(node.name)
            if found is None:
                found = scope.tags[node.name] = StructType(self._key(node, scope), is_union)
            return found
        known = self._seen.get(id(node))
        if known is None:
            known = self._defined(node, scope, is_union)
            self._seen[id(node)] = known
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
        place = node.coord  # as the parser has it: in each file that includes a header the same
        return f"{node.name or 'anonymous'}@{scope.file if node.name and is_file else place}"

    def _layout(self, node: Node, scope: Scope, is_union: bool) -> Layout:
        """The layout that compilers for x86-64 and other LP64 machines choose (System V ABI, 3.1.2)."""
        is_packed, align = self._attributes(node, scope)
        members: list[Member] = []
        end = size = 0  # in bits
        for number, declaration in enumerate(node.decls):
            if not isinstance(declaration, c_ast.Decl):
                continue
            kind = self.read(declaration.type, scope)
            width = None if declaration.bitsize is None else self.constant(declaration.bitsize, scope)
            step = self._member_align(declaration, kind, scope, is_packed)
            unit = 8 * max(self.size(kind) or 1, 1)
            if width is not None and isinstance(kind, IntType):
                if width == 0 or (not is_packed and end // unit != (end + width - 1) // unit):
                    end = _rounded(end, 8 * self.align(kind))
                if declaration.name and width:
                    align = max(align, step)
                    kind = replace(plain(kind), width=width)
                    members.append(Member(declaration.name, kind, end // unit * unit // 8, is_bits=True))
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

    def _attributes(self, node: Node, scope: Scope) -> tuple[bool, int]:
        """Whether a struct is packed, and its least alignment: `gnu` leaves these attributes as static assertions."""
        is_packed, align = False, 1
        for item in node.decls:
            if isinstance(item, c_ast.StaticAssert) and item.message is not None:
                is_packed = is_packed or item.message.value == PACKED
                align = max(align, (self.constant(item.cond, scope) or 1) if item.message.value == ALIGNED else 1)
        return is_packed, align

    def _member_align(self, declaration: Node, kind: CType, scope: Scope, is_packed: bool) -> int:
        given = [
            self.align(self.read(item.alignment, scope))
            if isinstance(item.alignment, c_ast.Typename)
            else self.constant(item.alignment, scope) or 1
            for item in declaration.align or ()
        ]
        return max(1 if is_packed else self.align(kind), *given, 1)

    def size(self, kind: CType) -> int | None:
        """The size in bytes; None where it is no constant."""
        match kind:
            case ArrayType(element, length):
                size = self.size(element)
                return None if size is None or length is None else size * length
            case StructType(key):
                layout = self.layouts.get(key)
                return layout.size if layout else None
            case FunctionType():
                return 1
            case VoidType() | IntType() | FloatType() | OpaqueType() | PointerType():
                return kind.size

    def align(self, kind: CType) -> int:
        """The alignment in bytes."""
        match kind:
            case ArrayType(element):
                return self.align(element)
            case StructType(key):
                layout = self.layouts.get(key)
                return layout.align if layout else 1
            case OpaqueType():
                return 8
            case _:
                return min(self.size(kind) or 1, 16)

    def members(self, kind: StructType) -> tuple[Member, ...]:
        """The members of a struct; none where it is incomplete."""
        layout = self.layouts.get(kind.key)
        return layout.members if layout else ()

    def member(self, kind: StructType, name: str) -> tuple[tuple[str, ...], CType] | None:
        """The way to a member, through anonymous structs, and its type."""
        for member in self.members(kind):
            if member.name == name and not member.is_anonymous:
                return (name,), member.type
            if member.is_anonymous and isinstance(member.type, StructType):
                found = self.member(member.type, name)
                if found:
                    return (member.name, *found[0]), found[1]
        return None

    def offset(self, kind: StructType, name: str) -> int:
        """The byte offset of a member."""
        return next((member.offset for member in self.members(kind) if member.name == name), 0)


def _rounded(bits: int, step: int) -> int:
    """The next multiple of `step`."""
    return -(-bits // step) * step


def is_const(node: Node) -> bool:
    """Whether the elements of an array, or the object itself, are const."""
    while isinstance(node, c_ast.ArrayDecl):
        node = node.type
    return isinstance(node, c_ast.TypeDecl) and "const" in (node.quals or [])


def _atomic(kind: CType) -> CType:
    return replace(kind, atomic=True) if isinstance(kind, IntType | PointerType) else kind
