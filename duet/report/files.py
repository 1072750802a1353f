"""Writing a report file: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

from duet.errors import UsageError


def write(path: str, text: str) -> None:
    """Puts `text` at `path`, by a temporary file beside it and a rename, so that no partial file is ever left.

    A path that exists and is no regular file (a pipe, a device) is written to directly.
    *Raises*: UsageError when the system refuses (no directory, no permission, disk full).
    """
    target = Path(os.path.realpath(path))
    data = text.encode("utf-8", errors="backslashreplace")
    try:
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def check_writable(path: str) -> None:
    """Makes sure that `write` can put a file there, as far as that can be known before. *Raises*: UsageError."""
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        os.unlink(name)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """The permission bits of the file to be replaced, else those of a new file."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
