"""What a value may be, or may have come from (origins), and what origins are held by: cells, and places without one.

Each of them is made once, so that those for the same thing are one object: sets of them are asked all the time. Their
texts, which `duet show points-to` prints, give them an order; nothing is read from a text.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import cache, lru_cache
from math import gcd
from operator import attrgetter
from typing import Any, ClassVar, Generic, Never, Self, TypeAlias, TypeVar, cast

from duet.frontend.ctypes.types import CType
from duet.plip.syntax import Linear

K = TypeVar("K")


class _Single(Generic[K]):
    """The only object of its class with this key; a copy, or what comes from another process, is the same object."""

    __slots__ = ("key", "text")
    SHOWN: ClassVar[str] = "{}"
    key: K
    text: str

    def __new__(cls, key: K) -> Self:
        return cast(Self, _single(cast(Any, cls), key))

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"'{name}' of '{self}' cannot be changed")

    def __reduce__(self) -> tuple[type[Self], tuple[K]]:
        return type(self), (self.key,)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key!r})"


@cache
def _single(kind: type[_Single[Any]], key: object) -> _Single[Any]:
    made = object.__new__(kind)
    object.__setattr__(made, "key", key)
    object.__setattr__(made, "text", kind.SHOWN.format(key))
    return made


class Elsewhere(_Single[str]):
    """A place that has no cell, and is no part of an object of the program: what the C library or other code keeps."""

    __slots__ = ()
    SHOWN = "<{}>"


class UntrackedParts(_Single[str]):
    """The parts without cells of an object, by its key."""

    __slots__ = ()
    SHOWN = "{}.<untracked>"


class Passing(_Single[int]):
    """A value that was read or is written through a pointer, by its number in a round (see `points_to`)."""

    __slots__ = ()
    SHOWN = "*{}"


class Moved(_Single[CType]):
    """Nowhere: an unknown pointer to a type that was moved has this as its content, wherever it goes."""

    __slots__ = ()
    SHOWN = "<moved {}>"


class Inside(_Single[tuple[int, int]]):
    """Nowhere: a pointer that may lead this far behind the start of its object has this as its content.

    The distance, in bytes, and of how many bytes what it may be moved by from there is a multiple; 0 for not at all.
    What has none of these leads to the start (`placed`), unless nothing is known of where it leads.
    """

    __slots__ = ()
    SHOWN = "<inside {}>"


class Failed(_Single[str]):
    """Nowhere: a pointer that may be what a failed call gives instead of null has this as its content.

    The key is how programs call that value, which is (void *)-1.
    """

    __slots__ = ()
    SHOWN = "<failed {}>"


Holder: TypeAlias = str | Elsewhere | UntrackedParts | Passing | Moved | Inside | Failed
"""What may hold origins: a cell, by its name, or one of the places that have none."""
OUTSIDE = Elsewhere("external")
"""Memory that no object of the program is part of."""
LENT = Elsewhere("read by libraries")
"""What libraries have and only read; they may give it back."""


class Passed(Elsewhere):
    """The variable arguments of all calls of a function of the program, by its key."""

    __slots__ = ()
    SHOWN = "<variable arguments of {}>"


class ObjectAddress(_Single[str]):
    """The address of a part of an object, by its key."""

    __slots__ = ()


class FunctionAddress(_Single[str]):
    """The address of a function, by its key."""

    __slots__ = ()
    SHOWN = "{}()"


class ThreadId(_Single[str]):
    """The id of a thread of a template."""

    __slots__ = ()
    SHOWN = "thread {}"


class DataKey(_Single[str]):
    """The number of a key by which threads keep data, by the call that creates it."""

    __slots__ = ()
    SHOWN = "key {}"


class Content(_Single[Holder]):
    """What is held somewhere: what has it as an origin was read from there, and is also what is written there later."""

    __slots__ = ()
    SHOWN = "={}"


class Unknown(_Single[str]):
    """An address of which no object is known."""

    __slots__ = ()
    SHOWN = "<{}>"


Origin: TypeAlias = ObjectAddress | FunctionAddress | ThreadId | DataKey | Content | Unknown
Origins: TypeAlias = frozenset[Origin]
ANYTHING = Unknown("any")
"""The origin of a pointer that may hold the address of any object whose address is taken."""
EXTERNAL = Unknown("external")
"""The origin of a pointer to memory that no object of the program is part of."""
NOTHING: Origins = frozenset()
UNKNOWN_POINTER: Origins = frozenset((ANYTHING, EXTERNAL))
GUESSED = Unknown("guessed")
"""That of a pointer made of a number that is no address, as far as is known.

