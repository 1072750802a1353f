"""Initialisers: which part of an object gets which expression (C11 6.7.9)."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from typing import TypeAlias

from pycparser import c_ast

from duet.frontend.ctypes import literals
from duet.frontend.ctypes.types import INT, ArrayType, CType, DataModel, IntType, OpaqueType, StructType, unmeasured
from duet.frontend.ctypes.values import Index, Path
from duet.frontend.form.order import group
from duet.frontend.form.places import Places
from duet.frontend.form.tree import (
    Constant,
    Entry,
    Expression,
    Initialiser,
    Parts,
)
from duet.frontend.form.walk import has_effects
from duet.frontend.source.nodes import RANGE, Node
from duet.plip.terms import constant

RANGE_LIMIT = 1 << 16
"""The most elements of a GNU range of designators."""
_Named: TypeAlias = tuple[Path, CType, Node | int]
"""A part of an object and the tree that it gets; a number stands for itself, None for 0 in all of the part."""
_Key: TypeAlias = tuple[str | int | None, ...]


class Initialisers(Places):
    """Forms initialisers."""

    def initialiser(self, kind: CType, node: Node, is_static: bool = False) -> Initialiser:
        """The initialiser of an object of a type; a static one is of parts, as it is written out."""
        is_array = isinstance(kind, ArrayType) and isinstance(node, c_ast.CompoundLiteral)
        if not (is_static or is_array or isinstance(node, c_ast.InitList) or is_string(node)):
            return self.expression(node)
        found, is_torn = self._effective(kind, node)
        formed: dict[int, Expression] = {}
        entries = tuple(
            Entry(node, unmeasured(inner), path, self._leaf(item, node, formed)) for path, inner, item in found
        )
        return Parts(node, entries, is_torn, group([item.value for item in entries if item.value is not None]))

    def completed(self, kind: CType, node: Node | None) -> CType:
        """The type of an object, with the length that its initialiser gives."""
        if not isinstance(kind, ArrayType) or kind.length is not None or kind.extent is not None or node is None:
            return kind
        longest = 0
        for path, _, _ in self._entries(kind, node):
            step = path[0]
            assert isinstance(step, Index)
            longest = max(longest, (step.constant or 0) + 1)
        return ArrayType(kind.element, longest)

    def _leaf(self, item: Node | int, node: Node, formed: dict[int, Expression]) -> Expression | None:
        """The expression for a part, formed once for all parts that a range of designators names."""
        if item is None:
            return None
        if isinstance(item, int):
            return Constant(node, INT, item)
        if id(item) not in formed:
            formed[id(item)] = self.expression(item)
        return formed[id(item)]

    def _entries(self, kind: CType, node: Node, path: Path = ()) -> list[_Named]:
        """The parts of an object of a type that an initialiser names, in order; later ones override earlier ones."""
        cleared: list[_Named] = [(path, kind, None)] if path else []
        if isinstance(node, c_ast.CompoundLiteral) and isinstance(kind, ArrayType | StructType) and not path:
            return self._entries(kind, node.init)
        if isinstance(node, c_ast.InitList):
            if isinstance(kind, ArrayType) and len(node.exprs) == 1 and is_string(node.exprs[0]):
                return self._entries(kind, node.exprs[0], path)
            if isinstance(kind, OpaqueType):
                return [(path, kind, self._first_that_counts(node))]
            if not isinstance(kind, ArrayType | StructType):
                return self._entries(kind, node.exprs[0], path) if node.exprs else cleared
            return [*cleared, *self._fill(kind, deque(node.exprs), path, is_braced=True)]
        if isinstance(kind, ArrayType) and is_string(node):
            _, codes = literals.string(str(node.value), self.types.data)
            length = kind.length if kind.length is not None else len(codes) + 1
            elements: list[_Named] = [
                ((*path, Index(constant(place), kind.length)), kind.element, code)
                for place, code in enumerate([*codes, 0][:length])
            ]
            return [*cleared, *elements]
        return [(path, kind, node)]

    def _effective(self, kind: CType, node: Node, path: Path = ()) -> tuple[list[_Named], bool]:
        """The entries that no later one overrides, and whether one overrides a part of what is given as a whole.

        Compilers differ in what the rest of the whole is then.
        """
        found: dict[_Key, _Named] = {}
        above: set[_Key] = set()
        is_torn = False
        for entry in self._entries(kind, node, path):
            key = _key_of(entry[0])
            outer = [key[:length] for length in range(len(key))]
            if key in found or key in above:
                for other in [other for other in found if other[: len(key)] == key]:
                    self._check_no_effects(found.pop(other)[2])
            is_torn = is_torn or any(place in found and found[place][2] is not None for place in outer)
            found[key] = entry
            above.update(outer)
        result: list[_Named] = []
        for part, inner, item in found.values():
            if isinstance(item, c_ast.CompoundLiteral) and isinstance(inner, ArrayType | StructType) and part:
                parts, is_inner_torn = self._effective(inner, item.init, part)
                result += parts
                is_torn = is_torn or is_inner_torn
            else:
                result.append((part, inner, item))
        return result, is_torn

    def _check_no_effects(self, item: Node | int) -> None:
        """*Raises*: Unsupported for an overridden initialiser with effects: C leaves open whether it is evaluated."""
        if item is not None and not isinstance(item, int) and self._has_effects(item):
            raise self.unsupported("an initialiser with effects that a later one overrides", item)

    def _has_effects(self, item: Node) -> bool:
        """Whether an initialiser has effects, also one in braces."""
        if isinstance(item, c_ast.InitList | c_ast.NamedInitializer):
            return any(self._has_effects(part) for part in getattr(item, "exprs", None) or [item.expr])
        return has_effects(self.expression(item))

    def _first_that_counts(self, node: Node) -> Node | int:
        """The first initialiser within a library object that is not 0, whatever its members are; 0 if all are."""
        work = deque([node])
        while work:
            item = work.popleft()
            if isinstance(item, c_ast.NamedInitializer):
                work.appendleft(item.expr)
            elif isinstance(item, c_ast.InitList):
                work.extendleft(reversed(item.exprs))
            elif self.constant(item) != 0:
                return item
        return 0

    def _fill(self, kind: CType, items: deque[Node], path: Path, is_braced: bool, place: int = 0) -> Iterator[_Named]:
        """The parts that the next items of a list initialise, in the order of the members from a position on."""
        while items:
            item = items[0]
            if isinstance(item, c_ast.NamedInitializer):
                if not is_braced:
                    return
                items.popleft()
                indices = self._range(item)
                for index in indices:
                    yield from self._designated(kind, _at(item, index), deque(), path)
                place = indices[-1] + 1 if indices else (yield from self._designated(kind, item, items, path))
                continue
            found = self._part(kind, place)
            if found is None:
                if is_braced:
                    items.popleft()  # more initialisers than members: a constraint violation that compilers ignore
                    continue
                return
            step, inner = found
            yield from self._next(inner, items, (*path, *step))
            place += 1
            if isinstance(kind, StructType) and kind.is_union and not is_braced:
                return

    def _range(self, item: Node) -> range:
        """The indices that the GNU range of a designator names; empty for other designators."""
        first, *rest = item.name
        node = first.expr if isinstance(first, c_ast.ArrayDesignator) else None
        if not isinstance(node, c_ast.FuncCall) or node.name.name != RANGE:
            return range(0)
        low, high = (self.constant(bound) for bound in node.args.exprs)
        if low is None or high is None or not 0 <= low <= high or high - low > RANGE_LIMIT or rest:
            raise self.unsupported("this range of designators is not supported", node)
        if self._has_effects(item.expr):
            raise self.unsupported("a range of designators with an initialiser that has effects", node)
        return range(low, high + 1)

    def _next(self, kind: CType, items: deque[Node], path: Path) -> Iterator[_Named]:
        """The parts of one member that the next item, or with elided braces the next items, initialise."""
        item = items[0]
        is_whole = isinstance(item, c_ast.InitList) or not isinstance(kind, ArrayType | StructType)
        if not is_whole and isinstance(kind, ArrayType):
            element = kind.element
            is_whole = (
                isinstance(element, IntType)
                and is_string(item)
                and _element_size(item, self.types.data) == element.size
            )
        if not is_whole and isinstance(kind, StructType) and not isinstance(item, c_ast.Constant):
            is_whole = self.type_at(item) == kind
        if is_whole:
            items.popleft()
            yield from self._entries(kind, item, path)
            return
        yield from self._fill(kind, items, path, is_braced=False)

    def _part(self, kind: CType, place: int) -> tuple[Path, CType] | None:
        """The member or element at a position."""
        match kind:
            case ArrayType(element, length):
                return None if length is not None and place >= length else ((Index(constant(place), length),), element)
            case StructType():
                members = self.types.members(kind)
                if place >= len(members) or (kind.is_union and place > 0):
                    return None
                return (members[place].name,), members[place].type
            case _:
                return None

    def _designated(self, kind: CType, item: Node, items: deque[Node], path: Path) -> Generator[_Named, None, int]:
        """The parts of a designated item, and of the next ones in what is around it; returns the position behind."""
        around: list[tuple[CType, Path, int]] = []
        for designator in item.name:
            if isinstance(kind, ArrayType):
                node = designator.expr if isinstance(designator, c_ast.ArrayDesignator) else designator
                index = self.constant(node)
                if index is None:
                    raise self.unsupported("the index of this designator is no constant", node)
                around.append((kind, path, index))
                path, kind = (*path, Index(constant(index), kind.length)), kind.element
            elif isinstance(kind, StructType):
                found = self.types.member(kind, designator.name)
                if found is None:
                    raise self.wrong(f"there is no member '{designator.name}'", designator)
                for name in found[0]:
                    assert isinstance(kind, StructType)
                    members = {member.name: member.type for member in self.types.members(kind)}
                    around.append((kind, path, list(members).index(name)))
                    path, kind = (*path, name), members[name]
            else:
                break
        if not around:
            raise self.unsupported("a designator for something that has no parts", item)
        items.appendleft(item.expr)
        yield from self._next(kind, items, path)
        for inner, start, position in reversed(around[1:]):
            yield from self._fill(inner, items, start, is_braced=False, place=position + 1)
        return around[0][2] + 1


def is_string(node: Node) -> bool:
    """Whether a tree is a string literal."""
    return isinstance(node, c_ast.Constant) and "string" in str(node.type)


def _element_size(node: Node, data: DataModel) -> int:
    return literals.string(str(node.value), data)[0].size


def _at(item: Node, index: int) -> Node:
    """A designated item for one index of its range."""
    node = c_ast.Constant("int", str(index), getattr(item.name[0], "coord", None))
    return c_ast.NamedInitializer([c_ast.ArrayDesignator(node, node.coord)], item.expr)


def _key_of(path: Path) -> _Key:
    return tuple(step.constant if isinstance(step, Index) else step for step in path)
