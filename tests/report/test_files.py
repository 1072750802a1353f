"""Report files are written whole or not at all."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from duet.errors import UsageError
from duet.report.files import write


@pytest.fixture
def small_disk() -> Iterator[None]:
    """No file of this process can grow beyond 4 KiB, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("small_disk")
def test_full_disk_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*report\.html: File too large"):
        write(str(tmp_path / "report.html"), "x" * 100_000)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("small_disk")
def test_full_disk_leaves_the_old_report(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text("old")
    with pytest.raises(UsageError):
        write(str(report), "x" * 100_000)
    assert report.read_text() == "old"
    assert list(tmp_path.iterdir()) == [report]


def test_missing_directory_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        write(str(tmp_path / "none" / "report.html"), "x")


def test_full_device_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="No space left on device"):
        write("/dev/full", "x")


def test_file_keeps_its_mode_and_a_link_its_place(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write(str(link), "new \udcff")
    assert link.is_symlink()
    assert real.read_text() == "new \\udcff"
    assert real.stat().st_mode & 0o777 == 0o640


def test_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write(str(tmp_path / "report"), "x")
    finally:
        os.umask(mask)
    assert (tmp_path / "report").stat().st_mode & 0o777 == 0o640
