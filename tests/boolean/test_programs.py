"""Boolean programs with threads, analysed as users do: verdicts, places, any number of threads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

LOCK = """decl lock, busy;
void take() begin
  atomic_begin; assume(!lock); lock := T; atomic_end;
end
void worker() begin
  while * do
    take();
    busy := T;
    {check}
    busy := F;
    {release}
  od;
end
void main() begin
  lock, busy := F, F;
  start_thread worker();
  ASYNC_1: worker();
end
"""
SAFE = {
    "a lock": LOCK.format(check="assert(busy);", release="lock := F;"),
    "values that are returned": """decl g;
bool<2> swapped(a, b) begin return b, a; end
void main() begin
  decl x, y;
  x, y := T, F;
  x, y := swapped(x, y);
  assert(!x & y);
  x, y := y, x;
  assert(x & !y);
  g := schoose[x, y];
  assert(g);
end
""",
    "a constraint": """decl a, b;
void main() begin
  a, b := *, * constrain 'a => 'b;
  assert(!a | b);
  b := * constrain 'b = a;
  assert(a = b);
end
""",
    "what is enforced": """decl a, b;
void main() begin
  a, b := *, *;
  f();
end
void f() begin
  enforce a & !b;
  a, b := *, *;
  assert(a & !b);
end
""",
    "a copy of own variables": """decl g;
void main() begin
  decl mine;
  mine := T;
  start_thread goto 1;
  mine := F;
  assert(!mine);
  end_thread;
1: assert(mine);
end
""",
    "a flag that is handed on": """decl full, value;
void producer() begin
  value := T;
  full := T;
end
void main() begin
  full, value := F, F;
  start_thread producer();
  assume(full);
  assert(value);
end
""",
}
UNSAFE = {
    "a lock that is not kept": LOCK.format(check="assert(busy);", release="lock := F;").replace("assume(!lock);", ""),
    "either value": "decl g;\nvoid main() begin\n  assert(g | *);\nend\n",
    "shared variables may hold anything": "decl g;\nvoid main() begin\n  assert(g);\nend\n",
    "what comes back where nothing is returned": "bool f() begin skip; end\nvoid main() begin\n  decl x;\n"
    "  x := f();\n  assert(x);\nend\n",
    "any of several labels": "decl g;\nvoid main() begin\n  g := F;\n  goto 1, 2;\n1: g := T;\n2: assert(g);\nend\n",
    "a race between two steps": "decl g, t;\nvoid f() begin\n  decl x;\n  x := g;\n  g := !x;\nend\n"
    "void main() begin\n  g := F;\n  start_thread f();\n  start_thread f();\n  assume(g);\n  assume(!g);\n"
    "  assert(F);\nend\n",
    "enforced in one function only": "decl a;\nvoid main() begin\n  f();\n  a := F;\n  assert(a);\nend\n"
    "void f() begin\n  enforce a;\n  a := *;\nend\n",
}


def verdicts(tmp_path: Path, text: str, *options: str) -> list[dict[str, object]]:
    path = tmp_path / "program.bp"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--format", "json", "--timeout", "8", *options, str(path)])
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)["assertions"]
    return found


@pytest.mark.parametrize("name", SAFE)
def test_what_holds_is_proved(name: str, tmp_path: Path) -> None:
    assert {found["status"] for found in verdicts(tmp_path, SAFE[name])} == {"proved"}


@pytest.mark.parametrize("name", [name for name, text in SAFE.items() if "start_thread" in text])
def test_what_holds_for_any_number_of_threads_is_proved(name: str, tmp_path: Path) -> None:
    assert {found["status"] for found in verdicts(tmp_path, SAFE[name], "--parameterized")} == {"proved"}


@pytest.mark.parametrize("options", [(), ("--parameterized",)])
@pytest.mark.parametrize("name", UNSAFE)
def test_what_fails_is_refuted(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    found = verdicts(tmp_path, UNSAFE[name], *options)
    assert [item["status"] for item in found] == ["refuted"]
    schedule = found[0]["schedule"]
    assert isinstance(schedule, list)
    assert schedule[-1]["line"] == found[0]["line"] == 1 + UNSAFE[name][: UNSAFE[name].index("assert")].count("\n")


def test_any_number_of_threads_is_more_than_those_that_are_started(tmp_path: Path) -> None:
    text = "decl a, b;\nvoid f() begin\n  if a then b := T; fi;\n  a := T;\nend\n"
    text += "void main() begin\n  a, b := F, F;\n  start_thread f();\n  assert(!b);\nend\n"
    assert [found["status"] for found in verdicts(tmp_path, text)] == ["proved"]
    assert [found["status"] for found in verdicts(tmp_path, text, "--parameterized")] == ["refuted"]


def test_without_threads_any_number_of_them_run_main(tmp_path: Path) -> None:
    text = "decl g;\nvoid main() begin\n  g := T;\n  assert(g);\n  g := F;\nend\n"
    assert [found["status"] for found in verdicts(tmp_path, text)] == ["proved"]
    assert [found["status"] for found in verdicts(tmp_path, text, "--parameterized")] == ["refuted"]


def test_errors_have_a_place_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "program.bp"
    path.write_text("void main() begin\n  wait;\nend\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["analyze", str(path)])
    assert result.exit_code == 2
    assert f"{path}:2:3: error: statements of the form 'wait' are not supported" in result.stderr


def test_a_boolean_program_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "program.bp"
    path.write_text("void main() begin end\n", encoding="utf-8")
    assert CliRunner().invoke(cli, ["analyze", str(path), str(path)]).exit_code == 2
    assert CliRunner().invoke(cli, ["analyze", "--entries", "all", str(path)]).exit_code == 2
