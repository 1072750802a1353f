"""Defects put into the search on purpose are noticed: something that fails is then proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from duet.plip.parser import parse_program
from duet.plip.syntax import Atom, Havoc, Linear, Relation
from duet.verify import before, search
from duet.verify.before import Steps
from duet.verify.covering import Union, instances
from duet.verify.cube import Cube
from duet.verify.search import Proof
from tests.verify.test_cubes import FAILS, checks_of, guessed, proved

Defect = Callable[[pytest.MonkeyPatch], None]


def no_fresh_actor(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Steps, "written", property(lambda self: (frozenset(),) * len(self.program.commands)))


def no_start(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(search._Search, "_is_initial", lambda *_: False)


def values_stay(patch: pytest.MonkeyPatch) -> None:
    """A cell that may hold anything is taken to keep its value."""
    right = Steps._before_write

    def wrong(self: Steps, step: Any, name: str, literals: Sequence[Atom], actor: int) -> list[Sequence[Atom]]:
        return [literals] if isinstance(step, Havoc) else right(self, step, name, literals, actor)

    patch.setattr(Steps, "_before_write", wrong)


def child_stays(patch: pytest.MonkeyPatch) -> None:
    def started(self: Steps, cube: Cube, command: object, actor: int, places: tuple[int, ...]) -> Iterable[Cube]:
        return before._cubes(places, [cube.literals])

    patch.setattr(Steps, "_started", started)


@pytest.mark.parametrize("defect", [no_fresh_actor, no_start, values_stay, child_stays])
def test_a_defect_is_noticed(defect: Defect, monkeypatch: pytest.MonkeyPatch) -> None:
    defect(monkeypatch)
    assert any(_proof(text) is not None for text in FAILS.values())


def wrong_guesses(patch: pytest.MonkeyPatch, guess: Callable[[Cube], list[Cube]]) -> None:
    patch.setattr(search, "candidates", lambda cube, *_: guess(cube))
    patch.setattr(search, "parts", lambda *_: ())


@pytest.mark.parametrize(
    "guess",
    [
        lambda _: [Cube((), ())],
        lambda cube: [Cube(cube.locations, ())],
        lambda cube: [Cube((cube.locations[0],), ())],
        lambda cube: [Cube((*cube.locations, *cube.locations), cube.literals)],
        lambda cube: [Cube(cube.locations, (*cube.literals, Atom(Linear((("x", 1),), -77), Relation.EQ)))],
    ],
    ids=["everything", "no literals", "one thread", "smaller by threads", "smaller by a literal"],
)
def test_no_guess_proves_what_fails(guess: Callable[[Cube], list[Cube]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is guessed, also what is not larger at all."""
    wrong_guesses(monkeypatch, guess)
    for text in FAILS.values():
        program = parse_program(text)
        (check,) = checks_of(program)
        assert guessed(program, check, 0.4, is_blind=True) is None


def test_different_threads_of_a_cube_are_different_ones_of_another() -> None:
    two, one, mixed = Cube((5, 5), ()), Cube((5,), ()), Cube((5, 6), ())
    assert list(instances(two, one)) == []
    assert list(instances(two, mixed)) == []
    assert len(list(instances(two, Cube((5, 5, 6), ())))) == 2
    seen = Union([two])
    assert not seen.covers(one, ())
    assert seen.covers(Cube((5, 5, 6), ()), ())
    assert Union([one]).covers(two, ())


def test_a_union_covers_what_none_of_its_cubes_does() -> None:
    def bound(sign: int, constant: int) -> Atom:
        return Atom(Linear((("x", sign),), constant), Relation.LE)

    seen = Union([Cube((5,), (bound(1, 0),)), Cube((5,), (bound(-1, 1),))])  # x <= 0, x >= 1
    assert seen.covers(Cube((5,), ()), ())
    assert not Union(seen.cubes[:1]).covers(Cube((5,), ()), ())


def _proof(text: str) -> Proof | None:
    program = parse_program(text)
    (check,) = checks_of(program)
    return proved(program, check, seconds=1.0)
