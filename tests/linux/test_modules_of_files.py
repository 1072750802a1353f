"""Modules of several files: which ones a Makefile or a database names, and that they are analysed as one program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.arguments import _is_of_module, whole_module
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.errors import UsageError
from duet.frontend.source import kernel
from duet.frontend.source.kbuild import Module, module_of
from duet.frontend.source.kernel import find_headers
from duet.frontend.source.makefile import UNKNOWN, Makefile
from duet.linux import general
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read
from tests.linux.kernel_tree import make

HEAD = """
#include <linux/module.h>
#include <linux/gadget.h>
extern int level;
extern int limited(int number);
"""
MAIN = """
static int start(struct gadget *g) { @START@ return 0; }
static const struct gadget_ops ops = { .start = start };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void) { return gadget_register(&gadget); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
PART = """
int level;
int limited(int number) { @LIMITED@ return number; }
"""
WHOLE = "obj-m += both.o\nboth-y := first.o\nboth-objs := second.o\n"


def written(directory: Path, makefile: str, start: str, limited: str, more: str = "", main: str = MAIN) -> Path:
    """A module of two files; the first of them."""
    first = directory / "first.c"
    first.write_text(HEAD + main.replace("@START@", start))
    (directory / "second.c").write_text(HEAD + PART.replace("@LIMITED@", limited) + more)
    (directory / "Makefile").write_text(makefile)
    return first


def proved(directory: Path, path: Path, *others: Path) -> bool:
    """Whether all checks of the module that a file is part of are proved."""
    options = FrontendOptions(model="linux", kernel=str(configured(directory)), properties=("assertion",))
    found = read(*whole_module((str(path), *map(str, others)), options, False), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    assert found.checks
    return all(analysis.status_of(check).is_safe for check in found.checks) and not found.unknown


def configured(directory: Path) -> Path:
    kernel = make(directory)
    (kernel / "include/config").mkdir(exist_ok=True)
    (kernel / "include/config/auto.conf").write_text('CONFIG_GADGET=m\nCONFIG_BOTH=y\nCONFIG_NAME="x"\n')
    return kernel


CHECK = "__VERIFIER_assert(number == 1);"
ZERO = "__VERIFIER_assert(level == 0);"
FAILS: Mapping[str, tuple[str, str, str, str]] = {
    "another file writes": (WHOLE, ZERO + " limited(1);", "level = number;", ""),
    "a callback of another file": (
        WHOLE,
        ZERO + " limited(1);",
        "static struct gadget own; own.ops = &others; gadget_register(&own);",
        "",
    ),
    "a name that each file has of its own": (WHOLE, "limited(1); limited(twice());", CHECK, ""),
    "it is exported": (WHOLE, "limited(1);", CHECK, "EXPORT_SYMBOL(limited);"),
    "it is built in": (WHOLE.replace("obj-m", "obj-y"), "limited(1);", CHECK, ""),
    "a configuration builds it in": (WHOLE.replace("obj-m", "obj-$(CONFIG_BOTH)"), "limited(1);", CHECK, ""),
    "an object of assembler": (WHOLE + "both-y += entry.o\n", "limited(1);", CHECK, ""),
    "an object that is not understood": (WHOLE + "both-y += $(call more, x)\n", "limited(1);", CHECK, ""),
    "lines that are not there": (WHOLE + "include other.mk\n", "limited(1);", CHECK, ""),
    "a condition that is not understood": (
        WHOLE + "ifeq ($(shell uname),Linux)\nboth-y += entry.o\nendif\n",
        "limited(1);",
        CHECK,
        "",
    ),
    "what the kernel calls by name": (
        WHOLE,
        ZERO,
        "",
        "int cleanup_module(void) { level = 1; return 0; }",
    ),
}
HOLDS: Mapping[str, tuple[str, str, str, str]] = {
    "only the module calls it": (WHOLE, "limited(1);", CHECK, ""),
    "a configuration makes a module of it": (
        WHOLE.replace("obj-m", "obj-$(CONFIG_GADGET)"),
        "limited(1);",
        CHECK,
        "",
    ),
    "nobody writes": (WHOLE, ZERO, "", ""),
}
OTHERS = "static int setting(struct gadget *g) { level = 1; return 0; }\n"
OTHERS += "static const struct gadget_ops others = { .start = setting };\n"


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_in_the_kernel_is_not_proved(tmp_path: Path, name: str) -> None:
    makefile, start, limited, more = FAILS[name]
    main = "static int twice(void) { return 2; }\n" + MAIN
    path = written(tmp_path, makefile, start, limited, more, main)
    second = tmp_path / "second.c"
    second.write_text(second.read_text().replace("int level;\n", "int level;\n" + OTHERS, 1))
    assert not proved(tmp_path, path)


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_proved(tmp_path: Path, name: str) -> None:
    makefile, start, limited, more = HOLDS[name]
    assert proved(tmp_path, written(tmp_path, makefile, start, limited, more))


def test_files_that_are_named_may_not_be_all(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE, "limited(1);", CHECK)
    assert not proved(tmp_path, path, tmp_path / "second.c")


def test_two_modules_run_beside_each_other(tmp_path: Path) -> None:
    path = written(tmp_path, "", ZERO, "")
    other = tmp_path / "other.c"
    other.write_text(HEAD + "static int __init begin(void) { level = 1; return 0; }\nmodule_init(begin);\n")
    assert not proved(tmp_path, path, tmp_path / "second.c", other)
    other.write_text(HEAD + "static int __init begin(void) { return 0; }\nmodule_init(begin);\n")
    assert not proved(tmp_path, path, tmp_path / "second.c", other)  # others may name `level`


def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(general, "BY_NAME", frozenset())
    makefile, start, limited, more = FAILS["what the kernel calls by name"]
    assert proved(tmp_path, written(tmp_path, makefile, start, limited, more))


def test_bundled_headers_take_one_file(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE, "", "")
    with pytest.raises(UsageError, match="several files"):
        read((str(path), str(tmp_path / "second.c")), FrontendOptions(model="linux"), Clock())


def module(directory: Path, makefile: str, name: str = "first.c", make_file: str = "Makefile") -> Module | None:
    for file in ("first.c", "second.c", "third.c", "sub/deep.c"):
        path = directory / file
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    (directory / "own").mkdir(exist_ok=True)
    (directory / make_file).write_text(makefile)
    return module_of(str(directory / name), find_headers(configured(directory)))


MAKEFILES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "parts": ("obj-m := a.o\na-y := first.o second.o", ("first", "second")),
    "objects, the older way": ("a-objs = first.o \\\n third.o # second.o\nobj-m += a.o", ("first", "third")),
    "parts that are configured": (
        "obj-$(CONFIG_GADGET) += a.o\na-y += first.o\na-$(CONFIG_BOTH) += second.o\na-$(CONFIG_NO) += third.o",
        ("first", "second"),
    ),
    "one file": ("obj-m += second.o first.o", ("first",)),
    "below": ("obj-m += a.o\na-y := first.o sub/deep.o", ("first", "sub/deep")),
    "a variable": ("LIST := first.o third.o\na-y := $(LIST)\nobj-m += a.o", ("first", "third")),
    "the module that is configured": (
        "b-y := first.o third.o\na-y := first.o second.o\nobj-$(CONFIG_GADGET) += a.o\nobj-$(CONFIG_NO) += b.o",
        ("first", "second"),
    ),
    "a Makefile that is also for people": (
        "ifneq ($(KERNELRELEASE),)\nobj-m := a.o\na-y := first.o second.o\nelse\nall:\n\tmake -C $(KDIR)\nendif",
        ("first", "second"),
    ),
    "conditions": (
        "a-y := first.o\nifdef CONFIG_NO\na-y += second.o\nelse ifeq ($(CONFIG_BOTH),y)\na-y += third.o\nelse\n"
        "a-y += second.o\nendif\nobj-m := a.o",
        ("first", "third"),
    ),
    "quoted conditions": (
        'obj-m := a.o\na-y := first.o\nifeq "$(CONFIG_NAME)" "x"\na-y += third.o\nendif',
        ("first", "third"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MAKEFILES)
def test_a_makefile_names_the_files(tmp_path: Path, name: str) -> None:
    makefile, expected = MAKEFILES[name]
    found = module(tmp_path, makefile)
    assert found is not None
    assert found.files == tuple(str(tmp_path / f"{stem}.c") for stem in expected)
    assert found.is_whole


def test_a_file_that_no_makefile_names_is_of_no_module(tmp_path: Path) -> None:
    assert module(tmp_path, "obj-m := second.o") is None


def test_a_makefile_above_a_file(tmp_path: Path) -> None:
    found = module(tmp_path, "obj-m += a.o\na-y := first.o sub/deep.o", "sub/deep.c", "Kbuild")
    assert found is not None
    assert found.files == (str(tmp_path / "first.c"), str(tmp_path / "sub/deep.c"))


def test_flags(tmp_path: Path) -> None:
    text = "obj-m := a.o\na-y := first.o second.o\nccflags-y := -I$(src)/own -DONE=1 -Wall -I$(nothing)/x\n"
    found = module(tmp_path, text + "CFLAGS_second.o := -DTWO\n")
    assert found is not None
    first, second = found.units
    assert first.include_dirs == (str(tmp_path / "own"),)
    assert first.macros[-1] == "-DONE=1"
    assert second.macros[-1] == "-DTWO"
    assert '-DKBUILD_MODNAME="a"' in first.macros


def test_the_option_that_builds_a_module_is_set(tmp_path: Path) -> None:
    parts = "a-y := first.o second.o\nobj-$(CONFIG_{}) += a.o"
    for option, is_given in (("NO", True), ("GADGET", False)):
        found = module(tmp_path, parts.format(option))
        assert found is not None
        assert [f"-DCONFIG_{option}_MODULE=1" in unit.macros for unit in found.units] == [is_given, is_given]
        assert ("CONFIG_NO=m, which is not in the configuration" in found.words) is is_given


def test_the_option_of_a_directory_is_set(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("obj-$(CONFIG_NO) += below/\n")
    (tmp_path / "below").mkdir()
    found = module(tmp_path / "below", "obj-y := first.o", "first.c")
    assert found is not None
    assert "-DCONFIG_NO_MODULE=1" in found.units[0].macros


def test_a_file_that_shows_nothing_is_of_a_module_where_a_makefile_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "default_kernel", lambda: str(configured(tmp_path)))
    for makefile, header, is_one in (
        ("obj-m := first.o", "linux/gadget.h", True),
        ("obj-m := first.o", "linux/if.h", False),
        ("a-objs := first.o", "linux/gadget.h", False),
        ("", "linux/gadget.h", False),
    ):
        (tmp_path / "first.c").write_text(f"#include <{header}>\nint x;\n")
        (tmp_path / "Makefile").write_text(makefile)
        assert _is_of_module(str(tmp_path / "first.c"), None) is is_one


def test_a_database(tmp_path: Path) -> None:
    kernel, paths = configured(tmp_path), [tmp_path / name for name in ("first.c", "second.c", "third.c")]
    entries = [
        {"directory": str(tmp_path), "file": str(path), "command": f"gcc -O2 -fshort-wchar -DX={number} "
         f"-DKBUILD_MODFILE='\"drivers/{'a' if number < 2 else 'b'}\"' -c {path}"}
        for number, path in enumerate(paths)
    ]  # fmt: skip
    (kernel / "compile_commands.json").write_text(json.dumps(entries))
    for path in paths:
        path.write_text("")
    found = module_of(str(paths[1]), find_headers(kernel))
    assert found is not None
    assert set(found.files) == set(map(str, paths[:2]))
    assert not found.is_whole
    assert "-DX=1" in next(flags for flags in found.units if flags.path == str(paths[1])).macros


def test_a_long_module_is_taken_apart(tmp_path: Path) -> None:
    names = [f"part{number}" for number in range(9)]
    for name in names:
        (tmp_path / f"{name}.c").write_text("")
    (tmp_path / "Makefile").write_text(f"obj-m := a.o\na-y := {' '.join(f'{name}.o' for name in names)}\n")
    path, kernel = str(tmp_path / "part3.c"), str(configured(tmp_path))
    files, options = whole_module((path,), FrontendOptions(model="linux", kernel=kernel), False)
    assert files == (path,)
    assert "8 other files" in options.module
    assert not options.is_whole_module


def test_a_large_module_is_taken_apart(tmp_path: Path) -> None:
    path = str(written(tmp_path, WHOLE, "limited(1);", CHECK, "/*" + 100_000 * "." + "*/"))
    given = FrontendOptions(model="linux", kernel=str(configured(tmp_path)))
    files, options = whole_module((path,), given, False)
    assert (files, options.is_whole_module) == ((path,), False)


def test_what_is_not_understood_leaves_a_mark() -> None:
    found = Makefile({"CONFIG_A": "y"})
    found.read("x := $(A) b $(call f,c)d e\ny = $(x)\n$(B)-y := q\nz-$(CONFIG_A) += ${CONFIG_A}$(CONFIG_B)w\n")
    assert found.words("x") == [UNKNOWN, "b", UNKNOWN, "e"]
    assert found.words("y") == found.words("x")
    assert found.words("z-y") == ["yw"]
