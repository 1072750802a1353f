"""Every bundled header says what the compiler's and glibc's say: the same macros, constants, types, members.

Nothing is listed by hand but what differs on purpose: names come from the headers themselves, as the preprocessor and
the parser see them. The truth is what gcc computes with the headers of the system; ours is what duet proves.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from pycparser import c_ast

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import ILP32_HEADERS, header_directories, preprocess
from duet.options import DATA_MODELS, AnalysisOptions, FrontendOptions
from duet.result import Status

(LIBC,) = header_directories(None)
WIDTHS = {"LP64": "-m64", "ILP32": "-m32"}
GCC = shutil.which("gcc") or ""
OF_GCC = frozenset(("emmintrin.h", "immintrin.h", "x86intrin.h", "xmmintrin.h"))
"""Headers that the compiler has, and of which there is little here."""
HEADERS = {
    "LP64": sorted(
        name
        for path in LIBC.rglob("*.h")
        if not (name := str(path.relative_to(LIBC))).startswith("bits/") and name not in OF_GCC
    ),
    "ILP32": sorted(ILP32_HEADERS - OF_GCC),
}
MODES = {"default": ("-std=gnu17",), "GNU": ("-std=gnu17", "-D_GNU_SOURCE"), "strict": ("-std=c11",)}
EVERYTHING = {
    model: "".join(("#define _GNU_SOURCE\n", *(f"#include <{name}>\n" for name in names)))
    for model, names in HEADERS.items()
}
_DEFINITION = re.compile(r"^#(?P<what>define|undef) (?P<name>\w+)(?P<parameters>\([^)]*\))?", re.MULTILINE)
_MARKER = re.compile(r'^# (?P<line>\d+) "(?P<file>[^"]*)"', re.MULTILINE)
_INTERNAL = re.compile(
    r"_.*_H_?$|_(BITS|STDINT|STDARG|FLOAT|VA_LIST|IO_[A-Z]+_SEEN|IO_USER|GCC|LIMITS|SIZE_T|SIZET|WCHAR_T|PTRDIFF_T|T_|BSD_|ANSI|SYS_|STDDEF)"
)
_PROMISED = re.compile(
    r"__(GLIBC__|GLIBC_MINOR__|GLIBC_PREREQ|GNU_LIBRARY__|USE_|WORDSIZE|BYTE_ORDER|\w+_ENDIAN|FLOAT_WORD|NR_)"
)

INTERNAL_NAMES = frozenset(("_ASSERT_H_DECLS", "_SIGSET_NWORDS", "_SS_SIZE", "_STRUCT_TIMESPEC"))
"""Names that tell the parts of glibc's headers from each other, beyond those that look like it."""


MEASURING = (
    "#define IS_SIGNED(e) _Generic((e), char: 1, signed char: 1, short: 1, int: 1, long: 1, long long: 1, _Bool: 0, "
    "unsigned char: 0, unsigned short: 0, unsigned: 0, unsigned long: 0, unsigned long long: 0, default: 2)\n"
)
SHOW = """
#define show(...) shown(sizeof((long long[]){__VA_ARGS__}) / 8, (long long[]){__VA_ARGS__})
static void shown(int count, long long *values) {
    for (int i = 0; i < count; i++) printf("%lld ", values[i]);
    printf("\\n");
}
"""
OPTIONS = {model: FrontendOptions(data_model=model) for model in DATA_MODELS}
DIFFERENT_MACROS: dict[str, str] = {}
"""Macros whose value is not glibc's, and why."""
DIFFERENT_TYPES = {
    "struct sigaction.sa_sigaction offset": "kept apart from sa_handler, as the members of unions are not tracked",
    "va_list": "its size is any number where it is asked for by name",
    "va_list size": "the same",
}
"""Types and members whose layout is not glibc's, and why."""
OWN_TYPES = {"DIR": "has no size there either", "struct __duet_file": "what a FILE is"}
"""Types and members that glibc does not have, and why."""


def _works(model: str) -> bool:
    """Whether there are gcc 12 and glibc 2.36, which our headers are modelled on, and its libraries."""
    if not GCC:
        return False
    test = "#include <features.h>\n#if __GNUC__ != 12 || __GLIBC__ != 2 || __GLIBC_MINOR__ != 36\n#error\n#endif\n"
    command = [*gcc(model), "-", "-o", os.devnull]
    text = f"{test}int main(void) {{ return 0; }}\n"
    return not subprocess.run(command, input=text, capture_output=True, text=True, check=False).returncode


