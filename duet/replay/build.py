"""The executable of a program with the runtime that schedules it.

The source is compiled as it is, for the machine that duet runs on. The compiler's instrumentation for threads calls the
runtime in front of each access to memory that may be shared; functions of libraries that order threads are replaced in
the object files by those of the runtime (`NAME` by `replay_NAME`), and functions that are nowhere get a body that
returns an input. *Deviation*: at the label of a check, `ERROR:`, a call is put that says so.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from duet.errors import DuetError
from duet.frontend.models.table import describe
from duet.replay.harness import harness
from duet.replay.recipe import Recipe

SECTION = "duet_program"
"""The section of the executable that holds the program's own code."""
COMPILER = "gcc"
TOOLS = (COMPILER, "nm", "objcopy", "objdump", "addr2line")
LIMIT_SECONDS = 120
MAIN = "__duet_program_main"
"""The name that `main` has in the executable."""
_PREFIX = "replay_"
_SANITIZERS = "thread,signed-integer-overflow,integer-divide-by-zero,shift,bounds,null"
_HEADERS = ("assert.h", "pthread.h", "semaphore.h", "stdatomic.h", "stdbool.h", "stdint.h", "stdlib.h", "string.h",
            "threads.h", "unistd.h")  # fmt: skip
_RESERVED = "__"
_ORDERING = ("pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_", "mq_", "aio_", "timer_")
_HARMLESS = re.compile(
    r"attr|_self|_equal|_current|_getspecific|_setspecific|_key_|tss_|_concurrency|_name_np|setcancel"
)
_REFUSED = frozenset((
    "fork", "vfork", "clone", "syscall", "signal", "sigaction", "sigprocmask", "alarm", "setitimer", "raise", "kill",
    "swapcontext", "makecontext", "longjmp", "siglongjmp", "__longjmp_chk", "quick_exit", "at_quick_exit", "on_exit",
))  # fmt: skip
"""Functions after which the runtime does not know what runs."""
_MISSING = re.compile(r"undefined reference to `([A-Za-z_]\w*)'")
_LABEL = re.compile(r"\bERROR\s*:(?!:)")


class CannotRun(DuetError):
    """The program cannot be compiled or linked here; says why."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Built:
    """An executable, and the functions that it defines: addresses by name."""

    executable: Path
    functions: dict[str, tuple[int, ...]]


def missing_tools() -> tuple[str, ...]:
    """The programs that are not there and without which nothing can be built."""
    return tuple(tool for tool in TOOLS if shutil.which(tool) is None)


def build(recipe: Recipe, folder: Path) -> Built:
    """Builds the program of a recipe in a folder. *Raises*: CannotRun."""
    if missing := missing_tools():
        raise CannotRun(f"running the program needs {', '.join(missing)}, which cannot be found")
    runtime = _runtime(folder)
    objects = [_object(recipe, number, path, folder) for number, (path, _) in enumerate(recipe.files)]
    if recipe.entries:
        own = _symbols(objects[0])
        objects[0] = _with_harness(recipe, folder, "init" in own)
    names = [name for path in runtime for name in _symbols(path) if name.startswith(_PREFIX)]
    replaced = frozenset(name.removeprefix(_PREFIX) for name in names)
    _refuse_others(objects, replaced)
    _replace(objects, replaced, folder)
    _keep_apart(runtime, objects, folder)
    executable = folder / "program"
    _link([*runtime, *objects], executable, folder)
    return Built(executable, _functions(executable))


def _refuse_others(objects: Sequence[Path], replaced: frozenset[str]) -> None:
    """Refuses a program that orders threads by functions that the runtime does not replace. *Raises*: CannotRun."""
    for name in sorted(_missing(objects) - replaced):
        if name in _REFUSED or (name.startswith(_ORDERING) and not _HARMLESS.search(name)):
            raise CannotRun(f"the program uses '{name}', which a run under a schedule does not follow")


def _replace(objects: Sequence[Path], replaced: frozenset[str], folder: Path) -> None:
    """Puts functions of the runtime in the place of those that the program uses and does not define."""
    names = sorted(_missing(objects) & replaced)
    listed = _written(folder / "names", "".join(f"{name} {_PREFIX}{name}\n" for name in names))
    section = ["--rename-section", f".text={SECTION},alloc,load,readonly,code,contents"]
    for path in objects:
        _run(["objcopy", f"--redefine-syms={listed}", f"--redefine-sym=main={MAIN}", *section, str(path)])


def _keep_apart(runtime: Sequence[Path], objects: Sequence[Path], folder: Path) -> None:
    """Gives what the runtime has for itself other names where the program has the same ones."""
    own = {name for name in _global(runtime) if not name.startswith((_PREFIX, _RESERVED))} - {"main"}
    both = sorted(own & _global(objects))
    listed = _written(folder / "own_names", "".join(f"{name} __duet_own_{name}\n" for name in both))
    for path in runtime if both else ():
        _run(["objcopy", f"--redefine-syms={listed}", str(path)])


def _missing(objects: Sequence[Path]) -> frozenset[str]:
    """What the object files use and none of them defines."""
    used = {line.split()[-1] for path in objects for line in _run(["nm", "--undefined-only", str(path)]).splitlines()}
    return frozenset(used - _global(objects))


def _global(objects: Iterable[Path]) -> frozenset[str]:
    """What object files define for others, functions and variables."""
    lines = (line for path in objects for line in _run(["nm", "-g", "--defined-only", str(path)]).splitlines())
    return frozenset(line.split()[-1] for line in lines)


def _runtime(folder: Path) -> list[Path]:
    found: list[Path] = []
    for name, content in _compiled_runtime():
        found.append(folder / name)
        found[-1].write_bytes(content)
    return found


@cache
def _compiled_runtime() -> tuple[tuple[str, bytes], ...]:
    """The names and contents of the runtime's object files, which are those of every program."""
    with resources.as_file(resources.files("duet.replay") / "runtime") as here, TemporaryDirectory() as folder:
        sources = {source: Path(folder) / f"{source.stem}_runtime.o" for source in sorted(here.glob("*.c"))}
        for source, target in sources.items():
            _run([COMPILER, "-O1", "-w", "-std=gnu17", "-c", str(source), "-o", str(target)])
        return tuple((target.name, target.read_bytes()) for target in sources.values())


