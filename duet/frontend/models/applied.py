"""Which records of library functions apply to a program.

A function that a program declares itself, and does not define, is the library's of that name only if it can be: the
type fits the prototype, and in the kernel a header declares it, as there is no C library. Any other is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from duet.frontend.ctypes.library import Role
from duet.frontend.ctypes.types import CType, DataModel, FunctionType
from duet.frontend.models.prototypes import converts, is_alike, library_prototype
from duet.frontend.models.record import LibraryFunction
from duet.frontend.models.table import describe

_RESERVED = "__"
"""Starts the names that no program may use for functions of its own."""
_OF_ASSERT = "__assert_fail"
"""What <assert.h> of glibc declares, whose macro is made a call of `assert` again."""


@dataclass
class Records:
    """The records that apply; `others` are names under which the program has other functions, it only grows.

    `told` are the functions that headers of the library or the kernel declare, with their types.
    """

    others: set[str]
    is_kernel: bool
    data: DataModel
    told: dict[str, FunctionType] = field(default_factory=dict)

    def describe(self, name: str) -> LibraryFunction | None:
        """The record of a function; None for one that is not the library's."""
        found = describe(name)
        if found is None or name in self.others or (found.is_of_kernel and not self.is_kernel):
            return None
        return found

    def is_told(self, name: str) -> bool:
        """Whether a header of the library or the kernel declares a function."""
        return name in self.told

    def difference(self, name: str) -> str:
        """Why one of `others` is none of the library."""
        is_typed = self.is_told(name) or library_prototype(name, self.data) is not None
        return "that has another type" if is_typed else "no header of the system declares it"

    def declare(self, name: str, kind: FunctionType, is_header: bool) -> None:
        """Takes note of a declaration, by a header of the library or by the program itself."""
        if is_header:
            self.told.setdefault(name, kind)
        found = self._doubtful(name)
        if found is None:
            return
        told = self.told.get(name)
        if not is_header and told is not None:
            is_known = is_alike(kind, told)
        elif is_header:
            is_known = not self.is_kernel or found.is_of_kernel or self._may_be(name, kind, default=True)
        else:
            is_known = (not self.is_kernel or found.role is not None) and self._may_be(name, kind, default=False)
        if not is_known:
            self.others.add(name)

    def call(self, name: str, given: tuple[CType | None, ...] | None) -> None:
        """Takes note of a call without a prototype; `given` are the types of its arguments if these are known.

        None is that of a null pointer or 0.
        """
        found = self._doubtful(name)
        if found is None or name in self.told or found.is_like_macro or found.is_of_kernel:
            return
        if found.role is Role.ASSERTION and _OF_ASSERT in self.told:  # the macro takes any scalar (C11 7.2.1.1)
            return
        known = library_prototype(name, self.data)
        if (known is None and found.is_told_little) or (known is not None and not _may_be_given(known, given)):
            self.others.add(name)

    def _doubtful(self, name: str) -> LibraryFunction | None:
        """The record of a function that may be another one; a failure is one, whatever its type."""
        found = self.describe(name)
        is_certain = found is None or name.startswith(_RESERVED) or found.role is Role.FAILURE
        return None if is_certain else found

    def _may_be(self, name: str, kind: FunctionType, default: bool) -> bool:
        known = library_prototype(name, self.data)
        return default if known is None else is_alike(kind, known)


def _may_be_given(known: FunctionType, given: tuple[CType | None, ...] | None) -> bool:
    """Whether a function may have arguments of some types; of unknown ones, whether it has no parameters."""
    expected = known.parameters or ()
    if given is None:
        return known.parameters == ()
    is_enough = len(given) == len(expected) or (known.variadic and len(given) > len(expected))
    return is_enough and all(
        kind is None or converts(kind, wanted) for kind, wanted in zip(given, expected, strict=False)
    )
