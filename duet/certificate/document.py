"""The certificate as plain data, and its JSON form (`docs/certificate.schema.json`).

A certificate is a list of layers in the order of the analysis. A layer says what holds at locations and after commands,
as PLIP formulas. It does not list data flows: the checker computes those that the layer leaves feasible by itself, so
that there is nothing to be left out of such a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from duet.errors import UsageError
from duet.options import Budgets, FrontendOptions, Ghost, GhostUpdate, Invariant, UnitFlags

SCHEMA = "duet.certificate/1"
_LONGEST = 10_000_000  # more than any program has

Residues: TypeAlias = tuple[tuple[str, int, int], ...]
"""`(cell, modulus, residue)`: the cell is the residue modulo the modulus, `0 <= residue < modulus`."""


@dataclass(frozen=True, slots=True, order=True)
class Phrase:
    """A statement about cells: a formula in the text form of PLIP and residues, or else one of other statements."""

    formula: str
    residues: Residues = ()
    otherwise: tuple[Phrase, ...] = ()

    def __str__(self) -> str:
        extra = [f"{cell} mod {modulus} == {residue}" for cell, modulus, residue in self.residues]
        formula = f"({self.formula})" if " || " in self.formula else self.formula
        text = " && ".join([*([formula] if formula != "true" or not extra else []), *extra])
        return " || ".join(f"({case})" for case in (text, *self.otherwise)) if self.otherwise else text

    @property
    def cases(self) -> tuple[Phrase, ...]:
        """The statements of which one holds, each with a formula and residues only."""
        return (Phrase(self.formula, self.residues), *(case for other in self.otherwise for case in other.cases))


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of the cells of one pack: `at` locations, and `after` the commands that define it."""

    cells: tuple[str, ...]
    at: Mapping[int, Phrase]
    after: Mapping[int, Phrase]


@dataclass(frozen=True, slots=True)
class Counts:
    """What each thread has added to globals, and the bounds of these that follow.

    `sums` are sums of globals, as cells with their factors, of whose parts the sign matters. `added` are statements,
    for a thread at a location, about its own cells and its parts (`duet.certificate.counts.part_of`); `bounds` are
    about globals, for locations.
    """

    sums: tuple[tuple[tuple[str, int], ...], ...]
    added: Mapping[int, tuple[Phrase, ...]]
    bounds: Mapping[int, tuple[Phrase, ...]]


