"""The files of a kernel module, as the Makefile beside one of them or a database of the kernel names them.

*Source*: the kernel's documentation of kbuild makefiles (`obj-y`, `obj-m`, `foo-y`, `foo-objs`, `ccflags-y`), and the
options in its compilation databases, of which `KBUILD_MODFILE` is the module that an object is part of.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from duet.frontend.source.commands import NAME, module_flags
from duet.frontend.source.kernel import KernelHeaders
from duet.frontend.source.makefile import UNKNOWN, Makefile
from duet.options import UnitFlags

MOST_FILES, MOST_BYTES = 8, 100_000
"""A module of more is not read as a whole unless somebody names its files."""
_NAMES = ("Kbuild", "Makefile")
_LEVELS = 3
"""So many directories above a file may have the Makefile that names it."""
_PARTS = ("-objs", "-y", "-m")
_NO_MODULES = frozenset(("obj", "lib", "subdir", "extra", "always", "hostprogs", "userprogs", "targets", "clean-files"))
_CONFIG = re.compile(r"^(CONFIG_\w+)=(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its name and files, the flags of each, and what says so.

    `is_whole`: it has no other objects, and nothing but what it exports can be used from outside.
    """

    name: str
    files: tuple[str, ...]
    units: tuple[UnitFlags, ...]
    told_by: str
    is_whole: bool

    others: int = 0  # files of it that are left out
    is_built: bool = True  # a Makefile of the kernel's build system has it among its objects
    option: str = ""  # what builds it, where the configuration of the headers does not have that

    @property
    def words(self) -> str:
        """The module as reports tell of it."""
        names = ", ".join(os.path.relpath(file, os.path.dirname(self.told_by)) for file in self.files)
        without = f", without {self.others} other file{'s' * (self.others > 1)}" if self.others else ""
        built = f"; {self.option}=m, which is not in the configuration of these headers" if self.option else ""
        return f"module '{self.name}' as {self.told_by} says: {names}{without}{built}"

    @property
    def is_large(self) -> bool:
        """Whether it has so much text that only one file is read where somebody names one."""
        return len(self.files) > MOST_FILES or sum(map(os.path.getsize, self.files)) > MOST_BYTES

    def alone(self, file: str) -> Module:
        """One of its files without the others."""
        units = tuple(flags for flags in self.units if flags.path == file)
        others = len(self.files) - 1
        return replace(self, files=(file,), units=units, is_whole=self.is_whole and not others, others=others)


def module_of(path: str, headers: KernelHeaders) -> Module | None:
    """The module that a C file is part of, if somebody tells: the database of the kernel, else a Makefile."""
    return _from_database(path, headers) or _from_makefile(path, headers)


def _from_database(path: str, headers: KernelHeaders) -> Module | None:
    database = headers.configured / NAME
    if not database.is_file():
        return None
    compiled = {os.path.realpath(flags.path): (flags, module) for flags, module in module_flags(database)}
    found = compiled.get(os.path.realpath(path))
    if found is None:
        return None
    own, module = found
    units = {path: UnitFlags(path, own.include_dirs, own.macros, own.forced, searched=own.searched)}
    for flags, other in compiled.values():
        if module and other == module and os.path.realpath(flags.path) != os.path.realpath(path):
            units[flags.path] = flags
    # objects of assembler are in no database of C, so it does not say that nothing is missing
    return Module(
        os.path.basename(module) or Path(path).stem, tuple(units), tuple(units.values()), str(database), False
    )


def _from_makefile(path: str, headers: KernelHeaders) -> Module | None:
    directory = os.path.dirname(path)
    place = Path(directory or ".")
    for _ in range(_LEVELS):
        makefile = next((place / name for name in _NAMES if (place / name).is_file()), None)
        if makefile is not None:
            found = _named_by(makefile, path, headers)
            if found is not None:
                return found
        place = place.parent if place.name not in ("", "..") else place / ".."
    return None


