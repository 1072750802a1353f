"""Which locals are assigned before anything else is done with them: what C functions show, and gcc's opinion of it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.frontend.form import settled
from duet.frontend.form.control import Body
from duet.frontend.lower import formed
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

START = "int any(void); void take(int *); int g[9]; struct s { int a, b; }; int x, y, z;\n"
BODIES: Mapping[str, tuple[str, set[str]]] = {
    "an initialiser": ("int a = any(); return a;", {"a"}),
    "an initialiser that mentions it": ("int a = a + 1; return a;", set()),
    "an assignment behind others": ("int a, b; b = 1; a = b; return a;", {"a", "b"}),
    "a list of assignments": ("int a, b; for (a = 0, b = a; a < 3; a++) b += a; return b;", {"a", "b"}),
    "the start of a loop in a branch": ("int a; if (any()) for (a = 0; a < 3; a++) g[a] = 1; return 0;", {"a"}),
    "a loop that may not run": ("int a; while (any()) a = 1; return a;", set()),
    "a loop that runs once": ("int a; do a = 1; while (a < any()); return 0;", set()),
    "the condition of a loop": ("int a; while ((a = any()) > 0) g[0] = a; return a;", {"a"}),
    "the condition of a loop behind its body": ("int a; do g[0] = a; while ((a = any()) > 0); return a;", set()),
    "both branches": ("int a; if (any()) a = 1; else a = 2; return a;", {"a"}),
    "one branch": ("int a; if (any()) a = 1; return a;", set()),
    "a branch that leaves": ("int a; if (any()) a = 1; else return 0; return a;", {"a"}),
    "the condition of a branch": ("int a; if ((a = any()) < 0) return a; return a + 1;", {"a"}),
    "the right side of and": ("int a; if (any() && (a = 1)) return 1; return a;", set()),
    "the left side of and": ("int a; if ((a = any()) && a > 1) return a; return 0;", {"a"}),
    "an arm of a choice": ("int a; any() ? (a = 1) : 0; return a;", set()),
    "an operand of sizeof": ("int a; g[0] = sizeof(a = 1); return a;", set()),
    "an argument": ("int a; take((a = 1, g)); return a;", {"a"}),
    "its address": ("int a; take(&a); a = 1; return a;", set()),
    "a part of it": ("struct s a; a.a = 1; return a.b;", set()),
    "steps": ("int a; a++; a = 1; return a;", set()),
    "all labels of a switch": ("int a; switch (any()) { case 1: a = 1; break; default: a = 2; } return 0;", {"a"}),
    "labels of a switch that it is read behind": ("int a; switch (any()) { case 1: a = 1; } return a;", set()),
    "a label behind the assignment": ("switch (any()) { int a; case 1: a = 1; case 2: return a; } return 0;", set()),
    "a label in a loop": (
        "int a; switch (any()) { case 1: for (a = 0; a < 3; a++) { case 2: x++; } } return 0;",
        set(),
    ),
    "a switch in a loop": ("int a; for (a = 0; a < 3; a++) switch (any()) { case 2: x++; } return 0;", {"a"}),
    "a jump over the assignment": ("int a; if (any()) goto out; a = 1; out: return a;", set()),
    "a jump behind the assignment": ("int a; a = 1; if (any()) goto out; x = 1; out: return a;", {"a"}),
    "jumps, one of them over it": ("int a; if (x) goto out; a = 1; if (y) goto out; a = 2; out: return a;", set()),
    "a jump back": ("int a; goto in; again: return a; in: if (any()) goto again; return 0;", set()),
    "a jump back to an assignment": ("int a; again: a = any(); if (a) goto again; return a;", {"a"}),
    "a jump in an expression": ("int a; x = ({ if (any()) goto out; 1; }); a = 1; out: return a;", set()),
    "a jump to what was computed": ("int a; void *p = &&out; goto *p; a = 1; out: return a;", {"p"}),
    "an assignment in an expression": ("int a; x = ({ int b = any(); a = b; b; }); return a;", {"a", "b"}),
    "the next round of a loop": ("while (any()) { int a; if (y) a = 1; if (z) x = a; } return 0;", set()),
    "each round of a loop": ("while (any()) { int a; a = y; x = a; } return 0;", {"a"}),
    "behind continue": ("int a; for (;;) { if (any()) continue; a = 1; if (y) break; } return a;", set()),
    "a static local": ("static int a; a = 1; return a;", set()),
    "behind a return": ("return 0; int a; x = a;", set()),
}


def settled_in(text: str, path: Path) -> set[str]:
    source, options = path / "a.c", FrontendOptions()
    source.write_text(f"{START}int f(int given) {{ {text} }}\n")
    found = formed(parse(preprocess(str(source), options).text, str(source), options), options)["f"]
    assert isinstance(found, Body)
    return {local.name for local in found.settled}


@pytest.mark.parametrize("name", BODIES)
def test_what_is_settled(tmp_path: Path, name: str) -> None:
    text, expected = BODIES[name]
    assert settled_in(text, tmp_path) == expected


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc not found")
def test_gcc_warns_of_nothing_that_is_settled(tmp_path: Path) -> None:
    functions = [f"int f{at}(int given) {{ {text} }}" for at, (text, _) in enumerate(BODIES.values())]
    source = tmp_path / "a.c"
    source.write_text(START + "\n".join(functions))
    command = ("gcc", "-c", "-O2", "-Wuninitialized", "-Wmaybe-uninitialized", "-o", "/dev/null", str(source))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first = START.count("\n") + 1
    warned = {
        (int(line.split(":")[1]) - first, line.split("'")[1] if "'" in line else line.split("‘")[1].split("’")[0])
        for line in done.stderr.splitlines()
        if "uninitialized" in line and "warning" in line
    }
    assert len(warned) > 5
    assert not {(at, name) for at, (_, names) in enumerate(BODIES.values()) for name in names} & warned


SHARED = """#include <assert.h>
int any(void);
static int used;
static int read_once(void) { int a; @BODY@ return a; }
int main(void)
{
    used = read_once();
    assert(used == 0);
    used = read_once();
    return 0;
}
"""


def _is_proved(body: str, path: Path) -> bool:
    source = path / "a.c"
    source.write_text(SHARED.replace("@BODY@", body))
    budgets = Budgets(inlined_commands=-1, small_commands=-1)
    found = read((str(source),), FrontendOptions(budgets=budgets), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    return all(analysis.status_of(check).is_safe for check in analysis.fixpoints[0].verdicts)


def test_what_may_not_be_assigned_holds_anything_in_bodies_that_calls_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _is_proved("if (any()) a = 0; else return 0;", tmp_path)
    assert not _is_proved("if (any()) a = 0;", tmp_path)
    monkeypatch.setattr(settled._Assignment, "_perhaps", lambda *_: None)
    monkeypatch.setattr(settled, "_both", lambda one, other: (one or frozenset()) | (other or frozenset()))
    assert _is_proved("if (any()) a = 0;", tmp_path)
