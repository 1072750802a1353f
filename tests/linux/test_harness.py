"""The harness: what it starts when, for drivers written for these tests and for the bundled ones."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from duet.errors import UsageError
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.harness import combine, derive
from duet.options import FrontendOptions
from tests.linux.drivers import MINIMAL, body, harness

DRIVERS = sorted((Path(__file__).parents[2] / "drivers-bench" / "drivers").glob("*.c"))


def test_registrations_start_what_they_register(tmp_path: Path) -> None:
    text = harness(tmp_path, MINIMAL.replace("@START@", "")).text
    registering = body(text, "misc_register")
    assert "while (__duet_nondet_bool())\n\t\t\t__duet_spawn(__duet_run_client_device);" in registering
    assert "__duet_spawn(__duet_run_notifier_0);" in body(text, "register_reboot_notifier")
    assert "__duet_spawn(__duet_run_interrupt_0, __duet_data);" in body(text, "request_irq")
    for function in ("misc_register", "register_reboot_notifier", "request_irq"):
        assert "return error;" in body(text, function)
        assert "__duet_start_timers();" in body(text, function)
    assert "fire(&timer)" in body(text, "__duet_run_timer_0")


def test_parameters_come_first_and_failure_ends_it(tmp_path: Path) -> None:
    lines = [line.strip() for line in body(harness(tmp_path, MINIMAL.replace("@START@", "")).text, "main").split("\n")]
    assert lines.index("__duet_havoc(level);") < lines.index("if (start() < 0)")
    assert lines[lines.index("if (start() < 0)") + 1] == "return 0;"
    assert lines.index("stop();") > lines.index("if (start() < 0)")


def test_a_timer_that_bring_up_arms_runs_from_the_start(tmp_path: Path) -> None:
    text = harness(tmp_path, MINIMAL.replace("@START@", "mod_timer(&timer, jiffies);")).text
    main = body(text, "main")
    assert main.index("__duet_spawn(__duet_run_timer_0);") < main.index("start()")
    assert "__duet_start_timers" not in text


@pytest.mark.parametrize(
    "text",
    [
        "int arm(void) { return mod_timer(&timer, jiffies); } EXPORT_SYMBOL(arm); static int start",
        "int arm(void) { return mod_timer(&timer, jiffies); } static int (*at)(void) = arm;"
        "static int set(void) { return hook(at); } static int (*const setting)(void) = set; static int start",
        "static const struct file_operations *at = &ops; static void set(void) { hook(at); }"
        "EXPORT_SYMBOL(set); static int start",
    ],
)
def test_a_timer_that_others_may_arm_runs_from_the_start(tmp_path: Path, text: str) -> None:
    main = body(
        harness(tmp_path, MINIMAL.replace("static int start", text).replace("@START@", "setting();")).text, "main"
    )
    assert "__duet_spawn(__duet_run_timer_0);" in main


def test_descriptor_modes(tmp_path: Path) -> None:
    shared = harness(tmp_path, MINIMAL.replace("@START@", "")).text
    private = harness(tmp_path, MINIMAL.replace("@START@", ""), "private").text
    assert "writing(" in body(shared, "__duet_run_operation_device")
    assert "__duet_spawn(__duet_run_operation_device);" in body(shared, "__duet_run_client_device")
    client = body(private, "__duet_run_client_device")
    assert "__duet_spawn" not in client
    assert client.index("opening(") < client.index("writing(") < client.index("releasing(")


def test_not_a_driver(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="module_init"):
        harness(tmp_path, "int main(void) { return 0; }\n")


@pytest.mark.parametrize("descriptors", ["shared", "private"])
@pytest.mark.parametrize("driver", DRIVERS, ids=[driver.stem for driver in DRIVERS])
def test_bundled_drivers(tmp_path: Path, driver: Path, descriptors: str) -> None:
    options = FrontendOptions(model="linux", descriptors=descriptors)
    text = preprocess(str(driver), options).text
    made = derive(parse(text, str(driver), options), options)
    whole = combine(text, made.text, "harness.c")
    parsed = parse(whole, str(driver), options)
    assert parsed.warnings == ()
    last = parsed.ast.ext[-1]
    assert last.decl.name == "main"
    assert parsed.span(last.coord).file == "harness.c"
    if shutil.which("gcc"):
        source = tmp_path / "whole.i"
        source.write_text(whole)
        command = ["gcc", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", str(source)]
        assert subprocess.run(command, capture_output=True, text=True, check=False).stderr == ""


def test_templates_are_installed() -> None:
    root = Path(__file__).parents[2]
    with open(root / "pyproject.toml", "rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["package-data"]["duet"]
    files = [path for path in (root / "duet" / "linux").rglob("*") if path.suffix not in (".py", ".pyc")]
    names = {str(path.relative_to(root / "duet")) for path in files if path.is_file()}
    found = {str(path.relative_to(root / "duet")) for pattern in patterns for path in (root / "duet").glob(pattern)}
    assert names <= found
    assert "linux/templates/harness.c.jinja" in names


def test_there_are_bundled_drivers_with_both_verdicts() -> None:
    assert len(DRIVERS) >= 2
    for driver in DRIVERS:
        assert "// SAFE" in driver.read_text()
        assert "// UNSAFE!" in driver.read_text()
