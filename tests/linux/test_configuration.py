"""What the configuration of a kernel decides is named where it is not known."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.frontend.source.preprocess import TOOLS, preprocess
from duet.linux.configuration import undefined
from duet.options import FrontendOptions, UnitFlags
from duet.reading import read
from tests.linux.drivers import statuses

DRIVER = "#include <linux/module.h>\n%s\nstatic int start(void) { return 0; }\nmodule_init(start);\n"
UNKNOWN = (
    "#ifdef CONFIG_PM\n#endif",
    "#ifndef CONFIG_PM\n#endif",
    "#if defined(CONFIG_PM) && defined(MODULE)\n#endif",
    "#if IS_ENABLED(CONFIG_PM)\n#endif",
    "#if 0\n#elif CONFIG_PM > 1\n#endif",
    "#if defined(MODULE) || \\\n  defined(CONFIG_PM)\n#endif",
    "static int on = IS_ENABLED(CONFIG_PM);",
    "#define ON IS_ENABLED(CONFIG_PM)\n",
    "#ifdef CONFIG_PM\n#endif\n#define CONFIG_PM 1",
    "#ifdef CONFIG_PM /* CONFIG_OF */\n#endif",
)
KNOWN = (
    *(f"#ifdef {name}\n#endif" for name in ("__KERNEL__", "MODULE", "CONFIG_SMP", "CONFIG_64BIT", "CONFIG_PNP")),
    "#if IS_ENABLED(CONFIG_SMP)\n#endif",
    "/* #ifdef CONFIG_PM */",
    '// CONFIG_PM\nstatic const char *name = "CONFIG_PM";',
    "#ifndef CONFIG_PM_WDT_H\n#define CONFIG_PM_WDT_H\n#endif",
    "#define CONFIG_PM 1\n#ifdef CONFIG_PM\n#endif",
    "#ifdef DEBUG\n#endif",
)


def names(directory: Path, text: str, options: FrontendOptions | None = None) -> list[tuple[str, int]]:
    """The macros that are named, and where."""
    path = directory / "driver.c"
    path.write_text(DRIVER % text)
    chosen = options or FrontendOptions(model="linux")
    found = undefined(preprocess(str(path), chosen).text, str(path), chosen)
    assert {warning.code for warning in found} <= {"configuration"}
    return [(warning.message.split("'")[1], warning.line) for warning in found]


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_is_not_defined_is_named(tmp_path: Path, text: str) -> None:
    assert [name for name, _ in names(tmp_path, text)] == ["CONFIG_PM"]


@pytest.mark.parametrize("text", KNOWN)
def test_what_is_defined_is_not_named(tmp_path: Path, text: str) -> None:
    assert names(tmp_path, text) == []


def test_places(tmp_path: Path) -> None:
    text = "#ifdef CONFIG_PM\n#endif\n#if defined CONFIG_OF && defined CONFIG_PM\n#endif"
    assert names(tmp_path, text) == [("CONFIG_PM", 2), ("CONFIG_OF", 4), ("CONFIG_PM", 4)]


def test_headers_of_the_driver_are_read_also_where_nothing_is_left_of_them(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#ifdef CONFIG_PM\n#define LATE 1\n#endif\n")
    assert names(tmp_path, '#include "own.h"') == [("CONFIG_PM", 1)]


@pytest.mark.parametrize(
    "options",
    [
        FrontendOptions(model="linux", defines=("CONFIG_PM=1",)),
        FrontendOptions(model="linux", defines=("CONFIG_PM",)),
        FrontendOptions(model="linux", defines=("CONFIG_PM_MODULE",)),
        FrontendOptions(model="linux", units=(UnitFlags("@", macros=("-DCONFIG_PM=1",)),)),
    ],
)
def test_macros_of_the_command_line_are_defined(tmp_path: Path, options: FrontendOptions) -> None:
    if options.units:
        options = FrontendOptions(
            model="linux", units=(UnitFlags(str(tmp_path / "driver.c"), macros=options.units[0].macros),)
        )
    assert names(tmp_path, "#if IS_ENABLED(CONFIG_PM)\n#endif", options) == []


def test_the_report_has_it(tmp_path: Path) -> None:
    path = tmp_path / "driver.c"
    path.write_text(DRIVER % "#ifdef CONFIG_PM\n#endif")
    found = read((str(path),), FrontendOptions(model="linux"), Clock()).warnings
    assert [(w.code, w.line, w.column) for w in found] == [("configuration", 2, 8)]


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool == "pcpp" or shutil.which(tool)])
def test_is_enabled(tmp_path: Path, tool: str) -> None:
    options = FrontendOptions(model="linux", defines=("CONFIG_A=1", "CONFIG_B_MODULE=1"))
    macros = ["ENABLED", "BUILTIN", "MODULE", "REACHABLE"]
    lines = [f"{kind}_{name} IS_{kind}(CONFIG_{name})" for kind in macros for name in "ABC"]
    path = tmp_path / "driver.c"
    path.write_text("#include <linux/types.h>\n" + "\n".join(lines) + "\n")
    text = preprocess(str(path), options, tool).text

    def value(name: str) -> bool:
        (line,) = (line for line in text.split("\n") if line.startswith(f"{name} "))
        return bool(eval(line.removeprefix(name).replace("||", " or ").replace("&&", " and ").strip()))

    found = {kind: "".join(name for name in "ABC" if value(f"{kind}_{name}")) for kind in macros}
    assert found == {"ENABLED": "AB", "BUILTIN": "A", "MODULE": "B", "REACHABLE": "AB"}


def test_code_for_many_processors_and_modules_is_there(tmp_path: Path) -> None:
    parts = "".join(f"#ifdef {name}\nn++;\n#endif\n" for name in ("CONFIG_SMP", "MODULE", "__KERNEL__"))
    text = f"static int n; static int start(void) {{\n{parts} BUG_ON(n == 3); return 0; }} module_init(start);"
    assert statuses(tmp_path, text) == [False]
