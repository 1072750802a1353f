"""What a thread does to locks and new objects, as `exclusion` needs it: noted beside the graph while it is built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from duet.frontend.ctypes.origins import ObjectAddress, Origin, Origins
from duet.frontend.source.nodes import Node
from duet.plip.syntax import Linear
from duet.records import dataclass


@dataclass(frozen=True, slots=True)
class Taking:
    """A lock at an address is taken, to read only if it `is_shared`; `origins` are those of pointers to it.

    `is_again`: where the thread has it already. `slot` is its number among those that the thread has, where they are
    numbered; then `is_fixed` if its address was a constant where it was taken. What a thread was given when it started,
    and no other thread, `is_given`: nobody gives it back.
    """

    address: Linear
    origins: Origins
    is_shared: bool
    is_again: bool = field(default=False, compare=False)
    slot: int | None = None
    is_fixed: bool = False
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Giving:
    """A lock in one of some objects may be given back, any lock without `origins`."""

    origins: Origins

    def may_be(self, taking: Taking) -> bool:
        return not taking.is_given and (not self.origins or not self.origins.isdisjoint(taking.origins))


@dataclass(frozen=True, slots=True)
class Allocation:
    """A new object that begins at an address; `origin` is that of pointers to it."""

    origin: ObjectAddress
    address: Linear


@dataclass(frozen=True, slots=True)
class Destroying:
    """A lock is destroyed: its cell, and the node of the call for reports."""

    cell: str
    node: Node


@dataclass(frozen=True, slots=True)
class Storing:
    """Private data of a structure (`slot`, with its member) is written; anywhere, anything where that is not known.

    `is_own`: what has it is that of the life cycle that the thread is.
    """

    slot: tuple[str, str]
    address: Linear | None = None
    value: Linear | None = None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Registering:
    """What has private data is registered with the kernel, for which the operations of a table may be called then.

    `address` is where it has that, if the value is in memory; a temporary that holds any value stands for that.
    """

    table: str
    slot: tuple[str, str]
    address: Linear | None = None
    temporary: str = ""


@dataclass(frozen=True, slots=True)
class Lasting:
    """Something was registered for the device of the life cycle that the thread is, if `result` is 0 then.

    It lasts until the function `end` is called for the same. `what` that is is None where it is not known.
    """

    table: str
    end: str
    what: Linear | None
    result: Linear


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is accessed: its first address, the pointer that led there, and how many bytes, if known."""

    begin: Linear | None = None
    pointer: Linear | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Element:
    """A cell is accessed that stands for an element or for a member of an object, `object` is the key of what it is in.

    All that one `access` may mean have its number.
    """

    cell: str
    object: str
    spot: Spot
    access: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread is joined, of one of some templates, which has a handle; only of these if that `is_known`.

    Nothing but its end ends the wait.
    """

    handle: Linear
    names: tuple[str, ...]
    is_known: bool


@dataclass(frozen=True, slots=True)
class Releasing:
    """An object at an address is given back, which is one of some, with their keys; any object where that is None."""

    address: Linear
    keys: frozenset[str] | None


@dataclass
class Events:
    """What a thread does, by location. The order of what happens at one location does not count.

    Before it leaves a location: locks that it takes (`takings`), objects that it allocates, addresses of objects that
    it gives back (`freed`, and all with what they may be in `released`), origins of addresses that it lets others know
    where no command says so (`shown`), templates of which it has joined a thread, locks that it uses, locks that it
    destroys, private data that it writes and registers, what lasts from there on and what ends, automatic arrays that
    begin (`begun`), and whether all that was registered has ended (`closed`). Before it reaches a location: locks that
    it gives back, cells of members that it sets, with the pointer to their object, and the element of a summary cell
    that the command does that leads there; in `indexed` the element of an array of which each has a cell, in `links`
    the pointer to the node of which the command accesses the link. While it leaves a location: threads that it joins
    (`waits`). In `handles` are cells that get the handles of new threads of templates.
    """

    takings: dict[int, list[Taking]] = field(default_factory=dict)
    givings: dict[int, list[Giving]] = field(default_factory=dict)
    allocations: dict[int, list[Allocation]] = field(default_factory=dict)
    freed: dict[int, list[Linear]] = field(default_factory=dict)
    shown: dict[int, set[Origin]] = field(default_factory=dict)
    settings: dict[int, list[tuple[str, Linear]]] = field(default_factory=dict)
    joined: dict[int, list[str]] = field(default_factory=dict)
    used: dict[int, list[str]] = field(default_factory=dict)
    destroyed: dict[int, list[Destroying]] = field(default_factory=dict)
    stored: dict[int, list[Storing]] = field(default_factory=dict)
    registered: dict[int, list[Registering]] = field(default_factory=dict)
    lasting: dict[int, list[Lasting]] = field(default_factory=dict)
    ended: dict[int, list[tuple[str, Linear]]] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    elements: dict[int, Element] = field(default_factory=dict)
    indexed: dict[int, Element] = field(default_factory=dict)
    links: dict[int, Linear] = field(default_factory=dict)
    released: dict[int, list[Releasing]] = field(default_factory=dict)
    begun: dict[int, list[str]] = field(default_factory=dict)
    waits: dict[int, Waiting] = field(default_factory=dict)
    handles: dict[str, str] = field(default_factory=dict)

    @property
    def addresses(self) -> Iterator[Linear]:
        """Where the locks that are taken, the new objects and those whose members are set are."""
        for taken in self.takings.values():
            yield from (taking.address for taking in taken)
        for made in self.allocations.values():
            yield from (new.address for new in made)
        for freed in self.freed.values():
            yield from freed
        for noted in self.settings.values():
            yield from (pointer for _, pointer in noted)
