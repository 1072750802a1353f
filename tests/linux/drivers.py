"""Drivers for tests: their harness, and which of their checks are proved."""

from __future__ import annotations

import re
from pathlib import Path

from duet.coarsen.analysis import analyse
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.harness import Harness, combine, derive
from duet.options import AnalysisOptions, FrontendOptions

HEADERS = """module atomic bitops completion device err fs interrupt isa kernel miscdevice mutex notifier pci percpu
platform_device pnp printk reboot refcount rwsem semaphore seqlock spinlock timer uaccess wait"""
BEGIN = "\n".join(f"#include <linux/{name}.h>" for name in HEADERS.split())


def harness(directory: Path, text: str, descriptors: str = "shared") -> Harness:
    """The harness of a driver."""
    source = directory / "driver.c"
    source.write_text(text)
    options = FrontendOptions(model="linux", descriptors=descriptors)
    return derive(parse(preprocess(str(source), options).text, str(source), options), options)


def body(text: str, function: str) -> str:
    """The body of a function of the harness."""
    found = re.search(rf"\b{function}\([^{{;]*\)\n\{{\n(.*?)\n\}}", text, re.DOTALL)
    assert found is not None, f"{function} is not defined in\n{text}"
    return found.group(1)


def lowered(directory: Path, text: str, kind: str = "assertion", descriptors: str = "shared") -> Lowered:
    """A driver, with all headers before it, and its harness as a program with the checks of one property."""
    source = directory / "driver.c"
    source.write_text(f"{BEGIN}\n{text}")
    options = FrontendOptions(model="linux", properties=(kind,), descriptors=descriptors)
    preprocessed = preprocess(str(source), options).text
    made = derive(parse(preprocessed, str(source), options), options).text
    return lower(parse(combine(preprocessed, made, "harness.c"), str(source), options), options)


def statuses(directory: Path, text: str, kind: str = "assertion", descriptors: str = "shared") -> list[bool]:
    """Which of the checks of a driver are proved; none of those that are not understood is."""
    made = lowered(directory, text, kind, descriptors)
    analysis = analyse(made.program, AnalysisOptions())
    found = [not analysis.races] if kind == "data-race" else [status.is_safe for status in analysis.statuses]
    found += [False for _ in made.unknown]
    assert found
    return found
