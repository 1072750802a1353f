"""What spawn commands tell of the threads that there can be, and of who runs when."""

from __future__ import annotations

from duet.certificate.threads import Threads
from duet.plip.parser import parse_program
from duet.plip.syntax import Spawn

PROGRAM = parse_program("""
global x = 0
thread main { x := 1  spawn once  x := 2  while (*) { spawn many } x := 3 }
thread once { x := 4  spawn child  x := 5 }
thread child { x := 6 }
thread many { x := 7 }
thread never { x := 8  spawn unborn }
thread unborn { x := 9 }
""")


def at(value: int) -> int:
    """The location before `x := value`, numbered by the order of the text."""
    writes = [c for c in PROGRAM.commands if getattr(c.instruction, "target", None) == "x"]
    return next(c.source for c in writes if c.instruction.value.constant == value)  # type: ignore[union-attr]


THREADS = Threads(PROGRAM)


def test_templates_that_run_once() -> None:
    assert set(THREADS.once) >= {"main", "once", "child"}
    assert "many" not in THREADS.once


def test_what_comes_to_run_through_a_template() -> None:
    assert THREADS.leads_to("main") == {"main", "once", "child", "many"}
    assert THREADS.leads_to("main", without="once") == {"main", "many"}
    assert THREADS.leads_to("child") == {"child"}


def test_the_chain_of_a_template_begins_with_main() -> None:
    assert THREADS.chain("child") == ("main", "once", "child")
    assert THREADS.chain("main") == ("main",)
    assert THREADS.chain("many") == ()
    assert THREADS.chain("unborn") == ()


def test_what_runs_before_and_what_only_later() -> None:
    assert THREADS.before("once") == {"main", "many"}
    assert THREADS.later("once") == {"once", "child", "never", "unborn"}
    assert THREADS.before("main") == frozenset()
    assert THREADS.later("main") == set(PROGRAM.templates)


def test_the_locations_behind_a_spawn() -> None:
    after = THREADS.after_starting("main", "child")
    assert at(2) in after
    assert at(1) not in after
    spawn = next(c for c in PROGRAM.commands if isinstance(c.instruction, Spawn) and c.instruction.template == "once")
    assert spawn.source not in after
    assert THREADS.after_starting("main", "many") >= {at(3)}
    assert THREADS.after_starting("main", "never") == frozenset()


def test_who_may_run_while_a_thread_is_somewhere() -> None:
    assert THREADS.running(at(1)) == {"main"}
    assert THREADS.running(at(2)) == {"main", "once", "child"}
    assert THREADS.running(at(4)) == {"main", "once", "many"}
    assert THREADS.running(at(5)) == {"main", "once", "child", "many"}
    assert THREADS.running(at(7)) == set(PROGRAM.templates)


def bystanding(tracked: str, reader: str, is_begun: bool) -> set[int]:
    """The values that bystanders may write."""
    commands = (PROGRAM.commands[c] for c in THREADS.bystanders(tracked, reader, is_begun))
    values = (c.instruction.value.constant for c in commands if getattr(c.instruction, "target", None) == "x")  # type: ignore[union-attr]
    return set(values)


def test_what_threads_beside_two_may_do() -> None:
    assert bystanding("once", "many", is_begun=True) >= {3, 6, 7}
    assert bystanding("once", "many", is_begun=True).isdisjoint({1, 4, 5})
    assert bystanding("once", "many", is_begun=False).isdisjoint({4, 5, 6})
    assert bystanding("child", "child", is_begun=True).isdisjoint({1, 4, 6})
    assert bystanding("child", "child", is_begun=True) >= {2, 3, 5, 7}
