"""The bundled drivers, analysed as modules of the kernel: the verdicts are those in their comments, in both modes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from domains.registry import available
from duet.cli import cli
from duet.clock import Clock
from duet.coarsen.evidence import assertions
from duet.options import DOMAINS, AnalysisOptions, FrontendOptions
from duet.pipeline import solve
from duet.reading import read
from tests.c.annotations import AnnotatedProgram, Expected, load

DRIVERS = sorted(
    (Path(__file__).parents[2] / "drivers-bench" / "drivers").glob("*.c"), key=lambda path: path.stat().st_size
)
PROPERTIES = "assertion,array-bounds,overflow"
SAFE = frozenset({"proved", "unreachable"})


def verdicts(path: Path, *options: str) -> tuple[dict[int, set[str]], list[object]]:
    """The verdicts of the checks by line, and the warnings."""
    command = ["analyze", str(path), "--model=linux", f"--properties={PROPERTIES}", "--format=json", *options]
    outcome = CliRunner().invoke(cli, command)
    assert outcome.exit_code in (0, 1), outcome.output
    report = json.loads(outcome.stdout)
    assert report["status"] == "complete"
    found: dict[int, set[str]] = {}
    for check in report["assertions"]:
        assert check["file"] == str(path), "a check of the harness or of the model"
        found.setdefault(check["line"], set()).add("safe" if check["status"] in SAFE else check["status"])
    return found, report["warnings"]


def differences(driver: AnnotatedProgram, found: dict[int, set[str]]) -> list[str]:
    """Where verdicts and comments differ; an unproved check needs a comment, a proved one may do without."""
    wrong = []
    expected = {annotation.line: annotation.expected for annotation in driver.annotations}
    for line in sorted(found.keys() | expected.keys()):
        safe = expected.get(line, Expected.SAFE) is Expected.SAFE
        if found.get(line, set()) != ({"safe"} if safe else {"unproved"}):
            wrong.append(f"{driver.path.name}:{line}: {expected.get(line)}, found {found.get(line)}")
    return wrong


@pytest.mark.parametrize(
    ("path", "descriptors"),
    [
        pytest.param(path, descriptors, id=f"{path.stem}-{descriptors}", marks=pytest.mark.slow if index > 2 else ())
        for index, path in enumerate(DRIVERS)
        for descriptors in (("private",) if index % 4 else ("private", "shared"))
    ],
)
def test_verdicts(path: Path, descriptors: str) -> None:
    found, warnings = verdicts(path, f"--descriptors={descriptors}")
    assert not differences(load(path), found)
    assert not warnings


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=pytest.mark.slow if index > 1 else ())
        for index, path in enumerate(DRIVERS)
    ],
)
def test_no_domain_proves_what_can_fail(path: Path, pytestconfig: pytest.Config) -> None:
    found = read((str(path),), FrontendOptions(model="linux", properties=tuple(PROPERTIES.split(","))), Clock())
    has_polyhedra = any(library.name == "ppl" and library.version for library in available())
    is_slow = bool(pytestconfig.getoption("--slow", default=False))  # polyhedra take minutes
    left_out = {"auto"} if has_polyhedra and is_slow else {"auto", "polyhedra"}
    for domain in sorted(set(DOMAINS) - left_out):
        verdicts = assertions(solve(found.program, AnalysisOptions(domain=domain)), found.checks)
        for line in load(path).lines(Expected.UNSAFE):
            there = [verdict.status for verdict in verdicts if verdict.check.line == line]
            assert there, f"{path.name}:{line} has no check"
            assert not any(status.is_safe for status in there), f"{path.name}:{line} can fail, but not with {domain}"


def test_a_wrong_verdict_is_noticed() -> None:
    driver = load(next(path for path in DRIVERS if path.stem == "pci_temp_wdt"))
    truth = {a.line: {"safe" if a.expected is Expected.SAFE else "unproved"} for a in driver.annotations}
    assert not differences(driver, truth)
    for line in truth:
        assert differences(driver, {**truth, line: {"safe"} ^ truth[line] or {"unproved"}})
    assert differences(driver, {**truth, 1: {"unproved"}})


def test_there_is_a_driver_of_each_family() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DRIVERS)
    assert len(DRIVERS) >= 6
    for word in ("request_irq(", "register_reboot_notifier(", "timer_setup(", "spin_lock_init(", "request_region("):
        assert word in text
    for word in ("platform_driver_register(", "module_pci_driver(", "test_and_set_bit(", "UNSAFE!", "UNKNOWN"):
        assert word in text
