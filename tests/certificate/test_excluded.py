"""Layers that are written for races and deadlocks alone: those that show more of them, if the checker accepts them."""

from __future__ import annotations

from dataclasses import replace

from duet.certificate.document import Layer
from duet.certificate.emit import layers_of
from duet.certificate.excluded import Asked, excluded
from duet.coarsen.analysis import analyse
from duet.coarsen.race_evidence import race_assertions
from duet.deadline import NO_DEADLINE, Deadline
from duet.options import AnalysisOptions
from duet.plip.accesses import AccessKind
from duet.result import Status
from tests.check.judged import APART, FILE, access, with_accesses

ONE, ONE_LOCKED, TWO, TWO_LOCKED = 4, 6, 10, 12
X, Y, Z = (access(AccessKind.WRITE, name) for name in ("x", "y", "z"))
PROGRAM = with_accesses(APART, {ONE: (X,), TWO: (X,), ONE_LOCKED: (Y,), TWO_LOCKED: (Y,)})


def asked() -> tuple[Asked, tuple[Layer, ...]]:
    analysis = analyse(PROGRAM, AnalysisOptions(domain="interval", engine="bitset"), is_shown=True)
    found = race_assertions(analysis, FILE)
    assert [one.status for one in found if one.check.expression == "no race on y"] == [Status.PROVED]
    return Asked(PROGRAM, FILE, ("data-race",), found, {}), tuple(layers_of(PROGRAM, analysis.fixpoints))


def shown(layers: tuple[Layer, ...], first: int = 0, deadline: Deadline = NO_DEADLINE) -> tuple[int, list[str]]:
    """How many layers are written, and what they show."""
    written, found = excluded(asked()[0], layers, first, deadline)
    assert written == layers[: len(written)]
    return len(written), [check.expression for check in found]


def wrong(layer: Layer) -> Layer:
    """A layer that does not hold, and shows all the more."""
    return replace(layer, stopped=frozenset(range(len(PROGRAM.commands))), unreached=frozenset(PROGRAM.template_of))


def test_layers_are_added_until_all_is_shown() -> None:
    _, layers = asked()
    assert shown(layers)[1] == ["no race on y"]
    count = shown(layers)[0]
    assert shown((*layers[:count], *layers)) == (count, ["no race on y"])
    assert shown(()) == (0, [])


def test_layers_that_do_not_hold_are_not_added() -> None:
    _, layers = asked()
    assert shown((wrong(layers[0]), *layers)) == (0, [])
    empty = replace(layers[0], records=(), unreached=frozenset(), stopped=frozenset(), facts={}, rewritten={})
    assert shown((empty, wrong(layers[0]), *layers)) == (0, [])


def test_layers_that_other_checks_need_stay() -> None:
    _, layers = asked()
    assert shown(layers, len(layers)) == (len(layers), ["no race on y"])
    assert shown((wrong(layers[0]),), 1)[0] == 1


def test_without_time_nothing_is_shown() -> None:
    _, layers = asked()
    assert shown(layers, 0, Deadline.after(-1.0)) == (0, [])


def test_what_nobody_asked_for_is_not_shown() -> None:
    found, layers = asked()
    assert excluded(replace(found, properties=("assertion",)), layers, 0, NO_DEADLINE) == ((), frozenset())
    assert excluded(replace(found, assertions=()), layers, 0, NO_DEADLINE) == ((), frozenset())
