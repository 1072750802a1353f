"""The kernel's own headers: where they lie, and the flags that a module is preprocessed with.

*Source*: the kernel's Makefile for a module of x86 (`LINUXINCLUDE`, `USERINCLUDE`, `KBUILD_CPPFLAGS`), and how
distributions pack headers: a directory of generated files whose Makefile includes that of the common ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from duet.errors import UsageError

INSTALLED = ("usr/src/linux-headers-*", "lib/modules/*/build", "usr/src/kernels/*")
"""Where packages of headers are, below the root directory."""
BUNDLED = "bundled"
"""The name that stands for the bundled headers instead of a directory."""
_RELEASE = re.compile(r'UTS_RELEASE\s+"([^"]+)"')
_COMMON = re.compile(r"^include\s+(\S+)/Makefile\s*$", re.MULTILINE)
_NUMBER = re.compile(r"\d+")
_FORCED = ("linux/compiler-version.h", "linux/kconfig.h", "linux/compiler_types.h")


@dataclass(frozen=True, slots=True)
class KernelHeaders:
    """The headers of a configured kernel: its release, the directory of generated files, that of the others."""

    release: str
    configured: Path
    common: Path

    @property
    def version(self) -> tuple[int, ...]:
        """The release as numbers, as far as it compares: `(6, 1, 0, 50)`."""
        return tuple(map(int, _NUMBER.findall(self.release)[:4]))

    @property
    def has_unsigned_char(self) -> bool:
        """Whether `char` is unsigned: from 6.2 on the kernel is compiled like that."""
        return self.version >= (6, 2)

    @property
    def directories(self) -> tuple[Path, ...]:
        """The directories to search, in order."""
        architecture = Path("arch/x86/include")
        places = (architecture, Path("include"))
        plain = ((self.common / place, self.configured / _generated(place)) for place in places)
        user = ((self.common / place / "uapi", self.configured / _generated(place, "uapi")) for place in places)
        found = dict.fromkeys(directory for pair in (*plain, *user) for directory in pair)
        return tuple(directory for directory in found if directory.is_dir())

    @property
    def forced(self) -> tuple[Path, ...]:
        """The headers that are included before anything else."""
        return tuple(path for name in _FORCED if (path := self.common / "include" / name).is_file())


def _generated(place: Path, inside: str = "") -> Path:
    """Where generated headers are; those in `include` itself have `generated/` in their names."""
    return place if place == Path("include") and not inside else place / "generated" / inside


def find_headers(directory: str | Path) -> KernelHeaders:
    """The headers in a package of headers or a tree that was built.

    *Raises*: UsageError where there are none, or of another architecture than x86.
    """
    configured = Path(directory)
    try:
        text = (configured / "include/generated/utsrelease.h").read_text(encoding="utf-8", errors="replace")
    except OSError:
        reason = "a configured kernel has include/generated/utsrelease.h"
        raise UsageError(f"--kernel {directory}: no headers of a kernel there ({reason})") from None
    found = _RELEASE.search(text)
    common = _common(configured)
    if not (configured / "arch/x86/include/generated").is_dir():
        raise UsageError(f"--kernel {directory}: only headers of x86 are supported")
    if not all((common / "include" / name).is_file() for name in _FORCED[1:]):
        raise UsageError(f"--kernel {directory}: the headers that it refers to are not in {common}")
    return KernelHeaders(found[1] if found else "unknown", configured, common)


def _common(configured: Path) -> Path:
    """Where the headers are that do not depend on the configuration."""
    if (configured / "include/linux/kconfig.h").is_file():
        return configured
    try:
        found = _COMMON.search((configured / "Makefile").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        found = None
    if found is None:
        return configured
    named = Path(found[1])
    beside = configured.resolve().parent / named.name  # a package that was only unpacked
    return named if named.is_dir() or not beside.is_dir() else beside


def default_kernel() -> str | None:
    """The directory of the newest headers that are installed; None where there are none."""
    found = installed_headers()
    return None if found is None else str(found.configured)


def described(kernel: str | None) -> str:
    """Which headers serve a module, in words."""
    if kernel is None:
        return "the bundled headers"
    headers = find_headers(kernel)
    return f"the headers of Linux {headers.release} in {headers.configured}"


def installed_headers(root: Path = Path("/")) -> KernelHeaders | None:
    """The newest headers that are installed, if there are any that can be used."""
    found = []
    for directory in sorted(path for pattern in INSTALLED for path in root.glob(pattern)):
        try:
            found.append(find_headers(directory))
        except UsageError:
            continue
    return max(found, key=lambda headers: headers.version, default=None)
