"""Forms as text: one statement a line, with types in braces behind what has another type than `int`.

Types are read from the left: `int[3]*` is a pointer to an array of three. Objects of static storage have `@` before
their names; locals of one name in one body are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never, cast

from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
)
from duet.frontend.ctypes.values import Index, Object
from duet.frontend.form import control, tree
from duet.frontend.form.control import Body, Statement
from duet.frontend.form.tree import Expression, Initialiser, Length, Place


def body_text(body: Body) -> str:
    """A body with its parameters and its result."""
    writer = _Writer()
    given = ", ".join(
        f"{type_text(item.type)} {writer.name(item.local)}" if item.local is not None else type_text(item.type)
        for item in body.parameters
    )
    lines = [f"{type_text(body.result)} {body.key}({given})"]
    lines += [f"  {line}" for line in (*writer.lengths(body.lengths), *writer.lines(body.block))]
    return "".join(f"{line}\n" for line in lines)


def type_text(kind: CType) -> str:
    """A type, read from the left."""
    match kind:
        case VoidType():
            return "void"
        case IntType():
            width = "" if kind.width in (1, 8 * kind.size) else f":{kind.width}"
            return f"{'_Atomic ' if kind.atomic else ''}{kind.name}{width}"
        case FloatType(name=name):
            return name
        case OpaqueType(name=name):
            return "?" if kind is tree.UNKNOWN else name
        case PointerType(target=target):
            return f"{type_text(target)}*{' _Atomic' if kind.atomic else ''}"
        case ArrayType(element=element, length=length):
            text = "" if length is None and kind.extent is None else "..." if length is None else str(length)
            return f"{type_text(element)}[{text}]"
        case StructType(key=key):
            return f"{'union' if kind.is_union else 'struct'} {key}"
        case FunctionType(result=result, parameters=parameters):
            given = ["..."] if parameters is None else [*map(type_text, parameters), *["..."] * kind.variadic]
            return f"{type_text(result)}({', '.join(given)})"


@dataclass
class _Writer:
    """Writes the parts of one body; the names of its locals."""

    names: dict[Local, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def name(self, symbol: Local | Object) -> str:
        """What a variable is called."""
        if isinstance(symbol, Object):
            return f"@{symbol.key}"
        if symbol not in self.names:
            count = self.counts[symbol.name] = self.counts.get(symbol.name, 0) + 1
            self.names[symbol] = symbol.name if count == 1 else f"{symbol.name}#{count}"
        return self.names[symbol]

    def lines(self, form: Statement) -> Iterator[str]:
        """The lines of a statement."""
        match form:
            case control.Block(items=items):
                for item in items:
                    yield from self.lines(item)
            case control.If(condition=condition, yes=yes, no=no):
                yield f"if {self.text(condition)}"
                yield from self._inner(yes)
                if no is not None:
                    yield "else"
                    yield from self._inner(no)
            case control.Loop():
                yield from self._loop(form)
            case control.Switch(condition=condition, body=body):
                yield f"switch {self.text(condition)}"
                yield from self._inner(body)
            case control.Case(low=low, high=high, items=items):
                yield "default:" if low is None else f"case {low}:" if low == high else f"case {low} to {high}:"
                for item in items:
                    yield from self._inner(item)
            case control.Return(value=value):
                yield "return" if value is None else f"return {self.text(value)}"
            case control.Goto(label=label):
                yield f"goto {label}"
            case control.ComputedGoto(target=target):
                yield f"goto *{self.text(target)}"
            case control.Break():
                yield "break"
            case control.Continue():
                yield "continue"
            case control.Label(name=name, statement=statement):
                yield f"{name}:"
                yield from self.lines(statement)
            case control.Declare(local=local, initialiser=initialiser, lengths=lengths):
                yield from self.lengths(lengths)
                duration = "" if local.duration == "automatic" else f"{local.duration} "
                given = "" if initialiser is None else f" = {self.initialiser(initialiser)}"
                yield f"declare {duration}{type_text(local.type)} {self.name(local)}{given}"
            case control.Evaluate(value=value):
                yield self.text(value)
            case control.Measure(lengths=lengths):
                yield from self.lengths(lengths)
            case _:
                assert_never(form)

    def _inner(self, form: Statement) -> Iterator[str]:
        return (f"  {line}" for line in self.lines(form))

    def _loop(self, form: control.Loop) -> Iterator[str]:
        if form.first is not None:
            yield from self.lines(form.first)
        test = "" if form.condition is None else f" while {self.text(form.condition)}"
        step = "" if form.step is None else f" step {self.text(form.step)}"
        yield f"loop{' late' if form.is_late else ''}{test}{step}"
        yield from (f"  invariant {self.text(item)}" for item in form.invariants)
        yield from self._inner(form.body)

    def lengths(self, lengths: tuple[Length, ...]) -> Iterator[str]:
        """The lines of lengths that are evaluated."""
        return (f"{'length' if item.is_certain else 'perhaps'} {self.text(item.value)}" for item in lengths)

    def initialiser(self, form: Initialiser) -> str:
        """An initialiser, with the path of each part."""
        if not isinstance(form, tree.Parts):
            return self.text(form)
        parts = [f"{_path_text(entry)} = {self._entry(entry)}" for entry in form.entries]
        return f"{{{', '.join(parts)}{', torn' if form.is_torn else ''}}}"

    def _entry(self, entry: tree.Entry) -> str:
        return "cleared" if entry.value is None else self.text(entry.value)

    def text(self, form: Expression) -> str:
        """An expression, with its type if that is not `int`."""
        text = self._bare(form)
        return text if form.type == INT or not text.startswith("(") else f"{text}{{{type_text(form.type)}}}"

    def _bare(self, form: Expression) -> str:
        match form:
            case tree.Constant(value=value):
                return str(value) if form.type == INT else f"({value})"
            case tree.Floating():
                return "(floating)"
            case tree.Evaluated():
                return "(evaluated)"
            case tree.Read(place=place):
                return f"read {self.place(place)}"
            case tree.AddressOf(place=place):
                return f"&{self.place(place)}"
            case tree.Binary(operator=operator, left=left, right=right):
                return f"({self.text(left)} {operator} {self.text(right)})"
            case tree.Unary(operator=operator, operand=operand):
                return f"({operator}{self.text(operand)})"
            case tree.Not(operand=operand):
                return f"!{self.text(operand)}"
            case tree.Logic(operator=operator, left=left, right=right):
                return f"({self.text(left)} {operator} {self.text(right)})"
            case tree.Choice(condition=condition, yes=yes, no=no):
                return f"({self.text(condition)} ? {self.text(yes)} : {self.text(no)})"
            case tree.Otherwise(condition=condition, no=no):
                return f"({self.text(condition)} ?: {self.text(no)})"
            case tree.Comma(parts=parts):
                return f"({', '.join(map(self.text, parts))})"
            case tree.Convert(operand=operand):
                return f"(convert {self.text(operand)})"
            case tree.Assign(operator=operator, place=place, value=value):
                return f"{self.place(place)} {operator}= {self.text(value)}"
            case tree.Step(place=place, sign=sign, is_postfix=is_postfix):
                step = "++" if sign > 0 else "--"
                return f"{self.place(place)}{step}" if is_postfix else f"{step}{self.place(place)}"
            case tree.Call():
                return self._call(form)
            case tree.StatementExpression(items=items, result=result):
                inner = [line for item in items for line in self.lines(cast(Statement, item))]
                inner += [] if result is None else [self.text(result)]
                return f"({{{'; '.join(inner)}}})"
            case tree.LabelAddress(label=label):
                return f"&&{label}"
            case tree.Selection(candidates=candidates):
                return f"(any of {', '.join(map(self.text, candidates))})"
            case tree.SizeOf() | tree.AlignOf() | tree.OffsetOf():
                return self._measure(form)
            case tree.TypeArgument(type=kind):
                return f"type {type_text(kind)}"
            case _:
                assert_never(form)

    def _call(self, form: tree.Call) -> str:
        match form.callee:
            case tree.FunctionName(key=key):
                callee = key
            case tree.Implicit(name=name):
                callee = f"undeclared {name}"
            case pointer:
                callee = f"*{self.text(pointer)}"
        return f"(call {callee}({', '.join(map(self.text, form.arguments))}))"

    def _measure(self, form: tree.SizeOf | tree.AlignOf | tree.OffsetOf) -> str:
        word = {tree.SizeOf: "sizeof", tree.AlignOf: "alignof", tree.OffsetOf: "offsetof"}[type(form)]
        value = "" if form.value is None else f" = {form.value}"
        if not isinstance(form, tree.SizeOf):
            return f"({word}{value})"
        evaluated = [*self.lengths(form.lengths), *([] if form.operand is None else [self.text(form.operand)])]
        inside = "".join(f"; {part}" for part in evaluated)
        return f"({word} {type_text(form.of)}{value}{inside})"

    def place(self, form: Place) -> str:
        """A place."""
        match form:
            case tree.Variable(symbol=symbol):
                return self.name(symbol)
            case tree.FunctionName(key=key):
                return f"{key}()"
            case tree.Member(base=base, name=name):
                return f"{self.place(base)}.{name}"
            case tree.Element(left=left, right=right):
                return f"({self.text(left)})[{self.text(right)}]"
            case tree.Deref(pointer=pointer):
                return f"*({self.text(pointer)})"
            case tree.StringLiteral(text=text):
                return text
            case tree.CompoundLiteral(initialiser=initialiser, type=kind):
                return f"literal {type_text(kind)} {self.initialiser(initialiser)}"
            case tree.Of(value=value):
                return f"of ({self.text(value)})"
            case _:
                assert_never(form)


def _path_text(entry: tree.Entry) -> str:
    """The path of a part of an object, `all` for the object itself."""
    steps = (f"[{step.constant}]" if isinstance(step, Index) else f".{step}" for step in entry.path)
    return "".join(steps) or "all"
