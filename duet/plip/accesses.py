"""What the commands of a program do to shared memory and to locks, in the terms of the user's source.

Instructions do not show it: lowering drops a read whose value is not used, folds known values, and models some memory
by no cell at all. So each command may carry the accesses that its thread is about to make at the command's source.
They have no influence on the semantics; `duet.check.races` and `duet.check.deadlocks` read them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from duet.records import dataclass
from duet.source import Span

ANY_MEMORY = "*"
"""The object of an access through a pointer that may lead to every object that is exposed."""
OUTSIDE_MEMORY = "<external>"
"""The object of an access to memory that no object of the program is part of."""
UNKNOWN_LOCK = "?"
"""The object of a lock, or the template that is waited for, that may be any."""

WOKEN = "threads that wait for a condition, a semaphore or others at a barrier are woken in the end"
"""What is assumed of them where others that are not stuck may wake them."""


class AccessKind(StrEnum):
    """What is done: to memory, or to a lock.

    `LOCK` waits for it, however long that takes, and `RELOCK` too unless the thread itself has it; `TAKE` has taken it
    without that. `PRESUME` may wait until nobody else has it, as nothing says that it does not. `JOIN` waits for the
    end of the template that `object` names. `AWAIT` waits until somebody makes a `POST` (a condition, a semaphore),
    `MEET` until enough threads wait at the same (a barrier). At `END` the thread ends, and others go on; one with
    `CANCEL` may end anywhere from there on.
    """

    READ = "read"
    WRITE = "write"
    LOCK = "lock"
    RELOCK = "relock"
    TAKE = "take"
    PRESUME = "presume"
    UNLOCK = "unlock"
    JOIN = "join"
    AWAIT = "await"
    POST = "post"
    MEET = "meet"
    END = "end"
    CANCEL = "cancel"


FOR_LOCKS = (AccessKind.LOCK, AccessKind.RELOCK, AccessKind.PRESUME)
"""What waits for a lock."""
WAITING = (*FOR_LOCKS, AccessKind.JOIN, AccessKind.AWAIT, AccessKind.MEET)
"""What waits for other threads."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function that is being executed and where in it the thread is."""

    function: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class HeldLock:
    """A lock that a thread has while it accesses memory, by where it is: `factor * accessed + offset`, in bytes.

    `accessed` is the address of the memory, if it is one known number; then `factor` is 0. With `is_shared` other
    threads may have the lock to read, too.
    """

    is_shared: bool
    factor: Fraction
    offset: Fraction
    accessed: int | None = None

    def excludes(self, other: HeldLock) -> bool:
        """Whether two threads that access the same memory cannot both have these locks, as they are one."""
        if self.is_shared and other.is_shared:
            return False
        accessed = other.accessed if self.accessed is None else self.accessed
        if accessed is None:
            return (self.factor, self.offset) == (other.factor, other.offset)
        return self._place(accessed) == other._place(accessed)

    def _place(self, accessed: int) -> Fraction:
        return self.factor * accessed + self.offset


@dataclass(frozen=True, slots=True)
class Beyond:
    """An address is `factor * number + distance`, threads of a template were given nothing above that number so far."""

    template: str
    factor: int
    distance: int


@dataclass(frozen=True, slots=True)
class Bytes:
    """The `size` bytes from the address `sum(k * cell) + constant` on, over own cells of the accessing thread.

    It is `beyond` what the threads of some templates have been given.
    """

    terms: tuple[tuple[str, int], ...]
    constant: int
    size: int
    beyond: frozenset[Beyond] = frozenset()


class Stack(tuple[Call, ...]):
    """Calls from that of the thread on; its hash, which all accesses in a function ask for, is computed once."""

    _hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = super().__hash__()
        return self._hash


class Storage(StrEnum):
    """The storage duration of an object (C11 6.2.4); `OTHER` where nobody says."""

    OTHER = ""
    STATIC = "static"
    LOCAL = "local"
    HEAP = "heap"


@dataclass(frozen=True, slots=True)
class Access:
    """One access in the user's source.

    `object` is unique to a piece of storage; `path` leads to a part of it by ".member", "[3]", or "[*]" for any
    element. `stack` begins with the function of the thread. Where there is an `owner`, say a template, each thread
    means an object of its own when it makes an access with that owner. `declared` is where the object is; `is_exposed`
    tells whether pointers of which nothing is known may lead to it. `locks` are those that the thread has at a known
    place relative to the memory, of which `path` tells where it begins. If it `is_private`, no other thread has the
    address of the object by then; `object` stands for others, too. If it `is_of_flag`, the object is a
    `volatile sig_atomic_t`. If it `is_certain`, whatever thread goes on makes
    it; others may be made, as far as is known. If it `is_alone`, the thread is the first one and has started no other.
    `unknown` is the function without a body that makes it, which may access all that it was ever given. `storage` is
    where the object is. Where there are elements, `bytes` are what is accessed, if that is known where the thread is.
    """

    kind: AccessKind
    object: str
    path: tuple[str, ...]
    label: str
    is_atomic: bool
    stack: tuple[Call, ...]
    owner: str = ""
    declared: Span | None = None
    is_exposed: bool = False
    locks: frozenset[HeldLock] = frozenset()
    is_private: bool = False
    is_certain: bool = False
    is_of_flag: bool = False
    is_alone: bool = False
    unknown: str = ""
    storage: Storage = Storage.OTHER
    bytes: Bytes | None = None

    @property
    def moved(self) -> Access:
        """The access as another place has it, where own cells may have other values."""
        return self if self.bytes is None else replace(self, bytes=None)

    def moved_over(self, written: Collection[str]) -> Access:
        """The access as a place in front of steps has it that write some cells."""
        if self.bytes is None or any(cell in written for cell, _ in self.bytes.terms):
            return self.moved
        return replace(self, bytes=replace(self.bytes, beyond=frozenset()))

    @property
    def span(self) -> Span | None:
        return self.stack[-1].span if self.stack else None

    @property
    def is_memory(self) -> bool:
        return self.kind in (AccessKind.READ, AccessKind.WRITE)

    def overlaps(self, other: Access) -> bool:
        """Whether both may mean the same memory."""
        if ANY_MEMORY in (self.object, other.object):
            return self.is_exposed and other.is_exposed
        if self.object != other.object or (self.owner and self.owner == other.owner):
            return False
        return all(_may_agree(mine, theirs) for mine, theirs in zip(self.path, other.path, strict=False))

    def excludes(self, other: Access) -> bool:
        """Whether two threads cannot make these accesses to the same memory at once, wherever they are.

        Paths of one length that overlap lead to one memory location, so both mean its address.
        """
        if self.is_alone or other.is_alone:
            return True
        if self.object != other.object:
            return False
        if self.is_private or other.is_private:
            return True
        is_same = len(self.path) == len(other.path)
        return is_same and any(mine.excludes(theirs) for mine in self.locks for theirs in other.locks)


def cells_of(accesses: Iterable[Access]) -> set[str]:
    """The own cells of a thread that say which bytes it accesses."""
    return {cell for access in accesses if access.bytes is not None for cell, _ in access.bytes.terms}


def _may_agree(one: str, other: str) -> bool:
    """Whether two steps, of paths that agree so far, may lead to the same memory."""
    if one == other:
        return True
    return "[*]" in (one, other)
