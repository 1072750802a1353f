"""Whether a check fails when the C program runs under a schedule."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from duet.options import ATTEMPTS, SECONDS
from duet.replay import isolate
from duet.replay.build import CannotRun, build
from duet.replay.guide import KINDS, LABEL_KIND, Guide, guide, kind_of
from duet.replay.recipe import Recipe

_GRACE = 10.0
_PLAN, _OUTCOME, _SCRIPT = "plan", "outcome", "look.gdb"
_GDB = """# cd to this folder, then: gdb -x look.gdb program
set pagination off
set breakpoint pending on
handle SIGALRM nostop pass
break __duet_failed
run {plan} {outcome} {attempt}
# The check has failed; every thread is in front of what it would do next.
thread apply all backtrace
"""


@dataclass(frozen=True, slots=True)
class Step:
    """A visible operation of the run: who did it, and where."""

    thread: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of it: whether the check failed, in which attempt (the first follows the schedule), by which steps.

    `others` counts the attempts that ended with another failure, by property.
    """

    has_failed: bool
    attempts: int
    steps: tuple[Step, ...] = ()
    others: dict[str, int] = field(default_factory=dict)
    isolation: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether the run followed the schedule."""
        return self.has_failed and self.attempts == 1


def replay(recipe: Recipe, attempts: int = ATTEMPTS, seconds: int = SECONDS, keep: Path | None = None) -> Replayed:
    """Compiles and runs the program of a recipe. *Raises*: CannotRun with the reason where that cannot be done.

    Into the folder `keep` goes what it takes to look at the run that failed with gdb.
    """
    if not kind_of(recipe.check):
        raise CannotRun(f"a run does not tell whether a check of {recipe.check.property_name} fails")
    with tempfile.TemporaryDirectory(prefix="duet-replay-") as name:
        work, root = Path(name), Path(name) / "root"
        root.mkdir()
        built = build(recipe, work)
        plan = guide(recipe, built, attempts, seconds)
        program = built.executable.rename(root / "program")
        (root / _PLAN).write_text(plan.text, encoding="utf-8")
        ended = isolate.run(program, (_PLAN, _OUTCOME), seconds + _GRACE)
        outcome = root / _OUTCOME
        if not ended or not outcome.is_file() or outcome.is_symlink():
            raise CannotRun("the run did not end within its limits")
        found = _read(outcome.read_text(encoding="utf-8", errors="replace"), plan)
        if keep is not None and found.has_failed:
            _keep(root, keep, found.attempts - 1)
        return found


def _keep(root: Path, folder: Path, attempt: int) -> None:
    """Copies the program and its plan, with a script for gdb that stops where the check fails in one attempt."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("program", _PLAN):
        shutil.copy(root / name, folder / name)
    (folder / _SCRIPT).write_text(_GDB.format(plan=_PLAN, outcome=_OUTCOME, attempt=attempt), encoding="utf-8")


def _read(text: str, plan: Guide) -> Replayed:
    first, *rest = text.splitlines()
    verdict, attempts = first.split()
    names = {number: name for name, number in KINDS.items()} | {LABEL_KIND: "unreach-call"}
    others: dict[str, int] = {}
    steps: list[Step] = []
    for line in rest:
        word, *numbers = line.split()
        values = [int(number) for number in numbers]
        if word == "other":
            others[names[values[0]]] = others.get(names[values[0]], 0) + values[1]
        elif word == "step":
            steps.append(Step(_thread(plan, values[0]), plan.files[values[1] - 1], values[2]))
    return Replayed(verdict == "failed", int(attempts), tuple(steps), others, isolate.how())


def _thread(plan: Guide, number: int) -> str:
    return plan.threads[number] if number < len(plan.threads) else f"thread {number}"
