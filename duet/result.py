"""The frozen result model: what analyses return and what reports render.

`duet.report` sees nothing else, so a new technique gets every report for free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum, StrEnum

from duet.records import dataclass
from duet.source import SourceFile


class Status(StrEnum):
    """The verdict on one check (contract: JSON `status` of an assertion)."""

    PROVED = "proved"
    UNPROVED = "unproved"
    REFUTED = "refuted"
    UNREACHABLE = "unreachable"
    UNKNOWN = "unknown"

    @property
    def is_safe(self) -> bool:
        return self in (Status.PROVED, Status.UNREACHABLE)


class RunStatus(StrEnum):
    """How a run ended (contract: JSON `status` of the run)."""

    COMPLETE = "complete"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    ERROR = "error"


GIVEN_BACK = "can be given back"
"""How the text of a check ends that is about giving back memory, not about using it."""


@dataclass(frozen=True, slots=True, order=True)
class Check:
    """The identity of one source-level check; its copies in several contexts share it.

    `expression` is the source text that must hold; `property_name` is one of `options.PROPERTIES`
    or a finer kind of it (`division-by-zero`, ...).
    """

    file: str
    line: int
    column: int
    function: str
    property_name: str
    expression: str

    @property
    def is_release(self) -> bool:
        """Whether it is about giving back memory that is used no more."""
        return self.property_name == "use-after-free" and self.expression.endswith(f" {GIVEN_BACK}")

    @property
    def id(self) -> str:
        return f"{self.file}:{self.line}:{self.column}:{self.property_name}"


@dataclass(frozen=True, slots=True, order=True)
class Warning:
    """Something over-approximated or assumed at a place; `code` is stable, e.g. `unknown-function`.

    `severity` is "warning", or "error" for code that was not understood at all and is taken to do anything.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    severity: str = "warning"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation or an explanation: `thread` takes the command at `file:line` printed as `text`."""

    thread: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class FlowNote:
    """A definition that flows into an unproved check.

    `kind` is `init`, `intra` (own thread) or `inter` (another thread); `value` is what the definition
    gives the cell; `derivation` justifies an `inter` flow and is empty otherwise.
    """

    file: str
    line: int
    thread: str
    kind: str
    cell: str
    value: str
    text: str
    derivation: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """Where a thread is in a function that it executes: at an access, or at a call."""

    function: str
    file: str
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class AccessNote:
    """One side of a race or of a deadlock: what a thread is about to do, with its stack from the thread's function on.

    `kind` is `read`, `write`, `lock` or `join`; `known` is what is known of locks and flags there, `held` are the
    locks that the thread holds.
    """

    kind: str
    cell: str
    thread: str
    stack: tuple[Position, ...]
    is_atomic: bool = False
    known: str = ""
    held: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """One line of a schedule: `thread` (`main`, `client#1`, ...) takes the command at `file:line` printed as `text`.

    `values` are the cells that it writes, with what they hold then, under the user's names. `effect` is what other
    threads see of it: `read`, `write`, `update` (both as one), `start`, `join`, or nothing; `given` is the input that
    the program takes there, if it takes one.
    """

    thread: str
    function: str
    file: str
    line: int
    text: str
    values: tuple[tuple[str, str], ...] = ()
    effect: str = ""
    given: int | None = None


class CauseKind(StrEnum):
    """What an open check goes back to: a fact of the program, something outside of it, or what the analysis lost."""

    VALUE = "the program itself gives a value for which it fails"
    WRITE = "another thread may write it"
    INPUT = "a value from outside of the program"
    LOST = "the analysis does not know more closely"


class Chance(IntEnum):
    """How often checks with a cause of some kind did fail where lists of real programs were read, the most often first.

    *Source*: docs/real-programs.md.
    """

    MOSTLY = 1
    OFTEN = 2
    EVEN = 3
    SOMETIMES = 4
    RARELY = 5


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """Why a check is open; checks with equal causes hang on one thing. `line` is 0 where there is no place."""

    kind: CauseKind
    text: str
    file: str = ""
    line: int = 0
    chance: Chance = Chance.SOMETIMES


@dataclass(frozen=True, slots=True)
class Assertion:
    """The verdict on one check with its evidence.

    `contexts` counts the copies of the check (inlined calls, templates); `invariant` is what is known at
    the first copy that is not proved, else at the first copy; `reason` says in words why it is unproved.
    `accesses` are the two of a possible race, or those of a possible deadlock in a circle; `also` are those on further
    lines that race on the same memory.
    Of an open check `must` is what has to hold in the user's words, `missing` the part that does not follow and `cause`
    why it does not; `is_certain` if no value that is known to be possible there satisfies it.
    `schedule` is an execution in which the check fails, the failing step last; `confirmed` says why it is one of the
    C program: `exact` (no step stands for more than C does), `run` (the program failed when it ran), or empty where it
    is one of the model only. `because` are the steps that make it fail, with what they gave, the failing one first.
    `prevented_by` are changes to the program, each of which keeps it from failing so.
    """

    check: Check
    status: Status
    proved_by: str = ""
    invariant: str = ""
    contexts: int = 1
    threads: tuple[str, ...] = ()
    flows: tuple[FlowNote, ...] = ()
    reason: str = ""
    accesses: tuple[AccessNote, ...] = ()
    also: tuple[AccessNote, ...] = ()
    schedule: tuple[Move, ...] = ()
    confirmed: str = ""
    because: tuple[Step, ...] = ()
    prevented_by: tuple[str, ...] = ()
    must: str = ""
    missing: str = ""
    cause: Cause | None = None
    is_certain: bool = False


@dataclass(frozen=True, slots=True)
class Understood:
    """How much of the user's code was understood: counts of function definitions, and of the lines they take up.

    Lines are those with some C on them; headers of the system do not count.
    """

    functions: int = 0
    functions_understood: int = 0
    lines: int = 0
    lines_understood: int = 0

    @property
    def is_whole(self) -> bool:
        return self.functions == self.functions_understood

    @property
    def percent(self) -> int:
        """The share of the lines, rounded down so that 100 means all of them."""
        return 100 * self.lines_understood // self.lines if self.lines else 100


@dataclass(frozen=True, slots=True, order=True)
class Fixed:
    """A check that was open in an earlier run, at the place that it had then."""

    file: str
    line: int
    function: str
    property_name: str
    expression: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against an earlier one, the JSON report at `path`: open checks that are new or the same, and fixed ones."""

    path: str
    new: frozenset[Check]
    same: frozenset[Check]
    fixed: tuple[Fixed, ...]


