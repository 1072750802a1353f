"""Checks of a program that starts several equal threads, proved for any number of them.

*Source*: thesis ch. 3 and 5 for the folded program (`plip.folded`). It can do whatever the program can do, so a check
that never fails there never fails; nothing is ever refuted there, since it may start more threads than the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from duet import lazy
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.coarsen.needed import NO_POINTERS, Pointers
from duet.coarsen.results import Analysis
from duet.options import AnalysisOptions
from duet.plip.folded import Folded, folded
from duet.plip.syntax import Assert, Program
from duet.result import Assertion, Check, Status

if TYPE_CHECKING:
    from duet.verify import decide
    from duet.verify.search import Proof
else:
    decide = lazy.module("duet.verify.decide")

REASON = "for any number of equal threads"
"""What is said of a check that is proved so."""


@dataclass(frozen=True)
class AnyNumber:
    """The folded program with its analysis.

    `from_graphs` are the verdicts of data flow graphs, and `verdicts` those on the checks that are proved or never
    reached, some of them by cubes.
    """

    folded: Folded
    analysis: Analysis
    from_graphs: tuple[Assertion, ...]
    verdicts: tuple[Assertion, ...]

    @property
    def threads(self) -> str:
        """The threads that stand for several, by their functions."""
        counts = Counter(self.folded.templates.values())
        return ", ".join(self.folded.program.templates[name].label for name, count in counts.items() if count > 1)

    @property
    def left(self) -> tuple[Assertion, ...]:
        """The verdicts on the checks that are open."""
        decided = {one.check for one in self.verdicts}
        return tuple(one for one in self.from_graphs if one.check not in decided)


Prover: TypeAlias = "Callable[[decide.Subject, Sequence[Check]], Mapping[Check, Proof]]"
"""What looks for proofs with cubes of some checks."""


def any_number(
    program: Program,
    options: AnalysisOptions,
    pointers: Pointers = NO_POINTERS,
    prover: Prover | None = None,
    is_shown: bool = False,
) -> AnyNumber | None:
    """What holds for any number of equal threads; None where a program has none.

    `prover` is asked for what data flow graphs leave open. With `is_shown`, what a certificate cannot show counts as
    left to prove.
    """
    whole = folded(program)
    if whole is None:
        return None
    analysis = analyse(whole.program, options, is_shown=is_shown)
    copies = Counter(c.instruction.check for c in program.commands if isinstance(c.instruction, Assert))
    told = tuple(replace(one, contexts=copies[one.check]) for one in assertions(analysis, (), pointers))
    left = [one.check for one in told if one.status is Status.UNPROVED]
    found = prover(decide.Subject(whole.program, whole.program, analysis), left) if left and prover is not None else {}
    verdicts = (decide.with_proof(one, found) for one in told)
    return AnyNumber(whole, analysis, told, tuple(_for_any(one) for one in verdicts if one.status.is_safe))


def _for_any(verdict: Assertion) -> Assertion:
    return replace(verdict, reason=f"{verdict.reason}, {REASON}" if verdict.reason else REASON)
