"""Verdicts written behind the checks of `tests/plip/examples/*.plip`.

`// SAFE`: no execution fails the check, and coarsening proves it. `// SAFE (needs refinement)`: refinement does.
`// SAFE, UNKNOWN (reason)`: no execution fails it, but neither proves it. `// UNSAFE!`: some execution fails it.
`// THREADS: 4` in a line of its own is how many threads the semantics needs to show that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.execute import Samples
from duet.plip.parser import read_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Assert, Program
from duet.result import Check, Status

EXAMPLES = Path(__file__).parent / "examples"
_VERDICT = re.compile(r"//\s*(SAFE, UNKNOWN|SAFE \(needs refinement|SAFE|UNSAFE!)")
_REFINED = "SAFE (needs refinement"
_THREADS = re.compile(r"// THREADS: (\d+)")


@dataclass(frozen=True, slots=True)
class Example:
    """A program with the expected verdict of each of its checks."""

    program: Program
    verdicts: dict[Check, str]
    threads: int


def example(name: str) -> Example:
    """The example in a file. *Raises*: ValueError if a check has no verdict."""
    path = EXAMPLES / f"{name}.plip"
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    program = read_program(path)
    checks = {c.instruction.check: None for c in program.commands if isinstance(c.instruction, Assert)}
    verdicts: dict[Check, str] = {}
    for check in checks:
        match = _VERDICT.search(lines[check.line - 1])
        if match is None:
            raise ValueError(f"{check.id} has no verdict")
        verdicts[check] = match.group(1)
    threads = _THREADS.search(text)
    return Example(program, verdicts, int(threads.group(1)) if threads else 3)


def assert_true_of_semantics(found: Example) -> None:
    """The verdicts agree with all executions of a few threads and small values."""
    limits = Limits(found.threads, states=100_000, value=16)
    exploration = explore(found.program, limits, Samples(havoc=(0, 1, 2), initial=(0, 1, 2, 12)))
    assert exploration.states < limits.states
    for check, verdict in found.verdicts.items():
        assert (check in exploration.failures) == (verdict == "UNSAFE!"), check
        assert check in exploration.reached or check.expression == "false", check


def assert_true_of_analysis(found: Example, domain: str = "auto", *, refine: bool = True) -> None:
    """The analysis proves what is to be proved by it, and nothing else."""
    analysis = analyse(found.program, AnalysisOptions(domain=domain, engine="bitset", refine=refine))
    for check, verdict in found.verdicts.items():
        status = analysis.status_of(check)
        is_provable = verdict == "SAFE" or (refine and verdict == _REFINED)
        assert status.is_safe if is_provable else status is Status.UNPROVED, (check, status)


def needs_refinement(found: Example) -> bool:
    """Whether a check of the example does."""
    return _REFINED in found.verdicts.values()
