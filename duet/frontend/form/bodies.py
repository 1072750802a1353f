"""The forms of a program: bodies of functions, built when they are reached first, and static initialisers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from pycparser import c_ast

from duet.errors import SourceError
from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.library import Control, Library
from duet.frontend.ctypes.scope import Definition, Local, Scope
from duet.frontend.ctypes.types import CType, DataModel, FunctionType, VoidType
from duet.frontend.form.alone import Alone
from duet.frontend.form.confined import Confined
from duet.frontend.form.control import Body, Parameter
from duet.frontend.form.former import Surroundings
from duet.frontend.form.moved import differences
from duet.frontend.form.settled import settled
from duet.frontend.form.statements import Statements
from duet.frontend.form.tree import (
    AddressOf,
    Assign,
    Call,
    Deref,
    Element,
    Expression,
    Form,
    FunctionName,
    Implicit,
    Initialiser,
    Length,
    Member,
    Step,
    Variable,
)
from duet.frontend.form.walk import children, every
from duet.frontend.form.webs import apart
from duet.frontend.source.nodes import Node
from duet.source import Span


class Forms:
    """What has been formed of a program. `functions` are the definitions that are known by now."""

    def __init__(
        self,
        library: Library,
        span: Callable[[Node], Span],
        opaque: frozenset[str],
        is_own: Callable[[Node], bool],
        data: DataModel,
        apart: set[str],
    ) -> None:
        self.types = TypeTable(self.constant, self._type_at, span, opaque, is_own, data, apart, self._extent)
        self.around = Surroundings(self.types, library, span, {})
        self._bodies: dict[str, Body | SourceError] = {}
        self._completed: dict[int, tuple[CType, CType]] = {}
        self._initialisers: dict[int, tuple[CType, Initialiser]] = {}
        self._function: list[Definition] = []
        self.alone = Alone(self._body_of, library)
        self.confined = Confined(self._body_of, library, data)

    def _body_of(self, key: str) -> Body | None:
        """The body of a function of the program; None where it is not there, or not understood."""
        definition = self.functions.get(key)
        try:
            return None if definition is None else self.body(definition)
        except SourceError:
            return None

    @property
    def functions(self) -> Mapping[str, Definition]:
        """The definitions of the program."""
        return self.around.functions

    @functions.setter
    def functions(self, found: Mapping[str, Definition]) -> None:
        self.around.functions = found

    def constant(self, node: Node, scope: Scope) -> int | None:
        """The value of an integer constant expression; None for others."""
        return self._former(scope).constant(node)

    def _type_at(self, node: Node, scope: Scope) -> CType:
        return self._former(scope).type_at(node)

    def _extent(self, node: Node, scope: Scope) -> Expression:
        return self._former(scope).expression(node)

    def _former(self, scope: Scope) -> Statements:
        return Statements(self.around, scope, self._function[-1] if self._function else None)

    def completed(self, kind: CType, node: Node | None, scope: Scope) -> CType:
        """The type of a static object, with the length that its initialiser gives."""
        found = self._completed.get(id(node))
        if found is None or found[0] != kind:
            found = self._completed[id(node)] = kind, self._former(scope).completed(kind, node)
        return found[1]

    def initialiser(self, kind: CType, node: Node, scope: Scope) -> Initialiser:
        """The initialiser of an object at file scope."""
        known = self._initialisers.get(id(node))
        if known is None or known[0] != kind:
            known = self._initialisers[id(node)] = (kind, self._former(scope).initialiser(kind, node, is_static=True))
        return known[1]

    def changed(self, form: Form) -> frozenset[Local]:
        """The locals that a part of a body assigns or takes the address of."""
        return frozenset(_changed(self.around, form))

    def body(self, definition: Definition) -> Body:
        """The body of a function. *Raises*: SourceError for one that is not understood."""
        found = self._bodies.get(definition.key)
        if found is None:
            self._function.append(definition)
            try:
                found = _body(self.around, definition)
            except SourceError as error:
                found = error
            finally:
                self._function.pop()
            self._bodies[definition.key] = found
        if isinstance(found, SourceError):
            raise found
        return found


def parameters(types: TypeTable, definition: Definition, scope: Scope) -> tuple[Parameter, ...]:
    """The parameters of a definition, also of an old-style one; declares them in a scope of their own."""
    declared = definition.node.decl.type.args
    old = {item.name: item for item in definition.node.param_decls or []}
    found: list[Parameter] = []
    for given in declared.params if declared is not None else []:
        if isinstance(given, c_ast.EllipsisParam):
            continue
        item = old.get(given.name, given) if isinstance(given, c_ast.ID) else given
        if isinstance(item, c_ast.ID):
            kind = types.read(c_ast.IdentifierType(["int"]), scope)
            scope.names[item.name] = Local(item.name, kind, item)
        else:
            kind = types.parameter(item, scope)
            if isinstance(kind, VoidType):
                continue
        local = scope.names[item.name] if item.name is not None else None
        found.append(Parameter(local if isinstance(local, Local) else None, kind, item))
    return tuple(found)


def _body(around: Surroundings, definition: Definition) -> Body:
    scope = Scope(definition.scope)
    given = parameters(around.types, definition, scope)
    former = Statements(around, scope, definition)
    lengths = _lengths_of_parameters(former, definition.node)
    block = former.statement(definition.node.body)
    if not any(_may_jump(around, form) for form in every(block)):
        named = [parameter.local for parameter in given if parameter.local is not None]
        block = apart(block, named, lambda form: _changed_by(around, form))
    changed = frozenset(local for part in (*lengths, block) for local in _changed(around, part))
    ignored = _ignored(given, (*lengths, block))
    declared = tuple(former.declared.items())
    kind = around.types.read(definition.node.decl.type, definition.scope)
    assert isinstance(kind, FunctionType)
    labels = tuple(sorted(former.labels))
    first, key, has_endings = settled(block), definition.key, former.has_endings
    moved = differences([item.local for item in given], block, partial(_changed_by, around))
    return Body(key, kind.result, given, lengths, block, changed, ignored, declared, labels, first, has_endings, moved)


def _lengths_of_parameters(former: Statements, node: Node) -> tuple[Length, ...]:
    """The lengths in the types of a function's parameters, evaluated where its definition is entered."""
    declared = node.decl.type.args
    items = (*(declared.params if declared is not None else ()), *(node.param_decls or ()))
    return tuple(length for item in items for length in former.lengths(item))


