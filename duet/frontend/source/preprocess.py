"""Runs a C preprocessor over one input file with the bundled headers, never with those of the system.

gcc, clang or cpp does the work, whichever is found first, else the pcpp library. Every one of them sees the same
predefined macros (`PREDEFINED`: those of GCC on x86-64 Linux), so the text does not depend on it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from duet.errors import EngineError, MissingHeader, NothingDeclared, SourceError, UsageError
from duet.frontend.source.encoding import decoded, with_escapes
from duet.frontend.source.kernel import find_headers
from duet.frontend.source.pcpp_adapter import run_pcpp
from duet.frontend.source.predefined import KERNEL_BUILD, KERNEL_NAMES, POSITION_INDEPENDENT, predefined
from duet.frontend.source.standards import Standard, flags_of, standard
from duet.options import FrontendOptions, UnitFlags
from duet.source import Span

PROGRAMS = ("gcc", "clang", "cpp")
TOOLS = (*PROGRAMS, "pcpp")
SYSTEM_DEFINES = ("__DUET__=1", "__NO_CTYPE=1", "__NO_MATH_INLINES=1")
"""With these the headers of glibc declare functions instead of looking into tables."""
SYSTEM_DIRECTORIES = (Path("/usr/include"), Path("/usr/lib"), Path("/usr/local/include"))
"""Where the headers of the machine lie; they are not the user's text."""
LIMIT_SECONDS = 120
_MISSING = re.compile(r"'?(?P<name>[^':]+)'?(?:: No such file or directory| file not found)")
_MESSAGE = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)
_NO_TEXT = re.compile(rb"\x00")  # other control bytes may stand in literals

_MARKED = re.compile(r'^#\s*(?:line\s+)?\d+\s+"([^"]+)"', re.MULTILINE)
_SAME = """
    alloca arpa/inet assert byteswap ctype dirent dlfcn endian err errno error fcntl features float getopt grp
    inttypes iso646 libgen limits locale malloc math memory netdb netinet/in netinet/tcp poll pthread pwd sched
    emmintrin immintrin search semaphore setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
    stdnoreturn string strings sys/cdefs sys/epoll sys/file sys/ioctl sys/ipc sys/mman sys/param sys/poll sys/prctl
    sys/resource sys/select sys/shm sys/socket sys/stat sys/time sys/times sys/types sys/uio sys/un sys/utsname
    sys/wait syslog threads time unistd wchar x86intrin xmmintrin
"""
ILP32_HEADERS = frozenset(f"{name}.h" for name in _SAME.split())
"""The bundled headers that are right for pointers of 32 bits, too; files in `bits` are for those that include them."""


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """Preprocessed text of the file `path`; `command` is what ran, empty for a file that needed nothing."""

    path: str
    text: str
    command: tuple[str, ...]


def preprocess(path: str, options: FrontendOptions, tool: str | None = None) -> Preprocessed:
    """Returns the preprocessed text of `path`; `.i` files are taken as they are.

    `tool` forces one of `TOOLS` instead of the first one found.
    *Raises*: SourceError where the file cannot be read or preprocessed; UsageError for a `--std` or tool that does
    not exist.
    """
    done = _preprocessed(path, options, tool)
    return replace(done, text=with_escapes(done.text))


def _preprocessed(path: str, options: FrontendOptions, tool: str | None) -> Preprocessed:
    raw = _read(path)
    if path.endswith(".i"):
        return Preprocessed(path, raw, ())
    own = flags_of(path, options)
    language = standard(own.std or options.std)
    options = replace(options, include_dirs=(*own.include_dirs, *options.include_dirs))
    more: tuple[str, ...] = (*own.macros, *(item for file in own.forced for item in ("-include", file)))
    if options.system_headers or options.kernel is not None:
        more = (*(f"{option}{directory}" for option, directory in own.searched), *more)
    if options.system_headers:
        command = _system_command(tool or "gcc", path, language, options, more)
        return Preprocessed(path, _run(command, path), command)
    if options.kernel is not None:
        command = _kernel_command(tool, path, language, options, more)
        return Preprocessed(path, _run(command, path), command)
    world = KERNEL_NAMES if options.model == "linux" else POSITION_INDEPENDENT
    defines = (*predefined(language, options.data_model), *world, *options.defines)
    includes = _searched(own, options)
    _check_include_dirs(options.include_dirs)
    chosen = tool or next((name for name in PROGRAMS if shutil.which(name)), "pcpp")
    if chosen == "pcpp":
        if own.forced:
            raise UsageError(f"{' '.join(more)}: needs one of {', '.join(PROGRAMS)}, which are not installed")
        defines = _changed(defines, own.macros)
        places = tuple(directory for _, directory in includes)
        text, command = run_pcpp(path, raw, defines, places, language.has_trigraphs), ("pcpp", path)
    else:
        command = _command(chosen, path, language, defines, includes, more)
        text = _run(command, path)
    return Preprocessed(path, text, command)


