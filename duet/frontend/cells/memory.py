"""Objects to cells: which cell, constant table or nothing stands for a part of an object; addresses of objects.

*Approximates*: over. Floating values and the members of some unions (`overlaps`) have no cell (any read gives any
value); arrays whose index is not always a constant (see `elements`), heap objects and escaping locals of threads with
many instances are summary cells.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from itertools import product
from math import prod

from duet.errors import SourceError
from duet.frontend.cells.elements import Elements
from duet.frontend.cells.located import (
    BitsAt,
    CellAt,
    Initial,
    Located,
    Nowhere,
    TableAt,
    in_words,
    key_of,
    part_of,
    spelled,
)
from duet.frontend.cells.overlaps import Overlaps
from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.origins import (
    EXTERNAL,
    NOTHING,
    UNKNOWN_POINTER,
    Origin,
    Origins,
    ThreadId,
    addresses,
    objects,
)
from duet.frontend.ctypes.types import (
    ADDRESS,
    ArrayType,
    CType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    is_scalar,
    plain,
    value_range,
)
from duet.frontend.ctypes.values import Direct, Index, Number, Object, Path, in_type, of_term
from duet.frontend.judgments.facts import Facts
from duet.frontend.judgments.identity import UNNOTED
from duet.options import Budgets
from duet.plip.syntax import Cell, Linear
from duet.plip.terms import add, constant, linear, scale, variable

MANY_BYTES = 1 << 32
"""The range of addresses kept for an object that has many instances."""
SLOT, LARGEST = 1 << 24, 1 << 12
"""Each instance of at most `LARGEST` bytes, or of an unknown size, starts at a multiple of `SLOT` in that range."""
MANY_ORIGINS = 1 << 10
"""How many sets of origins are remembered with the objects that are pointed to."""
STANDARD_STREAMS = frozenset(("stdin", "stdout", "stderr"))
LIBRARY_VARIABLES = STANDARD_STREAMS | frozenset(
    (
        *("environ", "__environ", "optarg", "suboptarg", "tzname", "__tzname"),
        *("program_invocation_name", "program_invocation_short_name", "sys_errlist", "__progname"),
    )
)
"""Variables of the C library, which point to memory of its own."""
_WINDOWS = frozenset(("stdscr", "curscr", "newscr"))
"""Variables of ncurses, which point to structures of its own."""


def leads_to_library(of: Object) -> bool:
    """Whether an object is a variable of a library that points to memory of its own."""
    target = of.type.target if isinstance(of.type, PointerType) else None
    is_window = isinstance(target, StructType) and target.tag in ("_win_st", "struct _win_st")
    return of.key in LIBRARY_VARIABLES or (is_window and of.key in _WINDOWS)


def is_anything(facts: Facts, of: Object) -> bool:
    """Whether an object holds anything at any time since each function is lowered by itself."""
    return facts.by_itself and of.kind != "local" and not of.is_string


@dataclass
class Memory:
    """All objects and cells of one round of lowering."""

    facts: Facts
    types: TypeTable
    budgets: Budgets
    cells: dict[str, Cell] = field(default_factory=dict)
    objects: dict[str, Object] = field(default_factory=dict)
    initial: dict[str, Initial | None] = field(default_factory=dict)
    places: dict[str, Direct] = field(default_factory=dict)
    locks: dict[str, Direct] = field(default_factory=dict)
    bases: dict[Origin, int] = field(default_factory=dict)
    version: int = 0  # how often an object was made known that was not, or began with something else
    next_base: int = 4096
    next_id: int = 4096  # the ids of threads are less than all addresses where programs have them in small integers
    strings: dict[str, Object] = field(default_factory=dict)  # by text and place
    arguments: Linear | None = None  # the bytes of the array that main is given, in main
    texts: set[str] = field(default_factory=set)  # keys of objects that begin as strings, see `texts`
    records: set[str] = field(default_factory=set)  # keys of structures that the library gives, see `records`
    filled: set[str] = field(default_factory=set)  # cells of their members that are never null
    arrays: dict[str | None, set[str]] = field(default_factory=dict)  # by template, the keys of its local arrays
    widest: dict[tuple[str, int, int], CType | None] = field(default_factory=dict)  # of heap objects, see `targets`
    given: set[str] = field(default_factory=set)  # keys of locals that are always written before they are read
    confined: dict[str, bool] = field(default_factory=dict)  # whether only their thread has the address, see `confine`
    measured: set[str] = field(default_factory=set)  # keys of local arrays whose length is evaluated where they begin
    kinds: dict[str, set[str]] = field(default_factory=dict)  # keys of objects by `Object.kind`
    _reachable: tuple[tuple[int, ...], list[str], dict[str, list[str]]] = ((), [], {})  # see `at_any_address`
    _pointed: dict[Origins, tuple[tuple[Object, ...], tuple[str, ...]]] = field(default_factory=dict)  # see `pointed`

    def __post_init__(self) -> None:
        if self.types.data.pointer < ADDRESS.size:
            self.next_base = 1 << 8 * self.types.data.pointer
        self.elements = Elements(self.facts, self.types, self.budgets)
        self.overlaps = Overlaps(self.types)

    def declare(self, new: Object, initial: Initial | None) -> None:
        """Makes an object known; `initial` is None where it may hold anything."""
        if new.key not in self.initial or self.initial[new.key] is not initial:
            self.version += 1
        self.renew(new)
        if is_anything(self.facts, new):
            self.facts.objects.untracked.add(new.key)
            initial = None
        self.initial[new.key] = initial
        self.kinds.setdefault(new.kind, set()).add(new.key)
        if new.kind == "local" and isinstance(new.type, ArrayType):
            self.arrays.setdefault(new.template, set()).add(new.key)

    def renew(self, of: Object) -> None:
        """Makes what is known of an object what is known of it now."""
        known = self.objects.get(of.key)
        if known != of:
            self.objects[of.key] = of
            if known is not None:
                self._pointed.clear()

    def recall(self, earlier: Memory) -> None:
        """Makes the objects of an earlier round known: what is lowered first may point to what is lowered later."""
        self.strings.update(earlier.strings)
        self.texts.update(earlier.texts)
        self.records.update(earlier.records)
        self.filled.update(earlier.filled)
        self.confined.update(earlier.confined)
        for key, of in earlier.objects.items():
            if key not in self.objects:
                self.declare(of, earlier.initial[key])

    def confine(self, of: Object, is_confined: bool) -> None:
        """Records of a local, or of memory of the heap, whether only its thread ever has its address.

        In an earlier round, or in a later one, another may have its key.
        """
        if self.confined.setdefault(of.key, is_confined) is not is_confined:
            self.facts.objects.open.add(of.key)

    def is_confined(self, of: Object) -> bool:
        """Whether only the thread itself ever has the address of an object, and no memory holds it."""
        return self.confined.get(of.key, False) and of.key not in self.facts.objects.open

    def record_key(self, kind: StructType) -> str:
        """The key of the object that stands for all structures of a type that the library gives."""
        return f"heap {kind.key} of the library"

    def is_changed_elsewhere(self, key: str) -> bool:
        """Whether code that is not there may change an object that it defines; locks are used as they should be."""
        of = self.objects[key]
        return (of.is_volatile or not of.is_const) and not isinstance(of.type, OpaqueType)

    def is_standard_stream(self, of: Object) -> bool:
        """Whether an object is a stream of the library's that is open from the start, which the program never sets."""
        known = self.facts.objects
        is_set = any(of.key in found for found in (known.written, known.addressed, known.bound))
        return of.key in STANDARD_STREAMS and self.initial.get(of.key) is None and not is_set

    def is_multiple(self, of: Object) -> bool:
        """Whether several instances of the object may live at once and be reached by one thread."""
        if of.kind == "heap":
            return of.key in self.facts.objects.repeated
        if of.kind == "global" or not self.is_shared(of):
            return of.key in self.facts.objects.reentrant and of.key in self.facts.objects.addressed
        return of.template in self.facts.many or of.key in self.facts.objects.reentrant

    def is_shared(self, of: Object) -> bool:
        """Whether other threads may reach the object."""
        is_handed_on = of.key in self.facts.objects.escaped and not self.is_confined(of)
        is_of_all = of.kind == "heap" and not self.is_each_ones(of) and not self.is_confined(of)
        return of.kind == "global" or is_of_all or is_handed_on

    def is_each_ones(self, of: Object) -> bool:
        """Whether each thread of a template has one of an object of the heap, which no other thread reaches."""
        return of.kind == "heap" and of.template in self.facts.many and self.stays(of.key)

    def stays(self, key: str) -> bool:
        """Whether an object of the heap is allocated once by each thread that does, and no other thread reaches it."""
        known = self.facts.objects
        others = (known.handed_on, known.escaped, known.repeated, known.resized, known.untracked)
        return not any(key in found for found in others)

    def hand_on(self, *found: Object) -> None:
        """Records that other threads than those that they belong to may reach some objects."""
        self.facts.objects.escaped.add(*(of.key for of in found if of.kind in ("local", "thread")))
        self.facts.objects.handed_on.add(*(of.key for of in found if of.kind == "heap"))

    def locate(self, place: Direct) -> Located:
        """What stands for a scalar part of an object."""
        if place.object.key in self.facts.objects.untracked:
            return Nowhere(place.type)
        is_multiple = self.is_multiple(place.object)
        exact, starred, is_summary = "", "", is_multiple
        kind: CType = place.object.type
        indices: list[Index] = []
        for at, step in enumerate(place.path):
            if isinstance(step, Index):
                assert isinstance(kind, ArrayType)
                indices.append(step)
                # with several instances, elements are never told apart where a pointer leads to them
                is_known = not is_multiple and self.elements.has_cell(place.object.key + exact, kind, step)
                exact += f"[{step.constant}]" if is_known else "[*]"
                is_summary = is_summary or not is_known
                starred += "[*]"
                kind = kind.element
                continue
            assert isinstance(kind, StructType)
            if kind.is_union:
                return self._in_union(place, at, kind, exact, starred, is_summary)
            found = next((member for member in self.types.members(kind) if member.name == step), None)
            if found is None:
                return Nowhere(place.type)
            exact, starred, kind = f"{exact}.{step}", f"{starred}.{step}", found.type
        if not is_scalar(kind):
            return Nowhere(place.type)
        starred = place.object.key + starred
        if is_summary and not is_multiple:
            table = None if place.bit is not None else self._table(place, kind, starred, indices)
            if table is not None:
                return table
            self.elements.blur(place)
        name = self._cell(Direct(place.object, place.path, kind), place.object.key + exact, kind, is_summary)
        cell = CellAt(name, kind, self.is_shared(place.object), is_summary, starred)
        if place.bit is None or not isinstance(place.type, IntType):
            return cell
        return BitsAt(cell, place.bit, plain(place.type))

    def _in_union(
        self, place: Direct, at: int, kind: StructType, exact: str, starred: str, is_summary: bool
    ) -> Located:
        """What stands for a scalar in a union that is reached after so many steps; `exact` and `starred` lead there."""
        of, rest, name = place.object, place.path[at:], place.object.key + exact
        parts = self.overlaps.parts(kind)
        if not parts or not is_scalar(place.type):
            return Nowhere(place.type)
        if is_summary and not self.is_multiple(of):
            self.elements.blur(Direct(of, place.path[:at], kind))
        if name in self.facts.objects.blurred:
            return Nowhere(place.type)
        is_known = all(isinstance(step, str) or step.constant is not None for step in rest)
        part = parts.get(key_of(rest)) if is_known else None
        if part is None or not isinstance(place.type, IntType) or place.type.size != part.size:
            self.facts.objects.blurred.add(name)  # the next round knows nothing of the union
            return Nowhere(place.type)
        whole = Direct(of, (*place.path[:at], *part.path), part.type)
        kept = self._cell(whole, name + spelled(part.path), part.type, is_summary)
        starred = of.key + starred + spelled(part.path, is_starred=True)
        cell = CellAt(kept, part.type, self.is_shared(of), is_summary, starred)
        return cell if part.size == part.type.size else BitsAt(cell, part.shift, plain(place.type))

    def choosing(self, place: Direct) -> tuple[int, str] | None:
        """Where in a path the one index is that is not constant, with the start of the names of the array's cells."""
        of, kind, text = place.object, place.object.type, place.object.key
        if of.kind == "heap" or of.key in self.facts.objects.untracked or self.is_multiple(of):
            return None
        found: list[tuple[int, str]] = []
        for at, step in enumerate(place.path):
            if isinstance(step, Index):
                assert isinstance(kind, ArrayType)
                if not found and (step.length is None or step.is_rest or text in self.facts.objects.blurred):
                    return None
                if step.constant is None or not 0 <= step.constant < (step.length or 0):
                    found.append((at, text))
                text += f"[{step.constant}]" if self.elements.has_cell(text, kind, step) else "[*]"
                kind = kind.element
                continue
            assert isinstance(kind, StructType)
            member = next((member for member in self.types.members(kind) if member.name == step), None)
            if kind.is_union or member is None:
                return None
            text, kind = f"{text}.{step}", member.type
        return found[0] if len(found) == 1 and not self._is_table(place) else None

    def _is_table(self, place: Direct) -> bool:
        """Whether a path looks up a constant table."""
        indices = [step for step in place.path if isinstance(step, Index)]
        starred = place.object.key + "".join("[*]" if isinstance(step, Index) else f".{step}" for step in place.path)
        return self._table(place, place.type, starred, indices) is not None

    def _table(self, place: Direct, kind: CType, starred: str, indices: list[Index]) -> TableAt | None:
        """The constant table that a path looks up, if the array is never written."""
        of = place.object
        initial = self.initial.get(of.key)
        if initial is None or of.kind != "global":
            return None
        if starred in self.facts.objects.written or (of.key in self.facts.objects.addressed and not of.is_const):
            return None
        lengths = [index.length for index in indices]
        if any(index.term is None for index in indices) or None in lengths:
            return None
        sizes = [length for length in lengths if length is not None]
        if prod(sizes) > self.budgets.table_entries or 0 in sizes:
            return None
        values = []
        origins = NOTHING
        for numbers in product(*map(range, sizes)):
            rest = iter(numbers)
            key = tuple(next(rest) if isinstance(step, Index) else step for step in place.path)
            values.append(initial.values.get(key, 0))
            origins |= initial.origins.get(key, NOTHING)
        index = constant(0)
        for step, size in zip(indices, sizes, strict=True):
            assert step.term is not None
            index = add(scale(index, size), step.term)
        return TableAt(tuple(values), index, kind, origins)

    def unwritten(self, place: Direct, cell: CellAt) -> int | None:
        """The initial value of an integer of static storage that nothing writes, as far as is known by now."""
        of, initial = place.object, self.initial.get(place.object.key)
        if self.overlaps.outermost(of.type, place.path) is not None:
            return None
        if initial is None or of.kind != "global" or cell.is_summary or not isinstance(cell.type, IntType):
            return None
        if cell.starred in self.facts.objects.written or (of.key in self.facts.objects.addressed and not of.is_const):
            return None
        key = key_of(place.path)
        return None if key in initial.origins else initial.values.get(key, 0)

    def _cell(self, place: Direct, name: str, kind: CType, is_summary: bool) -> str:
        """The name of a cell, made when it is used first."""
        if name not in self.cells:
            of = place.object
            lo, hi = self._initial_range(name, place, kind, is_summary)
            assert not isinstance(kind, IntType) or kind.lo <= lo <= hi <= kind.hi, name
            owner = None if self.is_shared(of) else of.template
            self.cells[name] = Cell(name, owner, is_summary, lo, hi, part_of(of, name[len(of.key) :]), of.span)
            self.places[name] = place
        return name

    def _initial_range(self, name: str, place: Direct, kind: CType, is_summary: bool) -> tuple[int, int]:
        of = place.object
        initial = self.initial.get(of.key)
        if of.key in self.given and not is_summary:
            return self._some(name, kind)
        if initial is None and self.is_member(place) and name not in self.facts.objects.unset:
            return self._some(name, kind)
        if name in self.filled and isinstance(kind, PointerType):
            return 1, value_range(kind)[1]
        if initial is None:
            if of.kind in ("global", "thread") and isinstance(kind, IntType):
                self.facts.pointers.mixed.add(name)
            if of.kind in ("global", "thread") and isinstance(kind, PointerType):
                is_library = leads_to_library(of)
                self.facts.pointers.hold(name, frozenset((EXTERNAL,)) if is_library else UNKNOWN_POINTER)
            return value_range(kind)
        if not is_summary:
            key = tuple(step.constant or 0 if isinstance(step, Index) else step for step in place.path)
            if of.kind == "local":
                return value_range(kind)
            value, pointing = initial.values.get(key, 0), initial.origins.get(key, NOTHING)
            spots = self.spots(frozenset((value,)), pointing) if isinstance(kind, PointerType) else None
            self.facts.pointers.hold(of.key + spelled(place.path), pointing, spots)
            return value, value
        if self.overlaps.outermost(of.type, place.path) is not None:
            self.facts.pointers.hold(name, initial.pointing)
            return value_range(kind)
        return self._hull(place, initial)

    def is_member(self, place: Direct) -> bool:
        """Whether a place is a member of each object that an allocation makes, of one structure each, once noted."""
        of, steps = place.object, place.path[1:] if place.path and isinstance(place.path[0], Index) else place.path
        kind = of.type.element if isinstance(of.type, ArrayType) else of.type
        size = self.facts.layouts.sizes.get(of.key)
        is_one = of.kind == "heap" and isinstance(kind, StructType) and size == self.types.size(kind)
        is_known = of.key not in self.facts.objects.resized and of.key not in self.facts.marked(UNNOTED)
        return is_one and is_known and all(isinstance(step, str) for step in steps)

    def members(self) -> dict[str, list[str]]:
        """The cells that stand for such members, of one object or of several, by the key of the object."""
        found: dict[str, list[str]] = {}
        for name, place in self.places.items():
            if self.initial.get(place.object.key) is None and self.is_member(place):
                found.setdefault(place.object.key, []).append(name)
        return found

    def _some(self, name: str, kind: CType) -> tuple[int, int]:
        """A value for a local that no execution reads before it is written: it may be any, so one like those written.

        Bodies that calls share are also entered by returns that belong to other calls: there it is seen.
        """
        if isinstance(kind, IntType):
            return 0, 0
        for of in self.pointed(self.facts.pointers.held(name)):
            if not self.is_multiple(of):
                start = self.base(of.origin, MANY_BYTES)
                return start, start
            if self.is_in_slots(of):
                start = self.slots(of)[0] * SLOT
                return start, start
        return value_range(kind)

    def _hull(self, place: Direct, initial: Initial) -> tuple[int, int]:
        """The range of the initial values that a summary cell stands for."""
        shape = tuple(None if isinstance(step, Index) else step for step in place.path)
        found = initial.shaped.get(shape, ())
        values = [initial.values[key] for key in found]
        lengths = [step.length or 0 for step in place.path if isinstance(step, Index)]
        if len(values) < prod(lengths) or not values:
            values.append(0)
        pointing = [initial.origins[key] for key in found if key in initial.origins]
        name = place.object.key + "".join("[*]" if step is None else f".{step}" for step in shape)
        self.facts.pointers.hold(name, NOTHING.union(*pointing))
        return min(values), max(values)

    def base(self, origin: Origin, size: int) -> int:
        """The address of an object or function, or the id of a thread, allocated when it is asked for first."""
        if origin not in self.bases:
            step = -(-(size + 1) // 64) * 64 + 64
            if self.types.data.pointer < ADDRESS.size and isinstance(origin, ThreadId):
                self.bases[origin], self.next_id = self.next_id, self.next_id + step
                if self.next_id > self.types.data.distance.hi:
                    raise SourceError("there are too many thread functions for integers of this size")
            else:
                self.bases[origin], self.next_base = self.next_base, self.next_base + step
        return self.bases[origin]

    def is_in_slots(self, of: Object) -> bool:
        """Whether each instance of an object that several allocations make starts at a multiple of `SLOT`.

        One of unknown size may reach into the next slots, where others start that are told apart by their numbers.
        """
        if of.kind != "heap" or of.key in self.facts.objects.resized:
            return False
        whole = self.facts.layouts.sizes.get(of.key)
        return whole <= LARGEST if whole is not None else self.budgets.first_allocations <= 0

    def size_cell(self, of: Object) -> str:
        """The cell for the bytes of an object of which that is no constant, set where it is allocated or declared.

        Nothing is in it before: then its size is as large as can be, which is not less than any other.
        """
        name = f"{of.key}#bytes"
        if name not in self.cells:
            label = f"the size of {in_words(of)}"
            owner = None if of.kind == "heap" and self.is_shared(of) else of.template
            self.cells[name] = Cell(name, owner, self.is_multiple(of), ADDRESS.hi, ADDRESS.hi, label, of.span)
        return name

    def own_cells(self, of: Object, template: str) -> tuple[str, str]:
        """The cells for where the last object starts that a thread allocated at the place of one, and for its bytes.

        A thread that has allocated none there has one of no bytes, at null.
        """
        start, size = f"{of.key}#start@{template}", f"{of.key}#bytes@{template}"
        for name, what in ((start, "start"), (size, "size")):
            if name not in self.cells:
                label = f"the {what} of the last {in_words(of)} of this thread"
                self.cells[name] = Cell(name, template, False, 0, 0, label, of.span)
        return start, size

    def slots(self, of: Object) -> tuple[int, int]:
        """The multiples of `SLOT` between which instances of an object start, inclusive."""
        base = self.base(of.origin, MANY_BYTES)
        return -(-base // SLOT), (base + MANY_BYTES) // SLOT - 1

    def range_of(self, of: Object) -> tuple[int, int]:
        """The first address that is kept for an object of the heap, and for how many bytes."""
        return self.base(of.origin, MANY_BYTES), MANY_BYTES

    def pointed(self, origins: Origins) -> tuple[Object, ...]:
        """The objects among some origins that are known, in the order of their keys."""
        kept = self._pointed.get(origins)
        if kept is not None and self.objects.keys().isdisjoint(kept[1]):
            return kept[0]
        known, keys = self.objects, objects(origins)
        if len(self._pointed) >= MANY_ORIGINS:
            self._pointed.clear()
        found = tuple(known[key] for key in keys if key in known)
        self._pointed[origins] = found, tuple(key for key in keys if key not in known)
        return found

    def only(self, origins: Origins) -> tuple[Object, ...]:
        """The objects that a pointer leads to, if it leads to nothing else; none if it may, or if nobody knows."""
        found = self.pointed(origins)
        return found if UNKNOWN_POINTER.isdisjoint(origins) and len(found) == len(addresses(origins)) else ()

    def is_pointed(self, origins: Origins) -> bool:
        """Whether one of some origins is a known object."""
        return any(key in self.objects for key in objects(origins))

    def at_any_address(self, external: Set[str], template: str) -> list[str]:
        """The keys of the objects that a pointer of a thread may mean of which nothing is known, in order.

        They are those whose address is taken and the `external` ones, without what only other threads have. All of
        these sets only grow.
        """
        addressed, is_open = self.facts.objects.addressed, self.facts.objects.open
        sizes = len(addressed), len(external), len(self.objects), len(is_open)
        if sizes != self._reachable[0]:
            found = sorted(key for key in addressed | external if key in self.objects and not key.startswith('"'))
            self._reachable = sizes, found, {}
        of_thread = self._reachable[2]
        if template not in of_thread:
            known = [self.objects[key] for key in self._reachable[1]]
            of_thread[template] = [of.key for of in known if self.may_have(template, of) and not self.is_own(of)]
        return of_thread[template]

    def may_have(self, template: str, of: Object) -> bool:
        """Whether threads of a template may have the address of an object."""
        return of.template == template or not self.is_confined(of)

    def is_own(self, of: Object) -> bool:
        """Whether only pointers lead to an object that are known to do so: to confined memory of the heap."""
        return of.kind == "heap" and self.is_confined(of)

    def spots(self, values: frozenset[int], origins: Origins) -> frozenset[tuple[str, int]] | None:
        """Constant addresses as an object and offsets in bytes; none for null, None where the object is not one."""
        found = self.pointed(origins)
        of = found[0] if len(found) == len(addresses(origins)) == 1 else None
        if of is None or self.is_multiple(of):
            return frozenset() if values <= {0} else None
        base = self.base_term(of).term.constant
        return frozenset((of.key, value - base) for value in values if value)

    def address(self, place: Direct) -> Number | None:
        """The address of a part of an object, None where it is not known; the object counts as address-taken."""
        of = place.object
        self.facts.objects.addressed.add(of.key)
        start = self.base_term(of)
        offset = self.offset(of.type, place.path)
        return None if offset is None else in_type(add(start.term, offset), ADDRESS, of.origins)

    def address_of(self, cell: str) -> int | None:
        """Where what a cell stands for is, if that is one number."""
        place = self.places.get(cell)
        if place is None or any(isinstance(step, Index) and step.constant is None for step in place.path):
            return None
        start, offset = self.base_term(place.object).term, self.offset(place.object.type, place.path)
        return None if start.terms or offset is None else start.constant + offset.constant

    def typed_size(self, of: Object) -> int | None:
        """The bytes of an object by its type; None where that does not tell.

        GNU C lets initial values give elements to an array without a length that ends a structure.
        """
        may_be_more = of.kind not in ("local", "heap") and self.types.is_open(of.type)
        return None if may_be_more else self.types.size(of.type)

    def base_term(self, of: Object) -> Number:
        """Where an object starts: a constant, or for one with many instances a cell that nothing writes."""
        origins = of.origins
        kind = of.type
        if not self.is_multiple(of) or of.template is None or of.kind == "heap":
            base = self.base(of.origin, MANY_BYTES if of.kind == "heap" else self.typed_size(of) or MANY_BYTES)
            return Number(constant(base), kind, base, base, origins)
        base = self.base(of.origin, MANY_BYTES)
        name = f"{of.key}&"
        if name not in self.cells:
            label = f"&{of.label or of.key}"
            self.cells[name] = Cell(name, of.template, False, base, base + MANY_BYTES - 65536, label, of.span)
        return of_term(variable(name), kind, base, base + MANY_BYTES - 65536, origins)

    def offset(self, kind: CType, path: Path) -> Linear | None:
        """The byte offset of a part, None where it is not known; an index that stands for all elements counts as 0."""
        total = linear({})
        for step in path:
            if isinstance(step, Index):
                assert isinstance(kind, ArrayType)
                kind = kind.element
                size = self.types.size(kind)
                if step.term is not None and step.constant != 0:
                    if size is None:
                        return None
                    total = add(total, step.term, size)
            else:
                assert isinstance(kind, StructType)
                total = add(total, constant(self.types.offset(kind, step)))
                kind = next(member.type for member in self.types.members(kind) if member.name == step)
        return total

    def scalars(self, kind: CType, path: Path = (), is_each: bool = False) -> list[tuple[Path, CType]]:
        """The paths to all scalars of a type that have cells; with `is_each` to each element of a short array."""
        match kind:
            case StructType(is_union=True):
                return [((*path, *rest), inner) for rest, inner in self.overlaps.kept(kind)]
            case StructType():
                steps: list[tuple[str | Index, CType]] = [(part.name, part.type) for part in self.types.members(kind)]
            case ArrayType(element, length) if is_each and length is not None and length <= self.budgets.array_cells:
                steps = [(Index(constant(at), length), element) for at in range(length)]
            case ArrayType(element, length):
                steps = [(Index(None, length), element)]
            case _:
                return [(path, kind)] if is_scalar(kind) else []
        return [found for step, inner in steps for found in self.scalars(inner, (*path, step), is_each)]

    def may_point(self, kind: CType) -> bool:
        """Whether some part of a type is a pointer, or a union without cells."""
        return self.has_part(kind, lambda part: isinstance(part, PointerType))

    def is_in_union(self, place: Direct) -> bool:
        """Whether a place is part of a union without cells."""
        found = self.overlaps.outermost(place.object.type, place.path)
        return found is not None and not self.overlaps.parts(found[1])

    def has_union(self, kind: CType) -> bool:
        """Whether some part of a type is a union without cells."""
        return self.has_part(kind, lambda _: False)

    def has_part(self, kind: CType, is_wanted: Callable[[CType], bool]) -> bool:
        """Whether some part of a type that has no parts is wanted, or some part of it is a union without cells."""
        match kind:
            case StructType(is_union=True):
                return not self.overlaps.parts(kind) or any(is_wanted(inner) for _, inner in self.overlaps.kept(kind))
            case StructType():
                return any(self.has_part(part.type, is_wanted) for part in self.types.members(kind))
            case ArrayType(element):
                return self.has_part(element, is_wanted)
            case _:
                return is_wanted(kind)

    def lock_part(self, place: Direct) -> Direct:
        """The scalar that stands for a lock inside an object: the object itself or its first scalar."""
        found = [] if isinstance(place.type, OpaqueType) or is_scalar(place.type) else self.scalars(place.type)
        part = Direct(place.object, (*place.path, *found[0][0]), found[0][1]) if found else place
        cell = self.locate(part)
        if isinstance(cell, CellAt):
            self.locks[cell.name] = part
        return part
