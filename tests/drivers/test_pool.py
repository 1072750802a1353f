"""Packages of Debian by checksum: what is taken of them, and that another one is refused."""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "drivers-bench"
sys.path.insert(0, str(ROOT))

import pool  # noqa: E402  (the scripts lie beside the drivers, in no package)

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")


def packed(directory: Path, name: str, files: dict[str, bytes]) -> Path:
    """A package of Debian with some files."""
    tree = directory / f"{name}.tree"
    files = files | {
        "DEBIAN/control": b"Package: x\nVersion: 1\nArchitecture: all\nMaintainer: n <n@n>\nDescription: x\n"
    }
    for path, data in files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_bytes(data)
    target = directory / f"{name}_1_all.deb"
    subprocess.run(["dpkg-deb", "-b", "--root-owner-group", str(tree), str(target)], check=True, capture_output=True)
    return target


def archive(names: list[str]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as made:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = 1
            made.addfile(entry, io.BytesIO(b"x"))
    return data.getvalue()


@needs_dpkg
def test_headers_are_unpacked_and_of_sources_the_drivers(tmp_path: Path) -> None:
    headers = packed(tmp_path, "linux-headers-1", {"usr/src/linux-headers-1/Makefile": b"x"})
    names = [
        "linux-source-1/drivers/rtc/a.c",
        "linux-source-1/drivers/misc/b/Makefile",
        "linux-source-1/drivers/net/c.c",
    ]
    sources = packed(tmp_path, "linux-source-1", {"usr/src/linux-source-1.tar.xz": archive(names)})
    target = tmp_path / "whole"
    assert (pool.unpack(headers, target), pool.unpack(sources, target)) == (0, 2)
    found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert found == {"usr/src/linux-headers-1/Makefile", *names[:2]}


def test_a_package_with_another_checksum_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.deb").write_bytes(b"what is expected")
    digest = hashlib.sha256(b"what is expected").hexdigest()
    path = pool.package(digest, "pool/a.deb", str(tmp_path), tmp_path / "cache")
    assert path.read_bytes() == b"what is expected"
    (tmp_path / "a.deb").write_bytes(b"something else")
    assert pool.package(digest, "pool/a.deb", str(tmp_path), tmp_path / "cache") == path  # it is there already
    with pytest.raises(pool.PoolError, match="another checksum"):
        pool.package(digest, "pool/a.deb", str(tmp_path), tmp_path / "other")
    with pytest.raises(pool.PoolError, match="snapshot"):
        pool.package(digest, "pool/b.deb", str(tmp_path), tmp_path / "other")


def test_the_list_and_the_set_go_together() -> None:
    listed = list(pool.listed(ROOT / "packages"))
    assert all(len(digest) == 64 for digest, _ in listed)
    kernel = tomllib.loads((ROOT / "sets/whole.toml").read_text())["options"]["kernel"]
    assert any(f"/{Path(kernel).name}_" in place for _, place in listed)