def _searched(own: UnitFlags, options: FrontendOptions) -> tuple[tuple[str, str], ...]:
    """The options that name a directory to search, with the bundled headers in the place of those of the machine.

    A program's own header comes before one of the library of the same name, as it does for compilers; directories of
    the machine, which have that, come behind. In drivers the model is first: it replaces headers of the kernel.
    """
    bundled = tuple(str(directory) for directory in header_directories(options.model))
    quoted, system, behind = (
        tuple(directory for option, directory in own.searched if option == kind)
        for kind in ("-iquote", "-isystem", "-idirafter")
    )
    if options.model == "linux":
        places = (*bundled, *options.include_dirs, *system, *behind)
    else:
        late = tuple(filter(_is_of_machine, options.include_dirs))
        places = (*(it for it in options.include_dirs if it not in late), *system, *bundled, *late, *behind)
    # all by `-I`: what macros of other directories become has markers of its own, which move it in its line
    return (*(("-iquote", directory) for directory in quoted), *(("-I", directory) for directory in places))


def _is_of_machine(directory: str) -> bool:
    place = Path(directory).resolve()
    return any(place.is_relative_to(root) for root in SYSTEM_DIRECTORIES)


def check_headers(path: str, text: str) -> None:
    """*Raises*: SourceError for bundled headers that are not there for pointers of 32 bits."""
    root = str(header_directories(None)[0])
    used = {name.removeprefix(root).lstrip("/") for name in _MARKED.findall(text) if name.startswith(root)}
    if missing := sorted(name for name in used - ILP32_HEADERS if not name.startswith("bits/")):
        raise SourceError(
            f"<{missing[0]}> is not there for ILP32; take a file that is preprocessed for it, or --system-headers",
            Span(path, 1, 1),
        )


def _changed(defines: tuple[str, ...], macros: tuple[str, ...]) -> tuple[str, ...]:
    """The definitions after some `-DX=1` and `-UX`, in order."""
    for macro in macros:
        name = re.split(r"[=(]", macro[2:])[0]
        kept = tuple(item for item in defines if re.split(r"[=(]", item)[0] != name)
        defines = (*kept, macro[2:]) if macro.startswith("-D") else kept
    return defines


def header_directories(model: str | None) -> tuple[Path, ...]:
    """The directories of bundled headers to search, in order, also from an installed package.

    *Requires*: the package lies in a directory (not in a zip), as a preprocessor can only read files.
    """
    packages = ("duet.linux", "duet.frontend.source") if model == "linux" else ("duet.frontend.source",)
    return tuple(Path(str(resources.files(package))) / "include" for package in packages)


def overlay_directory() -> Path:
    """The directory of the headers that replace definitions of the kernel's own headers by name."""
    return Path(str(resources.files("duet.linux"))) / "overlay"


def library_directories(options: FrontendOptions) -> tuple[Path, ...]:
    """The directories whose files are not the user's: bundled headers, those of the machine and of a kernel."""
    found = (*header_directories(options.model), *SYSTEM_DIRECTORIES)
    if options.kernel is None:
        return found
    headers = find_headers(options.kernel)
    return (*found, overlay_directory(), headers.common / "include", *headers.directories)


