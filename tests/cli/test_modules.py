"""Kernel modules on the command line: recognised, and read with the headers that there are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from duet.frontend.source.kernel import installed_headers
from tests.cli.conftest import Duet
from tests.linux import kernel_tree

MODULE = """\
#include <linux/module.h>
static int level;
static int __init loading(void) { __VERIFIER_assert(level == 0); return 0; }
module_init(loading);
MODULE_LICENSE("GPL");
"""


@pytest.fixture
def module(tmp_path: Path) -> str:
    (tmp_path / "driver.c").write_text(MODULE, encoding="utf-8")
    return "driver.c"


@pytest.fixture(autouse=True)
def no_installed_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet.frontend.source.kernel.default_kernel", lambda: None)


def test_a_module_needs_no_option(duet: Duet, module: str) -> None:
    done = duet("analyze", module)
    assert done.code == 0
    assert done.err.startswith("a kernel module, read with the bundled headers\n")
    assert "1 proved" in done.out


def test_the_kernels_own_headers(duet: Duet, module: str, tmp_path: Path) -> None:
    kernel = str(kernel_tree.make(tmp_path))
    done = duet("analyze", module, "--kernel", kernel, "--format", "json")
    assert done.code == 0
    report = json.loads(done.out)
    assert report["input"]["model"] == "linux"
    assert report["input"]["headers"] == f"the headers of Linux 6.1.7-test-amd64 in {kernel}"
    assert "extern void __duet_import" in duet("show", "harness", module, "--kernel", kernel).out
    bundled = duet("analyze", module, "--kernel", "bundled", "--format", "json")
    assert json.loads(bundled.out)["input"]["headers"] == "the bundled headers"


def test_the_newest_installed_headers_are_used(
    duet: Duet, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel_tree.make(tmp_path / "usr/src")
    found = installed_headers(tmp_path)
    assert found is not None
    monkeypatch.setattr("duet.frontend.source.kernel.default_kernel", lambda: str(found.configured))
    assert duet("analyze", module).err.startswith("a kernel module, read with the headers of Linux 6.1.7-test-amd64")


def test_other_programs_have_no_kernel(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "user.c").write_text("#include <stdio.h>\nint main(void) { return 0; }\n", encoding="utf-8")
    done = duet("analyze", "user.c")
    assert "a kernel module" not in done.err
    assert duet("analyze", "user.c", "--kernel", "bundled").code == 2
    (tmp_path / "driver.c").write_text(MODULE, encoding="utf-8")
    missing = duet("analyze", "driver.c", "--kernel", "nowhere")
    assert missing.code == 2
    assert "no headers of a kernel there" in missing.err


def test_doctor_tells_which_headers_there_are(duet: Duet) -> None:
    assert "kernel" in duet("doctor").out
