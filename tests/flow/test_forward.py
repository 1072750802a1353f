"""Rewriting with what is certain of copies: what is substituted, and what must not be."""

from __future__ import annotations

from collections import Counter

from duet.flow.forward import certain_facts, forwarded, forwarding
from duet.flow.packs import counters, related
from duet.plip.parser import parse_program
from duet.plip.printer import show_instruction
from duet.plip.syntax import Program

HEAD = """global m = 0
global x = 0
global y = 0
main main
thread main function "main" {
  local t = 0
  local u = 0
  entry 0  exit 9
"""


def _program(body: str) -> Program:
    return parse_program(HEAD + body + "}\n", "example.plip")


def _always(_cell: str, _location: int) -> bool:
    return True


def _never(_cell: str, _location: int) -> bool:
    return False


def _shown(program: Program) -> list[str]:
    return [show_instruction(command.instruction) for command in program.commands]


def test_a_copy_gives_way_to_its_global() -> None:
    program = _program("0: t := x -> 1\n1: x := t + 1 -> 2\n2: u := y -> 3\n3: [t - u <= 0] -> 9\n")
    assert _shown(forwarded(program, _always, _never)) == [
        "t := x",
        "atomic { [t - x == 0]; x := x + 1; }",
        "u := y",
        "[t - u <= 0 && x - y <= 1]",
    ]


def test_nothing_stands_for_a_copy_that_others_may_have_outdated() -> None:
    program = _program("0: t := x -> 1\n1: x := t + 1 -> 9\n")
    assert forwarded(program, _never, _never).commands == program.commands
    assert forwarded(program, lambda _, location: location != 1, _never).commands == program.commands


def test_a_copy_ends_with_either_of_its_cells() -> None:
    for between in ("x := *", "t := *", "x := y", "x := 2*x"):
        program = _program(f"0: t := x -> 1\n1: {between} -> 2\n2: y := t -> 9\n")
        assert _shown(forwarded(program, _always, _never))[2] == "y := t", between


def test_a_copy_counts_on_one_path_only_if_it_does_on_all() -> None:
    program = _program("0: t := x -> 1\n0: t := y -> 1\n1: y := t + 1 -> 9\n")
    assert forwarded(program, _always, _never).commands == program.commands


def test_sums_of_globals_are_copied_too() -> None:
    program = _program("0: t := x - y -> 1\n1: x := x + 1 -> 2\n2: [t >= 3] -> 9\n")
    assert _shown(forwarded(program, _always, _never))[2] == "[t >= 3 && -x + y <= -4]"


def test_each_location_is_looked_at_once_where_there_is_no_loop() -> None:
    count, asked = 12, Counter[int]()

    def is_stable(_cell: str, location: int) -> bool:
        asked[location] += 1
        return True

    names = [f"t{number}" for number in range(count)]
    copied = "".join(f"{number}: {name} := x -> {number + 1}\n" for number, name in enumerate(names))
    ways = "".join(
        f"{at}: {way} -> {at + 1}\n{at}: skip -> {at + 2}\n{at + 1}: skip -> {at + 3}\n{at + 2}: skip -> {at + 3}\n"
        for number, name in enumerate(names)
        for at, way in [(count + 3 * number, f"{name} := *")]
    )
    end = count + 3 * count
    head = HEAD.replace("entry 0  exit 9", "".join(f"local {name} = 0\n  " for name in names) + f"entry 0  exit {end}")
    certain_facts(parse_program(head + copied + ways + "}\n", "example.plip"), is_stable)
    assert max(asked.values()) <= 2


def test_a_guard_inside_a_section_writes_what_its_thread_has_written() -> None:
    program = _program("0: x := x + 1 -> 1\n1: [x == 5] -> 2\n2: [y == 0] -> 9\n")
    shown = _shown(forwarded(program, _always, _always))
    assert shown[1:] == ["atomic { [x == 5]; x := x; }", "[y == 0]"]
    assert _shown(forwarded(program, _always, _never))[1] == "[x == 5]"


def test_only_the_globals_that_are_asked_for_stand_for_copies() -> None:
    program = _program("0: t := x -> 1\n1: x := t + 1 -> 9\n")
    assert forwarded(program, _always, _never, frozenset("y")).commands == program.commands


def test_one_choice_of_globals_changes_nothing_for_the_next_one() -> None:
    program = _program("0: t := x -> 1\n1: x := t + 1 -> 2\n2: u := y -> 3\n3: y := u + t -> 4\n4: [t - u <= 0] -> 9\n")
    choices = (None, frozenset[str](), frozenset("x"), frozenset("y"), frozenset("xy"))
    for order in (choices, choices[::-1]):
        over = forwarding(program, _always, _always)
        assert [over(cells) for cells in order] == [forwarded(program, _always, _always, cells) for cells in order]
    assert len({over(cells).commands for cells in choices}) > 2


def test_counters_of_one_loop_share_a_pack() -> None:
    program = _program("0: t := t + 1 -> 1\n1: u := u - 1 -> 0\n0: [t >= 9] -> 9\n")
    assert list(counters(program)) == [("t", "u")]
    assert ("t", "u") in related(program, 8).packs
    assert ("t", "u") not in related(program, 1).packs
    assert not list(counters(_program("0: t := t + 1 -> 1\n1: u := u - 1 -> 9\n")))


def test_a_lock_that_counts_its_readers_is_no_counter_of_a_loop() -> None:
    give_back = "2: atomic { [y <= 9]; y := y + 1; } -> 0\n"
    reads = "0: atomic { [x >= 0]; x := x + 1; } -> 1\n1: y := y - 1 -> 2\n2: atomic { [x >= 1]; x := x - 1; } -> 0\n"
    waits = "0: atomic { [y >= 1]; y := y - 1; } -> 1\n1: x := x + 1 -> 2\n"
    assert not list(counters(_program(reads)))
    assert list(counters(_program(waits + give_back))) == [("y", "x")]
