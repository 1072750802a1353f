"""Report files are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from duet.errors import UsageError
from duet.report.files import write

# In a process of its own, since the limit would hold for the log that the tests print as well.
_ON_A_SMALL_DISK = """
import resource, signal, sys
from duet.errors import UsageError
from duet.report.files import write

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write(sys.argv[1], "x" * 100_000)
except UsageError as error:
    print(error)
"""


def _write_on_a_full_disk(path: Path) -> str:
    """What writing a long report says where no file can grow beyond 4 KiB."""
    command = [sys.executable, "-c", _ON_A_SMALL_DISK, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_full_disk_leaves_nothing(tmp_path: Path) -> None:
    said = _write_on_a_full_disk(tmp_path / "report.html")
    assert "cannot write" in said
    assert "report.html: File too large" in said
    assert list(tmp_path.iterdir()) == []


def test_full_disk_leaves_the_old_report(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text("old")
    assert "File too large" in _write_on_a_full_disk(report)
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
