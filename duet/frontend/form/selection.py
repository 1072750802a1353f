"""`_Generic` (C11 6.5.1.1): which of its expressions the type of the operand selects.

*Approximates*: exact where the types here say as much as those of C. They do not say how what pointers point to is
qualified, or which enumeration an integer belongs to: then any expression that may be selected is.
"""

from __future__ import annotations

from duet.frontend.ctypes.types import ArrayType, CType, FunctionType, IntType, PointerType, decay, plain
from duet.frontend.form.places import Places
from duet.frontend.form.tree import Expression, Selection
from duet.frontend.source.nodes import Node


class Selections(Places):
    """Forms generic selections."""

    def selected(self, node: Node) -> Node:
        """The expression that is selected. *Raises*: Unsupported where that cannot be told."""
        found = self._candidates(node)
        if len(found) > 1:
            raise self.unsupported("which expression this _Generic selects is not known", node)
        return found[0]

    def selection(self, node: Node) -> Expression:
        """The expression that is selected, or all that may be. *Raises*: Unsupported where these differ in type."""
        found = self._candidates(node)
        if len(found) > 1 and len({self.type_at(item) for item in found}) == 1:
            forms = tuple(map(self.expression, found))
            return Selection(node, forms[0].type, forms)
        return self.expression(self.selected(node))

    def _candidates(self, node: Node) -> list[Node]:
        """The expressions that may be selected. *Raises*: Unsupported where there is none."""
        operand = decay(self.type_at(node.expr))
        operand = plain(operand) if isinstance(operand, IntType) else operand
        default, found = None, []
        for association in node.associations:
            if association.type is None:
                default = association.expr
                continue
            kind = self.kind(association.type)
            if not may_be_same(kind, operand):
                continue
            found.append(association.expr)
            if _says_all(operand) and kind == operand and self.types.is_plain(association.type, self.scope):
                return [association.expr]
        if default is not None:
            found.append(default)
        if not found:
            raise self.unsupported("no type of this _Generic fits its operand", node)
        return found


def _says_all(kind: CType) -> bool:
    """Whether a type of an expression here says all that one of C does."""
    return not isinstance(kind, PointerType) and not (isinstance(kind, IntType) and _is_bits(kind))


def _is_bits(kind: IntType) -> bool:
    """Whether an integer type is that of a bit-field, to which compilers give types of their own, or not."""
    return kind.width not in (1, 8 * kind.size)


def may_be_same(left: CType, right: CType) -> bool:
    """Whether two types may be compatible, up to how they and what they point to are qualified."""
    match left, right:
        case IntType(), IntType():
            is_wide = _is_bits(left) or _is_bits(right)
            return (left.name, left.signed) == (right.name, right.signed) if is_wide else plain(left) == plain(right)
        case PointerType(), PointerType():
            return may_be_same(left.target, right.target)
        case ArrayType(), ArrayType():
            lengths = {left.length, right.length} - {None}
            return len(lengths) < 2 and may_be_same(left.element, right.element)
        case FunctionType(), FunctionType():
            return may_be_same(left.result, right.result) and _may_take_the_same(left, right)
        case _:
            return left == right


def _may_take_the_same(left: FunctionType, right: FunctionType) -> bool:
    if left.parameters is None or right.parameters is None:
        return True
    if len(left.parameters) != len(right.parameters) or left.variadic != right.variadic:
        return False
    return all(may_be_same(one, other) for one, other in zip(left.parameters, right.parameters, strict=True))
