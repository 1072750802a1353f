"""Locals, and memory of the heap, of which nobody but one thread ever has the address: escape analysis.

Followed is where addresses go: into pointers that nothing points to, by arguments into functions of the program and
back out of them, into functions of the library that are known to tell nobody. Whatever else is done with one hands it
to others: a form that is not named here does. So no memory ever holds the address of such an object, but pointers that
are locals themselves and have the address in turn from nobody else. How an address is aligned may be asked.

*Source*: J. Choi et al., "Escape Analysis for Java" (OOPSLA 1999), without what their heap holds. Differences of
pointers into one object tell no address (C11 6.5.6p9). *Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from duet.frontend.ctypes import formats, literals
from duet.frontend.ctypes.library import EACH, Library
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import (
    BOOL,
    VA_LIST,
    VOID,
    ArrayType,
    CType,
    DataModel,
    FunctionType,
    IntType,
    PointerType,
    VoidType,
    is_unsized,
    value_range,
)
from duet.frontend.form.control import (
    Block,
    Body,
    Break,
    Case,
    Continue,
    Declare,
    Evaluate,
    Goto,
    If,
    Label,
    Loop,
    Measure,
    Return,
    Switch,
)
from duet.frontend.form.tree import (
    Act,
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
    Element,
    Expression,
    Floating,
    Form,
    FunctionName,
    Implicit,
    Length,
    Logic,
    Member,
    Not,
    OffsetOf,
    Otherwise,
    Place,
    Read,
    Selection,
    SizeOf,
    StatementExpression,
    Step,
    StringLiteral,
    TypeArgument,
    Typed,
    Unary,
    Variable,
)
from duet.frontend.form.walk import children, every
from duet.frontend.source.nodes import Node


@dataclass(frozen=True, slots=True)
class _At:
    """Where a local is."""

    local: Local


@dataclass(frozen=True, slots=True)
class _Made:
    """Where the memory is that a call in the source allocates."""

    node: Node


_Source: TypeAlias = _At | _Made | Local
"""What an address may come from: that of a local, of new memory, or what a pointer holds that is a local."""
_Sources: TypeAlias = frozenset[_Source]
_NONE: _Sources = frozenset()
PAGE = 4096
"""So many bytes, or fewer, what is aligned may be aligned to."""
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a function: its locals that are confined, and by position its parameters.

    The addresses in those that are `kept` go to nobody, and only as the result out of those that are `returned`; so do
    those of memory that was `made` by calls. A function like printf only `prints` what it is given behind its
    parameters: the position of the format, and of these.
    """

    confined: frozenset[Local]
    kept: frozenset[int]
    returned: frozenset[int]
    made: frozenset[Node] = frozenset()
    prints: tuple[int, int] | None = None

    @property
    def result(self) -> tuple[frozenset[int], frozenset[int], frozenset[Node]]:
        """What callers are told."""
        return self.kept, self.returned, self.made


_NOTHING = _Known(frozenset(), frozenset(), frozenset())
_ALL = _Known(frozenset(), frozenset(EACH), frozenset())


@dataclass(slots=True)
class _Seen:
    """What was seen in all functions: new memory that others may have, and names of functions that are values, too."""

    handed_on: set[Node] = field(default_factory=set)
    made: set[Node] = field(default_factory=set)
    named: set[str] = field(default_factory=set)


