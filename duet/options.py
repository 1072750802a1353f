"""The frozen options of one analysis run, as given on the command line."""

from __future__ import annotations

from dataclasses import dataclass, replace

DATA_MODELS = ("LP64", "ILP32")
"""The sizes of the integer types and of pointers: those of Linux on x86-64, or on x86 with 32 bits."""
DOMAINS = ("interval", "octagon", "polyhedra", "auto")
ENGINES = ("auto", "souffle", "clingo", "bitset")
NUMERICS = ("auto", "apron", "own")
UNKNOWN_FUNCTIONS = ("arguments", "externals")
FORMATS = ("text", "json", "sarif", "html", "github")
SARIF_PROFILES = ("full", "ci")
PROPERTIES = (
    "assertion",
    "unreach-call",
    "array-bounds",
    "overflow",
    "division-by-zero",
    "null-dereference",
    "use-after-free",
    "data-race",
    "deadlock",
)
DEFAULT_PROPERTIES = ("assertion", "unreach-call")
ATTEMPTS, SECONDS = 2_000, 20
"""How often a program is run to see a check fail, at most, and for how long."""
UNDEFINED = ("array-bounds", "overflow", "division-by-zero", "null-dereference", "use-after-free")
"""What a program may do that has no meaning in C: an execution that passes these checks does none of it."""
INVARIANT = "invariant"
"""The property of checks that a witness brings along, see `FrontendOptions.invariants`."""
LINUX_PROPERTIES = (*DEFAULT_PROPERTIES, "array-bounds", "overflow")
THREAD_PROPERTIES = (*DEFAULT_PROPERTIES, "data-race", "deadlock", "null-dereference", "array-bounds")
"""What is checked in a program with threads or handlers that asserts nothing, if nobody says what."""
ASSUMPTIONS = {
    "malloc-succeeds": "allocations find memory (--assume malloc-succeeds)",
    "callback-arguments": "the kernel gives the functions that it calls no null pointers to structures"
    " (--assume callback-arguments)",
    "kernel-pointers": "a pointer that the kernel may have given, and what container_of makes of it, leads to a whole"
    " object of its type or is null; the kernel knows no structures that the driver defines"
    " (kernel-pointers; --assume none leaves it out)",
    "function-types": "a pointer to a function of which nothing is known calls one of its type"
    " (function-types; --assume none leaves it out)",
    "program-name": "main is given at least one argument, its name, as Linux does from 5.18 on (--assume program-name)",
    "signal-flags": "threads access a volatile sig_atomic_t as if it was atomic (--assume signal-flags)",
    "threads-start": "threads that are created start (--assume threads-start)",
    "unknown-frees-nothing": "functions that are unknown give back no memory of the heap that the program still uses"
    " (--assume unknown-frees-nothing)",
    "unknown-takes-no-locks": "functions that are unknown take no locks of the program, and wait for nothing in it"
    " (--assume unknown-takes-no-locks)",
    "unknown-pure": "functions that are unknown change nothing and call nothing (--assume unknown-pure)",
}
"""What users may have taken for true, with the words of reports."""
LINUX_ASSUMPTIONS = ("kernel-pointers", "function-types")
"""What is taken for true of a kernel driver, if nobody says otherwise."""
NO_ASSUMPTIONS = "none"
"""The name that leaves these out."""
DEFAULT_STANDARD = "gnu17"
_CELLS, _INDEXED, _FEW = 1_024, 16, 3
_ROOM = 20_000  # commands, if each of a program were copied for each element of an array
"""The standard of a file that names none: that of GCC 12."""


def assumptions(model: str | None, named: tuple[str, ...]) -> tuple[str, ...]:
    """The names of what is taken for true: what is `named`, and what is usual for the model unless that is left out."""
    usual = LINUX_ASSUMPTIONS if model == "linux" and NO_ASSUMPTIONS not in named else ()
    return tuple(dict.fromkeys((*usual, *(name for name in named if name != NO_ASSUMPTIONS))))