def _named_by(file: Path, path: str, headers: KernelHeaders) -> Module | None:
    """The module that a Makefile says a file is part of."""
    directory = file.parent
    makefile = Makefile(_outside(directory, headers))
    try:
        makefile.read(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    wanted = f"{os.path.splitext(os.path.relpath(path, directory))[0]}.o"
    name, objects = _composed(makefile, wanted)
    files = tuple(
        path if item == wanted else os.path.normpath(directory / f"{item.removesuffix('.o')}.c")
        for item in dict.fromkeys(objects)
        if item.endswith(".o") and UNKNOWN not in item
    )
    there = tuple(item for item in files if os.path.isfile(item))
    if path not in there:
        return None
    is_whole = makefile.is_understood and len(there) == len(set(objects)) and f"{name}.o" in makefile.words("obj-m")
    option = makefile.left_out.get(f"{name}.o", "") or _option_of(directory, headers)
    units = tuple(_flags(makefile, directory, item, name, option) for item in there)
    is_built = any(f"{name}.o" in makefile.words(kind) for kind in makefile.values if kind.startswith("obj-"))
    return Module(name, there, units, str(file), is_whole, is_built=is_built, option=option)


def _option_of(directory: Path, headers: KernelHeaders) -> str:
    """The option that a directory hangs on, by the Makefile above it, where the configuration does not have it."""
    place = directory.resolve()
    above = next((place.parent / name for name in _NAMES if (place.parent / name).is_file()), None)
    if above is None:
        return ""
    makefile = Makefile(_outside(place.parent, headers))
    makefile.read(above.read_text(encoding="utf-8", errors="replace"))
    return makefile.left_out.get(f"{place.name}/", "")


def _composed(makefile: Makefile, wanted: str) -> tuple[str, list[str]]:
    """The module that has an object, and all objects of it, in order; that of the configuration first."""
    found: list[tuple[bool, str, list[str]]] = []
    for variable in makefile.values:
        suffix = next((part for part in _PARTS if variable.endswith(part)), "")
        name = variable.removesuffix(suffix)
        if suffix and name not in _NO_MODULES and wanted in makefile.words(variable):
            objects = [item for part in _PARTS for item in makefile.words(f"{name}{part}")]
            is_built = any(f"{name}.o" in makefile.words(kind) for kind in ("obj-m", "obj-y"))
            found.append((not is_built, name, objects))
    if found:
        return min(found, key=lambda item: item[0])[1:]
    single = any(wanted in makefile.words(name) for name in makefile.values if name.startswith("obj-"))
    return wanted.removesuffix(".o"), [wanted] if single else []


def _outside(directory: Path, headers: KernelHeaders) -> dict[str, str]:
    """The variables that the build system gives to a Makefile."""
    found = {"src": str(directory), "obj": str(directory), "M": str(directory), "KERNELRELEASE": headers.release}
    found |= {"ARCH": "x86", "SRCARCH": "x86", "BITS": "64", "srctree": str(headers.common)}
    tree = next((place for place in directory.resolve().parents if (place / "include/linux/kconfig.h").is_file()), None)
    found |= {"srctree": str(tree or headers.common), "objtree": str(headers.configured)}
    try:
        text = (headers.configured / "include/config/auto.conf").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return found
    return found | {name: value.strip().strip('"') for name, value in _CONFIG.findall(text)}


def _flags(makefile: Makefile, directory: Path, path: str, module: str, option: str) -> UnitFlags:
    """The preprocessor flags of a file of a module, with the option that builds it if the configuration lacks it."""
    own = f"CFLAGS_{os.path.splitext(os.path.relpath(path, directory))[0]}.o"
    words = [word for name in ("ccflags-y", "EXTRA_CFLAGS", "subdir-ccflags-y", own) for word in makefile.words(name)]
    macros = [word for word in words if word.startswith(("-D", "-U")) and len(word) > 2]
    directories = [item for item in _directories(words, makefile.outside["srctree"]) if os.path.isdir(item)]
    identifier = re.sub(r"\W", "_", module)
    given = ("-UKBUILD_MODNAME", f'-DKBUILD_MODNAME="{identifier}"', "-U__KBUILD_MODNAME")
    built = (f"-D{option}_MODULE=1",) if option else ()
    return UnitFlags(path, tuple(directories), (*given, f"-D__KBUILD_MODNAME=kmod_{identifier}", *built, *macros))


def _directories(words: Iterable[str], tree: str) -> Iterator[str]:
    """The directories that `-I` names, which are relative to the tree."""
    is_next = False
    for word in words:
        if word.startswith("-I") or is_next:
            name = word if is_next else word.removeprefix("-I")
            is_next = not name
            if name and UNKNOWN not in name:
                yield os.path.join(tree, name)
