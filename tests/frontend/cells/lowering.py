"""A round of lowering with objects that are declared by hand, and what has been emitted so far."""

from __future__ import annotations

from itertools import count
from typing import Any, NoReturn

from pycparser import CParser

from duet.frontend.cells.context import Context, Hooks
from duet.frontend.cells.located import Initial
from duet.frontend.cells.memory import Memory
from duet.frontend.cells.thread import Frame
from duet.frontend.ctypes.origins import ObjectAddress, Origin
from duet.frontend.ctypes.scope import Scope
from duet.frontend.ctypes.types import INT, CType, PointerType, data_model
from duet.frontend.ctypes.values import Direct, Number, Object, in_type
from duet.frontend.form.bodies import Forms
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.heap import Sites
from duet.frontend.judgments.facts import Facts
from duet.frontend.models.applied import Records
from duet.frontend.source.nodes import Node
from duet.options import FrontendOptions
from duet.plip.accesses import Access
from duet.plip.printer import show_instruction
from duet.plip.terms import show_formula, variable
from duet.source import Span

HERE = Span("a.c", 3, 5)
ZERO = Initial({}, {})


def context(*properties: str, **others: Any) -> Context:
    """A round in which `main` is lowered; nothing of the program is lowered by its hooks."""
    options = FrontendOptions(properties=properties, **others)
    facts, data = Facts(), data_model(options.data_model)
    forms = Forms(Records(facts.others, False, data), lambda _: HERE, frozenset(), lambda _: True, data, set())
    memory = Memory(facts, forms.types, options.budgets)
    hooks = Hooks(
        statement=_unexpected,
        call=_unexpected,
        thread=_unexpected,
        handler=_unexpected,
        ending=_unexpected,
        beside=_unexpected,
        operation=_unexpected,
        run=_unexpected,
        call_back=_unexpected,
    )
    sites = Sites(options.budgets.allocations)
    builder = Builder(count())
    ctx = Context(options, facts, memory, hooks, sites, builder, forms, Scope(), lambda _: HERE, lambda _: None)
    ctx.thread.frames.append(Frame("main", INT, "main"))
    return ctx


def _unexpected(*_: object) -> NoReturn:
    raise AssertionError("nothing is lowered here")


def struct(ctx: Context, text: str) -> CType:
    """The type of a declaration, with constants as lengths."""
    ctx.memory.types.constant = lambda node, _: int(node.value)
    (item,) = CParser().parse(text).ext
    return ctx.memory.types.read(item.type, ctx.scope)


def declared(
    ctx: Context, key: str, kind: CType = INT, storage: str = "global", initial: Initial | None = ZERO, **others: Any
) -> Object:
    """An object; a local one is of the template being lowered."""
    owner = None if storage in ("global", "heap") else ctx.thread.template
    new = Object(key, kind, storage, owner, **others)
    ctx.memory.declare(new, initial)
    return new


def whole(of: Object) -> Direct:
    """All of an object as a place."""
    return Direct(of, (), of.type)


def node(text: str) -> Node:
    """The tree of an expression."""
    (function,) = CParser().parse(f"void f(void) {{ {text}; }}").ext
    return function.body.block_items[0]


def emitted(ctx: Context) -> list[str]:
    """The instructions so far."""
    return [show_instruction(command.instruction) for command in ctx.builder.commands]


def checks(ctx: Context) -> list[tuple[str, str]]:
    """The properties that have been checked, each with what is asserted."""
    found = []
    for command in ctx.builder.commands:
        check = getattr(command.instruction, "check", None)
        if check is not None:
            found.append((check.property_name, show_formula(command.instruction.condition)))  # type: ignore[union-attr]
    return found


def noted(ctx: Context) -> list[Access]:
    """The accesses so far."""
    return [access for found in ctx.builder.accesses.values() for access in found]


def cell(name: str, kind: CType = INT, lo: int | None = None, hi: int | None = None, *origins: str | Origin) -> Number:
    """The value of a cell of the thread; objects among its origins may be given by their keys."""
    plain = in_type(
        variable(name), kind, frozenset(ObjectAddress(item) if isinstance(item, str) else item for item in origins)
    )
    return Number(plain.term, kind, plain.lo if lo is None else lo, plain.hi if hi is None else hi, plain.origins)


def pointer(name: str, target: CType, *origins: str | Origin) -> Number:
    """A pointer to some objects that is not null."""
    return cell(name, PointerType(target), 1, None, *origins)


def bounds_of(value: Number) -> tuple[int, int]:
    """The least and the greatest value."""
    return value.lo, value.hi
