"""The frozen options of one analysis run, as given on the command line."""

from __future__ import annotations

from dataclasses import dataclass

DOMAINS = ("interval", "octagon", "auto")
ENGINES = ("auto", "souffle", "clingo", "bitset")
NUMERICS = ("auto", "apron", "own")
FORMATS = ("text", "json", "sarif", "html")
PROPERTIES = (
    "assertion",
    "unreach-call",
    "array-bounds",
    "overflow",
    "division-by-zero",
    "null-dereference",
    "data-race",
    "deadlock",
)
DEFAULT_PROPERTIES = ("assertion", "unreach-call")
LINUX_PROPERTIES = (*DEFAULT_PROPERTIES, "array-bounds", "overflow")


@dataclass(frozen=True, slots=True)
class UnitFlags:
    """The preprocessor flags of one file, beside those of all: `macros` are `-DX=1` and `-UX` in order."""

    path: str
    include_dirs: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    std: str = ""


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """How C text becomes a PLIP program (contract: thread structure, preprocessing).

    `entries` is None when `--entries` was not given, `("all",)` for `--entries all`.
    `init` is None when `--init` was not given (a function called `init` is then used).
    """

    parameterized: bool = False
    entries: tuple[str, ...] | None = None
    init: str | None = None
    properties: tuple[str, ...] = DEFAULT_PROPERTIES
    model: str | None = None  # None or "linux"
    harness: str | None = None  # path of a saved harness, with model "linux"
    descriptors: str = "shared"  # "shared" or "private", with model "linux"
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    engine: str = "auto"  # what solves the points-to rules
    std: str = "c11"
    system_headers: bool = False  # those of the machine instead of the bundled ones
    units: tuple[UnitFlags, ...] = ()  # flags of single files


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """How a PLIP program is analysed.

    Units: `timeout` seconds and `memory` MiB of the whole run, None for no limit.
    """

    domain: str = "auto"
    engine: str = "auto"
    numeric: str = "auto"
    pack_limit: int = 8
    refine: bool = True
    timeout: float | None = None
    memory: int | None = None
