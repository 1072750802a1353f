"""Lvalues: names, members, elements, what pointers point to, literals."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.ctypes import literals
from duet.frontend.ctypes.scope import Enumerator, Function, Local, Scope
from duet.frontend.ctypes.types import ArrayType, CType, OpaqueType, PointerType, StructType
from duet.frontend.ctypes.values import Object
from duet.frontend.form.former import Former
from duet.frontend.form.kinds import target_type
from duet.frontend.form.order import group
from duet.frontend.form.tree import (
    UNKNOWN,
    CompoundLiteral,
    Constant,
    Deref,
    Element,
    FunctionName,
    Member,
    Of,
    Place,
    StringLiteral,
    Variable,
)
from duet.frontend.source.nodes import Node
from duet.frontend.source.words import OWN_NAMES


class Places(Former):
    """Forms places."""

    def place(self, node: Node) -> Place:
        """The place that an lvalue denotes, or where a value lies."""
        match node:
            case c_ast.ID():
                return self._named(node)
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.ArrayRef():
                return self._element(node)
            case c_ast.UnaryOp(op="*"):
                pointer = self.expression(node.expr)
                return Deref(node, target_type(pointer.type), pointer)
            case c_ast.Constant() if "string" in str(node.type):
                return self._string(node, str(node.value), f"{_unit(self.scope)}:{node.coord}")
            case c_ast.CompoundLiteral():
                return self._compound_literal(node)
            case c_ast.GenericSelection():
                return self.place(self.selected(node))
            case _:
                value = self.expression(node)
                return Of(node, value.type, value)

    def selected(self, node: Node) -> Node:
        """The expression that a `_Generic` selects. *Raises*: Unsupported where that cannot be told."""
        raise NotImplementedError

    def _named(self, node: Node) -> Place:
        match self.scope.find(node.name):
            case (Object(type=kind) | Local(type=kind)) as symbol:
                return Variable(node, kind, symbol)
            case Function(key, kind):
                return FunctionName(node, kind, key, node.name)
            case Enumerator(value, kind):
                self.around.enumerators.add(node)
                return Of(node, kind, Constant(node, kind, value))
            case None if node.name in OWN_NAMES:
                name, key = (self.function.name, self.function.key) if self.function is not None else ("", "")
                return self._string(node, f'"{name}"', f"{node.name} of {key}")
            case None:
                raise self.wrong(f"'{node.name}' is not declared", node)
            case _:
                raise self.wrong(f"'{node.name}' is the name of a type", node)

    def _member(self, node: Node) -> Place:
        base: Place
        if node.type == "->":
            pointer = self.expression(node.name)
            base = Deref(node.name, target_type(pointer.type), pointer, is_arrow=True)
        else:
            base = self.place(node.name)
        return Member(node, self._member_type(base.type, node), base, node.field.name)

    def _member_type(self, kind: CType, node: Node) -> CType:
        name = node.field.name
        if kind is UNKNOWN or isinstance(kind, OpaqueType):
            return kind
        if not isinstance(kind, StructType):
            raise self.wrong(f"'{name}' is a member of something that is no struct", node)
        found = self.types.member(kind, name)
        if found is None:
            raise self.wrong(f"there is no member '{name}'", node)
        return found[1]

    def _element(self, node: Node) -> Place:
        left, right = self.expression(node.name), self.expression(node.subscript)
        pointer = left.type if isinstance(left.type, PointerType) or left.type is UNKNOWN else right.type
        return Element(node, target_type(pointer), left, right, group((left, right)))

    def _string(self, node: Node, text: str, key: str) -> Place:
        element, codes = literals.string(text, self.types.data)
        return StringLiteral(node, ArrayType(element, len(codes) + 1), text, key)

    def _compound_literal(self, node: Node) -> Place:
        if node.storage and node.storage != ["constexpr"]:
            raise self.unsupported("a storage class of a compound literal is not modelled", node)
        kind = self.completed(self.kind(node.type), node.init)
        return CompoundLiteral(node, kind, self.initialiser(kind, node.init), self.lengths(node.type))


def _unit(scope: Scope | None) -> str:
    """The file of the translation unit that a scope is part of."""
    while scope is not None and scope.file is None:
        scope = scope.parent
    return scope.file or "" if scope is not None else ""
