"""Expressions, with their types and with all names resolved."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.ctypes import literals
from duet.frontend.ctypes.library import Result
from duet.frontend.ctypes.scope import Function
from duet.frontend.ctypes.signatures import BUILTIN, signature
from duet.frontend.ctypes.types import (
    BOOL,
    INT,
    LP64,
    VA_LIST,
    VOID,
    VOID_POINTER,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    basic_type,
    chosen,
    decay,
    is_variable,
)
from duet.frontend.form.initialisers import Initialisers, is_string
from duet.frontend.form.kinds import (
    binary_type,
    choice_type,
    constant,
    member_offset,
    target_type,
    unary_type,
    value_type,
)
from duet.frontend.form.order import group, of_assignment
from duet.frontend.form.selection import Selections
from duet.frontend.form.tree import (
    UNKNOWN,
    AddressOf,
    AlignOf,
    Assign,
    Binary,
    Call,
    Choice,
    Comma,
    Constant,
    Convert,
    Deref,
    Expression,
    Floating,
    FunctionName,
    Implicit,
    LabelAddress,
    Length,
    Logic,
    Not,
    Of,
    OffsetOf,
    Otherwise,
    Read,
    SizeOf,
    Step,
    TypeArgument,
    Unary,
)
from duet.frontend.form.walk import every, has_effects
from duet.frontend.source import nodes, words
from duet.frontend.source.nodes import Node
from duet.frontend.source.words import AUTO_TYPE

_CHOOSE, _OFFSET = "__builtin_choose_expr", "offsetof"
_CHECKED = re.compile(r"__(\w+)_chk")
"""The name of a function of the library that checks how many bytes there are, and else does what another one does."""
_STEPS = ("++", "--", "p++", "p--")


class Expressions(Initialisers, Selections):
    """Forms expressions."""

    def expression(self, node: Node) -> Expression:
        """An expression. *Raises*: Unsupported for one that is not modelled."""
        match node:
            case c_ast.Constant():
                return self._constant(node)
            case c_ast.ID() | c_ast.StructRef() | c_ast.ArrayRef() | c_ast.CompoundLiteral():
                return self._read(node)
            case c_ast.UnaryOp():
                return self._unary(node, str(node.op))
            case c_ast.BinaryOp(op="&&" | "||" as operator):
                return Logic(node, INT, operator, self.expression(node.left), self.expression(node.right))
            case c_ast.BinaryOp(op=operator):
                left, right = self.expression(node.left), self.expression(node.right)
                kind = binary_type(operator, left.type, right.type, self.types.data)
                return Binary(node, kind, operator, left, right, group((left, right)))
            case c_ast.Assignment(op=operator):
                place, value = self.place(node.lvalue), self.expression(node.rvalue)
                return Assign(node, value_type(place.type), operator[:-1], place, value, of_assignment(place, value))
            case c_ast.Cast():
                kind, lengths = self.kind(node.to_type), self.lengths(node.to_type)
                return Convert(node, kind, self.expression(node.expr), lengths)
            case c_ast.FuncCall():
                return self._call(node)
            case c_ast.TernaryOp() | nodes.Otherwise():
                return self._choice(node)
            case c_ast.ExprList():
                parts = tuple(map(self.expression, node.exprs))
                return Comma(node, parts[-1].type, parts)
            case c_ast.GenericSelection():
                return self.selection(node)
            case c_ast.Compound():
                return self.statement_expression(node)
            case c_ast.InitList() if node.exprs:
                return self.expression(node.exprs[0])
            case c_ast.Typename():
                return TypeArgument(node, self.kind(node))
            case _:
                raise self.unsupported(f"{type(node).__name__} is not modelled as an expression", node)

    def statement_expression(self, node: Node) -> Expression:
        """`({ ... })`."""
        raise NotImplementedError

    def _read(self, node: Node) -> Expression:
        place = self.place(node)
        if isinstance(place, Of):
            return place.value
        return Read(node, decay(value_type(place.type)), place)

    def _constant(self, node: Node) -> Expression:
        kind, text = str(node.type), str(node.value)
        if is_string(node):
            return self._read(node)
        if "char" in kind or text.endswith("'"):
            found = literals.character(text, self.types.data)
            return Constant(node, found.type, found.lo)
        if "float" in kind or "double" in kind:
            return Floating(node, basic_type(kind.split(), self.types.data) or VOID)
        match kind:
            case "bool":
                return Constant(node, BOOL, int(text == "true"))
            case "nullptr_t":
                return Constant(node, VOID_POINTER, 0)
            case _ if kind.endswith("int"):
                number = literals.integer(text, self.types.data)
                if number is None:
                    raise self.unsupported("no type holds this constant", node)
                return Constant(node, number.type, number.lo)
            case _:
                raise self.unsupported(f"constants of type {kind} are not modelled", node)

    def _unary(self, node: Node, operator: str) -> Expression:
        match operator:
            case "&" if isinstance(node.expr, c_ast.UnaryOp) and node.expr.op == "*":
                return self.expression(node.expr.expr)
            case "&":
                place = self.place(node.expr)
                return AddressOf(node, PointerType(place.type), place)
            case "&&":
                self.labels[node.expr.name] = None
                return LabelAddress(node, VOID_POINTER, node.expr.name)
            case "*":
                return self._read(node)
            case "sizeof":
                return self._size(node)
            case "_Alignof":
                is_type = isinstance(node.expr, c_ast.Typename)
                return AlignOf(node, self.types.data.size, self._alignment(node.expr) if is_type else None)
            case "!":
                return Not(node, INT, self.expression(node.expr))
            case _ if operator in _STEPS:
                place = self.place(node.expr)
                sign = 1 if "+" in operator else -1
                return Step(node, value_type(place.type), place, sign, operator.startswith("p"))
            case _:
                operand = self.expression(node.expr)
                return Unary(node, unary_type(operator, operand.type), operator, operand)

    def _alignment(self, node: Node) -> int | None:
        """The alignment of a type; None where `_Alignof` and `__alignof__` differ, as both are one here."""
        align, kind = self.types.align_of(node, self.scope), self.kind(node)
        while isinstance(kind, ArrayType):
            kind = kind.element
        is_less = not isinstance(kind, StructType) and align < (self.types.size(kind) or 1)
        return None if is_less and self.types.data is not LP64 else align

    def _size(self, node: Node) -> Expression:
        """`sizeof e`, `sizeof(T)`; an array that may be of variable length is evaluated."""
        if isinstance(node.expr, c_ast.Typename):
            kind, operand, lengths = self.kind(node.expr), None, self.lengths(node.expr)
        else:
            form = self.expression(node.expr)
            kind, lengths = self.type_before_decay(form, node), ()
            operand = form if isinstance(kind, ArrayType) and is_variable(kind) else None
        size = None if is_variable(kind) else self.types.size(kind)
        return SizeOf(node, self.types.data.size, kind, None if kind == VA_LIST else size, operand, lengths)

    def _choice(self, node: Node) -> Expression:
        condition = self.expression(node.cond)
        no = self.expression(node.iffalse)
        if isinstance(node, nodes.Otherwise):
            nulls = (self._is_null(condition), self._is_null(no))
            return Otherwise(node, choice_type(condition.type, no.type, nulls), condition, no, nulls)
        yes = self.expression(node.iftrue)
        nulls = (self._is_null(yes), self._is_null(no))
        return Choice(node, choice_type(yes.type, no.type, nulls), condition, yes, no, nulls)

    def _is_null(self, form: Expression) -> bool:
        """Whether an expression is a constant 0 as the source has it, perhaps converted to `void *` (C11 6.3.2.3)."""
        match form.node:
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl(type=c_ast.TypeDecl(quals=[], type=target)))):
                is_void = isinstance(target, c_ast.IdentifierType) and target.names == ["void"]
                return is_void and isinstance(form, Convert) and self._is_null(form.operand)
            case _:
                is_number = isinstance(form.type, IntType) or isinstance(form, Constant)
                is_written = not any(isinstance(item, Read | AddressOf) for item in every(form))
                return is_number and is_written and constant(self.types, form) == 0

    def _call(self, node: Node) -> Expression:
        callee, followed = node.name, list[Node]()
        while isinstance(callee, c_ast.UnaryOp) and callee.op == "*":
            followed.insert(0, callee)
            callee = callee.expr
        given = list(node.args.exprs) if node.args is not None else []
        if not isinstance(callee, c_ast.ID):
            return self._through(node, self._followed(callee, followed), tuple(map(self.expression, given)))
        symbol = self.scope.find(callee.name)
        if symbol is not None and not isinstance(symbol, Function):
            return self._through(node, self._followed(callee, followed), tuple(map(self.expression, given)))
        if callee.name == _CHOOSE and len(given) == 3:
            return self._chosen(node, given)
        if callee.name == _OFFSET and len(given) == 2:
            return self._offset(node, given)
        self._only_library(node, callee.name)
        arguments = tuple(map(self.expression, given))
        is_defined = symbol is not None and symbol.key in self.around.functions
        name: FunctionName | Implicit = (
            Implicit(callee, FunctionType(INT, None), callee.name)
            if symbol is None
            else FunctionName(callee, symbol.type, symbol.key, callee.name)
        )
        kind = signature(self.scope, callee.name, symbol.type if symbol is not None else None, self.types.data)
        is_harmless = not is_defined and self._is_harmless(callee.name, kind)
        result = self._result(callee.name, kind, arguments)
        return Call(node, result, name, arguments, is_harmless, is_defined, group(arguments))

    def _only_library(self, node: Node, name: str) -> None:
        """*Raises*: Unsupported where compilers may call a function of the program for one of their own."""
        plain = name.removeprefix(BUILTIN)
        known = self.around.library.describe(name) if plain != name else None
        for called in sorted({plain, _CHECKED.sub(r"\1", plain)}):  # they may leave out a check of the size
            symbol = self.scope.find(called)
            keys = {called, symbol.key} if isinstance(symbol, Function) else {called}
            if known is not None and plain in known.names and not keys.isdisjoint(self.around.functions):
                raise Unsupported(f"'{name}' may call the program's own '{called}'", self.around.span(node))

    def _followed(self, node: Node, outer: Iterable[Node]) -> Expression:
        """A pointer that a call goes through, behind those `outer` `*` that do not lead to a function (C11 6.5.3.2p4).

        A function that such an operator leads to is the pointer again, however often it is followed.
        """
        pointer = self.expression(node)
        for star in outer:
            target = target_type(pointer.type)
            if not isinstance(target, PointerType | ArrayType):
                break
            pointer = Read(star, decay(value_type(target)), Deref(star, target, pointer))
        return pointer

    def _through(self, node: Node, callee: Expression, arguments: tuple[Expression, ...]) -> Expression:
        """A call through a pointer."""
        kind = target_type(callee.type)
        result = kind.result if isinstance(kind, FunctionType) else VOID
        return Call(node, result, callee, arguments, False, True, group((callee, *arguments)))

    def _is_harmless(self, name: str, kind: FunctionType | None) -> bool:
        """Whether a function by this name that is not defined is one of the library's that is given no memory."""
        known = self.around.library.describe(name)
        if known is None or known.control is not None or known.callbacks:
            return False
        if kind is None or kind.parameters is None:
            return known.only_looks
        return not kind.variadic and not any(isinstance(parameter, PointerType) for parameter in kind.parameters)

    def _result(self, name: str, kind: FunctionType | None, arguments: tuple[Expression, ...]) -> CType:
        """The type of what a function gives: as declared, as its record says, or `int` where it is defined later.

        Of any other one nobody tells: compilers know some without a declaration, and the kernel's may be macros.
        """
        if kind is not None:
            return kind.result
        known = self.around.library.describe(name)
        if known is None:
            return INT if name in self.around.functions else UNKNOWN
        if not isinstance(known.result, Result):
            return chosen(known.result, self.types.data) or UNKNOWN
        if not arguments:
            return UNKNOWN
        first = arguments[0].type
        return value_type(target_type(first)) if known.result is Result.POINTED else first

    def _chosen(self, node: Node, given: list[Node]) -> Expression:
        """`__builtin_choose_expr(c, a, b)`: the other expression need not even make sense.

        What is no constant here may be one for the compiler later; then it is too late to choose by that.
        """
        match given[0]:
            case c_ast.FuncCall(name=c_ast.ID(name=words.CONSTANT_P), args=c_ast.ExprList(exprs=[asked])):
                condition: int | None = int(self.constant(asked) is not None)
            case _:
                condition = self.constant(given[0])
        if condition is None:
            raise self.unsupported("the condition of __builtin_choose_expr is not a known constant", node)
        return self.expression(given[1 if condition else 2])

    def _offset(self, node: Node, given: list[Node]) -> Expression:
        """`offsetof(type, member.member[index])`."""
        found = self._offset_within(self.kind(given[0]), given[1])
        return OffsetOf(node, self.types.data.size, found[0] if found is not None else None)

    def _offset_within(self, kind: CType, node: Node) -> tuple[int, CType] | None:
        """The offset of a part of a type, and the type of the part; None where an index is no constant."""
        match node:
            case c_ast.ID(name=name):
                found = self.types.member(kind, name) if isinstance(kind, StructType) else None
                return None if found is None else (member_offset(self.types, kind, found[0]), found[1])
            case c_ast.StructRef(name=whole, field=part):
                before = self._offset_within(kind, whole)
                after = self._offset_within(before[1], part) if before else None
                return (before[0] + after[0], after[1]) if before and after else None
            case c_ast.ArrayRef(name=whole, subscript=subscript):
                before, index = self._offset_within(kind, whole), self.constant(subscript)
                if before is None or index is None or not isinstance(before[1], ArrayType):
                    return None
                size = self.types.size(before[1].element)
                return None if size is None else (before[0] + index * size, before[1].element)
            case _:
                return None

    def lengths(self, node: Node) -> tuple[Length, ...]:
        """The lengths in a type tree that are evaluated where it stands; not those of a function's parameters."""
        match node:
            case c_ast.ArrayDecl():
                inner = self.lengths(node.type)
                if node.dim is None:
                    return inner
                form = self.expression(node.dim)
                is_constant = constant(self.types, form) is not None
                return inner if is_constant else (Length(node.dim, form, True), *inner)
            case c_ast.Decl() | c_ast.Typename() | c_ast.TypeDecl() | c_ast.PtrDecl() | c_ast.FuncDecl():
                return self.lengths(node.type)
            case c_ast.TypeOf(expr=c_ast.Typename() as operand):
                return tuple(Length(item.node, item.value, False) for item in self.lengths(operand))
            case c_ast.TypeOf(expr=operand, op=operator) if operator != AUTO_TYPE:
                form = self.expression(operand)
                kind = self.type_before_decay(form, operand)
                return (Length(operand, form, False),) if is_variable(kind) and has_effects(form) else ()
            case _:
                return ()