def _changed(around: Surroundings, form: Form) -> Iterator[Local]:
    """The locals that a form assigns or takes the address of; also by what may be a macro that nobody knows."""
    for item in every(form):
        yield from _changed_by(around, item)


def _changed_by(around: Surroundings, form: Form) -> Iterator[Local]:
    """Those of a form by itself, without its parts."""
    match form:
        case Assign(place=place) | Step(place=place) | AddressOf(place=place):
            yield from _bases(place)
        case Call(callee=(FunctionName(name=name) | Implicit(name=name)) as callee, arguments=arguments):
            known = around.library.describe(name)
            if known.takes_places if known is not None else isinstance(callee, Implicit):
                for argument in arguments:
                    yield from _bases(argument)
        case _:
            pass


def _may_jump(around: Surroundings, form: Form) -> bool:
    """Whether a form calls a function that may go on twice from one place."""
    match form:
        case Call(callee=FunctionName(name=name) | Implicit(name=name)):
            known = around.library.describe(name)
            return known is not None and known.control is Control.JUMPS
        case _:
            return False


def _ignored(given: tuple[Parameter, ...], forms: tuple[Form, ...]) -> frozenset[int]:
    """The positions of the parameters that some forms do not mention."""
    mentioned = {item.symbol for form in forms for item in every(form) if isinstance(item, Variable)}
    return frozenset(at for at, parameter in enumerate(given) if parameter.local not in mentioned)


def _bases(form: Form) -> Iterator[Local]:
    """The locals that a place is part of."""
    match form:
        case Variable(symbol=Local() as local):
            yield local
        case Member(base=base):
            yield from _bases(base)
        case Element() | Deref():
            return
        case _:
            for child in children(form):
                yield from _bases(child)