def _object(recipe: Recipe, number: int, path: str, folder: Path) -> Path:
    source, target = Path(path).resolve(), folder / f"program{number}.o"
    check = recipe.check
    if check.property_name == "unreach-call" and check.expression == "ERROR" and Path(check.file).resolve() == source:
        lines = source.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        lines[check.line - 1] = _LABEL.sub(r"\g<0> __duet_error_label();", lines[check.line - 1])
        text = "\n".join([f'#line 1 "{source}"', *lines])
        return _compiled(recipe, _written(folder / f"program{number}{source.suffix}", text), target, source.parent)
    return _compiled(recipe, source, target, source.parent)


def _with_harness(recipe: Recipe, folder: Path, has_init: bool) -> Path:
    source, text = Path(recipe.files[0][0]).resolve(), folder / "harness.c"
    try:
        _written(text, harness(recipe, source, has_init))
        return _compiled(recipe, text, folder / "program0.o", source.parent)
    except CannotRun:
        _written(text, harness(recipe, source, has_init, is_thread=True))
        return _compiled(recipe, text, folder / "program0.o", source.parent)


def _compiled(recipe: Recipe, source: Path, target: Path, quoted: Path) -> Path:
    """The object file of a source. Headers are added, and implicit declarations allowed, only where it takes that."""
    flags = [f"-I{Path(where).resolve()}" for where in recipe.include_dirs]
    flags += [f"-D{name}" for name in recipe.defines]
    flags += [f"-std={recipe.std}"] if recipe.std else []
    instrument = [f"-fsanitize={_SANITIZERS}", "-finstrument-functions", "-fno-builtin", "-fkeep-static-functions"]
    command = [COMPILER, *flags, "-gdwarf-4", "-O0", "-w", "-fno-pie", *instrument, "-iquote", str(quoted)]
    command += ["-c", str(source), "-o", str(target)]
    headers = [word for name in _HEADERS for word in ("-include", name)]
    strict = ["-Werror=implicit-function-declaration"]
    for more in (strict, headers, []):
        done = _tried([command[0], *more, *command[1:]])
        if done.returncode == 0:
            return target
    raise CannotRun(f"the program does not compile: {_first_error(done.stderr)}")


def _link(objects: Sequence[Path], executable: Path, folder: Path) -> None:
    command = [COMPILER, "-static", *map(str, objects), "-pthread", "-lm", "-o", str(executable)]
    done = _tried(command)
    missing = sorted(set(_MISSING.findall(done.stderr)))
    if done.returncode and missing:
        done = _tried([*command[:2], str(_bodies(missing, objects, folder)), *command[2:]])
    if done.returncode:
        raise CannotRun(f"the program cannot be linked: {_first_error(done.stderr)}")


def _bodies(names: Sequence[str], objects: Sequence[Path], folder: Path) -> Path:
    """An object file with a body for each function that is nowhere. *Raises*: CannotRun for one that is no function."""
    used = "".join(_run(["objdump", "-r", str(path)]) for path in objects)
    for name in names:
        if name.startswith((_RESERVED, _PREFIX)) or describe(name) is not None:  # what it does is not any result
            raise CannotRun(f"there is no '{name}' here to run the program with")
        kinds = set(re.findall(rf"(R_\w+)\s+{re.escape(name)}(?:[-+]0x|\s|$)", used))
        if not kinds <= {"R_X86_64_PLT32"}:
            raise CannotRun(f"'{name}' is not defined, and is used as something else than a function that is called")
    declared = "long __duet_unknown(unsigned long);\n"
    bodies = (f"long {n}() {{ return __duet_unknown((unsigned long)__builtin_return_address(0)); }}\n" for n in names)
    source, target = _written(folder / "missing.c", declared + "".join(bodies)), folder / "missing.o"
    _run([COMPILER, "-O1", "-w", "-fno-builtin", "-c", str(source), "-o", str(target)])
    return target


def _functions(executable: Path) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for line in _run(["nm", str(executable)]).splitlines():
        match line.split():
            case [address, "T" | "t" | "W" | "w", name]:
                found[name] = (*found.get(name, ()), int(address, 16))
            case _:
                pass
    return found


def _symbols(path: Path) -> frozenset[str]:
    lines = (line.split() for line in _run(["nm", "--defined-only", str(path)]).splitlines())
    return frozenset(words[-1] for words in lines if len(words) == 3 and words[1] in "TtWw")


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    return path


def _tried(command: Iterable[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            list(command), capture_output=True, text=True, errors="replace", timeout=LIMIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotRun(f"the program cannot be built: {error}") from error


def _run(command: Sequence[str]) -> str:
    done = _tried(command)
    if done.returncode:
        raise CannotRun(f"the program cannot be built: {command[0]}: {_first_error(done.stderr)}")
    return done.stdout


def _first_error(text: str) -> str:
    lines = text.splitlines()
    return next((line for line in lines if "error" in line or "undefined" in line), lines[-1] if lines else "no reason")
