"""What checks ask: what each asserts, or what leads to one that asserts nothing."""

from __future__ import annotations

from duet.flow.questions import questions
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert
from duet.plip.terms import show_formula

_TEXT = """global n = 0
thread main { local x local y
  x := n
  assert x <= 3
  if (x == 7) { if (x - y >= 1) { y := 2  assert false } }
  assert false
}
"""


def test_a_check_without_a_condition_asks_what_leads_there() -> None:
    program = parse_program(_TEXT, "t.plip")
    checks = [i for i, it in enumerate(program.commands) if isinstance(it.instruction, Assert)]
    found = [{show_formula(asked) for _, asked in questions(program, check)} for check in checks]
    assert found[0] == {"x <= 3"}
    assert found[1] == {"-x + y <= -1"}
    assert {"x != 7", "x - y <= 0"} <= found[2]
    places = [place for place, _ in questions(program, checks[0])]
    assert places == [program.commands[checks[0]].source]


def test_a_command_that_is_no_check_asks_nothing() -> None:
    program = parse_program(_TEXT, "t.plip")
    others = (i for i, it in enumerate(program.commands) if not isinstance(it.instruction, Assert))
    assert not [asked for index in others for asked in questions(program, index)]
