"""Random C programs with calls whose order C leaves open: what each compiler makes of them is possible."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.expressions import expr, operands
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions
from tests.soundness.c_orders import VARIABLES, statement

COUNT = int(os.environ.get("DUET_ORDERS", "15"))
FIRST = int(os.environ.get("DUET_C_SEED", "0"))
COMPILERS = tuple(name for name in ("gcc", "clang") if shutil.which(name))
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="there is no compiler to run the programs")
OPTIONS = AnalysisOptions(domain="interval", engine="bitset", numeric="own")


def _printed(parts: list[tuple[str, str]], folder: Path, compiler: str) -> list[tuple[int, ...]]:
    """The values of the variables behind the statement of each program."""
    format_, values = " ".join(["%d"] * len(VARIABLES)), ", ".join(VARIABLES)
    for number, (before, line) in enumerate(parts):
        (folder / f"part{number}.c").write_text(
            f'#include <stdio.h>\n{before}void run{number}(void) {{ {line} printf("{format_}\\n", {values}); }}\n'
        )
    calls = "".join(f"run{number}();" for number in range(len(parts)))
    declared = "".join(f"void run{number}(void);" for number in range(len(parts)))
    (folder / "main.c").write_text(f"{declared} int main(void) {{ {calls} return 0; }}\n")
    files = [str(folder / f"part{number}.c") for number in range(len(parts))]
    executable = str(folder / compiler)
    command = [compiler, "-O0", "-w", "-fwrapv", *files, str(folder / "main.c"), "-o", executable]
    subprocess.run(command, check=True)
    done = subprocess.run([executable], check=True, capture_output=True, text=True, timeout=20)
    return [tuple(map(int, row.split())) for row in done.stdout.splitlines()]


def _impossible(tmp_path: Path) -> Iterator[str]:
    """What compilers do that is taken to be impossible."""
    seeds = range(FIRST, FIRST + COUNT)
    parts = [statement(seed) for seed in seeds]
    ran = [_printed(parts, tmp_path, compiler) for compiler in COMPILERS]
    for seed, (before, line), *seen in zip(seeds, parts, *ran, strict=True):
        checks = [f"{name} != ({value})" for values in seen for name, value in zip(VARIABLES, values, strict=True)]
        asked = "".join(f"if (__VERIFIER_nondet_int()) assert({check});\n" for check in checks)
        text = f"{before}int main(void) {{ {line}\n{asked}return 0; }}\n"
        options = FrontendOptions()
        statuses = analyse(lower(parse(text, "orders.c", options), options).program, OPTIONS).statuses
        proved = [check for check, status in zip(checks, statuses, strict=True) if status.is_safe]
        if proved:
            yield f"seed {seed}: {proved} of\n{text}"


@needs_compiler
def test_what_compilers_do_is_possible(tmp_path: Path) -> None:
    assert not list(_impossible(tmp_path))


@needs_compiler
def test_one_order_only_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: operands that call something are evaluated from left to right."""
    monkeypatch.setattr(operands, "moving", lambda *_: [])
    monkeypatch.setattr(expr, "_are_both_moving", lambda *_: False)
    assert any(_impossible(tmp_path))
