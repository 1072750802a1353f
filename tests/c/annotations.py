"""Expected verdicts written as comments in C programs.

A comment at the end of a line speaks of every check on that line:

    // SAFE                      must be proved
    // SAFE (needs FEATURE)      must be proved where FEATURE is at hand ("octagon", "refinement")
    // UNKNOWN (reason)          true, but must not be proved yet (an improvement is noticed)
    // UNSAFE!                   fails in some execution: must never be proved
    // UNSAFE! (undefined: WHY)  fails only in executions that C or POSIX leave undefined, as they go on this machine:
                                 must never be proved, and no schedule that refutes it is exact
    // UNREACHABLE               never executed, and recognised as such

A data race is a verdict on the lines of both accesses, so that each of them may be annotated; that a cell has no race
is a verdict on the line of its declaration. A deadlock is a verdict on each line that waits in a circle.

The first line may be `// ARGS: ...`: options for `duet analyze`.

Some topics are about one kind of reasoning each. What is true there is marked as such by an argument, whether or not it
is proved: `drivers-bench/bench.py verdicts` says how much of it is.

    balances         sums of three and more cells
    weights          linear relations with coefficients
    under_locks      a thread's own cells with globals that a lock protects
    home_made_locks  atomic sections, and locks made of atomic operations
    per_thread       data of each thread by key
    thread_results   what threads give back, who has ended, and who one is
    before_sharing   objects that are handed to others later
    own_contexts     what each thread keeps of its own behind keys and thread-local pointers, and what destroys it
    numbered         threads that are given numbers below a global
    overlapping      members and bytes that overlap
    told_apart       cases by flags and branches, loops with a known number of rounds
    everyday         programs as they are written, of no kind of reasoning: looked at only once they were annotated
    written_later    as those, written when those had been looked at
    written_last     and again
    written_after    and once more
    written_next     and another time
    written_then     and then, when some of what all threads add up to had been looked at
    written_anew     and later, when threads were counted in cases
    written_since    and later again, of kinds that none of these has
    handed_on        what follows a wait, and what is known of what one holds, as programs do it
    references       counts of references: who gives back the last one, or comes last, is alone
    tokens           what a holder knows: of locks, semaphores, barriers, counters that are only raised
    idioms           small programs of one way to share memory each, annotated before duet had seen them
    several_hands    programs as several people write them, of relations, elements, rings and others, by the first part
                     of their names, annotated before duet had seen them
    further_hands    as those, of eleven kinds of reasoning
    guest_hands      as those, textbook algorithms, drivers and pools, as guests bring them
    visiting_hands   as those, middle-sized programs with several checks of one state each: accounts, rings, caches,
                     pools, tables of slots, queues
    claims           slots that threads claim, by exchanges, numbers, bits or owners, and objects that whoever comes
                     first makes
    resident_hands   and again: lists against counts, sequence locks, rounds between barriers, sums of elements, slots
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent
_COMMENT = re.compile(r"//\s*(?P<verdict>SAFE|UNKNOWN|UNSAFE|UNREACHABLE)\b(?P<rest>.*)$")
_REASON = re.compile(r"\s*(?P<bang>!?)\s*(\((?P<reason>.+)\))?\s*$")


class Expected(StrEnum):
    """What must be said about a check."""

    SAFE = "SAFE"
    UNKNOWN = "UNKNOWN"
    UNSAFE = "UNSAFE!"
    UNREACHABLE = "UNREACHABLE"


@dataclass(frozen=True, slots=True)
class Annotation:
    """The expected verdict of the checks on one line; `needs` is the feature it takes, if any."""

    line: int
    expected: Expected
    needs: str = ""
    reason: str = ""

    @property
    def is_undefined(self) -> bool:
        """Whether nothing that C defines fails here, although it is never to be proved."""
        return self.expected is Expected.UNSAFE and self.reason.startswith("undefined: ")


@dataclass(frozen=True, slots=True)
class AnnotatedProgram:
    """A C program with the verdicts expected of it."""

    path: Path
    arguments: tuple[str, ...]
    annotations: tuple[Annotation, ...]

    def lines(self, expected: Expected) -> tuple[int, ...]:
        return tuple(a.line for a in self.annotations if a.expected is expected)

    def option(self, name: str) -> str | None:
        """The value of `--name VALUE` or `--name=VALUE` among the arguments, "" for an option alone."""
        for index, argument in enumerate(self.arguments):
            if argument.startswith(f"--{name}="):
                return argument.partition("=")[2]
            if argument == f"--{name}":
                following = self.arguments[index + 1 : index + 2]
                return following[0] if following and not following[0].startswith("--") else ""
        return None


def parse(text: str, path: Path) -> AnnotatedProgram:
    """The program's arguments and annotations. *Raises*: ValueError for a malformed comment, with its line."""
    lines = text.splitlines()
    arguments: tuple[str, ...] = ()
    if lines and lines[0].startswith("// ARGS:"):
        arguments = tuple(shlex.split(lines[0].removeprefix("// ARGS:")))
    annotations = (_annotation(number, line, path) for number, line in enumerate(lines, 1))
    return AnnotatedProgram(path, arguments, tuple(a for a in annotations if a is not None))


def _annotation(number: int, line: str, path: Path) -> Annotation | None:
    comment = _COMMENT.search(line)
    if comment is None:
        return None
    rest = _REASON.fullmatch(comment["rest"])
    if rest is None:
        raise ValueError(f"{path}:{number}: cannot read '{comment[0]}'")
    reason = rest["reason"] or ""
    expected = Expected.UNSAFE if comment["verdict"] == "UNSAFE" else Expected(comment["verdict"])
    if (expected is Expected.UNSAFE) != bool(rest["bang"]):
        raise ValueError(f"{path}:{number}: UNSAFE is written with '!', the other verdicts without")
    if expected is Expected.UNKNOWN and not reason:
        raise ValueError(f"{path}:{number}: UNKNOWN needs a reason")
    needs = reason.removeprefix("needs ") if expected is Expected.SAFE and reason.startswith("needs ") else ""
    return Annotation(number, expected, needs, reason)


def load(path: Path) -> AnnotatedProgram:
    """The annotated program in a file."""
    return parse(path.read_text(encoding="utf-8"), path)


@cache
def bundled() -> tuple[AnnotatedProgram, ...]:
    """Every program below this folder, in a fixed order."""
    paths = sorted(p for p in ROOT.glob("*/*.c") if p.parent.name != "runtime")
    return tuple(load(path) for path in paths)


def safe_part(program: AnnotatedProgram) -> str | None:
    """The text of a program without its assertions that fail, or that are not proved; None if that leaves none."""
    lines = program.path.read_text(encoding="utf-8").splitlines()
    for line in (*program.lines(Expected.UNSAFE), *program.lines(Expected.UNKNOWN)):
        if not lines[line - 1].strip().startswith("assert("):
            return None
        lines[line - 1] = ";"
    return "\n".join(lines) + "\n" if program.lines(Expected.SAFE) else None


def name(program: AnnotatedProgram) -> str:
    """`topic/program`, as tests are named."""
    return str(program.path.relative_to(ROOT).with_suffix(""))
