"""The flags that compilation databases give files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from duet.errors import DuetError, SourceError, UsageError
from duet.frontend.source.commands import IMPLIED, read_commands, with_units
from duet.options import DEFAULT_STANDARD, FrontendOptions, UnitFlags


def read(tmp_path: Path, *commands: str, only: tuple[str, ...] = ()) -> tuple[UnitFlags, ...]:
    """What a database says of the files 0.c, 1.c, ..., each compiled by one command."""
    entries = [{"directory": "sub", "file": f"{i}.c", "command": text} for i, text in enumerate(commands)]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return read_commands(str(tmp_path), only)


def flags(tmp_path: Path, options: str) -> UnitFlags:
    (found,) = read(tmp_path, f"gcc {options} -c 0.c")
    return found


def test_directories_are_relative_to_the_entry(tmp_path: Path) -> None:
    found = flags(tmp_path, "-I inc -Imore -isystem /usr/x -iquote q")
    assert found.include_dirs == (str(tmp_path / "sub/inc"), str(tmp_path / "sub/more"))
    assert found.searched == (("-isystem", "/usr/x"), ("-iquote", str(tmp_path / "sub/q")))
    assert Path(found.path).resolve() == (tmp_path / "sub/0.c").resolve()


def test_macros_are_kept_in_order_behind_those_that_options_imply(tmp_path: Path) -> None:
    found = flags(tmp_path, "-DX -U X -D Y=2 -pthread")
    assert found.macros == ("-D_REENTRANT=1", "-DX", "-UX", "-DY=2")
    assert flags(tmp_path, "-O2 -O0").macros == (*IMPLIED["-O2"], *IMPLIED["-O0"])


def test_a_file_that_is_compiled_in_two_ways_counts_as_the_first_which_is_told(tmp_path: Path) -> None:
    for options, expected in ((("-DX", "-DX"), 0), (("-DX", "-DY"), 1)):
        entries = [{"directory": ".", "file": "0.c", "command": f"gcc {option} -c 0.c"} for option in options]
        (tmp_path / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
        (found,) = read_commands(str(tmp_path))
        assert found.macros == ("-DX",)
        assert [text.split()[-1] for text in found.assumed] == ["others"] * expected


def test_standards(tmp_path: Path) -> None:
    assert flags(tmp_path, "").std == DEFAULT_STANDARD
    assert flags(tmp_path, "-std=c99").std == "c99"
    assert flags(tmp_path, "-std=c99 -ansi").std == "c89"


def test_forced_headers_are_those_of_the_directory_or_searched(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "here.h").touch()
    assert flags(tmp_path, "-include here.h -include far.h").forced == (str(tmp_path / "sub/here.h"), "far.h")


def test_options_may_come_from_files_and_for_the_preprocessor(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "opts").write_text("-DA -Wp,-DB,-UC", encoding="utf-8")
    assert flags(tmp_path, "@opts -Xpreprocessor -DD").macros == ("-DA", "-DB", "-UC", "-DD")
    (tmp_path / "sub" / "round").write_text("@round", encoding="utf-8")
    with pytest.raises(SourceError, match="nest too deeply"):
        flags(tmp_path, "@round")
    with pytest.raises(SourceError, match="cannot read the options"):
        flags(tmp_path, "@missing")


@pytest.mark.parametrize(
    "options",
    ["-funsigned-char", "-mx32", "-fshort-enums", "-x c++", "-xassembler", "-imacros a.h", "-fpack-struct=1", "-undef"],
)
def test_options_under_which_c_means_something_else_are_refused(tmp_path: Path, options: str) -> None:
    with pytest.raises(SourceError, match="not supported"):
        flags(tmp_path, options)


@pytest.mark.parametrize(("options", "model"), [("-g", ""), ("-m32", "ILP32"), ("-m64", "LP64"), ("-m32 -m64", "LP64")])
def test_the_last_data_model_counts(tmp_path: Path, options: str, model: str) -> None:
    assert flags(tmp_path, options).data_model == model


def test_files_of_one_program_have_one_data_model(tmp_path: Path) -> None:
    small, plain = read(tmp_path, "gcc -m32 0.c", "gcc 1.c")
    assert with_units(FrontendOptions(), (small,)).data_model == "ILP32"
    assert with_units(FrontendOptions(data_model="ILP32"), (small, plain)).data_model == "ILP32"
    assert with_units(FrontendOptions(), ()).data_model == "LP64"
    with pytest.raises(UsageError, match="different data models"):
        with_units(FrontendOptions(), (small, plain))
    with pytest.raises(UsageError, match="x86-64"):
        with_units(FrontendOptions(model="linux"), (small,))


@pytest.mark.parametrize("options", ["-x c", "-xc", "-Wall -g", "-fno-strict-aliasing", "-o 0.o"])
def test_other_options_say_nothing(tmp_path: Path, options: str) -> None:
    assert flags(tmp_path, options).macros == ()


@pytest.mark.parametrize("options", ["-fwrapv", "-O2 -fno-strict-overflow", "-mavx2", "-march=native"])
def test_what_is_not_modelled_of_options_is_assumed(tmp_path: Path, options: str) -> None:
    (text,) = flags(tmp_path, options).assumed
    assert options.split()[-1] in text


def test_compilers_of_other_languages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="compiled as C"):
        read(tmp_path, "/usr/bin/g++ -c 0.c")


def test_files_are_chosen_by_patterns(tmp_path: Path) -> None:
    found = read(tmp_path, "gcc 0.c", "gcc 1.c", "gcc 2.c", only=("1.*", "*/2.c"))
    assert [Path(unit.path).name for unit in found] == ["1.c", "2.c"]
    with pytest.raises(UsageError, match="no file matches 7"):
        read(tmp_path, "gcc 0.c", only=("7",))


@pytest.mark.parametrize(("text", "message"), [("[]", "no file is compiled"), ('[{"file": "a.S"}]', "is not C")])
def test_programs_without_c_are_refused(tmp_path: Path, text: str, message: str) -> None:
    database = tmp_path / "db.json"
    database.write_text(text, encoding="utf-8")
    with pytest.raises(DuetError, match=message):
        read_commands(str(database))


def test_the_first_compilation_of_a_file_counts(tmp_path: Path) -> None:
    entries = [{"directory": "/", "file": "/a.c", "command": f"gcc -D{name} a.c"} for name in "XY"]
    (tmp_path / "db.json").write_text(json.dumps(entries), encoding="utf-8")
    (found,) = read_commands(str(tmp_path / "db.json"))
    assert (found.path, found.macros) == ("/a.c", ("-DX",))
