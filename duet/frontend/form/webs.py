"""One name for each use of a pointer: locals that are used for one thing after another become several locals.

The definitions of a variable that reach a common use make a web. A pointer whose address nobody takes, with definitions
in several webs, becomes a local for each of them: so what one of them leads to is not mixed with what others do.

*Source*: S. Muchnick, "Advanced Compiler Design and Implementation", 1997, 16.3.3. *Approximates*: under, what is told
apart: ways that no execution takes count, and bodies with computed jumps, or calls of `setjmp`, stay as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from duet.frontend.ctypes.declarations import is_volatile
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import PointerType
from duet.frontend.form.alone import jumps_out
from duet.frontend.form.control import (
    Block,
    Break,
    Case,
    ComputedGoto,
    Continue,
    Declare,
    Evaluate,
    Goto,
    If,
    Label,
    Loop,
    Measure,
    Return,
    Statement,
    Switch,
)
from duet.frontend.form.tree import (
    Assign,
    Choice,
    Comma,
    Form,
    LabelAddress,
    Length,
    Logic,
    Otherwise,
    Read,
    Selection,
    SizeOf,
    StatementExpression,
    Step,
    Variable,
)
from duet.frontend.form.walk import children, every, parts_of

_NOTHING: frozenset[Local] = frozenset()


def apart(block: Statement, parameters: Iterable[Local], taken: Callable[[Form], Iterator[Local]]) -> Statement:
    """The block of a body in which each web of a pointer is a local.

    `taken` gives the locals that a form assigns or takes the address of by itself. *Requires*: nothing that is called
    goes on twice from one place.
    """
    forms = list(every(block))
    if any(isinstance(form, ComputedGoto | LabelAddress) for form in forms):
        return block
    entry = frozenset(parameters)
    several = _several(forms, entry, taken)
    if not several:
        return block
    flow = _Flow(several)
    for local in sorted(several & entry, key=lambda it: it.name):
        flow.define(local, None)
    flow.statement(block)
    named = _Names(flow.solved(), entry)
    return named.block(block) if named.added else block


def _several(forms: list[Form], entry: frozenset[Local], taken: Callable[[Form], Iterator[Local]]) -> frozenset[Local]:
    """The pointers that are only ever read and assigned as a whole, and that have a value at more than one place."""
    plain, mentioned = defaultdict[Local, int](int), defaultdict[Local, int](int)
    values = defaultdict[Local, int](int, dict.fromkeys(entry, 1))
    elsewhere: set[Local] = set()
    for form in forms:
        match form:
            case Variable(symbol=Local() as local):
                mentioned[local] += 1
            case Read(place=Variable(symbol=Local() as local)):
                plain[local] += 1
            case Assign(place=Variable(symbol=Local() as local)) | Step(place=Variable(symbol=Local() as local)):
                plain[local] += 1
                values[local] += 1
            case Declare(local=local, initialiser=given) if given is not None:
                values[local] += 1
            case _:
                elsewhere.update(taken(form))
    return frozenset(
        local
        for local, count in values.items()
        if count > 1
        and isinstance(local.type, PointerType)
        and local.duration == "automatic"
        and not is_volatile(local.node)
        and local not in elsewhere
        and plain[local] == mentioned[local]
    )


@dataclass(slots=True)
class _Place:
    """A location of a body: what it does to one variable, if anything, and where execution goes on.

    `form` is where the variable is named or declared; None where a parameter is given its value.
    """

    local: Local | None = None
    form: Variable | Declare | None = None
    is_use: bool = False
    is_definition: bool = False
    targets: list[int] = field(default_factory=list)


class _Flow:
    """The control flow of a body with what it does to some variables; more ways than there are do no harm."""

    def __init__(self, several: frozenset[Local]) -> None:
        self._several = set(several)
        self._places = [_Place()]
        self._here: int | None = 0
        self._labels: dict[str, int] = {}
        self._breaks: list[int] = []
        self._continues: list[int] = []
        self._switches: list[int] = []

    def _fresh(self) -> int:
        self._places.append(_Place())
        return len(self._places) - 1

    def _goto(self, target: int) -> None:
        if self._here is not None:
            self._places[self._here].targets.append(target)

    def _at(self, target: int) -> None:
        """Goes on at a location, to which a way leads from here."""
        self._goto(target)
        self._here = target

    def _perhaps(self, part: Form) -> frozenset[Local]:
        """An expression that may be evaluated or not."""
        before = self._here
        found = self._evaluate(part)
        after = self._fresh()
        self._at(after)
        self._here = before
        self._at(after)
        return found

    def _note(self, local: Local, form: Variable | Declare | None, is_use: bool, is_definition: bool) -> None:
        self._at(self._fresh())
        if self._here is not None:
            self._places[self._here] = _Place(local, form, is_use, is_definition)

    def define(self, local: Local, form: Declare | None) -> None:
        """A variable is set as a whole."""
        if local in self._several:
            self._note(local, form, False, True)

    def statement(self, item: Form) -> None:
        """A statement."""
        match item:
            case Block(items=items):
                for inner in items:
                    self.statement(inner)
            case Case(items=items):
                self._at(self._fresh())
                assert self._here is not None
                self._places[self._switches[-1]].targets.append(self._here)
                for inner in items:
                    self.statement(inner)
            case If(condition=condition, yes=yes, no=no):
                self._evaluate(condition)
                before, after = self._here, self._fresh()
                for way in (yes, no):
                    self._here = before
                    if way is not None:
                        self.statement(way)
                    self._at(after)
            case Loop():
                self._loop(item)
            case Switch(condition=condition, body=body):
                self._evaluate(condition)
                start, after = self._fresh(), self._fresh()
                self._at(start)
                self._at(after)
                self._here = None
                self._switches.append(start)
                self._breaks.append(after)
                self.statement(body)
                self._breaks.pop()
                self._switches.pop()
                self._at(after)
            case Label(name=name, statement=labelled):
                self._at(self._label(name))
                self.statement(labelled)
            case Goto(label=name):
                self._goto(self._label(name))
                self._here = None
            case Break():
                self._goto(self._breaks[-1])
                self._here = None
            case Continue():
                self._goto(self._continues[-1])
                self._here = None
            case Return(value=value):
                if value is not None:
                    self._evaluate(value)
                self._here = None
            case Declare(local=local):
                self._beside(children(item))
                self.define(local, item)
            case Evaluate() | Measure():
                self._beside(children(item))
            case _:
                raise AssertionError(f"no statement: {type(item).__name__}")

    def _loop(self, loop: Loop) -> None:
        """A loop; the body of one that is late comes first, and a test may fail or not."""
        if loop.first is not None:
            self.statement(loop.first)
        head, body, again, after = self._fresh(), self._fresh(), self._fresh(), self._fresh()
        if loop.is_late:
            self._goto(body)
        self._at(head)
        self._beside(loop.invariants)
        if loop.condition is not None:
            self._evaluate(loop.condition)
        self._goto(after)
        self._at(body)
        self._breaks.append(after)
        self._continues.append(again)
        self.statement(loop.body)
        self._continues.pop()
        self._breaks.pop()
        self._at(again)
        if loop.step is not None:
            self._evaluate(loop.step)
        self._goto(head)
        self._here = after

    def _label(self, name: str) -> int:
        if name not in self._labels:
            self._labels[name] = self._fresh()
        return self._labels[name]

    def _evaluate(self, form: Form) -> frozenset[Local]:
        """An expression; the variables that it sets."""
        match form:
            case Assign(operator=operator, place=Variable(symbol=Local() as local) as place, value=value):
                found = self._evaluate(value)
                if local in found:
                    self._several.discard(local)  # which of the two comes last
                if local in self._several:
                    self._note(local, place, bool(operator), True)
                return found | {local}
            case Step(place=Variable(symbol=Local() as local) as place):
                if local in self._several:
                    self._note(local, place, True, True)
                return frozenset((local,))
            case Read(place=Variable(symbol=Local() as local) as place):
                if local in self._several:
                    self._note(local, place, True, False)
                return _NOTHING
            case Logic(left=left, right=right):
                return self._evaluate(left) | self._perhaps(right)
            case Otherwise(condition=condition, no=no):
                return self._evaluate(condition) | self._perhaps(no)
            case Choice(condition=condition, yes=yes, no=no):
                found = self._evaluate(condition)
                before, after = self._here, self._fresh()
                for way in (yes, no):
                    self._here = before
                    found |= self._evaluate(way)
                    self._at(after)
                return found
            case Comma(parts=parts):
                return _NOTHING.union(*map(self._evaluate, parts))
            case StatementExpression(items=items, result=result):
                for item in items:
                    self.statement(item)
                set_ = frozenset(local for part in every(form) for local in _set(part))
                return set_ | (self._evaluate(result) if result is not None else _NOTHING)
            case SizeOf(value=int()):
                return _NOTHING
            case SizeOf() | Selection() | Length():
                return _NOTHING.union(*map(self._perhaps, children(form)))
            case _:
                return self._beside(children(form))

    def _beside(self, parts: Iterable[Form]) -> frozenset[Local]:
        """Parts in an order that C leaves open: what one of them sets and another one names is left as it is."""
        given = list(parts)
        found = [self._evaluate(part) for part in given]
        if len(given) > 1 and any(map(jumps_out, given)):
            self._several.difference_update(*found)  # whether they are set by then
        for at, local in {(at, local) for at, set_ in enumerate(found) for local in set_}:
            others = (part for place, part in enumerate(given) if place != at)
            if any(isinstance(item, Variable) and item.symbol is local for part in others for item in every(part)):
                self._several.discard(local)
        return _NOTHING.union(*found)

    def solved(self) -> _Webs:
        """The webs: which definitions reach each place, solved as classical reaching definitions by bits."""
        numbers = {at: bit for bit, at in enumerate(at for at, it in enumerate(self._places) if it.is_definition)}
        of: dict[Local, int] = defaultdict(int)
        for at, bit in numbers.items():
            local = self._places[at].local
            assert local is not None
            of[local] |= 1 << bit
        reaching, work = [0] * len(self._places), list(range(len(self._places)))
        while work:
            at = work.pop()
            place, known = self._places[at], reaching[at]
            if place.is_definition and place.local is not None:
                known = known & ~of[place.local] | 1 << numbers[at]
            for target in place.targets:
                if known & ~reaching[target]:
                    reaching[target] |= known
                    work.append(target)
        webs = _Webs()
        for at, place in enumerate(self._places):
            if place.local is None or place.local not in self._several:
                continue
            here = reaching[at] & of[place.local] if place.is_use else 0
            seen = [bit for bit in range(here.bit_length()) if here >> bit & 1]
            if place.is_definition:
                seen.append(numbers[at])
            webs.add(place, seen)
        return webs


def _set(form: Form) -> Iterator[Local]:
    """The local that a form sets."""
    match form:
        case Assign(place=Variable(symbol=Local() as local)) | Step(place=Variable(symbol=Local() as local)):
            yield local
        case Declare(local=local):
            yield local
        case _:
            pass


class _Webs:
    """Definitions, by number, that common uses unite."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}
        self.places: list[tuple[_Place, int]] = []
        """The places where a variable is named, each with one of the definitions that it belongs to."""

    def add(self, place: _Place, seen: list[int]) -> None:
        """A place that sees some definitions; none where nothing leads there."""
        for one in seen:
            self._above[self.of(one)] = self.of(seen[0])
        if seen:
            self.places.append((place, seen[0]))

    def of(self, definition: int) -> int:
        """The definition that stands for its web."""
        while (above := self._above.setdefault(definition, definition)) != definition:
            definition = above
        return definition