@dataclass(frozen=True, slots=True)
class Layer:
    """One fixpoint or one round of refinement.

    `rewritten` are the instructions, in the text form, that stand for others of the program, and `facts` the equalities
    that make them the same, by location, in order. `unreached` are locations that no thread gets to, `stopped` guards
    that never pass. `proved` are the commands whose checks hold by this layer and those before. `joint` says what holds
    of a thread's locals together with globals that no other thread can write while it is at the location. What `counts`
    bound is known from the start. With `is_summed`, what has been counted so far says which pairs of locations of two
    threads are possible.
    """

    name: str
    is_refined: bool
    rewritten: Mapping[int, str]
    facts: Mapping[int, tuple[Phrase, ...]]
    records: tuple[Record, ...]
    unreached: frozenset[int]
    stopped: frozenset[int]
    proved: frozenset[int]
    joint: Mapping[int, tuple[Phrase, ...]] = field(default_factory=dict)
    counts: Counts | None = None
    is_summed: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """A sum of cells and a constant that is at most, equal to or not equal to 0.

    `terms` are `(factor, cell, thread)`: the thread is one of the cube's, by its number, or -1 for a global.
    """

    terms: tuple[tuple[int, str, int], ...]
    constant: int
    relation: str


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """Distinct threads at locations, of which literals hold."""

    locations: tuple[int, ...]
    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class CubeLayer:
    """Cubes that no execution meets, of which one holds wherever a check is about to fail.

    They are about the program without the cells that are `dropped` and the locations that are `merged`, one after the
    other, with the steps behind them.
    """

    check: tuple[str, int, int, str, str, str]
    cubes: tuple[Shape, ...]
    dropped: tuple[str, ...] = ()
    merged: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """A program that can do whatever the program can, and the layers and cubes that are about it.

    `program` is its text. Which of its templates, locations and cells those of the program are is said where they have
    another name; `values` are what threads of a template have in cells that the program does not have.
    """

    program: str
    templates: Mapping[str, str]
    places: Mapping[int, int]
    cells: Mapping[str, str]
    values: Mapping[str, Mapping[str, int]]
    layers: tuple[Layer, ...]
    cubes: tuple[CubeLayer, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A verdict on a check: `is_covered` tells that the layers are meant to prove it."""

    check: tuple[str, int, int, str, str, str]
    status: str
    is_covered: bool


@dataclass(frozen=True, slots=True)
class Certificate:
    """The whole proof object: what was read, how, and why the claims hold.

    `given` are statements about a thread at locations by the number that it was given (`duet.certificate.given`).
    """

    tool: str
    files: tuple[tuple[str, str], ...]
    options: Mapping[str, Any]
    program: str
    layers: tuple[Layer, ...]
    claims: tuple[Claim, ...]
    cubes: tuple[CubeLayer, ...] = ()
    fold: Fold | None = None
    given: Mapping[int, tuple[Phrase, ...]] = field(default_factory=dict)


def render(certificate: Certificate) -> str:
    """The certificate as JSON, ASCII only, the same for equal certificates."""
    document = {
        "schema": SCHEMA,
        "tool": {"name": "duet", "version": certificate.tool},
        "files": [{"path": path, "sha256": digest} for path, digest in certificate.files],
        "options": dict(certificate.options),
        "program": certificate.program,
        "layers": [_layer_document(layer) for layer in certificate.layers],
        "claims": [
            {"check": list(claim.check), "status": claim.status, "covered": claim.is_covered}
            for claim in certificate.claims
        ],
        **({"cubes": [_cubes_document(layer) for layer in certificate.cubes]} if certificate.cubes else {}),
        **({"fold": _fold_document(certificate.fold)} if certificate.fold is not None else {}),
        **({"given": _statements(certificate.given)} if certificate.given else {}),
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def read(text: str) -> Certificate:
    """The certificate in a JSON text. *Raises*: UsageError where it is none."""
    try:
        found = json.loads(text)
        if found["schema"] != SCHEMA:
            raise UsageError(f"this is no certificate of the form {SCHEMA}, but {found['schema']!r}")
        return Certificate(
            found["tool"]["version"],
            tuple((str(file["path"]), str(file["sha256"])) for file in found["files"]),
            dict(found["options"]),
            str(found["program"]),
            tuple(_layer(layer) for layer in found["layers"]),
            tuple(_claim(claim) for claim in found["claims"]),
            tuple(_cubes(layer) for layer in found.get("cubes", ())),
            _fold(found["fold"]) if "fold" in found else None,
            _collected(found.get("given", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(f"this is no certificate: {type(error).__name__}: {error}") from error


def options_of(certificate: Certificate) -> FrontendOptions:
    """How the program is read. *Raises*: UsageError for options that there are not."""
    given: dict[str, Any] = _tuples(certificate.options)
    try:
        units = tuple(UnitFlags(**_tuples(unit)) for unit in given.pop("units", ()))
        budgets = Budgets(**given.pop("budgets", {}))
        invariants = tuple(Invariant(**found) for found in given.pop("invariants", ()))
        ghosts = tuple(Ghost(**found) for found in given.pop("ghosts", ()))
        updates = tuple(GhostUpdate(**found) for found in given.pop("ghost_updates", ()))
        return FrontendOptions(
            **given, units=units, budgets=budgets, invariants=invariants, ghosts=ghosts, ghost_updates=updates
        )
    except (TypeError, AttributeError) as error:
        raise UsageError(f"the certificate was made with options that are unknown here: {error}") from error


def _tuples(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _tuple(value) for name, value in given.items()}


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def _layer_document(layer: Layer) -> dict[str, Any]:
    return {
        "name": layer.name,
        "refined": layer.is_refined,
        "rewritten": {str(command): layer.rewritten[command] for command in sorted(layer.rewritten)},
        "facts": _statements({location: found for location, found in layer.facts.items() if found}),
        "unreached": _ranges(layer.unreached),
        "stopped": _ranges(layer.stopped),
        "proved": _ranges(layer.proved),
        "packs": [
            {"cells": list(record.cells), "at": _known(record.at), "after": _known(record.after)}
            for record in layer.records
        ],
        **({"joint": _statements(layer.joint)} if layer.joint else {}),
        **({"counts": _counts_document(layer.counts)} if layer.counts is not None else {}),
        **({"summed": True} if layer.is_summed else {}),
    }


def _counts_document(counts: Counts) -> dict[str, Any]:
    return {
        "sums": [[list(part) for part in term] for term in counts.sums],
        "added": _statements(counts.added),
        "bounds": _statements(counts.bounds),
    }


def _counts(found: Mapping[str, Any]) -> Counts:
    sums = tuple(tuple((str(cell), int(factor)) for cell, factor in term) for term in found["sums"])
    return Counts(sums, _collected(found["added"]), _collected(found["bounds"]))


def _known(known: Mapping[int, Phrase]) -> list[dict[str, Any]]:
    """Phrases with the numbers that they are about, the most frequent form of a pack's record."""
    return _statements({number: (phrase,) for number, phrase in known.items()})


def _statements(known: Mapping[int, tuple[Phrase, ...]]) -> list[dict[str, Any]]:
    places: dict[Phrase, list[int]] = {}
    for number in sorted(known):
        for phrase in known[number]:
            places.setdefault(phrase, []).append(number)
    return [{**_said(phrase), "for": _ranges(numbers)} for phrase, numbers in places.items()]


def _said(phrase: Phrase) -> dict[str, Any]:
    return {
        "is": phrase.formula,
        **({"residues": [list(residue) for residue in phrase.residues]} if phrase.residues else {}),
        **({"or": [_said(other) for other in phrase.otherwise]} if phrase.otherwise else {}),
    }


def _layer(found: Mapping[str, Any]) -> Layer:
    return Layer(
        str(found["name"]),
        bool(found["refined"]),
        {int(command): str(text) for command, text in found["rewritten"].items()},
        _collected(found["facts"]),
        tuple(
            Record(tuple(map(str, pack["cells"])), dict(_phrases(pack["at"])), dict(_phrases(pack["after"])))
            for pack in found["packs"]
        ),
        frozenset(_numbers(found["unreached"])),
        frozenset(_numbers(found["stopped"])),
        frozenset(_numbers(found["proved"])),
        _collected(found.get("joint", ())),
        _counts(found["counts"]) if "counts" in found else None,
        bool(found.get("summed", False)),
    )


def _collected(statements: Iterable[Mapping[str, Any]]) -> dict[int, tuple[Phrase, ...]]:
    """All phrases about each number, in order."""
    found: dict[int, tuple[Phrase, ...]] = {}
    for number, phrase in _phrases(statements):
        found[number] = (*found.get(number, ()), phrase)
    return {number: tuple(sorted(phrases)) for number, phrases in found.items()}


def _phrases(statements: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, Phrase]]:
    for statement in statements:
        phrase = _phrase(statement)
        for number in _numbers(statement["for"]):
            yield number, phrase