class Confined:
    """Which locals of functions, and which memory that they allocate, are confined, found when it is asked for."""

    def __init__(self, body: Callable[[str], Body | None], library: Library, data: DataModel) -> None:
        self._body = body
        self._library = library
        self._data = data
        self._known: dict[str, _Known] = {}
        self._entered: dict[str, bool] = {}  # the functions that are looked at, with whether they were asked for again
        self._seen = _Seen()

    def of(self, key: str) -> frozenset[Local]:
        """The locals of a function, parameters too, of which only the thread that runs it has the address."""
        return self._function(key).confined

    def has(self, node: Node, functions: Collection[str], others: Collection[str]) -> bool:
        """Whether only the thread that allocates memory by a call at a node has its address.

        `functions` are all of the program; `others` are those that are called by nobody knows whom, too. What one of
        these gives back others have, and so they have whatever is given back where one function is not understood.
        """
        known = {key: self._function(key) for key in functions}
        if node in self._seen.handed_on or node not in self._seen.made or self._is_outdated():
            return False
        giving = {key for key, found in known.items() if node in found.made}
        are_known = not giving or all(found is not _NOTHING for found in known.values())
        return are_known and giving.isdisjoint(self._seen.named) and giving.isdisjoint(others)

    def _is_outdated(self) -> bool:
        """Whether a function that was not there, or not understood, has a body by now: callers know nothing of it."""
        return any(found is _NOTHING and self._body(key) is not None for key, found in self._known.items())

    def _function(self, key: str) -> _Known:
        """What is known of a function; of one that calls itself the most that is consistent."""
        if key in self._entered:
            self._entered[key] = True
        elif key not in self._known:
            body = self._body(key)
            self._known[key] = _NOTHING if body is None else self._followed(key, body)
        return self._known[key]

    def _followed(self, key: str, body: Body) -> _Known:
        before = set(self._known)
        self._known[key] = taken = _ALL
        while True:
            self._entered[key] = False
            found = _Following(self._function, self._library, self._data, self._seen).followed(body)
            is_again = self._entered.pop(key)
            if not is_again or found.result == taken.result:
                return found
            made = found.made | taken.made
            taken = _Known(found.confined, found.kept & taken.kept, found.returned | taken.returned, made)
            self._known = {name: self._known[name] for name in before} | {key: taken}


