"""What a function of the library is given has to be there: null pointers and memory that is too small have checks."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.frontend.ctypes.library import Control
from duet.frontend.ctypes.types import LP64, CType, FunctionType, IntType, PointerType, StructType
from duet.frontend.models.prototypes import HEADERS, library_prototype
from duet.frontend.models.table import TABLE
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read

OWN = ("__", "_pthread", "atomic_")
"""How the names of functions begin that are like macros, or that macros of the headers call."""
OBJECT = "objects"
PARTS = 6


def argument(kind: CType, position: int) -> str:
    """An argument that a function can be called with."""
    match kind:
        case PointerType(FunctionType()):
            return "(void *)called"
        case PointerType():
            return f"(void *){OBJECT}[{position}]"
        case IntType():
            return "3"
        case _:
            return "0"


def is_list(kind: PointerType) -> bool:
    """Whether a parameter takes a list of arguments, which is no pointer in C."""
    return isinstance(kind.target, StructType) and kind.target.key.startswith("__duet_va_list")


@cache
def calls() -> dict[str, str]:
    """A call for each pointer that a function asks for, with null in its place, by the names of both."""
    found: dict[str, str] = {}
    for name, record in sorted(TABLE.items()):
        kind = library_prototype(name, LP64)
        is_left_out = record.is_of_kernel or record.library or name.startswith(OWN)
        if is_left_out or record.control is Control.JUMPS or kind is None:
            continue
        for position, parameter in enumerate(kind.parameters or ()):
            is_asked = position not in (*record.may_be_null, *record.passed)
            if not isinstance(parameter, PointerType) or is_list(parameter) or not is_asked:
                continue
            given = [argument(other, place) for place, other in enumerate(kind.parameters or ())]
            given[position] = "(void *)0"
            given += ['"x"'] if kind.variadic else []
            found[f"{name} {position}"] = f"{name}({', '.join(given)})"
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_null_is_refused_where_it_has_no_meaning(tmp_path: Path, part: int) -> None:
    headers = resources.files("duet.frontend.source").joinpath(HEADERS).read_text(encoding="utf-8")
    included = [line for line in headers.splitlines() if line.startswith("#include")]
    names = dict(list(calls().items())[part::PARTS])
    before = [
        "#define _GNU_SOURCE 1",
        *included,
        f"static long {OBJECT}[16][64];",
        "static int called(void) { return 0; }",
        "int main(int argc, char **argv) {",
    ]
    text = [*before, *(f"if (rand() == {at}) {call};" for at, call in enumerate(names.values())), "}"]
    path = tmp_path / "a.c"
    path.write_text("\n".join(text), encoding="utf-8")
    found = read((str(path),), FrontendOptions(properties=("null-dereference",)), Clock())
    lines = {check.line for check in found.checks}
    assert len(names) > 100
    assert [name for line, name in enumerate(names, len(before) + 1) if line not in lines] == []


TOO_SMALL = (
    *("bcopy(large, small, 64)", "bcopy(small, large, 64)", "swab(large, small, 64)", "memccpy(large, small, 0, 64)"),
    *(
        'swprintf((void *)small, 64, L"x")',
        "strerror_r(3, small, 64)",
        "ttyname_r(0, small, 64)",
        "getlogin_r(small, 64)",
    ),
    *("setbuf(stdin, small)", "setvbuf(stdin, small, 0, 64)", "__builtin___memset_chk(small, 0, 64, 64)"),
    *("__memcpy_chk(large, small, 64, 64)", '__builtin___sprintf_chk(small, 0, 8, "%s", "more than that")'),
    *("inet_ntop(10, small, large, 64)", "rawmemchr(small, 7)", "lfind(large, small, (void *)large, 8, called)"),
    *("wcslen(wide)", "wcscmp(wide, wide)", "wcsnlen(wide, 64)", "mempcpy(small, large, 64)", "truncate(small, 0)"),
    *("nanosleep((void *)small, 0)", "pthread_cond_signal((void *)small)", 'utimes("x", (void *)small)'),
    *(
        'sscanf("1", "%ld", (int *)small)',
        'sscanf("1", "%d%n", (short *)large, (short *)&small[2])',
        "FD_SET(rand(), sets)",
        'scanf("%4s", small)',
        'scanf("%d", (unsigned char *)&small[1])',
    ),
    *("sigaction(2, (void *)small, 0)", 'strtok(small, "x")', "writev(1, (void *)small, 4)"),
)
"""Calls that use more than there is; the characters in `small` and `wide` have no end."""


def test_what_is_too_small_is_refused(tmp_path: Path) -> None:
    headers = (
        "pthread.h",
        "signal.h",
        "stdio.h",
        "stdlib.h",
        "sys/select.h",
        "sys/time.h",
        "sys/uio.h",
        "time.h",
        "unistd.h",
    )
    before = [
        *(f"#include <{name}>" for name in headers),
        'char small[4] = "abcd", large[256];',
        "fd_set sets[1];",
        "int wide[3] = {1, 2, 3};",
        "static int called(void) { return 0; }",
        "int main(void) {",
    ]
    path = tmp_path / "a.c"
    calls = [f"if (rand() == {at}) {call};" for at, call in enumerate(TOO_SMALL)]
    path.write_text("\n".join((*before, *calls, "}")), encoding="utf-8")
    found = read((str(path),), FrontendOptions(properties=("array-bounds",)), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    open_lines = {one.check.line for one in assertions(analysis, found.checks) if not one.status.is_safe}
    assert [call for line, call in enumerate(TOO_SMALL, len(before) + 1) if line not in open_lines] == []


def test_what_the_library_made_is_no_smaller(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    lines = (
        "#include <netdb.h>",
        "#include <stdio.h>",
        "int main(void) {",
        "struct addrinfo *found; char small[4], name[10];",
    )
    fitting = (
        'if (!getaddrinfo("a", "b", 0, &found)) freeaddrinfo(found); scanf("%3s%hhd%9[a-z]", small, &small[3], name);'
    )
    path.write_text("\n".join((*lines, fitting, "}")), "utf-8")
    found = read((str(path),), FrontendOptions(properties=("array-bounds", "null-dereference")), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    assert [one.check for one in assertions(analysis, found.checks) if not one.status.is_safe] == []
