"""The timers of a driver: which function is called with which object, and beside what.

*Approximates*: over. The function of a timer runs in any number of threads, with any pointer that the driver has set
up or armed, but in one thread for each variable that a single place sets up with it: a timer does not run beside
itself. What sets up a timer is `timer_setup` and an initialiser; wherever else a function that has the type of such
functions is mentioned, but for a call of it, it counts as set up for any timer. Where a timer is armed that no place
sets up, its function may be any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux import callbacks
from duet.linux.tables import Tables
from duet.linux.tree import arguments, calls, declarations, name_of, nodes, structure_of, text

ARMING = frozenset(taker.function for taker in callbacks.ARMING)
ANY_TIMER = "(struct timer_list *)__duet_nondet_ptr()"
_MEMBER = "function"


@dataclass(frozen=True, slots=True)
class Timer:
    """`function` is called with `argument`, C text; in any number of threads if it `is_many`."""

    function: str
    argument: str
    is_many: bool


@dataclass(frozen=True, slots=True)
class _SetUp:
    """A function, empty for any, and the timer that is set up with it: what is behind the last `&`, as C text."""

    function: str
    timer: str
    is_variable: bool


def find_timers(unit: ParsedUnit, bodies: Iterable[c_ast.FuncDef], tables: Tables) -> tuple[Timer, ...]:
    """Returns the timers of a driver, in the order of their text."""
    found = tuple(call for body in bodies for call in calls(body))
    seen = (*_initialised(unit, tables), *_given(found, tables))
    known = {id(node) for node in _understood(unit, found)}
    elsewhere = _mentioned(unit, _functions(unit), known)
    setups = [*seen, *(_SetUp(name, "", False) for name in elsewhere)]
    if any(not setup.function for setup in setups) or not all(_is_set_up(timer, setups) for timer in _armed(found)):
        setups += [_SetUp(name, "", False) for name in _functions(unit)]
    many = {setup.function for setup in setups if not setup.is_variable}
    return tuple(
        dict.fromkeys(
            Timer(setup.function, ANY_TIMER if setup.function in many else f"&{setup.timer}", setup.function in many)
            for setup in setups
            if setup.function
        )
    )


def _initialised(unit: ParsedUnit, tables: Tables) -> Iterator[_SetUp]:
    """What initialisers set up: those of variables at file scope, and others, also in larger structures."""
    own = {name for name in tables.of(callbacks.TIMER) if _MEMBER in tables.named[name]}
    yield from (_SetUp(tables.named[name][_MEMBER], name, True) for name in tables.objects if name in own)
    for root in unit.ast.ext:
        if not (isinstance(root, c_ast.Decl) and root.name in own):
            yield from (_SetUp(name_of(function), shape, False) for function, shape in _bindings(root))


def _bindings(root: c_ast.Node) -> Iterator[tuple[c_ast.Node, str]]:
    """What initialises a member with the name of the function of a timer, and the member that its structure is."""
    stack: list[tuple[c_ast.Node, str]] = [(root, "")]
    while stack:
        node, shape = stack.pop()
        inner = shape if isinstance(node, c_ast.InitList) else ""
        if isinstance(node, c_ast.NamedInitializer):
            *before, last = (f".{name.name}" if isinstance(name, c_ast.ID) else "[]" for name in node.name)
            if last == f".{_MEMBER}" and text(node.expr) not in ("0", "(void *) 0"):
                yield node.expr, before[-1] if before else shape
            inner = last
        stack.extend((child, inner) for _, child in reversed(node.children()))


def _given(found: Iterable[c_ast.FuncCall], tables: Tables) -> Iterator[_SetUp]:
    """What calls of `timer_setup` set up."""
    for call in found:
        if name_of(call.name) == callbacks.TIMER_SETUP.function and len(arguments(call)) > 1:
            timer, function = arguments(call)[:2]
            name = name_of(function)
            is_variable = _is_variable(timer, tables.kinds)
            shape = text(timer.expr) if is_variable else _shape(timer)
            yield _SetUp(name if name in tables.callable else "", shape, is_variable)


def _is_variable(timer: c_ast.Node, kinds: Mapping[str, str]) -> bool:
    """Whether a timer is always the same one: `&variable`, or `&variable.member[2]`, at file scope."""
    if not isinstance(timer, c_ast.UnaryOp) or timer.op != "&":
        return False
    node = timer.expr
    while True:
        match node:
            case c_ast.ID():
                return node.name in kinds
            case c_ast.StructRef(type="."):
                node = node.name
            case c_ast.ArrayRef(subscript=c_ast.Constant()):
                node = node.name
            case _:
                return False


def _shape(timer: c_ast.Node) -> str:
    """The member that a timer is, `[]` for an element, empty for a pointer that may lead to any."""
    match timer:
        case c_ast.UnaryOp(op="&", expr=c_ast.StructRef(field=field)):
            return f".{field.name}"
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef()):
            return "[]"
        case _:
            return ""


def _armed(found: Iterable[c_ast.FuncCall]) -> Iterator[c_ast.Node]:
    """The timers that are armed."""
    return (arguments(call)[0] for call in found if name_of(call.name) in ARMING and arguments(call))


def _is_set_up(timer: c_ast.Node, setups: Iterable[_SetUp]) -> bool:
    """Whether a place that sets up a timer may be about this one. A pointer leads to one that is."""
    if isinstance(timer, c_ast.ID):
        return True
    exact = text(timer.expr) if isinstance(timer, c_ast.UnaryOp) and timer.op == "&" else ""
    return any(setup.timer in ("", exact if setup.is_variable else _shape(timer)) for setup in setups)


def _functions(unit: ParsedUnit) -> frozenset[str]:
    """The functions with the type of those that timers call."""
    names = {
        node.name
        for node in unit.ast.ext
        if isinstance(node, c_ast.Typedef) and structure_of(node) == callbacks.TIMER.structure
    }
    kinds = [node.decl if isinstance(node, c_ast.FuncDef) else node for node in unit.ast.ext]
    kinds = [*kinds, *declarations(unit.ast)]
    return frozenset(
        node.name
        for node in kinds
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl) and _is_callback(node.type, names)
    )


def _is_callback(kind: c_ast.FuncDecl, names: set[str]) -> bool:
    """Whether a function gets a timer and nothing else; `names` are types that are timers."""
    given = kind.args.params if kind.args else []
    if len(given) != 1 or not isinstance(getattr(given[0], "type", None), c_ast.PtrDecl):
        return False
    target = given[0].type.type
    match getattr(target, "type", None):
        case c_ast.Struct(name=tag):
            return bool(tag == callbacks.TIMER.structure)
        case c_ast.IdentifierType(names=words):
            return bool(names.intersection(words))
        case _:
            return False


def _understood(unit: ParsedUnit, found: Iterable[c_ast.FuncCall]) -> Iterator[c_ast.Node]:
    """The names of functions where they are called, or where a timer is set up with them."""
    for call in found:
        yield call.name
        if name_of(call.name) == callbacks.TIMER_SETUP.function and len(arguments(call)) > 1:
            yield from nodes(arguments(call)[1])
    yield from (node for function, _ in _bindings(unit.ast) for node in nodes(function))


def _mentioned(unit: ParsedUnit, functions: frozenset[str], known: set[int]) -> tuple[str, ...]:
    """Which of the functions are mentioned in a way that is not known."""
    found = (node.name for node in nodes(unit.ast) if isinstance(node, c_ast.ID) and id(node) not in known)
    return tuple(dict.fromkeys(name for name in found if name in functions))
