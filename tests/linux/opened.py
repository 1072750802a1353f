"""What stays open in drivers that are written out from a text, with a kernel's headers and without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.deadlock_evidence import deadlock_assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform
from duet.reading import read
from duet.result import Assertion, Status
from tests.linux import kernel_tree

INTERVAL = AnalysisOptions(domain="interval")


def filled(text: str, usual: Mapping[str, str], changed: Mapping[str, str]) -> str:
    """A text with its parts `@NAME@`: the usual ones, but for those that are changed."""
    for name, part in {**usual, **changed}.items():
        text = text.replace(f"@{name}@", part)
    return text


def open_deadlocks(directory: Path, text: str, has_kernel: bool) -> set[str]:
    """What is waited for where a deadlock is possible in a driver, all of which is understood."""
    path, options = _written(directory, text, has_kernel, "deadlock")
    found = read((path,), options, Clock())
    assert not found.unknown
    verdicts = deadlock_assertions(analyse(found.program, INTERVAL), path)
    return {item.check.expression for item in verdicts if not item.status.is_safe}


def null_dereferences(directory: Path, text: str) -> tuple[Assertion, ...]:
    """The verdicts on null pointers in a driver with a kernel's headers."""
    path, options = _written(directory, text, True, "null-dereference")
    return perform(Job((path,), options, INTERVAL), lambda _: None).assertions


def open_checks_of(
    directory: Path, text: str, asked: tuple[str, ...], is_whole: bool = True, assumed: tuple[str, ...] = ()
) -> set[str]:
    """What is not proved in a driver with a kernel's headers, all of which is understood if it `is_whole`."""
    path, options = _written(directory, text, True, *asked)
    options = replace(options, assumed=assumed)
    verdicts = perform(Job((path,), options, INTERVAL), lambda _: None).assertions
    assert not is_whole or not any(item.status is Status.UNKNOWN for item in verdicts)
    return {item.check.expression for item in verdicts if not item.status.is_safe}


def add_header(directory: Path, name: str, text: str) -> None:
    """Adds a header to the small kernel, in whose headers the cores are that a driver does not define itself."""
    path = directory / f"linux-headers-{kernel_tree.RELEASE}-common" / "include/linux" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)


def _written(directory: Path, text: str, has_kernel: bool, *asked: str) -> tuple[str, FrontendOptions]:
    source = directory / "driver.c"
    source.write_text(text)
    kernel = str(kernel_tree.found(directory)) if has_kernel else None
    return str(source), FrontendOptions(model="linux", kernel=kernel, properties=asked)
