"""C standards: what `--std` names, and what of the language and the macros depends on it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from duet.errors import UsageError
from duet.options import FrontendOptions, UnitFlags

_NAME = re.compile(r"(?P<kind>c|gnu)(?P<year>89|90|99|9x|11|1x|17|18|2x|23)$")
_VERSIONS = {"99": "199901L", "9x": "199901L", "11": "201112L", "1x": "201112L", "17": "201710L", "18": "201710L"}
_C23 = "202311L"


@dataclass(frozen=True, slots=True)
class Standard:
    """A standard: `version` is the value of `__STDC_VERSION__`, empty before C99."""

    name: str
    version: str
    is_gnu: bool

    @property
    def is_c23(self) -> bool:
        return self.version == _C23

    @property
    def has_trigraphs(self) -> bool:
        return not self.is_gnu and not self.is_c23

    @property
    def option(self) -> str:
        """How compilers are told; C23 by its older name, and as GNU C, since some have trigraphs in it otherwise."""
        return "-std=gnu2x" if self.is_c23 else f"-std={self.name}"


def standard(name: str) -> Standard:
    """The standard of a name like `gnu17`. *Raises*: UsageError for one that does not exist."""
    found = _NAME.match(name)
    if not found:
        raise UsageError(f"unknown --std '{name}'; use c89, c99, c11, c17, c23 or their gnu forms")
    year = found["year"]
    version = "" if year in ("89", "90") else _VERSIONS.get(year, _C23)
    return Standard(name, version, found["kind"] == "gnu")


def flags_of(path: str, options: FrontendOptions) -> UnitFlags:
    """The flags that a file has beside those of all."""
    return next((flags for flags in options.units if flags.path == path), UnitFlags(path))


def standard_of(path: str, options: FrontendOptions) -> Standard:
    """The standard that a file is written in."""
    return standard(flags_of(path, options).std or options.std)