@dataclass(frozen=True, slots=True)
class UnitFlags:
    """The flags of one file, beside those of all: `macros` are `-DX=1` and `-UX` in order.

    `searched` are the directories of `-iquote`, `-isystem` and `-idirafter`, each with its option.

    `assumed` says what is taken for true although other options may say otherwise.
    """

    path: str
    include_dirs: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    std: str = ""
    data_model: str = ""  # among DATA_MODELS; empty where nothing is said of it
    assumed: tuple[str, ...] = ()
    searched: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much the front end tells apart; what goes beyond is over-approximated, so every choice of numbers is sound.

    A number is the most that there may be, and what is beyond it is named; -1 leaves none, not even the first one.
    *Units*: commands are those of PLIP before they are compacted, nodes those of the tree of C.
    """

    inlined_commands: int = 30_000  # of a template when a call is lowered: its callees get one copy each
    program_commands: int = 8_000  # of all templates: the program is large, and the numbers for that count
    inlined_commands_if_large: int = 3_000  # instead of `inlined_commands`; no loop is copied, either
    huge_commands: int = 24_000  # of all templates, in any round: the next number counts, as a copy costs more then
    inlined_commands_if_huge: int = 300  # instead of `inlined_commands_if_large`
    callback_inlined_commands: int = 1_000  # the same in a driver, where each callback is a template
    small_commands: int = 40  # of a function that gets a copy for each call all the same
    callback_small_commands: int = 100  # the same in a driver
    targets_if_large: int = 6  # objects that an access may mean: their values are not tracked at all
    callback_commands: int = 20_000  # of all templates: what the kernel calls at any time is one template
    handlers_if_large: int = 8  # functions that run at any time in a large program of users: they are one template
    templates: int = 64  # of a thread function, one for each place that starts it: the others share one
    template_commands: int = 60_000  # of all templates: all places that start a function as a thread share one
    allocations: int = 64  # objects of one allocating place in a template, one for each way there: the others share one
    first_allocations: int = 0  # objects of such a place that are told apart from the others, if there are several
    loop_trips: int = 16  # of a loop with an index: it stays a loop
    thread_trips: int = 8  # of a loop that starts or joins threads: the same
    statement_copies: int = 64  # of one statement in copied loops: the inner one stays a loop
    loop_nodes: int = 3_000  # in all copies of a body with what it calls: it stays a loop
    thread_loop_nodes: int = 1_200  # the same of a loop that starts or joins threads
    array_cells: int = 16  # elements of an array with a cell each: all share one, and texts are copied as unknown ones
    indexed_elements: int = 8  # elements that an access by an unknown index tells apart: it may mean any of them
    few_elements: int = 0  # of a longer array that it tells apart, the first ones, and as many that constants name
    counted_arrays: int = 6  # of which it is known how many elements are set: who finds one that is not is not told
    singled_arrays: int = 4  # of which one element, any one, is told apart from the others: none is
    table_strings: int = 256  # of an initialiser, each an object; more are one
    table_entries: int = 4_096  # of a constant table: it is an array like any other
    compared_objects: int = 64  # pairs that a comparison of addresses tells apart: the outcome is unknown
    barrier_members: int = 8  # threads at a barrier of which each has a cell: they are only counted

    def roomy(self, commands: int) -> Budgets:
        """What tells more parts of arrays apart, the more the fewer commands a program has.

        For schedules, in the way of which is one cell for several places.
        """
        cells = max(self.array_cells, min(_CELLS, _ROOM // max(1, commands)))
        indexed = max(self.indexed_elements, min(_INDEXED, cells))
        few = max(self.few_elements, min(_FEW, _ROOM // max(1, commands)))
        first = max(self.first_allocations, few)
        return replace(
            self,
            array_cells=cells,
            indexed_elements=indexed,
            few_elements=few,
            first_allocations=first,
            counted_arrays=0,
            singled_arrays=0,
        )


@dataclass(frozen=True, slots=True)
class Invariant:
    """A C expression that is to hold wherever a thread is at a place of a file, as if evaluated in one step.

    The place is the first character of a statement or declaration, before which it holds; or, where it `is_of_loop`, of
    a loop, before each evaluation of the condition. Column 0 is the leftmost place of the line.
    """

    file: str
    line: int
    column: int
    is_of_loop: bool
    expression: str


@dataclass(frozen=True, slots=True)
class Ghost:
    """A variable of a witness that the program does not have; its type and its initial value in C."""

    name: str
    type: str
    initial: str


@dataclass(frozen=True, slots=True)
class GhostUpdate:
    """A ghost gets a value in the step of the statement at a place, which is given as that of an `Invariant`."""

    file: str
    line: int
    column: int
    variable: str
    value: str


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """How C text becomes a PLIP program (contract: thread structure, preprocessing).

    `entries` is None when `--entries` was not given, `("all",)` for `--entries all`.
    `init` is None when `--init` was not given (a function called `init` is then used).
    `unknown_functions`: what functions that are not there use beside their arguments, nothing or also what has external
    linkage.
    """

    parameterized: bool = False
    entries: tuple[str, ...] | None = None
    init: str | None = None
    properties: tuple[str, ...] = DEFAULT_PROPERTIES
    model: str | None = None  # None or "linux"
    kernel: str | None = None  # directory of the kernel's own headers, with model "linux"; None for the bundled ones
    module: str = ""  # the files of the module, in words, where somebody tells which ones are of it
    is_whole_module: bool = False  # they are all of it: others only use what it exports
    harness: str | None = None  # path of a saved harness, with model "linux"
    descriptors: str = "shared"  # "shared" or "private", with model "linux"
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    engine: str = "auto"  # what solves the points-to rules
    unknown_functions: str = "arguments"  # or "externals"
    std: str = DEFAULT_STANDARD
    data_model: str = "LP64"  # among DATA_MODELS
    system_headers: bool = False  # those of the machine instead of the bundled ones
    units: tuple[UnitFlags, ...] = ()  # flags of single files
    budgets: Budgets = Budgets()
    assumed: tuple[str, ...] = ()  # names of ASSUMPTIONS
    has_default_properties: bool = False  # nobody asked for them: see `frontend.defaults`
    invariants: tuple[Invariant, ...] = ()  # checked besides, as checks of INVARIANT
    ghosts: tuple[Ghost, ...] = ()  # which invariants may mention
    ghost_updates: tuple[GhostUpdate, ...] = ()

    def assumes(self, name: str) -> bool:
        """Whether something is taken for true. *Requires*: it has a name among ASSUMPTIONS."""
        assert name in ASSUMPTIONS
        return name in self.assumed


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """How a PLIP program is analysed.

    `verify`: what stays open is looked into for a few seconds, by schedules that fail and proofs with cubes.
    Units: `timeout` seconds and `memory` MiB of the whole run, None for no limit.
    """

    domain: str = "auto"
    engine: str = "auto"
    numeric: str = "auto"
    pack_limit: int = 8
    refine: bool = True
    verify: bool = False
    timeout: float | None = None
    memory: int | None = None
