"""Expressions to commands: values, places, conditions, in C's order of evaluation (operands left to right)."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.cells.access import read
from duet.frontend.cells.arithmetic import binary, unary
from duet.frontend.cells.context import Context, Outcome
from duet.frontend.cells.convert import condition_of, convert, merged, negated, number, snapshot, squeezed
from duet.frontend.ctypes import literals
from duet.frontend.ctypes.scope import Bound, Enumerator
from duet.frontend.ctypes.types import (
    BOOL,
    INT,
    VOID_POINTER,
    CType,
    FloatType,
    IntType,
    PointerType,
    VoidType,
    basic_type,
    common_float,
    common_type,
    is_scalar,
)
from duet.frontend.ctypes.values import Untracked, Value, literal, type_of
from duet.frontend.expressions import assign, extensions, lengths, lvalue, order, selection
from duet.frontend.expressions.settled import Settled
from duet.frontend.source.nodes import Node, Otherwise

_BRANCHING = (c_ast.FuncCall, c_ast.TernaryOp, c_ast.ExprList, c_ast.Cast, c_ast.Compound)


def rvalue(ctx: Context, node: Node) -> Value:
    """The value of an expression."""
    found = outcomes(ctx, node)
    if len(found) == 1 and found[0][0] == ctx.builder.current:
        return found[0][1]
    kinds = [type_of(value) for _, value in found]
    return merged(ctx, found, _merged_type(kinds))


def _merged_type(kinds: list[CType]) -> CType:
    """The type of a conditional expression with arms of these types (C11 6.5.15)."""
    if not kinds:
        return VoidType()
    result = kinds[0]
    for kind in kinds[1:]:
        if isinstance(result, IntType) and isinstance(kind, IntType):
            result = kind if kind == result else common_type(result, kind)
        elif isinstance(result, VoidType) or isinstance(kind, VoidType):
            result = VoidType()
        elif isinstance(result, FloatType) or isinstance(kind, FloatType):
            result = common_float(result, kind)
        elif isinstance(kind, PointerType) and not isinstance(result, PointerType):
            result = kind
        elif isinstance(kind, PointerType) and isinstance(result, PointerType):
            result = result if isinstance(result.target, VoidType) else kind
    return result


def _choice_type(ctx: Context, node: Node, arms: list[list[Outcome]]) -> CType:
    """The type of a choice between two arms: one that is a null pointer constant takes the type of the other."""
    kinds = [[type_of(value) for _, value in arm] for arm in arms]
    for place, part in enumerate((getattr(node, "iftrue", node.cond), node.iffalse)):
        other = kinds[1 - place]
        if any(isinstance(kind, PointerType) for kind in other) and _is_null_constant(ctx, part):
            return _merged_type(other)
    return _merged_type([kind for arm in kinds for kind in arm])


def _is_null_constant(ctx: Context, node: Node) -> bool:
    """Whether an expression is a constant 0 as the source has it, perhaps converted to `void *` (C11 6.3.2.3)."""
    match node:
        case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl(type=c_ast.TypeDecl(quals=[], type=target)))):
            is_void = isinstance(target, c_ast.IdentifierType) and target.names == ["void"]
            return is_void and _is_null_constant(ctx, node.expr)
        case _:
            return is_constant_expression(ctx, node) and constant_value(ctx, node) == 0


def is_constant_expression(ctx: Context, node: Node) -> bool:
    """Whether an expression is an integer constant as the source has it."""
    match node:
        case c_ast.Constant() | c_ast.UnaryOp(op="sizeof" | "_Alignof"):
            return True
        case c_ast.ID():
            return _is_enumerator(ctx, node)
        case c_ast.Cast() | c_ast.UnaryOp(op="+" | "-" | "~" | "!") | c_ast.BinaryOp() | c_ast.TernaryOp():
            parts = [child for _, child in node.children() if not isinstance(child, c_ast.Typename)]
            return all(is_constant_expression(ctx, part) for part in parts)
        case _:
            return False


def outcomes(ctx: Context, node: Node) -> list[Outcome]:
    """The values of an expression, each where it has it; a read is left deferred at a single one only."""
    with ctx.at_node(node):
        match node:
            case c_ast.FuncCall():
                return ctx.hooks.call(ctx, node)
            case c_ast.TernaryOp() | Otherwise():
                return _ternary(ctx, node)
            case c_ast.Compound():
                return extensions.statement_expression(ctx, node)
            case c_ast.GenericSelection():
                return selection.outcomes(ctx, node)
            case c_ast.ExprList():
                for part in node.exprs[:-1]:
                    effect(ctx, part)
                return outcomes(ctx, node.exprs[-1])
            case c_ast.Cast():
                lengths.evaluate(ctx, node.to_type)
                kind = ctx.memory.types.read(node.to_type, ctx.scope)
                return mapped(ctx, outcomes(ctx, node.expr), lambda value: convert(ctx, value, kind, node))
            case c_ast.BinaryOp(op="&&" | "||") | c_ast.UnaryOp(op="!"):
                return _logical(ctx, node)
            case c_ast.BinaryOp() if is_constant_node(node.right) or _is_enumerator(ctx, node.right):
                return _binary_outcomes(ctx, node)
            case c_ast.Assignment(op="=") if isinstance(node.lvalue, c_ast.ID) and isinstance(node.rvalue, _BRANCHING):
                return _assignment_outcomes(ctx, node)
            case _:
                value = _simple(ctx, node)
                return [(ctx.builder.current, value)]


def mapped(ctx: Context, found: list[Outcome], change: Callable[[Value], Value]) -> list[Outcome]:
    """All outcomes with their values changed; several ones are settled."""
    result: list[Outcome] = []
    for location, value in found:
        if location != ctx.builder.current:
            ctx.builder.at(location)
        changed = change(value)
        if len(found) > 1:
            ctx.builder.flush()
        result.append((ctx.builder.current, changed))
    return result


def _possible(ctx: Context, found: list[Outcome], is_live: bool) -> list[Outcome]:
    """The outcomes that something leads to, in code that something leads to."""
    possible = [outcome for outcome in found if outcome[0] in ctx.builder.reached]
    return possible if is_live and possible else found


def _ternary(ctx: Context, node: Node) -> list[Outcome]:
    is_live = ctx.builder.is_live
    arms = extensions.otherwise(ctx, node) if isinstance(node, Otherwise) else _arms(ctx, node)
    every = [outcome for arm in arms for outcome in arm]
    kind = _choice_type(ctx, node, arms)  # an arm never taken counts for the type
    if isinstance(kind, IntType):
        kind = common_type(kind, kind)
    found = _possible(ctx, every, is_live)
    return squeezed(ctx, mapped(ctx, found, lambda value: convert(ctx, value, kind, node)), kind)


def _arms(ctx: Context, node: Node) -> list[list[Outcome]]:
    """The outcomes of both arms of `a ? b : c`."""
    yes, no = ctx.builder.fresh(), ctx.builder.fresh()
    condition(ctx, node.cond, yes, no)
    arms: list[list[Outcome]] = []
    for location, arm in ((yes, node.iftrue), (no, node.iffalse)):
        ctx.builder.at(location)
        found = outcomes(ctx, arm)
        here = ctx.builder.current
        ctx.builder.flush()
        arms.append([(ctx.builder.current if place == here else place, value) for place, value in found])
    return arms


def _logical(ctx: Context, node: Node) -> list[Outcome]:
    """`!e`, `a && b`, `a || b` as 0 or 1."""
    if isinstance(node, c_ast.UnaryOp) and not isinstance(node.expr, c_ast.BinaryOp | c_ast.UnaryOp):
        found = outcomes(ctx, node.expr)
        return mapped(ctx, found, lambda value: negated(condition_of(ctx, value)))
    if isinstance(node, c_ast.UnaryOp) and getattr(node.expr, "op", "") not in ("&&", "||", "!"):
        value = rvalue(ctx, node.expr)
        return [(ctx.builder.current, negated(condition_of(ctx, value)))]
    is_live = ctx.builder.is_live
    yes, no = ctx.builder.fresh(), ctx.builder.fresh()
    condition(ctx, node, yes, no)
    return _possible(ctx, [(yes, literal(1)), (no, literal(0))], is_live)


def _binary_outcomes(ctx: Context, node: Node) -> list[Outcome]:
    """The outcomes of the left operand, each combined with a constant."""
    found = outcomes(ctx, node.left)

    def combine(value: Value) -> Value:
        return binary(ctx, node.op, value, rvalue(ctx, node.right), node)

    return mapped(ctx, found, combine)


def _assignment_outcomes(ctx: Context, node: Node) -> list[Outcome]:
    place = lvalue.place_of(ctx, node.lvalue)
    found = outcomes(ctx, node.rvalue)
    return mapped(ctx, found, lambda value: assign.store(ctx, place, value, node))


def _simple(ctx: Context, node: Node) -> Value:
    """The value of an expression without control flow of its own."""
    match node:
        case c_ast.Constant():
            return _constant(ctx, node)
        case Settled(value=value):
            return value
        case c_ast.ID():
            return _identifier(ctx, node)
        case c_ast.BinaryOp(op=operator):
            first, second = order.settled_operands(ctx, (node.left, node.right))
            left = rvalue(ctx, first)
            if has_effects(second):
                left = snapshot(ctx, left)
            right = rvalue(ctx, second)
            return binary(ctx, operator, left, right, node)
        case c_ast.UnaryOp(op=operator):
            return _unary(ctx, node, operator)
        case c_ast.Assignment():
            return assign.assignment(ctx, node, is_used=True)
        case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.CompoundLiteral():
            return read(ctx, lvalue.place_of(ctx, node), node)
        case c_ast.InitList():
            return rvalue(ctx, node.exprs[0])
        case _:
            raise Unsupported(f"{type(node).__name__} is not modelled as an expression", ctx.span(node))


def _unary(ctx: Context, node: Node, operator: str) -> Value:
    match operator:
        case "&":
            return lvalue.address_of(ctx, node.expr)
        case "&&":
            return extensions.label_address(ctx)
        case "*":
            return read(ctx, lvalue.place_of(ctx, node), node)
        case "++" | "--" | "p++" | "p--":
            return assign.step(ctx, node, is_used=True)
        case "sizeof":
            return lengths.size_of(ctx, node)
        case "_Alignof":
            return lengths.align_of(ctx, node)
        case "+" | "-" | "~":
            return unary(ctx, operator, rvalue(ctx, node.expr), node)
        case _:
            ctx.warn(node, "expression", f"operator {operator} is not modelled: any value is assumed")
            return ctx.havoc(INT)


def _constant(ctx: Context, node: Node) -> Value:
    kind, text = str(node.type), str(node.value)
    if "string" in kind:
        return read(ctx, lvalue.place_of(ctx, node), node)
    if "char" in kind or text.endswith("'"):
        return literals.character(text)
    if "float" in kind or "double" in kind:
        return Untracked(basic_type(kind.split()))
    match kind:
        case "bool":
            return literal(int(text == "true"), BOOL)
        case "nullptr_t":
            return literal(0, VOID_POINTER)
        case _ if kind.endswith("int"):
            return literals.integer(text)
        case _:
            raise Unsupported(f"constants of type {kind} are not modelled", ctx.span(node))


def _identifier(ctx: Context, node: Node) -> Value:
    symbol = ctx.scope.find(node.name)
    match symbol:
        case Enumerator(value, kind):
            return literal(value, kind)
        case Bound(value):
            return value
        case _:
            return read(ctx, lvalue.place_of(ctx, node), node)


def effect(ctx: Context, node: Node) -> None:
    """Evaluates an expression for its effects only."""
    if isinstance(node, c_ast.ExprList):
        for part in node.exprs:
            effect(ctx, part)
        return
    with ctx.at_node(node):
        if isinstance(node, c_ast.Assignment):
            assign.assignment(ctx, node, is_used=False)
        elif isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
            assign.step(ctx, node, is_used=False)
        elif isinstance(node, c_ast.Cast):
            effect(ctx, node.expr)
        else:
            ctx.ignored = node
            found = outcomes(ctx, node)
            if len(found) > 1:
                merged(ctx, [(location, Untracked(VoidType())) for location, _ in found], VoidType())
            elif found and found[0][0] != ctx.builder.current:
                ctx.builder.at(found[0][0])
        ctx.builder.flush()


def condition(ctx: Context, node: Node, yes: int, no: int) -> None:
    """Jumps to `yes` where an expression is not zero, else to `no`; constants go straight."""
    match node:
        case c_ast.UnaryOp(op="!"):
            condition(ctx, node.expr, no, yes)
        case c_ast.BinaryOp(op="&&" | "||" as operator):
            middle = ctx.builder.fresh()
            condition(ctx, node.left, *((middle, no) if operator == "&&" else (yes, middle)))
            ctx.builder.at(middle)
            condition(ctx, node.right, yes, no)
        case _:
            with ctx.at_node(node):
                for location, value in outcomes(ctx, node):
                    if location != ctx.builder.current:
                        ctx.builder.at(location)
                    ctx.builder.branch_to(condition_of(ctx, value), yes, no)


def has_effects(node: Node) -> bool:
    """Whether evaluating an expression may write something."""
    match node:
        case c_ast.FuncCall() | c_ast.Assignment() | c_ast.Compound():
            return True
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return True
        case _:
            return any(has_effects(child) for _, child in node.children())


def names(node: Node) -> frozenset[str]:
    """The identifiers in a tree."""
    found: set[str] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, c_ast.ID):
            found.add(item.name)
        stack.extend(child for _, child in item.children())
    return frozenset(found)


def mentions(node: Node, name: str) -> bool:
    """Whether an expression names something."""
    return name in names(node)


def _is_enumerator(ctx: Context, node: Node) -> bool:
    """Whether an expression is the name of an enumeration constant."""
    return isinstance(node, c_ast.ID) and isinstance(ctx.scope.find(node.name), Enumerator)


def is_constant_node(node: Node) -> bool:
    """Whether an expression is plainly a constant."""
    match node:
        case c_ast.Constant():
            return True
        case c_ast.UnaryOp(op="-" | "+" | "~"):
            return is_constant_node(node.expr)
        case c_ast.Cast():
            return is_constant_node(node.expr)
        case _:
            return False


def constant_value(ctx: Context, node: Node) -> int | None:
    """The value of a constant expression; None where it is not one."""
    if isinstance(node, c_ast.Constant) and str(node.type) == "int" and str(node.value)[0].isdigit():
        return literals.integer(str(node.value)).constant
    with ctx.scratch():
        value = rvalue(ctx, node)
        if not is_scalar(type_of(value)):
            return None
        return number(ctx, value).constant