class _Names:
    """Locals for webs: that of the declaration keeps the variable's own, or the first one where that gives no value."""

    def __init__(self, webs: _Webs, entry: frozenset[Local]) -> None:
        self._entry = entry
        self._names: dict[Variable, Local] = {}
        self._cases: dict[Form, Form] = {}
        self.added: dict[Local, list[Local]] = defaultdict(list)
        known: dict[tuple[Local, int], Local] = {}
        free: set[Local] = set()
        named = {webs.of(definition) for place, definition in webs.places if isinstance(place.form, Variable)}
        for place, definition in webs.places:
            if place.local is None or isinstance(place.form, Variable):
                continue
            if isinstance(place.form, Declare) and place.form.initialiser is None and webs.of(definition) not in named:
                free.add(place.local)
            else:
                known[place.local, webs.of(definition)] = place.local
        for place, definition in webs.places:
            if place.local is None or not isinstance(place.form, Variable):
                continue
            local, web = place.local, webs.of(definition)
            if (local, web) not in known:
                is_free = local in free
                known[local, web] = local if is_free else Local(local.name, local.type, local.node)
                free.discard(local)
                if not is_free:
                    self.added[local].append(known[local, web])
            self._names[place.form] = known[local, web]

    def block(self, block: Statement) -> Statement:
        """A block, in which locals that stand for webs are declared beside what they were."""
        found: Statement = self._renamed(block)
        of_entry = [new for local, added in self.added.items() if local in self._entry for new in added]
        given = [Declare(block.node, new, None) for new in of_entry]
        return Block(block.node, (*given, found)) if given else found

    def _renamed(self, form: Any) -> Any:
        """A form with the names of webs, and their declarations in front of those of the variables."""
        if isinstance(form, Variable):
            return Variable(form.node, form.type, self._names[form]) if form in self._names else form
        kind: Any = type(form)
        changed: dict[str, Any] = {}
        for name in parts_of(kind):
            part = getattr(form, name)
            if isinstance(part, Form):
                new: Any = self._renamed(part)
                if isinstance(part, Declare) and part.local in self.added:
                    new = Block(part.node, (*self._declared(part), new))
            elif isinstance(part, tuple):
                items: list[Any] = []
                for item in part:
                    if isinstance(item, Declare) and item.local in self.added:
                        items += self._declared(item)
                    items.append(self._renamed(item) if isinstance(item, Form) else item)
                is_same = len(items) == len(part) and all(one is other for one, other in zip(items, part, strict=True))
                new = part if is_same else tuple(items)
            else:
                continue
            if new is not part:
                changed[name] = new
        if isinstance(form, Switch) and "body" in changed:
            changed["cases"] = tuple(self._cases.get(case, case) for case in form.cases)
        if not changed:
            return form
        result = kind(**{item.name: getattr(form, item.name) for item in fields(kind)} | changed)
        if isinstance(form, Case):
            self._cases[form] = result
        return result

    def _declared(self, form: Declare) -> list[Declare]:
        return [Declare(form.node, new, None) for new in self.added[form.local]]
