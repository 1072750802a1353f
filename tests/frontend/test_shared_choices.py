"""Calls through pointers that may lead to many functions: in a large program they share one choice of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.syntax import Program

LARGE = FrontendOptions(budgets=Budgets(program_commands=1, inlined_commands_if_large=1))
COUNT = 8
FUNCTIONS = "".join(f"int f{n}(int a) {{ seen = a + {n}; return a + {n}; }}\n" for n in range(COUNT))
TABLE = "int (*const table[])(int) = {" + ", ".join(f"f{n}" for n in range(COUNT)) + "};\n"
START = f"#include <assert.h>\nextern int any(void);\nint seen;\n{FUNCTIONS}{TABLE}"
TWO = f"""
int at(void) {{ int n = any(); return n < 0 || n >= {COUNT} ? 0 : n; }}
int main(void) {{ int a = table[at()](10); int b = table[at()](20); assert(%s); }}
"""


def lowered(folder: Path, text: str, options: FrontendOptions) -> Program:
    path = folder / "t.c"
    path.write_text(text)
    return lower(parse(preprocess(str(path), options).text, "t.c", options), options).program


def are_proved(folder: Path, text: str) -> bool:
    found = analyse(lowered(folder, text, LARGE), AnalysisOptions(domain="interval"))
    return all(status.is_safe for status in found.statuses)


@pytest.mark.parametrize("fails", ["a != 10", "a != 17", "b != 27", "a < 17", "seen != 20", "seen < 27"])
def test_each_function_is_called_with_what_each_call_gives(fails: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path, START + TWO % fails)


@pytest.mark.parametrize("holds", ["b >= 10 && b <= 27", "a <= 27", "seen >= 10 && seen <= 27"])
def test_what_the_functions_return_and_do_is_known(holds: str, tmp_path: Path) -> None:
    assert are_proved(tmp_path, START + TWO % holds)


@pytest.mark.parametrize(("fails", "count"), [("x == 0", 1), ("x <= 1", 2)])
def test_a_choice_that_leads_back_to_itself(fails: str, count: int, tmp_path: Path) -> None:
    again = "int x; int f(int n) { if (n <= 0) { x++; return 0; } int m = n; table[n & 7](n - 1); return m - n; }\n"
    body = again + f"int main(void) {{ for (int n = 0; n < {count}; n++) table[0](3); assert({fails}); }}\n"
    table = "int f(int); int g(int n) { return f(n); }\nint (*table[8])(int) = {"
    names = [f"g{n}" for n in range(7)]
    others = "".join(f"int {name}(int n) {{ return f(n - 1); }}\n" for name in names)
    text = (
        "#include <assert.h>\n" + table.replace("int (*", f"{others}int (*") + ", ".join(["f", *names]) + "};\n" + body
    )
    assert not are_proved(tmp_path, text)


def test_a_local_of_a_function_that_is_chosen_again_is_not_known_behind_it(tmp_path: Path) -> None:
    text = (
        "#include <assert.h>\nextern int any(void);\nint f(int);\n"
        + "".join(f"int g{n}(int a) {{ return a + {n}; }}\n" for n in range(7))
        + "int (*table[8])(int) = {f, " + ", ".join(f"g{n}" for n in range(7)) + "};\n"
        "int f(int a) { int mine = a; if (a > 0) table[any() & 7](a - 1); assert(mine == 0); return mine; }\n"
        "int main(void) { table[any() & 7](3); }\n"
    )  # fmt: skip
    assert not are_proved(tmp_path, text)


def test_many_calls_of_many_functions_cost_what_they_do_once(tmp_path: Path) -> None:
    calls = "".join(f"int c{n}(int i) {{ return table[i & 7]({n}); }}\n" for n in range(12))
    all_of_them = "int main(void) { int i = any(); " + "".join(f"c{n}(i);" for n in range(12)) + " }\n"
    few = lowered(tmp_path, START + calls + all_of_them, LARGE)
    many = lowered(tmp_path, START + calls + all_of_them, FrontendOptions())
    assert len(few.commands) < 0.65 * len(many.commands)
