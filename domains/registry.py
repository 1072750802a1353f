"""Which numeric domain serves a request, and which numeric libraries can be used here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, assert_never

from domains.apron import ApronDomain, ApronLibrary, ApronUnavailable, load
from domains.interval import IntervalDomain
from domains.numeric import NumericDomain
from domains.octagon import OctagonDomain

DomainName: TypeAlias = Literal["interval", "octagon"]
NumericName: TypeAlias = Literal["auto", "own", "apron"]


class NumericUnavailable(Exception):
    """The numeric library that was asked for cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Library:
    """A numeric library: its name, its version or None where it cannot be used, then with the reason."""

    name: str
    version: str | None
    reason: str = ""


def domain(name: DomainName, numeric: NumericName = "auto") -> NumericDomain[Any]:
    """The domain of that name; `auto` means our own, which is faster on small packs.

    An APRON domain and its values belong to one thread. *Raises*: `NumericUnavailable`.
    """
    match numeric:
        case "auto" | "own":
            return _own(name)
        case "apron":
            return ApronDomain(_apron(), name)
        case _:
            assert_never(numeric)


def describe(numeric: NumericName = "auto") -> str:
    """What `domain` gives for this choice, for reports: "own", or "apron" with its version."""
    match numeric:
        case "auto" | "own":
            return "own"
        case "apron":
            return f"apron {_apron().version or ''}".strip()
        case _:
            assert_never(numeric)


def available() -> tuple[Library, ...]:
    """Every library that can serve a domain, with its version or the reason why it cannot be used."""
    try:
        apron = Library("apron", _apron().version or "unknown")
    except NumericUnavailable as error:
        apron = Library("apron", None, str(error))
    return Library("own", "built in"), apron


def _own(name: DomainName) -> NumericDomain[Any]:
    match name:
        case "interval":
            return IntervalDomain()
        case "octagon":
            return OctagonDomain()
        case _:
            assert_never(name)


def _apron() -> ApronLibrary:
    try:
        return load()
    except ApronUnavailable as error:
        raise NumericUnavailable(str(error)) from error
