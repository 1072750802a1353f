"""C programs that are analysed, and compiled and run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.coarsen.race_evidence import race_assertions
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.syntax import TRUE, Assert
from duet.reading import read
from duet.result import Status


def statuses(source: Path, text: str, options: FrontendOptions | None = None) -> tuple[Status, ...]:
    """The statuses of the checks of a program."""
    options = options or FrontendOptions()
    source.write_text(text, encoding="utf-8")
    program = lower(parse(preprocess(str(source), options).text, str(source), options), options).program
    found = tuple(analyse(program, AnalysisOptions()).statuses)
    assert found
    return found


def are_proved(source: Path, text: str, properties: tuple[str, ...], domain: str) -> bool:
    """Whether all checks of some properties of a program, of which there are some, hold in a domain."""
    source.write_text(text, encoding="utf-8")
    found = read((str(source),), FrontendOptions(properties=properties), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain=domain))
    decided = [assertion.status for assertion in assertions(analysis, found.checks)]
    assert decided
    return all(status.is_safe for status in decided)


def open_races(source: Path, text: str, budgets: Budgets | None = None) -> list[str]:
    """What the data races of a program that are open are on."""
    source.write_text(text, encoding="utf-8")
    options = FrontendOptions(properties=("data-race",), budgets=budgets or Budgets())
    analysis = analyse(read((str(source),), options, Clock()).program, AnalysisOptions(domain="interval"))
    return [one.check.expression for one in race_assertions(analysis, str(source)) if not one.status.is_safe]


def decided(folder: Path, text: str, options: FrontendOptions) -> dict[int, bool]:
    """The lines of a program with checks, each with whether others have decided all of these before any analysis."""
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    found: dict[int, bool] = {}
    for command in program.commands:
        if isinstance(command.instruction, Assert):
            line = command.instruction.check.line
            found[line] = found.get(line, True) and command.instruction.condition == TRUE
    assert found
    return found


def fails(source: Path, other: str) -> bool:
    """Whether the program aborts when it is run together with another file."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    executable, rest = source.with_suffix(""), source.with_name("b.c")
    rest.write_text(other, encoding="utf-8")
    command = [compiler, "-O0", "-w", "-pthread", str(source), str(rest), "-o", str(executable)]
    subprocess.run(command, check=True, capture_output=True)
    return subprocess.run([str(executable)], check=False, capture_output=True, timeout=10).returncode < 0
