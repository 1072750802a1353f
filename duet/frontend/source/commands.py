"""What compilation databases (`compile_commands.json`) say: the files of a program, the preprocessor flags of each."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from duet.errors import SourceError, UsageError
from duet.frontend.source.database import Entry, read_database
from duet.options import DEFAULT_STANDARD, FrontendOptions, UnitFlags
from duet.source import Span

NAME = "compile_commands.json"
_DIRECTORIES = ("-I", "-isystem", "-iquote", "-idirafter")
_MACROS = ("-D", "-U")
_LANGUAGES = ("c", "cpp-output", "none", "")
_NESTED_FILES = 100
_MODULE = "-DKBUILD_MODFILE="
_C = (".c", ".i", ".h")
_OPTIMIZED = ("-D__OPTIMIZE__=1", "-U__OPTIMIZE_SIZE__", "-U__NO_INLINE__")
_NO_POSITION = ("-U__PIC__", "-U__pic__", "-U__PIE__", "-U__pie__")
_NOT_IEC = (
    *("-D__GCC_IEC_559=0", "-D__GCC_IEC_559_COMPLEX=0", "-U__STDC_IEC_559__", "-U__STDC_IEC_559_COMPLEX__"),
    *("-U__STDC_IEC_60559_BFP__", "-U__STDC_IEC_60559_COMPLEX__"),
)
_UNSAFE_MATH = (
    *("-D__ASSOCIATIVE_MATH__=1", "-D__RECIPROCAL_MATH__=1", "-D__NO_SIGNED_ZEROS__=1", "-D__NO_TRAPPING_MATH__=1"),
    *_NOT_IEC,
)
_FAST_MATH = ("-D__FAST_MATH__=1", "-D__FINITE_MATH_ONLY__=1", "-D__NO_MATH_ERRNO__=1", *_UNSAFE_MATH)
_FREESTANDING = (
    *("-D__STDC_HOSTED__=0", "-U_STDC_PREDEF_H", "-U__STDC_ISO_10646__", "-U__STDC_IEC_559__"),
    *("-U__STDC_IEC_559_COMPLEX__", "-U__STDC_IEC_60559_BFP__", "-U__STDC_IEC_60559_COMPLEX__"),
)
IMPLIED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("-O", "-O1", "-O2", "-O3", "-Og"), _OPTIMIZED),
    "-Ofast": (*_OPTIMIZED, *_FAST_MATH),
    **dict.fromkeys(("-Os", "-Oz"), (*_OPTIMIZED, "-D__OPTIMIZE_SIZE__=1")),
    "-O0": ("-U__OPTIMIZE__", "-U__OPTIMIZE_SIZE__", "-D__NO_INLINE__=1"),
    "-pthread": ("-D_REENTRANT=1",),
    "-posix": ("-D_POSIX_SOURCE=1",),
    "-fopenmp": ("-D_OPENMP=201511", "-D_REENTRANT=1"),
    "-fopenacc": ("-D_OPENACC=201711", "-D_REENTRANT=1"),
    "-fgnu-tm": ("-D_REENTRANT=1",),
    "-ffast-math": _FAST_MATH,
    "-funsafe-math-optimizations": _UNSAFE_MATH,
    "-ffinite-math-only": ("-D__FINITE_MATH_ONLY__=1", *_NOT_IEC),
    "-fno-math-errno": ("-D__NO_MATH_ERRNO__=1",),
    "-fmath-errno": ("-U__NO_MATH_ERRNO__",),
    "-fno-signed-zeros": ("-D__NO_SIGNED_ZEROS__=1", *_NOT_IEC),
    "-freciprocal-math": ("-D__RECIPROCAL_MATH__=1", *_NOT_IEC),
    "-fno-trapping-math": ("-D__NO_TRAPPING_MATH__=1",),
    "-frounding-math": ("-D__ROUNDING_MATH__=1",),
    "-fsignaling-nans": ("-D__SUPPORT_SNAN__=1",),
    **dict.fromkeys(("-ffreestanding", "-fno-hosted"), _FREESTANDING),
    **dict.fromkeys(("-fno-pie", "-fno-PIE", "-fno-pic", "-fno-PIC"), _NO_POSITION),
    **dict.fromkeys(("-fpie",), ("-D__PIC__=1", "-D__pic__=1", "-D__PIE__=1", "-D__pie__=1")),
    **dict.fromkeys(("-fPIE",), ("-D__PIC__=2", "-D__pic__=2", "-D__PIE__=2", "-D__pie__=2")),
    "-fpic": (*_NO_POSITION, "-D__PIC__=1", "-D__pic__=1"),
    "-fPIC": (*_NO_POSITION, "-D__PIC__=2", "-D__pic__=2"),
    **dict.fromkeys(("-fexceptions", "-fnon-call-exceptions"), ("-D__EXCEPTIONS=1",)),
    "-fno-exceptions": ("-U__EXCEPTIONS",),
    "-fno-asynchronous-unwind-tables": ("-U__GCC_HAVE_DWARF2_CFI_ASM",),
    "-fsanitize=thread": ("-D__SANITIZE_THREAD__=1",),
    "-fsanitize=address": ("-D__SANITIZE_ADDRESS__=1",),
    "-fstack-protector": ("-D__SSP__=1",),
    "-fstack-protector-strong": ("-D__SSP_STRONG__=3",),
    "-fstack-protector-all": ("-D__SSP_ALL__=2",),
    "-fno-stack-protector": ("-U__SSP__", "-U__SSP_STRONG__", "-U__SSP_ALL__"),
    **dict.fromkeys(("-fcf-protection", "-fcf-protection=full"), ("-D__CET__=3",)),
    "-fcf-protection=branch": ("-D__CET__=1",),
    "-fcf-protection=return": ("-D__CET__=2",),
    "-mcmodel=medium": ("-U__code_model_small__", "-D__code_model_medium__=1"),
    "-mcmodel=large": ("-U__code_model_small__", "-D__code_model_large__=1"),
}
"""What options define and undefine beside what they are for."""
_DATA_MODELS: Mapping[str, str] = {"-m32": "ILP32", "-m64": "LP64"}
_OTHER_C = (
    *("-funsigned-char", "-fno-signed-char", "-funsigned-bitfields", "-fno-signed-bitfields", "-fpack-struct"),
    *("-fshort-enums", "-fshort-wchar", "-m16", "-mx32", "-finstrument-functions", "-fgnu89-inline"),
    *("-mlong-double-", "-malign-double", "-mms-bitfields", "-mfpmath", "-fsingle-precision-constant", "-undef"),
    *("-fexec-charset", "-finput-charset", "-fwide-exec-charset", "-traditional", "-fpcc-struct-return"),
    *("-trigraphs", "-fplan9-extensions", "-fchar8_t", "-mabi=ms", "-m96bit-long-double"),
    *("-fsanitize=hwaddress", "-fsanitize=kernel-hwaddress"),
)
"""How options begin with which the text means something that is not modelled."""
_LONG: Mapping[str, str] = {
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--include-directory": "-I",
    "--include-directory-after": "-idirafter",
    "--include": "-include",
    "--language": "-x",
}
"""The long names of options."""
_PLAIN_LONG = (
    *("--param", "--sysroot", "--coverage", "--verbose", "--pedantic", "--all-warnings", "--extra-warnings", "--warn-"),
    *("--no-warnings", "--debug", "--output", "--compile", "--pipe", "--save-temps", "--static", "--shared"),
    *("--dependencies", "--user-dependencies", "--write-", "--gcc-toolchain", "--target=x86_64"),
)
"""How the long options begin that say nothing of what the text means; others are refused."""
_PLAIN_MACHINE = (
    *("-mtune", "-mcmodel", "-mno-red-zone", "-mpreferred-stack-boundary", "-mincoming-stack-boundary", "-masm"),
    *("-mstackrealign", "-mindirect-branch", "-mfunction-return", "-mretpoline", "-mharden-sls", "-mtls-dialect"),
    *("-mno-omit-leaf", "-momit-leaf", "-mskip-rax-setup", "-mabi=sysv", "-march=x86-64 "),
)
"""How options for a machine begin that define nothing."""
_WRAPPING = ("-fwrapv", "-fno-strict-overflow")
WRAPS = "signed numbers do not overflow (--properties overflow checks that), although {} is compiled with {}"
DEFINES = "nothing in {} asks for what {} defines"
"""What is assumed of options that are taken to say nothing."""
SEVERAL = "{} means what it does with the options that it is compiled with first, also where it is compiled with others"
"""What is assumed of a file that a database compiles several times: it is one file of the program."""


def read_commands(path: str, only: tuple[str, ...] = ()) -> tuple[UnitFlags, ...]:
    """The files that a database compiles, with their flags; those that match one of the patterns, if there are any.

    `path` is the database or its directory. A pattern is matched against the path and against the name of the file.
    *Raises*: UsageError for a database that cannot be read, that has no such file, one that is not C, or one that is
    compiled with an option under which C means something else.
    """
    file = Path(path) / NAME if Path(path).is_dir() else Path(path)
    found: dict[str, UnitFlags] = {}
    several: dict[str, str] = {}
    for entry in read_database(file):
        source = _path(entry, file)
        if only and not any(fnmatch(source, glob) or fnmatch(Path(source).name, glob) for glob in only):
            continue
        if Path(source).suffix not in _C:
            raise UsageError(f"{file}: '{source}' is not C; choose the C files with --only GLOB")
        flags = _flags(entry, source, file)
        if found.setdefault(source, flags) != flags:
            several[source] = SEVERAL.format(source)
    if not found:
        raise UsageError(f"{file}: no file {'matches ' + ', '.join(only) if only else 'is compiled'}")
    told = ((flags, (several[path],) if path in several else ()) for path, flags in found.items())
    return tuple(replace(flags, assumed=(*flags.assumed, *more)) for flags, more in told)


def flags_of_words(paths: Iterable[str], words: tuple[str, ...]) -> tuple[UnitFlags, ...]:
    """The flags of files that are compiled with the same options, here.

    *Raises*: UsageError for an option under which C means something else, or that is not known.
    """
    here = Span("the command line", 1, 1)
    try:
        return tuple(_flags(Entry(".", path, ("cc", *words), here), path, Path(NAME)) for path in paths)
    except SourceError as error:
        raise UsageError(error.message) from error


def module_flags(file: Path) -> Iterator[tuple[UnitFlags, str]]:
    """The C files that the database of a kernel compiles, with their flags and the module that each is part of.

    How code is generated for the kernel is known, so that its other options do not matter.
    """
    for entry in read_database(file):
        source = _path(entry, file)
        if Path(source).suffix != ".c":
            continue
        flags = _flags(entry, source, file, is_kernel=True)
        told = (macro for macro in flags.macros if macro.startswith(_MODULE))
        yield flags, next(told, _MODULE).removeprefix(_MODULE).strip("\"'")


def _resolved(path: str, entry: Entry, file: Path) -> str:
    """A path that is relative to the directory of an entry."""
    return os.path.normpath(os.path.join(file.parent, entry.directory, path))


def _path(entry: Entry, file: Path) -> str:
    return entry.file if os.path.isabs(entry.file) else os.path.relpath(_resolved(entry.file, entry, file))


def _flags(entry: Entry, source: str, file: Path, is_kernel: bool = False) -> UnitFlags:
    """The flags of an entry; relative paths are relative to its directory. Of a kernel, only those of preprocessing."""
    directories: list[str] = []
    searched: list[tuple[str, str]] = []
    implied: list[str] = []
    macros: list[str] = []
    forced: list[str] = []
    assumed: list[str] = []
    standard, data_model = "" if is_kernel else DEFAULT_STANDARD, ""
    if "++" in os.path.basename(entry.arguments[0] if entry.arguments else ""):
        raise SourceError(f"'{entry.file}' is compiled as C++", entry.span)

    def resolved(path: str) -> str:
        return _resolved(path, entry, file)

    for option, value in _options(_expanded(entry.arguments[1:], resolved, entry), entry):
        if option == "-I":
            directories.append(resolved(value))
        elif option in _DIRECTORIES:
            searched.append((option, resolved(value)))
        elif option in _MACROS:
            macros.append(option + value)
        elif option == "-include":
            local = resolved(value)
            forced.append(local if os.path.exists(local) else value)
        elif option == "-std" and not is_kernel:
            standard = value
        elif is_kernel:
            continue
        elif option in _DATA_MODELS:
            data_model = _DATA_MODELS[option]
        elif (
            any(part.startswith(_OTHER_C) for part in _parts(option))
            or (option == "-x" and value not in _LANGUAGES)
            or _is_unknown(option)
        ):
            raise SourceError(f"'{entry.file}' is compiled with {option}{value}, which is not supported", entry.span)
        else:
            implied += [macro for part in _parts(option) for macro in IMPLIED.get(part, ())]
            if option in _WRAPPING:
                assumed.append(WRAPS.format(entry.file, option))
            if option.startswith("-m") and option not in IMPLIED and not f"{option} ".startswith(_PLAIN_MACHINE):
                assumed.append(DEFINES.format(entry.file, option))
    macros = [*implied, *macros]
    return UnitFlags(
        source,
        tuple(directories),
        tuple(macros),
        tuple(forced),
        standard,
        data_model,
        tuple(assumed),
        tuple(searched),
    )


def _is_unknown(option: str) -> bool:
    """Whether an option is a long one of which it is not known what it says."""
    return option.startswith("--") and not option.startswith(_PLAIN_LONG)


def _parts(option: str) -> list[str]:
    """An option with several values as one for each of them."""
    name, equals, values = option.partition("=")
    return [f"{name}{equals}{value}" for value in values.split(",")]


def with_units(options: FrontendOptions, units: tuple[UnitFlags, ...]) -> FrontendOptions:
    """Options with the flags of single files, for the data model that all of them are compiled for.

    *Raises*: UsageError where they are compiled for different ones.
    """
    told = {unit.data_model or options.data_model for unit in units}
    if len(told) > 1:
        raise UsageError("the files are compiled for different data models: some with -m32, some without")
    data_model = min(told, default=options.data_model)
    if data_model == "ILP32" and options.model == "linux":
        raise UsageError("kernels are taken to be built for x86-64, not with -m32")
    return replace(options, units=units, data_model=data_model)


def _expanded(arguments: Iterable[str], resolved: Callable[[str], str], entry: Entry, depth: int = 0) -> Iterator[str]:
    """The arguments with what `@FILE`, `-Wp,...` and `-Xpreprocessor` stand for.

    *Raises*: SourceError for a file that cannot be read.
    """
    for argument in arguments:
        if argument.startswith("@"):
            try:
                inside = shlex.split(Path(resolved(argument[1:])).read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise SourceError(f"{argument}: cannot read the options: {error}", entry.span) from error
            if depth > _NESTED_FILES:
                raise SourceError(f"{argument}: files of options nest too deeply", entry.span)
            yield from _expanded(inside, resolved, entry, depth + 1)
        elif argument.startswith("-Wp,"):
            yield from argument.split(",")[1:]
        elif argument != "-Xpreprocessor":
            yield argument


def _options(arguments: Iterable[str], entry: Entry) -> Iterator[tuple[str, str]]:
    """The options, with their values those that say something of preprocessing, joined to them or not."""
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("-imacros"):
            raise SourceError(f"{argument} is not supported", entry.span)
        if argument.lstrip("-") == "ansi" or argument.startswith(("-std=", "--std=")):
            yield "-std", "c89" if argument.endswith("ansi") else argument.partition("=")[2]
            continue
        name, equals, value = argument.partition("=")
        if name in _LONG:
            yield _LONG[name], value if equals else next(rest, "")
            continue
        for option in ("-include", "-x", *_DIRECTORIES, *_MACROS):
            if argument == option:
                yield option, next(rest, "")
                break
            if argument.startswith(option) and not argument.startswith("-include-"):
                yield option, argument.removeprefix(option).removeprefix("=")
                break
        else:
            yield argument, ""
