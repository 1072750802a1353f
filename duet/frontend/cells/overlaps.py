"""Memory that is seen in several ways: which scalars of unions have cells, which are bits of these; bytes of scalars.

The largest scalars have cells, first declared first; each other one lies in one of these, as some of its bits. A union
in which that is not so has no cells: one with members that are pointers or floating values, locks, bit-fields or long
arrays, and one in which scalars overlap without one containing the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from duet.frontend.cells.located import Initial, Key, Shape, key_of, shape_of
from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.origins import NOTHING, Origins
from duet.frontend.ctypes.types import ArrayType, CType, IntType, OpaqueType, StructType
from duet.frontend.ctypes.values import Direct, Index, Object, Path
from duet.plip.terms import constant

_MOST = 64
"""Scalars of a union, beyond which it has no cells."""


@dataclass(frozen=True, slots=True)
class Part:
    """Where a scalar of `size` bytes is kept: the path of the one with a cell, its type, and the first bit there."""

    path: Path
    type: IntType
    shift: int
    size: int


@dataclass(frozen=True, slots=True)
class _Scalar:
    path: Path
    type: IntType
    start: int

    @property
    def end(self) -> int:
        return self.start + self.type.size


@dataclass
class Overlaps:
    """Unions by their types."""

    types: TypeTable
    _parts: dict[str, tuple[int, Mapping[Key, Part]]] = field(default_factory=dict)
    _locks: dict[tuple[str, int, bool], bool] = field(default_factory=dict)

    def parts(self, kind: StructType) -> Mapping[Key, Part]:
        """Where each scalar of a union is kept, by its path; nothing where the union has no cells."""
        size = self.types.size(kind) or 0
        known = self._parts.get(kind.key)
        if known is None or known[0] != size:  # a union may be incomplete when it is seen first
            known = self._parts[kind.key] = size, self._found(kind)
        return known[1]

    def kept(self, kind: StructType) -> list[tuple[Path, CType]]:
        """The scalars of a union that have cells."""
        found = {key_of(part.path): (part.path, part.type) for part in self.parts(kind).values()}
        return list(found.values())

    def outermost(self, kind: CType, path: Path) -> tuple[int, StructType] | None:
        """After how many steps a path is at a union that it goes into, and which one; None where it is at none."""
        for at, step in enumerate(path):
            if isinstance(step, Index):
                assert isinstance(kind, ArrayType)
                kind = kind.element
                continue
            assert isinstance(kind, StructType)
            if kind.is_union:
                return at, kind
            found = next((member for member in self.types.members(kind) if member.name == step), None)
            if found is None:
                return None
            kind = found.type
        return None

    def settled(self, kind: CType, initial: Initial) -> Initial | None:
        """Initial values by the scalars that have cells: those that are parts of these become bits of them.

        None where several members of a union are given values.
        """
        if not self._has_union(kind):
            return initial
        values: dict[Key, int] = {}
        origins: dict[Key, Origins] = {}
        members: dict[Key, str | int] = {}
        unions: dict[Shape, tuple[int, StructType] | None] = {}
        for key, value in initial.values.items():
            place, bits, shape = key, value, shape_of(key)
            if shape not in unions:
                path: Path = tuple(step if isinstance(step, str) else Index(constant(step), None) for step in key)
                unions[shape] = self.outermost(kind, path)
            found = unions[shape]
            if found is not None:
                at, union = found
                if members.setdefault(key[:at], key[at]) != key[at]:
                    return None
                part = self.parts(union).get(key[at:])
                if part is not None:
                    place = (*key[:at], *key_of(part.path))
                    bits = values.get(place, 0) + (value % (1 << 8 * part.size) << part.shift)
                    bits = (bits - part.type.lo) % (1 << part.type.width) + part.type.lo
            values[place] = bits
            if key in initial.origins:
                origins[place] = origins.get(place, NOTHING) | initial.origins[key]
        return Initial(values, origins)

    def _has_union(self, kind: CType) -> bool:
        """Whether there is a union in a type."""
        match kind:
            case StructType():
                return kind.is_union or any(self._has_union(member.type) for member in self.types.members(kind))
            case ArrayType(element):
                return self._has_union(element)
            case _:
                return False

    def has_lock(self, kind: CType, is_overlapped: bool = False) -> bool:
        """Whether there is something of the library's own in a union in a type, such as a lock."""
        match kind:
            case StructType():
                known = (kind.key, self.types.size(kind) or 0, is_overlapped)
                if known not in self._locks:
                    inside = is_overlapped or kind.is_union
                    self._locks[known] = any(self.has_lock(part.type, inside) for part in self.types.members(kind))
                return self._locks[known]
            case ArrayType(element):
                return self.has_lock(element, is_overlapped)
            case _:
                return is_overlapped and isinstance(kind, OpaqueType)

    def _found(self, kind: StructType) -> Mapping[Key, Part]:
        scalars = list(self._scalars(kind, (), 0))
        if len(scalars) > _MOST or not all(isinstance(found, _Scalar) for found in scalars):
            return {}
        known = [found for found in scalars if found is not None]
        kept: list[_Scalar] = []
        parts: dict[Key, Part] = {}
        for found in sorted(known, key=lambda scalar: -scalar.type.size):
            met = [other for other in kept if found.start < other.end and other.start < found.end]
            if len(met) > 1 or any(found.start < other.start or other.end < found.end for other in met):
                return {}
            whole = met[0] if met else found
            kept += () if met else (found,)
            parts[key_of(found.path)] = Part(whole.path, whole.type, 8 * (found.start - whole.start), found.type.size)
        return parts

    def _scalars(self, kind: CType, path: Path, start: int) -> Iterator[_Scalar | None]:
        """The scalars of a type at offsets in bytes; None for what is not told apart."""
        match kind:
            case StructType():
                members = self.types.members(kind)
                if not members:
                    yield None
                for member in members:
                    if member.is_bits:
                        yield None
                    yield from self._scalars(member.type, (*path, member.name), start + member.offset)
            case ArrayType(element, length) if length is not None and length <= _MOST:
                size = self.types.size(element) or 0
                for number in range(length):
                    yield from self._scalars(element, (*path, Index(constant(number), length)), start + number * size)
            case IntType() if is_bytes(kind):
                yield _Scalar(path, kind, start)
            case _:
                yield None


def bytes_of(types: TypeTable, of: Object, offset: int, wanted: CType) -> Direct | None:
    """The bytes of a larger integer at an offset in an object, for an access of an integer type; None elsewhere."""
    kind: CType = of.type
    path: Path = ()
    while not isinstance(kind, IntType):
        match kind:
            case ArrayType(element, length) if length is not None and (size := types.size(element)):
                path, kind, offset = (*path, Index(constant(offset // size), length)), element, offset % size
            case StructType(is_union=False):
                inside = [
                    part for part in types.members(kind) if 0 <= offset - part.offset < (types.size(part.type) or 0)
                ]
                if len(inside) != 1 or inside[0].is_bits:
                    return None
                path, kind, offset = (*path, inside[0].name), inside[0].type, offset - inside[0].offset
            case _:
                return None
    if not (is_bytes(kind) and isinstance(wanted, IntType) and is_bytes(wanted)) or offset + wanted.size > kind.size:
        return None
    return Direct(of, path, wanted, 8 * offset)


def is_bytes(kind: IntType) -> bool:
    """Whether each bit of an integer's bytes is one of its value, and an access to some of them is an ordinary one."""
    return kind.width == 8 * kind.size and not kind.atomic