def _read(path: str) -> str:
    """The text of the file, if it is one."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise SourceError("no such file", Span(path, 1, 1)) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SourceError(f"cannot read the file: {reason}", Span(path, 1, 1)) from None
    if found := _NO_TEXT.search(data):
        line = data.count(b"\n", 0, found.start()) + 1
        column = found.start() - (data.rfind(b"\n", 0, found.start()) + 1) + 1
        raise SourceError(
            f"not a text file (byte 0x{found.group()[0]:02x} here); give C source or preprocessed C",
            Span(path, line, column),
        )
    if not data.strip():
        raise NothingDeclared("the file is empty; give C source or preprocessed C", Span(path, 1, 1))
    return decoded(data)


def _check_include_dirs(directories: tuple[str, ...]) -> None:
    for directory in directories:
        if not Path(directory).is_dir():
            raise UsageError(f"-I {directory}: no such directory")


def _command(
    program: str,
    path: str,
    language: Standard,
    defines: tuple[str, ...],
    includes: tuple[tuple[str, str], ...],
    more: tuple[str, ...],
) -> tuple[str, ...]:
    """The command line of a preprocessor program, which knows no macros but those given to it."""
    executable = shutil.which(program)
    if executable is None:
        raise UsageError(f"the preprocessor {program} is not installed")
    command = [executable, "-E", "-x", "c", "-w", "-nostdinc", "-undef", language.option]
    command += [f"-D{define}" for define in defines]
    command += [f"{option}{directory}" for option, directory in includes]
    command += more
    command.append(path if not path.startswith("-") else f"./{path}")
    return tuple(command)


def _kernel_command(
    tool: str | None, path: str, language: Standard, options: FrontendOptions, more: tuple[str, ...]
) -> tuple[str, ...]:
    """The command line of a module that is read with the kernel's own headers, behind those that replace parts of them.

    *Raises*: UsageError where no preprocessor is installed that knows `#include_next`.
    """
    headers = find_headers(str(options.kernel))
    chosen = tool or next((name for name in PROGRAMS if shutil.which(name)), None)
    executable = shutil.which(chosen) if chosen is not None else None
    if executable is None:
        raise UsageError(f"--kernel needs one of {', '.join(PROGRAMS)}, which are not installed")
    _check_include_dirs(options.include_dirs)
    name = re.sub(r"\W", "_", Path(path).stem)
    defines = (
        *predefined(language, options.data_model),
        *KERNEL_BUILD,
        f'KBUILD_MODNAME="{name}"',
        f'KBUILD_BASENAME="{name}"',
    )
    command = [executable, "-E", "-x", "c", "-w", "-nostdinc", "-undef", language.option]
    command += [f"-D{define}" for define in (*defines, f"__KBUILD_MODNAME=kmod_{name}", *options.defines)]
    command += [f"-I{directory}" for directory in (overlay_directory(), *headers.directories, *options.include_dirs)]
    command += [item for file in headers.forced for item in ("-include", str(file))]
    return (*command, *more, path if not path.startswith("-") else f"./{path}")


def _system_command(
    program: str, path: str, language: Standard, options: FrontendOptions, more: tuple[str, ...]
) -> tuple[str, ...]:
    """The command line for the headers of the machine: C as its compiler has it, but nothing inlined by them."""
    if options.model is not None:
        raise UsageError("--system-headers does not go together with --model")
    executable = shutil.which(program)
    if executable is None:
        raise UsageError(f"--system-headers needs {program}, which is not installed")
    _check_include_dirs(options.include_dirs)
    width = ("-m32",) if options.data_model == "ILP32" else ()
    command = [executable, "-E", "-x", "c", "-w", *width, language.option]
    command += [f"-D{define}" for define in (*SYSTEM_DEFINES, *options.defines)]
    command += [f"-I{directory}" for directory in options.include_dirs]
    return (*command, *more, path if not path.startswith("-") else f"./{path}")


def _run(command: tuple[str, ...], path: str) -> str:
    """Standard output of the preprocessor, or the error of its first message."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, env=environment, timeout=LIMIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"the preprocessor did not finish: {type(error).__name__}", command, str(error)) from error
    stderr = done.stderr.decode("utf-8", "replace")
    if done.returncode == 0:
        return decoded(done.stdout)
    if found := _MESSAGE.search(stderr):
        place = Span(found["file"], int(found["line"]), int(found["column"] or 0))
        if missing := _MISSING.match(found["text"]):
            raise MissingHeader(missing["name"], place)
        raise SourceError(found["text"], place)
    if done.returncode < 0:
        raise EngineError(f"the preprocessor was killed by signal {-done.returncode}", command, stderr)
    raise SourceError(f"the preprocessor failed: {stderr.strip()[-500:] or done.returncode}", Span(path, 1, 1))