def _phrase(statement: Mapping[str, Any]) -> Phrase:
    residues = tuple((str(cell), int(m), int(r)) for cell, m, r in statement.get("residues", ()))
    return Phrase(str(statement["is"]), residues, tuple(_phrase(other) for other in statement.get("or", ())))


def _fold_document(fold: Fold) -> dict[str, Any]:
    return {
        "program": fold.program,
        "templates": dict(fold.templates),
        "places": {str(place): fold.places[place] for place in sorted(fold.places)},
        "cells": dict(fold.cells),
        "values": {name: dict(values) for name, values in fold.values.items()},
        "layers": [_layer_document(layer) for layer in fold.layers],
        "cubes": [_cubes_document(layer) for layer in fold.cubes],
    }


def _fold(found: Mapping[str, Any]) -> Fold:
    return Fold(
        str(found["program"]),
        {str(name): str(other) for name, other in found["templates"].items()},
        {int(place): int(other) for place, other in found["places"].items()},
        {str(name): str(other) for name, other in found["cells"].items()},
        {str(name): {str(c): int(v) for c, v in values.items()} for name, values in found["values"].items()},
        tuple(_layer(layer) for layer in found["layers"]),
        tuple(_cubes(layer) for layer in found["cubes"]),
    )


def _claim(found: Mapping[str, Any]) -> Claim:
    return Claim(_check(found["check"]), str(found["status"]), bool(found["covered"]))


def _check(found: Iterable[Any]) -> tuple[str, int, int, str, str, str]:
    file, line, column, function, name, expression = found
    return str(file), int(line), int(column), str(function), str(name), str(expression)


def _cubes_document(layer: CubeLayer) -> dict[str, Any]:
    return {
        "check": list(layer.check),
        "dropped": list(layer.dropped),
        "merged": list(layer.merged),
        "cubes": [
            {
                "at": list(cube.locations),
                "where": [
                    {"sum": [list(term) for term in literal.terms], "plus": literal.constant, "is": literal.relation}
                    for literal in cube.literals
                ],
            }
            for cube in layer.cubes
        ],
    }


def _cubes(found: Mapping[str, Any]) -> CubeLayer:
    return CubeLayer(
        _check(found["check"]),
        tuple(Shape(tuple(map(int, cube["at"])), tuple(map(_literal, cube["where"]))) for cube in found["cubes"]),
        tuple(map(str, found["dropped"])),
        tuple(map(int, found["merged"])),
    )


def _literal(found: Mapping[str, Any]) -> Literal:
    terms = tuple((int(factor), str(cell), int(thread)) for factor, cell, thread in found["sum"])
    return Literal(terms, int(found["plus"]), str(found["is"]))


def _ranges(numbers: Iterable[int]) -> str:
    """`1-3,7` for 1, 2, 3 and 7."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _numbers(text: str) -> Iterator[int]:
    for part in text.split(",") if text else ():
        first, _, last = part.partition("-")
        found = range(int(first), int(last or first) + 1)
        if not 0 < len(found) <= _LONGEST:
            raise ValueError(f"{part} is no range of locations or commands")
        yield from found