class _Following:
    """Follows the addresses in one body. `lost` are those that go to others, `returned` those that are given back."""

    def __init__(self, function: Callable[[str], _Known], library: Library, data: DataModel, seen: _Seen) -> None:
        self._function = function
        self._library = library
        self._data = data
        self._seen = seen
        self._flows: dict[_Source, set[Local]] = defaultdict(set)
        self._lost: set[_Source] = set()
        self._returned: set[_Source] = set()
        self._locals: set[Local] = set()

    def followed(self, body: Body) -> _Known:
        """What is known of the function with a body."""
        given = [parameter.local for parameter in body.parameters]
        self._locals.update(local for local in given if local is not None)
        for length in body.lengths:
            self._evaluate(length)
        self._statement(body.block, body.result)
        lost = self._reaching(self._lost)
        returned = self._reaching(self._returned)
        kept = frozenset(
            at
            for at, local in enumerate(given)
            if at in EACH and (local is None or (_holds(local) and local not in lost))
        )
        back = frozenset(at for at, local in enumerate(given) if local is not None and local in returned)
        out = lost | returned
        confined = frozenset(local for local in self._locals if _At(local) not in out)
        self._seen.handed_on.update(source.node for source in lost if isinstance(source, _Made))
        made = frozenset(source.node for source in returned if isinstance(source, _Made))
        return _Known(confined, kept, back, made, self._printing(body))

    def _printing(self, body: Body) -> tuple[int, int] | None:
        """The parameter that is the format of all that is printed of what is given behind the parameters, and where.

        Lists of arguments are only begun, copied, ended, and printed by functions of the library with that format; None
        if anything else is done with one.
        """
        formats: set[Local] = set()
        changed: set[Form] = set()
        named = used = 0
        for form in every(body.block):
            match form:
                case Read(type=kind) if kind == VA_LIST and _is_list(form):
                    pass
                case Typed(type=kind) if kind == VA_LIST:  # of those in memory nothing is known
                    named += 1
                case Call(callee=FunctionName(name=name) | Implicit(name=name), arguments=arguments):
                    record = None if form.is_program else self._library.describe(name)
                    lists = [it for it in arguments if isinstance(it, Read) and _is_list(it)]
                    if record is not None and record.takes_places and record.result == VOID:
                        used += len(lists)
                    elif not form.is_program and (record is None or record.takes_places):
                        changed.update(it.place for it in arguments if isinstance(it, Read))
                    elif record is not None and record.prints is not None and lists == [arguments[-1]]:
                        match arguments[record.prints : record.prints + 1]:
                            case (Read(place=Variable(symbol=Local() as local)),):
                                formats.add(local)
                                used += 1
                            case _:
                                pass
                case Assign(place=place) | Step(place=place) | AddressOf(place=place):
                    changed.add(place)
                case _:
                    pass
        given = [parameter.local for parameter in body.parameters]
        only = next(iter(formats)) if len(formats) == 1 else None
        is_changed = any(isinstance(place, Variable) and place.symbol is only for place in changed)
        is_so = only in given and not is_changed and named == used
        return (given.index(only), len(given)) if is_so else None

    def _reaching(self, ends: set[_Source]) -> set[_Source]:
        """All whose addresses may get to some ends."""
        before: dict[_Source, list[_Source]] = defaultdict(list)
        for source, targets in self._flows.items():
            for target in targets:
                before[target].append(source)
        found, work = set(ends), list(ends)
        while work:
            new = [source for source in before[work.pop()] if source not in found]
            found.update(new)
            work.extend(new)
        return found

    def _lose(self, sources: Iterable[_Source]) -> None:
        self._lost.update(sources)

    def _statement(self, item: Act, result: CType) -> None:
        match item:
            case Block() | If() | Loop() | Case() | Switch() | Label() | Evaluate() | Measure():
                for part in children(item):
                    if isinstance(part, Act):
                        self._statement(part, result)
                    elif isinstance(item, If | Loop) and part is item.condition:
                        self._tested(part)
                    else:
                        self._evaluate(part)
            case Declare(local=local):
                self._declared(item, local)
            case Return(value=value):
                if value is not None:
                    found = self._value(value)
                    (self._returned if isinstance(result, PointerType) else self._lost).update(found)
            case Goto() | Break() | Continue():
                pass
            case _:
                self._unknown(item)

    def _declared(self, item: Declare, local: Local) -> None:
        if local.duration == "automatic":
            self._locals.add(local)
        for length in item.lengths:
            self._evaluate(length)
        given = item.initialiser
        if isinstance(given, Expression):
            self._stored(self._value(given), local)
        elif given is not None:
            self._unknown(given)

    def _stored(self, found: _Sources, local: Local) -> None:
        """A local gets a value: a pointer has the address then, whatever else it is gives it to others."""
        if _holds(local):
            for source in found:
                self._flows[source].add(local)
        else:
            self._lose(found)

    def _evaluate(self, form: Form) -> None:
        """Something is evaluated whose value nobody uses but for what it is, no address."""
        match form:
            case Length(value=value):
                self._value(value)
            case _ if isinstance(form, Expression):
                self._value(form)
            case _:
                self._unknown(form)

    def _unknown(self, form: Form) -> None:
        """Whatever is in a form may go anywhere."""
        for part in children(form):
            if isinstance(part, Act):
                self._statement(part, VOID)
            elif isinstance(part, Expression):
                self._lose(self._value(part))
            elif isinstance(part, Place):
                self._lose(self._address(part))
            else:
                self._unknown(part)
        if isinstance(form, Variable) and isinstance(form.symbol, Local):
            self._lose(self._address(form))

    def _value(self, form: Expression) -> _Sources:
        """Evaluates an expression: where the address may be from that is its value."""
        match form:
            case Constant() | Floating() | AlignOf() | OffsetOf() | TypeArgument():
                return _NONE
            case Read(place=place):
                if isinstance(place.type, ArrayType | FunctionType):
                    return self._address(place)
                return self._held(place)
            case AddressOf(place=place):
                return self._address(place)
            case Binary(operator=operator, left=left, right=right):
                if operator in _COMPARISONS and _known(right) is not None and self._is_bits(left):
                    return _NONE
                sides = self._value(left), self._value(right)
                if isinstance(form.type, PointerType):
                    return sides[0] | sides[1]
                is_distance = operator == "-" and all(sides)  # else of different objects, which tells where one is
                if operator not in _COMPARISONS and not is_distance:
                    self._lose(sides[0] | sides[1])
                return _NONE
            case Not() | Logic():
                for part in children(form):
                    self._tested(part)
                return _NONE
            case Unary() | SizeOf():
                for part in children(form):
                    self._evaluate(part)
                return _NONE
            case Choice(condition=condition, yes=yes, no=no):
                self._tested(condition)
                return self._value(yes) | self._value(no)
            case Otherwise(condition=condition, no=no):
                return self._value(condition) | self._value(no)
            case Comma(parts=(*others, last)):
                for part in others:
                    self._value(part)
                return self._value(last)
            case Convert(operand=operand):
                return self._converted(form, operand)
            case Assign(operator=operator, place=place, value=value):
                return self._assigned(operator, place, self._value(value))
            case Step(place=place):
                return self._held(place)
            case Call():
                return self._called(form)
            case StatementExpression(items=items, result=result):
                for item in items:
                    self._statement(item, VOID)
                return self._value(result) if result is not None else _NONE
            case Selection(candidates=candidates):
                return _NONE.union(*map(self._value, candidates))
            case _:
                self._unknown(form)
                return _NONE

    def _tested(self, form: Form) -> None:
        """Something is evaluated of which all that is asked is whether it is 0."""
        if not self._is_bits(form):
            self._evaluate(form)

    def _is_bits(self, form: Form) -> bool:
        """Whether this is the last bits of an address, which is evaluated then.

        Where they are only asked about they say how it is aligned, and no more of where it is than where in a page.
        """
        match form:
            case Binary(operator="&" | "%" as operator, left=left, right=right):
                mask = _known(right)
                limit = None if mask is None else mask - 1 if operator == "%" else mask
                is_last = limit is not None and 0 < limit < PAGE and limit & (limit + 1) == 0
                return is_last and self._is_number_of(left)
            case Convert(operand=operand):
                return not isinstance(form.type, PointerType) and not form.lengths and self._is_bits(operand)
            case _:
                return False

    def _is_number_of(self, form: Expression) -> bool:
        """Whether this is an address as a number, which is evaluated then."""
        match form:
            case Convert(operand=operand) if isinstance(form.type, IntType) and not form.lengths:
                if isinstance(operand.type, PointerType):
                    self._value(operand)
                    return True
                return self._is_number_of(operand)
            case Binary(operator="-", left=left, right=right) if _known(right) == 0:
                if isinstance(left.type, PointerType) and is_unsized(left.type.target):  # counted in bytes
                    self._value(left)
                    return True
                return False
            case _:
                return False

    def _converted(self, form: Convert, operand: Expression) -> _Sources:
        for length in form.lengths:
            self._evaluate(length)
        found = self._value(operand)
        if isinstance(form.type, PointerType):
            return found
        if not isinstance(form.type, VoidType) and form.type != BOOL:
            self._lose(found)
        return _NONE

    def _assigned(self, operator: str, place: Place, found: _Sources) -> _Sources:
        held = self._held(place)
        if operator:
            self._lose(found)
            return held
        if isinstance(place, Variable) and isinstance(place.symbol, Local):
            self._stored(found, place.symbol)
        else:
            self._lose(found)
        return held | found

    def _called(self, call: Call) -> _Sources:
        """The arguments go where the function takes them."""
        pointer = self._pointed_anew(call)
        given = [_NONE if pointer and at == pointer[0] else self._value(it) for at, it in enumerate(call.arguments)]
        match call.callee:
            case FunctionName(key=key) if call.is_program:
                known = self._function(key)
                hidden = known.kept | (self._read(*known.prints, call) if known.prints is not None else set())
                self._lose(source for at, found in enumerate(given) if at not in hidden for source in found)
                result = frozenset[_Source](map(_Made, known.made))
                result = result.union(*(found for at, found in enumerate(given) if at in known.returned))
                if isinstance(call.type, PointerType):
                    return result
                self._lose(result)  # it is declared in another way than it is defined
                return _NONE
            case FunctionName(name=name) | Implicit(name=name):
                record = self._library.describe(name)
                self._seen.named.add(name)
                if record is None or record.takes_places:
                    return self._given_away(call)
                told = {at for at in range(len(given)) if not record.hides(at)}
                if record.prints is not None:
                    first = record.prints + 1
                    told |= set(range(first, len(given))) - self._read(record.prints, first, call)
                self._lose(source for at, found in enumerate(given) if at in told for source in found)
                back = record.gives_back
                result = given[back] if back is not None and back < len(given) else _NONE
                if record.makes_object or record.may_make_object:
                    self._seen.made.add(call.node)
                    result |= {_Made(call.node)}
                if record.points is not None:
                    result |= self._point(pointer, given, record.points)
                return result
            case _:
                return self._given_away(call)

    def _pointed_anew(self, call: Call) -> tuple[int, Local] | None:
        """The argument that is the address of a local that a library function makes lead elsewhere, and that local."""
        match call.callee:
            case FunctionName(name=name) | Implicit(name=name) if not call.is_program:
                record = self._library.describe(name)
            case _:
                return None
        at = record.points[0] if record is not None and record.points is not None else len(call.arguments)
        match call.arguments[at : at + 1]:
            case (AddressOf(place=Variable(symbol=Local() as local)),) if _holds(local):
                return at, local
            case _:
                return None

    def _point(self, pointer: tuple[int, Local] | None, given: list[_Sources], points: tuple[int, int]) -> _Sources:
        """A library function makes a pointer lead into what an argument leads to, unless that is the pointer itself."""
        text = given[points[1]] if points[1] < len(given) and points[1] != points[0] else _NONE
        if pointer is None:
            self._lose(text)
            return _NONE
        self._stored(text, pointer[1])
        return frozenset((pointer[1],))

    def _read(self, format_at: int, first: int, call: Call) -> set[int]:
        """The arguments from `first` on of which a format does not print the address."""
        match call.arguments[format_at : format_at + 1]:
            case (Read(place=StringLiteral(text=text)),):
                _, codes = literals.string(text, self._data)
            case _:
                return set()
        written = "".join(chr(code) if 0 < code < 128 else "?" for code in codes)
        return {first + at for at in formats.followed(written)}

    def _given_away(self, call: Call) -> _Sources:
        """A call of which nothing is known, maybe of a macro that changes its operands."""
        self._unknown(call)
        for argument in call.arguments:
            if isinstance(argument, Read):
                self._lose(self._address(argument.place))
        return _NONE

    def _held(self, place: Place) -> _Sources:
        """What a place may hold, which is evaluated: the addresses in it; memory has none."""
        match place:
            case Variable(symbol=Local() as local):
                return frozenset((local,)) if _holds(local) else _NONE
            case Variable() | StringLiteral() | FunctionName():
                return _NONE
            case Member(base=base):
                self._held(base)
                return _NONE
            case Element(left=left, right=right):
                self._value(left)
                self._value(right)
                return _NONE
            case Deref(pointer=pointer):
                self._value(pointer)
                return _NONE
            case _:
                self._unknown(place)
                return _NONE

    def _address(self, place: Place) -> _Sources:
        """What the address of a place is made of."""
        match place:
            case Variable(symbol=Local() as local):
                if _holds(local):  # what it holds may be had through its address
                    self._lose((local,))
                return frozenset((_At(local),))
            case FunctionName(key=key, name=name):
                self._seen.named.update((key, name))
                return _NONE
            case Variable() | StringLiteral():
                return _NONE
            case Member(base=base):
                return self._address(base)
            case Element(left=left, right=right):
                return self._value(left) | self._value(right)
            case Deref(pointer=pointer):
                return self._value(pointer)
            case _:
                self._unknown(place)
                return _NONE


def _known(form: Expression) -> int | None:
    """The value of a constant, also of one that is converted to a type that has it."""
    match form:
        case Constant(value=value):
            return value
        case Convert(operand=operand, type=IntType() | PointerType() as kind) if not form.lengths:
            found, (low, high) = _known(operand), value_range(kind)
            return found if found is not None and low <= found <= high else None
        case _:
            return None


def _is_list(form: Read) -> bool:
    """Whether a list of arguments that is a local is read."""
    return isinstance(form.place, Variable) and isinstance(form.place.symbol, Local) and form.place.type == VA_LIST


def _holds(local: Local) -> bool:
    """Whether a local is a pointer that is followed."""
    return local.duration == "automatic" and isinstance(local.type, PointerType)