CONFLICTS = frozenset({"data-race", "deadlock"})
"""The properties that are about what threads do to each other: no command of the program checks them."""
TOTAL = "total"
HALF = "first half"
"""Not stages: until the end, and until half of the checks that are proved in the end were."""


@dataclass(frozen=True, slots=True)
class Run:
    """One analysis run: everything that any report shows.

    `timing` in seconds by stage, with `TOTAL` and `HALF`; `stats` are counts, and `peak_rss_mib` in MiB.
    """

    files: tuple[str, ...]
    domain: str
    engine: str
    numeric: str
    mode: str  # "main", "entries" or "parameterized"
    entries: tuple[str, ...]
    status: RunStatus
    assertions: tuple[Assertion, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[Warning, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    stats: Mapping[str, int] = field(default_factory=dict)
    timing: Mapping[str, float] = field(default_factory=dict)
    message: str = ""
    understood: Understood | None = None
    model: str = ""  # the world around the code: "linux" for a kernel module
    data_model: str = "LP64"  # the sizes of integers and pointers
    headers: str = ""  # which headers served it, in words
    properties: tuple[str, ...] = ()  # what was checked
    has_default_properties: bool = False  # nobody asked for these
    comparison: Comparison | None = None  # with an earlier run

    def count(self, status: Status) -> int:
        return sum(1 for assertion in self.assertions if assertion.status is status)

    @property
    def exit_code(self) -> int:
        """Exit code of the contract: 0 safe, or no more open checks than before; 1 not, 3 limit, 4 internal error."""
        if self.status in (RunStatus.TIMEOUT, RunStatus.OUT_OF_MEMORY):
            return 3
        if self.status is RunStatus.ERROR:
            return 4
        if self.comparison is not None:
            return 1 if self.comparison.new else 0
        return 0 if all(a.status.is_safe for a in self.assertions) else 1
