"""What cubes are about: whatever a certificate leaves out, the same checks fail, or it is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from duet.certificate import reduced as module
from duet.certificate.document import CubeLayer, Phrase
from duet.certificate.established import Established
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.reduced import Refusal, reduced
from duet.plip.blocks import blocks
from duet.plip.semantics import explore
from duet.plip.sliced import sliced
from duet.plip.syntax import Program
from duet.plip.wellformed import violations
from tests.certificate.proofs import checks_of, known_of, nothing_known, program_of
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES


def layer_for(program: Program, merged: tuple[int, ...], dropped: tuple[str, ...] = ()) -> CubeLayer:
    check = checks_of(program)[0]
    named = check.file, check.line, check.column, check.function, check.property_name, check.expression
    return CubeLayer(named, (), dropped, merged)


def failing(text: str) -> str:
    """A program of which the first check fails."""
    return f"global g = 0 global h = 0 {text}"


SEEN = "thread main { spawn one assert g == 0 }"
UNSOUND = {
    "others see what is between": (f"{SEEN} thread one {{ entry 0 exit 9 0: g := 1 -> 1 1: g := 0 -> 9 }}", (1,)),
    "stuck behind a write": (
        f"{SEEN} thread one {{ local a = 0 entry 0 exit 9 0: g := 1 -> 1 1: [a > 0] -> 9 }}", (1,)
    ),
    "stuck in a division": (
        f"{SEEN} thread one {{ local a = 0 entry 0 exit 9 0: g := 1 -> 1 1: a := div(1, a) -> 9 }}", (1,)
    ),
    "into a region": (
        f"{SEEN} thread one {{ local a entry 0 exit 9 atomic at 2 0: g := 1 -> 1 1: a := 1 -> 2 2: g := 0 -> 9 }}",
        (1,),
    ),
    "out of a region": (
        f"{SEEN} thread one {{ local a entry 0 exit 9 atomic at 1 0: g := 1 -> 1 1: a := 1 -> 2 2: g := 0 -> 9 }}",
        (2,),
    ),
    "an entry": (
        f"{SEEN} thread one {{ local a entry 0 exit 9 0: g := 1 -> 1 1: a := 0 -> 0 1: g := 0 -> 9 }}", (0,)
    ),
    "another thread of the template": (
        "thread main { while (*) { spawn one } } "
        "thread one { entry 0 exit 9 0: g := 1 -> 1 1: g := 0 -> 2 2: assert g == 0 -> 9 }", (1,)
    ),
    "a region in which other things hold": (
        "thread main { entry 10 exit 19 atomic at 12, 13 "
        "10: spawn one -> 11 11: h := 1 -> 12 12: assert g == 0 -> 13 13: h := 0 -> 19 } "
        "thread one { entry 0 exit 9 0: g := 1 -> 1 1: g := 0 -> 9 }", (1,)
    ),
    "in front of a check": (
        "thread main { spawn one [h == 1] assert g == 1 } thread one { entry 0 exit 9 0: h := 1 -> 1 1: g := 1 -> 9 }",
        (1,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSOUND)
def test_what_would_hide_a_failure_is_refused(name: str) -> None:
    text, merged = UNSOUND[name]
    program = program_of(failing(text))
    assert checks_of(program)[0] in explore(program, LIMITS, SAMPLES).failures
    for known in (nothing_known(program), known_of(program)):
        with pytest.raises(Refusal):
            reduced(program, layer_for(program, merged), known)


def test_who_knows_something_else_is_not_there() -> None:
    """The check comes behind a read of `x` after it was set, so nobody sees `g` in between."""
    program = program_of(
        "global g = 0 global x = 0 thread main { spawn one spawn two } "
        "thread one { entry 10 exit 19 10: g := 1 -> 11 11: g := 0 -> 12 12: x := 1 -> 19 } "
        "thread two { local t entry 20 exit 29 20: t := x -> 21 21: [t == 1] -> 22 22: assert g == 0 -> 29 }"
    )
    layer, nothing = layer_for(program, (11,)), nothing_known(program)
    with pytest.raises(Refusal):
        reduced(program, layer, nothing)
    knowledge = Knowledge(program, Prover(program))
    knowledge.add({10: (Phrase("x == 0"),), 11: (Phrase("x == 0"),), 22: (Phrase("x == 1"),)})
    assert 11 not in reduced(program, layer, Established(program, knowledge, nothing._meeting)).template_of


Defect = Callable[[pytest.MonkeyPatch], None]


def can_always_wait(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(module._Graph, "_can_wait", lambda *_: True)


def all_pass(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(module, "_is_passing", lambda _: True)


def no_regions(patch: pytest.MonkeyPatch) -> None:
    """What starts or ends in a region is taken for what does not."""

    def is_free(self: module._Graph, edges: Sequence[module._Edge]) -> bool:
        return not any(any(self._conflicting(edge)) for edge in edges)

    patch.setattr(module._Graph, "_can_wait", is_free)
    patch.setattr(module._Graph, "_can_hurry", is_free)


def nobody_meets(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Established, "may_meet", lambda *_: False)


def agree_inside(patch: pytest.MonkeyPatch) -> None:
    """What is known where a thread waits is taken to hold while another one is inside of a region."""
    right = Established.may_meet
    patch.setattr(Established, "may_meet", lambda self, *pair: right(self, *pair) and self._agree(*pair))


def nobody_waits(patch: pytest.MonkeyPatch) -> None:
    """While a thread is inside of a region there is taken to be no other one."""
    right = Established.may_meet

    def wrong(self: Established, one: int, other: int) -> bool:
        return (one in self._atomic) == (other in self._atomic) and right(self, one, other)

    patch.setattr(Established, "may_meet", wrong)


def all_run_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(module, "runs_once", lambda *_: True)


def entries_may_go(patch: pytest.MonkeyPatch) -> None:
    right = module._Graph.__post_init__

    def wrong(self: module._Graph) -> None:
        right(self)
        self._fixed = set()

    patch.setattr(module._Graph, "__post_init__", wrong)


def checks_go_on(patch: pytest.MonkeyPatch) -> None:
    """A check that fails is taken for one that leads on."""
    patch.setattr(module._Edge, "is_check", property(lambda _: False))


DEFECTS: dict[str, tuple[Defect, str]] = {
    "can always wait": (can_always_wait, "others see what is between"),
    "all pass": (all_pass, "stuck behind a write"),
    "a division passes": (all_pass, "stuck in a division"),
    "a step out of a region can wait": (no_regions, "out of a region"),
    "a step into a region can hurry": (no_regions, "into a region"),
    "nobody meets": (nobody_meets, "others see what is between"),
    "all agree inside of regions": (agree_inside, "a region in which other things hold"),
    "nobody waits for a region": (nobody_waits, "a region in which other things hold"),
    "all templates run once": (all_run_once, "another thread of the template"),
    "entries may go": (entries_may_go, "an entry"),
    "checks go on": (checks_go_on, "in front of a check"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_checker_would_hide_what_fails(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    defect, witness = DEFECTS[name]
    text, merged = UNSOUND[witness]
    program = program_of(failing(text))
    known = known_of(program)
    layer = layer_for(program, merged)
    with monkeypatch.context() as patch:
        defect(patch)
        small = reduced(program, layer, known)
    assert checks_of(small)[0] not in explore(small, LIMITS, SAMPLES).failures


@pytest.mark.parametrize("text", ["x := 1 y := x assert y == 0", "local t x := div(1, x) assert y == 0"])
def test_cells_that_matter_stay(text: str) -> None:
    program = program_of(f"global x = 0 global y = 0 thread main {{ {text} }}")
    with pytest.raises(Refusal):
        reduced(program, layer_for(program, (), ("x",)), nothing_known(program))


@pytest.mark.parametrize("merged", [(77_777,), (0,), (1, 1)])
def test_locations_that_cannot_be_left_out(merged: tuple[int, ...]) -> None:
    program = program_of("global x = 0 thread main { x := 1 x := 2 assert x == 2 }")
    with pytest.raises(Refusal):
        reduced(program, layer_for(program, merged), nothing_known(program))


def test_a_loop_stays() -> None:
    program = program_of(
        "global g = 0 thread main { local a entry 0 exit 9 0: a := 0 -> 1 1: a := a + 1 -> 1 1: g := a -> 2 "
        "2: assert g == 0 -> 9 }"
    )
    with pytest.raises(Refusal, match="from one place to another"):
        reduced(program, layer_for(program, (1,)), nothing_known(program))


@pytest.mark.parametrize("seed", range(120))
def test_blocks_are_accepted_and_whatever_is_accepted_changes_nothing(seed: int) -> None:
    """The blocks that the search works on, and any other locations, tried one after the other at random."""
    program = random_program(seed)
    found = explore(program, LIMITS, SAMPLES)
    checks = checks_of(program)
    if found.truncated or not checks:
        return
    known = known_of(program) if seed % 4 == 0 else nothing_known(program)
    check = Random(seed).choice(checks)
    named = check.file, check.line, check.column, check.function, check.property_name, check.expression
    part = sliced(program, {check})
    dropped = tuple(sorted(program.cells.keys() - part.cells.keys()))
    together = known.may_meet if seed % 4 == 0 else None
    merged = blocks(part, together).merged
    reduced(program, CubeLayer(named, (), dropped, merged), known)
    taken: tuple[int, ...] = ()
    for place in Random(seed).sample(sorted(program.template_of), len(program.template_of)):
        try:
            small = reduced(program, CubeLayer(named, (), dropped, (*taken, place)), known)
        except Refusal:
            continue
        taken = (*taken, place)
        assert not violations(small)
    small = reduced(program, CubeLayer(named, (), dropped, taken), known)
    assert (check in explore(small, LIMITS, SAMPLES).failures) == (check in found.failures)
