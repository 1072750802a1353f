"""The members of structures, sizes and alignments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duet.frontend.ctypes.types import (
    QUAD,
    VA_LIST,
    ArrayType,
    CType,
    DataModel,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    is_layout_compatible,
    is_scalar,
)
from duet.frontend.ctypes.values import Index, Path


def is_compatible(kind: CType, wanted: CType, data: DataModel) -> bool:
    """Whether an access of a type, of any scalar if that is void, may mean an object of a type."""
    return is_layout_compatible(kind, wanted, data) or (isinstance(wanted, VoidType) and is_scalar(kind))


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct at a byte offset; an anonymous struct has a made-up name, `is_bits` is for a bit-field.

    `is_apart`: it is a bit-field in another memory location than the one in front of it (C11 3.14).
    """

    name: str
    type: CType
    offset: int
    is_anonymous: bool = False
    is_bits: bool = False
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The members of a struct or union in order, its size and alignment in bytes."""

    members: tuple[Member, ...]
    size: int
    align: int


class Layouts:
    """The layouts of structures by key, and what follows from them, in a data model."""

    def __init__(self, data: DataModel) -> None:
        self.data = data
        self.layouts: dict[str, Layout] = {}
        self._parts: dict[tuple[CType, CType], tuple[tuple[Path, CType], ...]] = {}
        self._parts_of = 0  # how many layouts there were then

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
            case _ if kind == VA_LIST:
                return self.data.list_size
            case PointerType():
                return self.data.pointer
            case VoidType() | IntType() | FloatType() | OpaqueType():
                return kind.size

    def is_open(self, kind: CType) -> bool:
        """Whether an array without a length ends something of a type: more may be there than its size says."""
        if not isinstance(kind, StructType):
            return isinstance(kind, ArrayType) and kind.length is None
        members = self.members(kind)
        return any(self.is_open(member.type) for member in (members if kind.is_union else members[-1:]))

    def align(self, kind: CType) -> int:
        """The alignment in bytes, in a structure: `__alignof__` may be more for scalars of 8 bytes."""
        match kind:
            case ArrayType(element):
                return self.align(element)
            case StructType(key):
                layout = self.layouts.get(key)
                return layout.align if layout else 1
            case OpaqueType():
                return kind.align
            case FloatType(name="_Float128" | "_Float128 _Complex"):
                return QUAD.size  # whatever the data model
            case FloatType(size=size) if kind.is_complex:
                return self.data.align(size // 2)
            case _ if kind == VA_LIST:
                return self.data.pointer
            case IntType(atomic=True):
                return self.data.align(kind.size, is_atomic=True)
            case _:
                return self.data.align(self.size(kind) or 1)

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

    def parts(self, kind: CType, wanted: CType) -> tuple[tuple[Path, CType], ...]:
        """The parts of a type that are of a compatible type; array elements all at once."""
        if len(self.layouts) != self._parts_of:
            self._parts, self._parts_of = {}, len(self.layouts)
        found = self._parts.get((kind, wanted))
        if found is None:
            found = self._parts[kind, wanted] = tuple(self._found_parts(kind, wanted, ()))
        return found

    def _found_parts(self, kind: CType, wanted: CType, path: Path) -> Iterator[tuple[Path, CType]]:
        if is_compatible(kind, wanted, self.data):
            yield path, kind
        elif isinstance(kind, ArrayType):
            yield from self._found_parts(kind.element, wanted, (*path, Index(None, kind.length)))
        elif isinstance(kind, StructType):
            for member in self.members(kind):
                yield from self._found_parts(member.type, wanted, (*path, member.name))

    def offset(self, kind: StructType, name: str) -> int:
        """The byte offset of a member."""
        return next((member.offset for member in self.members(kind) if member.name == name), 0)
