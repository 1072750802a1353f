"""Packages of Debian by their checksums: the headers of a kernel, unpacked, and whole directories of its drivers.

What Debian's pools no longer have is at https://snapshot.debian.org; a directory with the packages serves as well.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

MIRROR = "http://deb.debian.org/"
DIRECTORIES = ("watchdog", "rtc", "char", "misc")
"""What is taken of `drivers`, with the Makefiles and headers there."""


class PoolError(Exception):
    """A package cannot be had, or is another one than the list says."""


def listed(path: Path) -> Iterator[tuple[str, str]]:
    """The checksums of a list with the places in the pools that they belong to."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            digest, _, place = line.partition("  ")
            yield digest, place


def package(digest: str, place: str, pool: str, cache: Path) -> Path:
    """The package, from the cache, or else from a pool: a directory, or the address of a mirror.

    *Raises*: PoolError where it is not there, or has another checksum.
    """
    path = cache / os.path.basename(place)
    if not path.is_file() or _digest(path) != digest:
        cache.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        try:
            _copy(place, pool, part)
        except OSError as error:
            raise PoolError(f"{place}: {error}; https://snapshot.debian.org may have it, for --pool DIR") from error
        if (found := _digest(part)) != digest:
            raise PoolError(f"{place} has another checksum: {found}")
        part.replace(path)
    return path


def _copy(place: str, pool: str, target: Path) -> None:
    local = Path(pool) / os.path.basename(place)
    if Path(pool).is_dir():
        target.write_bytes(local.read_bytes())
        return
    with urllib.request.urlopen(f"{pool.rstrip('/')}/{place}", timeout=60) as answer, target.open("wb") as file:
        while block := answer.read(1 << 20):
            file.write(block)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(path: Path, target: Path) -> int:
    """Unpacks headers as they are, and of the sources the drivers; the number of files taken of these."""
    target.mkdir(parents=True, exist_ok=True)
    if "linux-source" not in path.name:
        subprocess.run(["dpkg-deb", "-x", str(path), str(target)], check=True)
        return 0
    process = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(path)], stdout=subprocess.PIPE)
    count = 0
    with process, tarfile.open(fileobj=process.stdout, mode="r|") as outer:
        for member in outer:
            if member.isfile() and member.name.endswith(".tar.xz"):
                with tarfile.open(fileobj=outer.extractfile(member), mode="r|xz") as inner:
                    count = _take(inner, target)
                break
        process.kill()
    if not count:
        raise PoolError(f"{path}: no drivers in it")
    return count


def _take(archive: tarfile.TarFile, target: Path) -> int:
    count = 0
    for member in archive:
        parts = Path(member.name).parts
        if member.isfile() and parts[1:2] == ("drivers",) and parts[2:3] and parts[2] in DIRECTORIES:
            archive.extract(member, target, filter="data")
            count += 1
    return count