Where it is followed it is any; but it tells of no address that the number does not tell of.
"""
MADE_OF_NUMBER: Origins = frozenset((GUESSED, EXTERNAL))
NO_OBJECT: Origins = UNKNOWN_POINTER | MADE_OF_NUMBER
"""The origins that name nothing."""


def may_be_any(origins: Container[Origin]) -> bool:
    """Whether a pointer may be followed to any object whose address is taken."""
    return ANYTHING in origins or GUESSED in origins


@lru_cache(1 << 12)
def addresses(origins: Origins) -> Origins:
    """The origins that are addresses or ids, without what these were read from."""
    return frozenset(origin for origin in origins if not isinstance(origin, Content))


@lru_cache(1 << 4)
def pointers(keys: frozenset[str], called: frozenset[str]) -> Origins:
    """The origins of pointers to some objects and functions. They are kept: what is asked for is mostly the same."""
    return frozenset((*map(ObjectAddress, keys), *map(FunctionAddress, called)))


@lru_cache(1 << 12)
def objects(origins: Origins) -> tuple[str, ...]:
    """The keys of the objects whose addresses are among some origins, in order."""
    return tuple(sorted(origin.key for origin in origins if isinstance(origin, ObjectAddress)))


@lru_cache(1 << 10)
def functions(origins: Origins) -> tuple[str, ...]:
    """The keys of the functions whose addresses are among some origins, in order."""
    return tuple(sorted(origin.key for origin in origins if isinstance(origin, FunctionAddress)))


@lru_cache(1 << 10)
def threads(origins: Origins) -> tuple[str, ...]:
    """The templates of which ids are among some origins, in order."""
    return tuple(sorted(origin.key for origin in origins if isinstance(origin, ThreadId)))


@lru_cache(1 << 10)
def keys(origins: Origins) -> tuple[str, ...]:
    """The calls of which keys are among some origins, in order."""
    return tuple(sorted(origin.key for origin in origins if isinstance(origin, DataKey)))


MOVED: Origin = Content(Elsewhere("moved"))
"""The origin of a pointer that was moved for the access that follows it now, see `duet.frontend.form.fleeting`."""


NUMBER: Origin = Content(Elsewhere("numbers in unions"))
"""The mark of what is in unions where that may be a number, which is any address if it is read as a pointer."""


SHIFTED: Origin = Content(Elsewhere("shifted"))
"""The mark of a pointer into known objects that was moved, and kept: it goes with it wherever addresses go."""


def shifted(origins: Origins) -> Origins:
    """The origins of a pointer that may lead to another element, or out of the objects that are known of it."""
    return origins | {SHIFTED} if addresses(origins) - NO_OBJECT else origins


MOST_INSIDE = 8
"""Of no more distances is it known of a pointer that it is as far behind the start of its object."""
ANY_DISTANCE = (-1, 1)
"""That of a pointer that may lead to any byte of its object, as if it were moved from in front of it, byte by byte."""


ANYWHERE: Origin = Content(Inside(ANY_DISTANCE))
START = (0, 0)
"""That of a pointer to where its object starts."""
AT_START: Origin = Content(Inside(START))
"""The mark of a pointer that may lead to where its object starts."""


@lru_cache(1 << 12)
def start_of(key: str) -> Origins:
    """The origins of a pointer to where an object starts."""
    return frozenset((ObjectAddress(key), AT_START))


@lru_cache(1 << 12)
def with_start(origins: Origins) -> Origins:
    """Origins of several pointers, of which it is not known which of them has which marks."""
    return origins | {AT_START} if objects(origins) else origins


@lru_cache(1 << 12)
def placed(origins: Origins) -> Origins:
    """Origins that say how far the pointer leads into its object, before others are added to them."""
    return origins | {AT_START} if objects(origins) and not insides(origins) else origins


@lru_cache(1 << 12)
def distances(origins: Origins) -> tuple[tuple[int, int], ...]:
    """How far a pointer may lead behind the start of its object, beside 0; see `Inside`."""
    return tuple(sorted(key.key for key in contents(origins) if isinstance(key, Inside) and key.key != START))


def may_be_at_start(origins: Origins) -> bool:
    """Whether a pointer may lead to where its object starts, without having been moved there."""
    return AT_START in origins or not distances(origins)


def _is_inside(origin: Origin) -> bool:
    return isinstance(origin.key, Inside)


@lru_cache(1 << 12)
def insides(origins: Origins) -> Origins:
    """The origins that say how far a pointer leads into its object."""
    return frozenset(filter(_is_inside, origins))


@lru_cache(1 << 12)
def kept_marks(origins: Origins) -> Origins:
    """The origins that say that a pointer was moved, how far it leads into its object, and that it may have none.

    And that what is there may be a number instead.
    """
    return marks(origins) | insides(origins) | failing(origins) | (origins & {NUMBER})


@lru_cache(1 << 12)
def told_by_number(origins: Origins) -> Origins:
    """The origins of the number that becomes of a pointer that may be made of a number: without what that says itself.

    Nor where it was read from, where it may be found again: each round finds anew what is held there.
    """
    return (addresses(origins) - {GUESSED}) | kept_marks(origins)


@lru_cache(1 << 12)
def failing(origins: Origins) -> Origins:
    """The origins that say that a pointer may be (void *)-1, as a call has given it that failed."""
    return frozenset(origin for origin in origins if isinstance(origin.key, Failed))


def failures(origins: Origins) -> list[str]:
    """How programs call (void *)-1, where a pointer may be that."""
    return [key.key for key in contents(failing(origins)) if isinstance(key, Failed)]


@lru_cache(1 << 12)
def part_of(origins: Origins, offset: Linear) -> Origins:
    """The origins of a pointer to a part that is so far behind where a pointer leads that is not moved by that."""
    stride = gcd(*(factor for _, factor in offset.terms))
    found = {(at + offset.constant, gcd(by, stride)) for at, by in all_distances(origins)}
    return _with_distances(origins, found)


def stepped(origins: Origins, step: Linear, size: int, staying: Container[tuple[int, int]] = ()) -> Origins:
    """The origins of a pointer to objects of a size that is moved by so many bytes.

    One to bytes may be moved to what is around a part, as `container_of` does: where it is not known how far it leads
    into its object, it is moved there. Others stay in their array, and so do those so far behind the start as is
    `staying`. *Approximates*: bytes moved one by one, as others.
    """
    if not (distances(origins) or addresses(origins) - NO_OBJECT):
        return origins
    known = all_distances(origins)
    if size == 1 and not step.terms and abs(step.constant) > 1:
        return _with_distances(origins, {_moved_by(it, step.constant, it in staying) for it in known})
    width = gcd(step.constant, *(factor for _, factor in step.terms))
    return _with_distances(origins, {(at, gcd(by, width)) for at, by in known})


def _moved_by(distance: tuple[int, int], step: int, is_staying: bool) -> tuple[int, int]:
    """The distance of a pointer to bytes that is moved by so many."""
    at, by = distance
    if is_staying or (by and step % by == 0):
        return at, gcd(by, step)
    return START if step < 0 and distance == START else (at + step, by)


def all_distances(origins: Origins) -> tuple[tuple[int, int], ...]:
    """How far a pointer may lead behind the start of its object."""
    known = distances(origins)
    return (START, *known) if may_be_at_start(origins) else known


def _with_distances(origins: Origins, found: set[tuple[int, int]]) -> Origins:
    if len(found - {START}) > MOST_INSIDE or ANYWHERE in origins:
        return anywhere(origins)
    return (origins - insides(origins)) | {Content(Inside(distance)) for distance in found}


def anywhere(origins: Origins) -> Origins:
    """The origins of a pointer that may lead to any part of its object."""
    return (origins - insides(origins)) | {ANYWHERE}


def failure(name: str) -> Origin:
    """The mark of a pointer that may be what a failed call gives, which programs call so; see `Failed`."""
    return Content(Failed(name))


def moved(origins: Origins, kind: CType) -> Origins:
    """The origins of a pointer to a type that is kept after it was moved, or was made of a number."""
    return shifted(origins | {Content(Moved(kind))} if origins & UNKNOWN_POINTER else origins)


@lru_cache(1 << 12)
def marks(origins: Origins) -> Origins:
    """The origins that say that a pointer was moved, and kept."""
    return frozenset(origin for origin in origins if origin is SHIFTED or is_moved(origin))


def is_moved(origin: Origin) -> bool:
    """Whether an origin is the mark of an unknown pointer that was moved."""
    return isinstance(origin.key, Moved)


def leads_to_parts(origins: Origins) -> bool:
    """Whether a pointer leads to known objects only, to where a part of them starts: it was never moved."""
    is_known = bool(addresses(origins)) and UNKNOWN_POINTER.isdisjoint(origins)
    return is_known and MOVED not in origins and not marks(origins)


def moved_to(origins: Origins) -> list[CType]:
    """The types to which a pointer that may be unknown was moved, or made one after that."""
    return [key.key for key in contents(marks(origins)) if isinstance(key, Moved)]


def unmoved(origins: Origins) -> Origins:
    """The origins of a pointer that was moved to where a whole object is, as a check has said."""
    return placed(origins - marks(origins) - insides(origins) - {MOVED})


@lru_cache(1 << 10)
def contents(origins: Origins) -> tuple[Holder, ...]:
    """What something with these origins was read from, in order."""
    return tuple(sorted((origin.key for origin in origins if isinstance(origin, Content)), key=str))


def in_order(origins: Iterable[Origin]) -> list[Origin]:
    """Origins in the order of their texts."""
    return sorted(origins, key=attrgetter("text"))
