"""Which numeric domain serves a request, and which numeric libraries can be used here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, assert_never

from domains.apron import ApronDomain, ApronLibrary, ApronUnavailable, load
from domains.equalities import WithEqualities
from domains.numbers import NumbersDomain
from domains.numeric import NumericDomain
from domains.octagon import OctagonDomain
from domains.ppl import PplDomain, PplLibrary, PplUnavailable
from domains.ppl import load as load_ppl
from domains.product import Product
from domains.valued import ValuedDomain

DomainName: TypeAlias = Literal["interval", "octagon", "polyhedra"]
NumericName: TypeAlias = Literal["auto", "own", "apron"]


class NumericUnavailable(Exception):
    """The numeric library that was asked for cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Library:
    """A numeric library: its name, its version or None where it cannot be used, then with the reason."""

    name: str
    version: str | None
    reason: str = ""


def domain(name: DomainName, numeric: NumericName = "auto") -> ValuedDomain[Any]:
    """The domain of that name; `auto` means our own, which is faster on small packs.

    Sets of values and congruences come with every domain and library; the library serves packs of several variables.
    With octagons come the affine equalities of any number of variables. Polyhedra are PPL's, whatever the choice.

    An APRON domain and its values belong to one thread. *Raises*: `NumericUnavailable`.
    """
    match numeric:
        case "auto" | "own":
            return _own(name)
        case "apron":
            return _own(name) if name == "polyhedra" else Product(_equated(ApronDomain(_apron(), name)))
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
    try:
        ppl = Library("ppl", _ppl().version)
    except NumericUnavailable as error:
        ppl = Library("ppl", None, str(error))
    return Library("own", "built in"), apron, ppl


def _own(name: DomainName) -> ValuedDomain[Any]:
    match name:
        case "interval":
            return NumbersDomain()
        case "octagon":
            return Product(_equated(OctagonDomain()))
        case "polyhedra":
            return Product(PplDomain(_ppl()))
        case _:
            assert_never(name)


def _equated(relational: NumericDomain[Any]) -> NumericDomain[Any]:
    """An octagon domain with affine equalities; any other one as it is."""
    return WithEqualities(relational) if relational.name == "octagon" else relational


def _ppl() -> PplLibrary:
    try:
        return load_ppl()
    except PplUnavailable as error:
        raise NumericUnavailable(f"{error} (pip install duet-analyzer[polyhedra])") from error


def _apron() -> ApronLibrary:
    try:
        return load()
    except ApronUnavailable as error:
        raise NumericUnavailable(str(error)) from error
