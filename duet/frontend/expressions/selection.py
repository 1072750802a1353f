"""`_Generic` (C11 6.5.1.1): which of its expressions the type of the operand selects.

*Approximates*: exact where the types here say as much as those of C. They do not say how what pointers point to is
qualified, or which enumeration an integer belongs to: then any expression that may be selected is.
"""

from __future__ import annotations

from duet.errors import Unsupported
from duet.frontend.cells.context import Context, Outcome
from duet.frontend.ctypes.types import ArrayType, CType, FunctionType, IntType, PointerType, decay, plain
from duet.frontend.expressions import expr, lvalue
from duet.frontend.source.nodes import Node


def selected(ctx: Context, node: Node) -> Node:
    """The expression that is selected. *Raises*: Unsupported where that cannot be told."""
    found = _candidates(ctx, node)
    if len(found) > 1:
        raise Unsupported("which expression this _Generic selects is not known", ctx.span(node))
    return found[0]


def outcomes(ctx: Context, node: Node) -> list[Outcome]:
    """The outcomes of every expression that may be selected. *Raises*: Unsupported where they differ in type."""
    found = _candidates(ctx, node)
    if len(found) == 1:
        return expr.outcomes(ctx, found[0])
    if len({lvalue.type_at(ctx, item) for item in found}) > 1:
        return expr.outcomes(ctx, selected(ctx, node))
    ctx.warn(node, "generic", "which expression this _Generic selects is not known: any that may be")
    result: list[Outcome] = []
    for way, item in zip(ctx.builder.fork(len(found)), found, strict=True):
        ctx.builder.at(way)
        arms = expr.outcomes(ctx, item)
        here = ctx.builder.current
        ctx.builder.flush()
        result += [(ctx.builder.current if place == here else place, value) for place, value in arms]
    return result


def _candidates(ctx: Context, node: Node) -> list[Node]:
    """The expressions that may be selected. *Raises*: Unsupported where there is none."""
    operand = decay(lvalue.type_at(ctx, node.expr))
    operand = plain(operand) if isinstance(operand, IntType) else operand
    default, found = None, []
    for association in node.associations:
        if association.type is None:
            default = association.expr
            continue
        kind = ctx.memory.types.read(association.type, ctx.scope)
        if not may_be_same(kind, operand):
            continue
        found.append(association.expr)
        if _says_all(operand) and kind == operand and ctx.memory.types.is_plain(association.type, ctx.scope):
            return [association.expr]
    if default is not None:
        found.append(default)
    if not found:
        raise Unsupported("no type of this _Generic fits its operand", ctx.span(node))
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
