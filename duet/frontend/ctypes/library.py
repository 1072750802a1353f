"""What is known of a library function without its model: what it reads, locks, starts, ends, calls back and keeps.

Whoever asks what a function does asks these records, never its name. The models are in `duet.frontend.models`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import KW_ONLY, dataclass
from enum import Enum, auto
from typing import Protocol

from duet.frontend.ctypes.types import Choice, CType, FunctionType


class Reads(Enum):
    """What of the memory that its arguments point to a function reads itself, as an access that may race."""

    NOTHING = auto()
    """None, or its model notes what it accesses."""
    FLAT = auto()
    """Structures and characters, but not what pointers in structures point to; other addresses are only passed on."""
    DEEP = auto()
    """All, also what pointers in structures point to."""
    BYTES = auto()
    """As many bytes as it likes of the object that is pointed into, and what pointers in structures point to."""


class LockOperation(Enum):
    """What a function does to the lock that an argument points to."""

    ACQUIRE = auto()
    TRY = auto()
    TIMED = auto()
    READ = auto()
    WRITE = auto()
    """Acquires a read/write lock; so does READ, to read only."""
    TRY_SHARED = auto()
    TIMED_SHARED = auto()
    """Try to acquire a read/write lock, to read or to write."""
    RELEASE = auto()
    CONDITION_WAIT = auto()
    """Releases it and acquires it again."""
    DOWNGRADE = auto()
    """Keeps a read/write lock, to read only."""
    INITIALISE = auto()
    DESTROY = auto()
    CONFIGURE = auto()
    """Says of what kind locks will be."""
    AWAIT = auto()
    POST = auto()
    """Waits for a post, and posts: semaphores."""
    MEET = auto()
    """Waits for others that come: barriers."""
    COUNT = auto()
    """Waits or counts in another way: completions, semaphores without waiting for ever."""


class Control(Enum):
    """What a function does to threads, or to the flow of control."""

    STARTS_THREAD = auto()
    JOINS_THREAD = auto()
    ENDS_THREAD = auto()
    ENDS_PROCESS = auto()
    JUMPS = auto()
    """Goes on in another function, or twice from one place."""


class When(Enum):
    """When a function that is given to a library function is called."""

    DURING_CALL = auto()
    DURING_CALLS = auto()
    """In this call, and in later ones of functions of the same library."""
    AT_THREAD_EXIT = auto()
    ANY_TIME = auto()
    """At any time from the call on, any number of times."""
    INTERRUPTING = auto()
    """The same, but inside of a thread of the program, which goes on when it has returned: handlers of signals."""
    AT_EXIT = auto()
    """Where a thread ends the process, by that thread."""


EACH = range(64)
"""The positions of all arguments."""
_CALLING = (When.DURING_CALL, When.DURING_CALLS)


class Role(Enum):
    """What a function of verification tools is for; a definition that does no more than that changes nothing."""

    ASSERTION = auto()
    SOFT_ASSERTION = auto()
    """An assertion behind which the execution goes on either way."""
    NEGATED_ASSERTION = auto()
    ASSUMPTION = auto()
    FAILURE = auto()
    """Must not be called."""
    ATOMIC_SECTION = auto()


class Result(Enum):
    """The type of what a function gives that no prototype can tell, as it is like a macro."""

    POINTED = auto()
    """That of what the first argument points to."""
    FIRST = auto()
    """That of the first argument."""


@dataclass(frozen=True, slots=True)
class Callback:
    """The functions that an argument is, or leads to, are called.

    Those that it is have arguments of which it is known what they `get`, from the first one on, if they are called
    during that call: the position of an argument of it, which is of no other use, or memory of the library's own.
    """

    position: int
    when: When
    get: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of functions that are alike. The defaults are those of a function of which nothing else is known.

    `called` has their names, with spaces between. `keeps` are the arguments that are stored for later; `callbacks` are
    those that are called; `texts` are strings that are read up to their end and are not null. `checks` is the property
    that a call checks. `takes_places`: it is like a macro, its arguments are lvalues that it may change. `result` is
    the type of its value where there is no prototype. `is_of_kernel`: programs of users have no such function.
    `may_be_null`: a null pointer has a meaning in place of these arguments; in place of others it has none
    (C11 7.1.4), but of those that are only `passed` on, or kept, and of those that are `sized`, whose models check
    them, where nothing is used behind them as another argument is 0. `makes_object`: each call gives one of its own,
    or `may_make_object`, where it does not give back the one that it was given.
    `library` is one that calls nothing of a program but `callbacks`, while one of its functions runs, and what it
    `finds` in memory that it is given: functions of these types. What the kernel does `calls_nothing` of a program, nor
    does what parses its options. What is behind `brief` arguments is used during the call only, and nobody is told
    where that is; the result may lead into the argument `into`, one of these. `points`: behind the first of these
    arguments is a pointer that is set to lead into what the second one leads to, or where it led before; so may the
    result. `prints`: the position of a format, whose arguments are printed. Attributes behind
    arguments are written if these are `altered`, else read. One that `releases` may give back, then or later, memory
    that the library has given to the program.
    """

    called: str
    _: KW_ONLY
    reads: Reads = Reads.DEEP
    lock: LockOperation | None = None
    control: Control | None = None
    callbacks: tuple[Callback, ...] = ()
    keeps: tuple[int, ...] = ()
    texts: tuple[int, ...] = ()
    role: Role | None = None
    checks: str | None = None
    takes_places: bool = False
    result: CType | Choice | Result | None = None
    is_of_kernel: bool = False
    may_be_null: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    sized: tuple[int, ...] = ()
    makes_object: bool = False
    may_make_object: bool = False
    library: str = ""
    finds: tuple[FunctionType, ...] = ()
    calls_nothing: bool = False
    brief: Collection[int] = ()
    into: int | None = None
    points: tuple[int, int] | None = None
    prints: int | None = None
    altered: tuple[int, ...] = ()
    releases: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the functions."""
        return tuple(self.called.split())

    def asks_for(self, position: int) -> bool:
        """Whether a null pointer is refused in place of an argument, whatever the others are."""
        return position not in (*self.may_be_null, *self.passed, *self.sized)

    def is_told(self, position: int) -> bool:
        """Whether the record or its model says how much is used behind an argument."""
        return position in (*self.passed, *self.sized)

    def reads_text(self, position: int) -> bool:
        """Whether a string is read behind an argument that leads to characters."""
        return position in self.texts

    def hides(self, position: int) -> bool:
        """Whether nobody learns the address in an argument by a call, unless by its result, or in a text."""
        is_known = not (self.callbacks or self.takes_places or self.is_of_kernel or (self.library and not self.brief))
        return self.only_looks or (is_known and position in self.used_briefly and position not in self.keeps)

    @property
    def used_briefly(self) -> Collection[int]:
        """The arguments behind which a call uses memory during that call only."""
        return self.brief

    @property
    def gives_back(self) -> int | None:
        """The argument into which the result may lead."""
        return self.into

    @property
    def only_looks(self) -> bool:
        """Whether a call only evaluates its argument, so that it may be repeated on several paths."""
        return self.is_assertion or self.role in (Role.NEGATED_ASSERTION, Role.ASSUMPTION)

    @property
    def is_like_macro(self) -> bool:
        """Whether no prototype tells what it takes."""
        return self.takes_places or isinstance(self.result, Result)

    @property
    def is_assertion(self) -> bool:
        """Whether a call checks that its argument is not 0."""
        return self.role in (Role.ASSERTION, Role.SOFT_ASSERTION)

    @property
    def is_told_little(self) -> bool:
        """Whether hardly more is known than what is called, so that only a header's declaration tells whose it is."""
        return bool(self.library) or self.calls_nothing

    @property
    def runs_others(self) -> bool:
        """Whether functions may run beside the caller, or after it, because of a call."""
        return self.control is Control.STARTS_THREAD or any(c.when not in _CALLING for c in self.callbacks)


class Library(Protocol):
    """The records that apply to a program; they depend on what it declares itself."""

    def describe(self, name: str) -> Description | None:
        """The record of a function; None for one that is not the library's."""

    def is_told(self, name: str) -> bool:
        """Whether a header of the library or the kernel declares a function."""

    def difference(self, name: str) -> str:
        """Why a function that is named like one of the library is another one."""

    def declare(self, name: str, kind: FunctionType, is_header: bool) -> None:
        """Takes note of a declaration, by a header of the library or by the program itself."""

    def call(self, name: str, given: tuple[CType | None, ...] | None) -> None:
        """Takes note of a call without a prototype; `given` are the types of its arguments if these are known.

        None is that of a null pointer or 0.
        """