def gcc(model: str) -> list[str]:
    """The command of the compiler for C."""
    return [GCC, WIDTHS[model], "-x", "c"]


both = pytest.mark.parametrize(
    "model",
    [
        pytest.param(model, marks=pytest.mark.skipif(not _works(model), reason=f"{needed} is not installed"))
        for model, needed in (("LP64", "gcc 12 with glibc 2.36"), ("ILP32", "gcc-multilib of gcc 12 with glibc 2.36"))
    ],
)


def is_public(name: str) -> bool:
    """Whether programs may ask for a macro."""
    if name.startswith("__"):
        return bool(_PROMISED.match(name))
    return not name.startswith("DUET_") and not _INTERNAL.match(name) and name not in INTERNAL_NAMES


def definitions(model: str, options: Iterable[str], text: str) -> dict[str, bool]:
    """The macros that a text defines beyond those of the compiler, and whether they have parameters."""
    command = [*gcc(model), "-E", "-dD", *options, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    start = done.index('"<command-line>"')
    found: dict[str, bool] = {}
    for match in _DEFINITION.finditer(done, start):
        if match["what"] == "undef":
            found.pop(match["name"], None)
        else:
            found[match["name"]] = match["parameters"] is not None
    return found


def ours(options: Iterable[str]) -> tuple[str, ...]:
    return (*options, "-nostdinc", "-I", str(LIBC))


@both
@pytest.mark.parametrize("mode", [pytest.param("default", marks=pytest.mark.slow), "GNU", "strict"])
def test_headers_define_the_same_names(model: str, mode: str) -> None:
    """A macro that only one of them has sends `#ifdef` another way."""
    different = {}
    for header in HEADERS[model]:
        text = f"#include <{header}>\n"
        mine, real = definitions(model, ours(MODES[mode]), text), definitions(model, MODES[mode], text)
        if names := {name for name in mine.keys() ^ real.keys() if is_public(name)}:
            different[header] = names
    assert different == {}


def failing_lines(model: str, text: str, options: tuple[str, ...]) -> frozenset[int]:
    """The lines of the file `probe` in which gcc finds an error."""
    command = [*gcc(model), "-w", "-fmax-errors=0", *options, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr
    return frozenset(int(line) for line in re.findall(r"^probe:(\d+):\d+: (?:error|note)", done, re.MULTILINE))


def numbered(lines: Iterable[str]) -> str:
    return "".join(f'#line {number} "probe"\n{line}\n' for number, line in enumerate(lines, 1))


def compiled(model: str, lines: dict[str, str]) -> list[str]:
    """The names whose declarations gcc takes in a function with the headers of the system."""
    functions = (f"void duet_{place}(void) {{ {line} }}" for place, line in enumerate(lines.values()))
    bad = failing_lines(model, EVERYTHING[model] + MEASURING + numbered(functions), ("-fsyntax-only",))
    return [name for number, name in enumerate(lines, 1) if number not in bad]


def measured(model: str, tmp_path: Path, statements: dict[str, str]) -> dict[str, list[int]]:
    """The numbers that each list of expressions has with the headers of the system."""
    source, program = tmp_path / "probe.c", tmp_path / "probe"
    calls = "\n".join(f"show({numbers});" for numbers in statements.values())
    source.write_text(f"{EVERYTHING[model]}{MEASURING}{SHOW}int main(void) {{\n{calls}\nreturn 0; }}\n")
    subprocess.run([*gcc(model), "-w", "-O0", str(source), "-o", str(program)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return {name: [int(w) for w in line.split()] for name, line in zip(statements, done.splitlines(), strict=True)}


def disproved(model: str, tmp_path: Path, claims: dict[str, str]) -> set[str]:
    """The names whose claim duet does not prove with the bundled headers."""
    file = tmp_path / "ours.c"
    checks = "".join(f"if (argc == {place}) assert({claim});\n" for place, claim in enumerate(claims.values()))
    file.write_text(f"{EVERYTHING[model]}int main(int argc, char **argv) {{\n{checks}return 0; }}\n")
    text = preprocess(str(file), OPTIONS[model]).text
    file.unlink()  # what places the parts of macros come from is of no interest
    lowered = lower(parse(text, str(file), OPTIONS[model]), OPTIONS[model])
    assert [warning for warning in lowered.warnings if warning.code == "not-understood"] == []
    start = EVERYTHING[model].count("\n") + 2
    names = list(claims)
    analysis = analyse(lowered.program, AnalysisOptions(domain="interval"))
    verdicts = {check.line - start: analysis.status_of(check) for check in analysis.fixpoints[0].verdicts}
    proved = {place for place, status in verdicts.items() if status is Status.PROVED}
    return {name for place, name in enumerate(names) if place not in proved}


def expansions(model: str, options: tuple[str, ...], names: Iterable[str]) -> dict[str, str]:
    """What macros stand for in a text."""
    text = EVERYTHING[model] + "".join(f'@ "{name}" {name}\n' for name in names)
    command = [*gcc(model), "-E", "-P", *options, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return {m[1]: re.sub(r"\s+", "", m[2]) for m in re.finditer(r'^@ "(\w+)" ?((?:.|\n(?!@))*)', done, re.MULTILINE)}


def conditions(model: str, options: tuple[str, ...], values: dict[str, int]) -> set[str]:
    """The macros that `#if` takes, and for which it finds the same value."""
    lines = [f"#if ({name}) || 1\n#endif" for name in values]
    bad = failing_lines(model, EVERYTHING[model] + numbered(lines), (*options, "-E"))
    good = {name: value for number, (name, value) in enumerate(values.items(), 1) if number not in bad}
    text = "".join(f'#if ({name}) == {literal(value)}\n@ "{name}"\n#endif\n' for name, value in good.items())
    command = [*gcc(model), "-E", "-P", "-w", *options, "-"]
    done = subprocess.run(command, input=EVERYTHING[model] + text, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r'^@ "(\w+)"', done, re.MULTILINE))


def literal(value: int) -> str:
    return f"(-{-value - 1}LL - 1)" if value < 0 else f"{value}LL" if value < 1 << 63 else f"{value}ULL"


def claim(expression: str, numbers: list[int]) -> str:
    """That an integer has a value, a size and a sign."""
    value, size, sign = numbers
    same = f"((unsigned long long)({expression}) != {value % (1 << 64)}ULL) + (sizeof({expression}) != {size})"
    return f"!({same} + ((({expression}) * 0 - 1 < 0) != {int(sign or size < 4)}))"


@cache
def shared_macros(model: str) -> tuple[str, ...]:
    mine, real = definitions(model, ours(()), EVERYTHING[model]), definitions(model, (), EVERYTHING[model])
    return tuple(sorted(name for name in mine.keys() & real.keys() if not mine[name] and not real[name]))


@both
def test_constants_have_the_same_values(model: str, tmp_path: Path) -> None:
    macros = shared_macros(model)
    is_told = [model == "LP64" or not name.upper().endswith("F128") for name in macros]  # the others are refused
    names = [name for name, is_same in zip(macros, is_told, strict=True) if is_same]
    assert {"EPERM", "SIGINT", "SO_REUSEPORT", "_SC_NPROCESSORS_ONLN"} <= set(names)
    mine, real = expansions(model, ours(()), names), expansions(model, (), names)
    plain = re.compile(r"[\d()+*/|<>x&a-fA-FUL-]+")
    asked = [name for name in names if mine[name] != real[name] or not plain.fullmatch(mine[name])]
    known = compiled(model, {name: f"__typeof__(({name})) it;" for name in asked})
    integers = set(compiled(model, {name: f"enum {{ it = ({name}) }};" for name in known}))
    numbers = {name: f"(long long)({name}), sizeof({name}), IS_SIGNED({name})" for name in integers}
    found = measured(model, tmp_path, numbers | {name: f"sizeof({name})" for name in known if name not in integers})
    claims = {
        name: claim(name, values) if name in integers else f"sizeof({name}) == {values[0]}"
        for name, values in found.items()
    }
    assert disproved(model, tmp_path, claims) == DIFFERENT_MACROS.keys()
    values = {name: found[name][0] for name in integers}
    assert conditions(model, (), values) ^ conditions(model, ours(()), values) == set()


@both
def test_types_have_the_same_layout(model: str, tmp_path: Path) -> None:
    subjects = dict(declared_types(model))
    assert subjects.keys() >= {"FILE", "struct stat", "union sigval", "memory_order"}
    asked = compiled(model, {name: f"char it[sizeof({kind})];" for name, (kind, _) in subjects.items()})
    parts = {
        f"{name}.{member}": f"(({subjects[name][0]} *)0)->{member}" for name in asked for member in subjects[name][1]
    }
    parts |= {name: f"*({subjects[name][0]} *)0" for name in asked if not subjects[name][1]}
    present = compiled(model, {name: f"char it[sizeof({part})];" for name, part in parts.items()})
    integers = compiled(model, {name: f"int it[IS_SIGNED({parts[name]}) < 2 ? 1 : -1];" for name in present})
    offsets = compiled(model, {name: f"(void)&{parts[name]};" for name in present if "." in name})
    found = measured(
        model,
        tmp_path,
        {name: f"sizeof({subjects[name][0]}), _Alignof({subjects[name][0]})" for name in asked}
        | {f"{name} size": f"sizeof({parts[name]})" for name in present}
        | {f"{name} sign": f"IS_SIGNED({parts[name]})" for name in integers}
        | {f"{name} offset": f"(long)&{parts[name]}" for name in offsets},
    )
    claims = {}
    for name, numbers in found.items():
        what, _, aspect = name.rpartition(" ")
        match aspect:
            case "size" if what in parts:
                claims[name] = f"sizeof({parts[what]}) == {numbers[0]}"
            case "sign":
                claims[name] = f"((__typeof__({parts[what]}))-1 < 0) == {numbers[0]}"
            case "offset":
                subject, _, member = what.partition(".")
                claims[name] = f"__builtin_offsetof({subjects[subject][0]}, {member}) == {numbers[0]}"
            case _:
                kind = subjects[name][0]
                aligned = f" && _Alignof({kind}) == {numbers[1]}" if model == "LP64" else ""  # any number with ILP32
                claims[name] = f"sizeof({kind}) == {numbers[0]}{aligned}"
    assert disproved(model, tmp_path, claims) == DIFFERENT_TYPES.keys()
    absent = (subjects.keys() - set(asked)) | (parts.keys() - set(present))
    assert {name for name in absent if not name.startswith("__")} == OWN_TYPES.keys()


@both
def test_enumerators_have_the_same_values(model: str, tmp_path: Path) -> None:
    names = sorted(enumerators(model))
    assert "memory_order_seq_cst" in names
    known = compiled(model, {name: f"enum {{ it = ({name}) }};" for name in names})
    found = measured(
        model, tmp_path, {name: f"(long long)({name}), sizeof({name}), IS_SIGNED({name})" for name in known}
    )
    assert disproved(model, tmp_path, {name: claim(name, values) for name, values in found.items()}) == set()
    assert set(names) - set(known) == set()


@cache
def _tree(model: str) -> c_ast.FileAST:
    """All that our headers declare, as the text of a file of one's own: of headers only what is needed is parsed."""
    command = [*gcc(model), "-E", "-P", *ours(()), "-"]
    text = subprocess.run(command, input=EVERYTHING[model], capture_output=True, text=True, check=True).stdout
    return parse(text, "everything.c", OPTIONS[model]).ast


def declared_types(model: str) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    """The typedef names and tags of our headers, as one writes them, with their members."""
    for item in _tree(model).ext:
        kind = item.type
        while isinstance(kind, c_ast.TypeDecl):
            kind = kind.type
        members: tuple[str, ...] = ()
        if isinstance(kind, c_ast.Struct | c_ast.Union):
            names = (str(getattr(member, "name", None) or "__") for member in kind.decls or ())
            members = tuple(name for name in names if not name.startswith("__"))
            word = "union" if isinstance(kind, c_ast.Union) else "struct"
            if kind.name and kind.decls:
                yield f"{word} {kind.name}", (f"{word} {kind.name}", members)
        if isinstance(item, c_ast.Typedef):
            yield item.name, (item.name, members)


def enumerators(model: str) -> set[str]:
    """The enumeration constants of our headers."""
    found = set()
    for item in _tree(model).ext:
        kind = item.type
        while isinstance(kind, c_ast.TypeDecl):
            kind = kind.type
        if isinstance(kind, c_ast.Enum) and kind.values:
            found |= {value.name for value in kind.values.enumerators}
    return found
