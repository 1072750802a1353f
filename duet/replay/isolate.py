"""Runs a program that nobody trusts: without network, in a folder of its own, under hard limits.

With namespaces of the kernel (`unshare`) it sees no network, no other process and no file but those of its folder.
Where these cannot be had, limits on time, memory, processes and sizes of files still hold, and `how` says so.
"""

from __future__ import annotations

import functools
import os
import resource
import shutil
import signal
import subprocess
from pathlib import Path

MEMORY_MIB = 2048
FILE_MIB = 16
PROCESSES = 256
ALONE = "isolated: no network, no other files or processes"
BARE = "not isolated: namespaces cannot be had here, so the program could use the network and other files"
_NAMESPACES = ("unshare", "--user", "--map-root-user", "--net", "--ipc", "--uts", "--mount", "--pid", "--fork",
               "--kill-child=KILL")  # fmt: skip


@functools.cache
def how() -> str:
    """How far programs that are run are kept apart: `ALONE` or `BARE`."""
    if shutil.which("unshare") is None:
        return BARE
    done = subprocess.run([*_NAMESPACES, "--root=/", "true"], capture_output=True, timeout=10, check=False)
    return ALONE if done.returncode == 0 else BARE


def run(program: Path, arguments: tuple[str, ...], seconds: float) -> bool:
    """Whether a static program ended by itself, with 0; its folder is its root directory.

    It has no input, and what it prints is lost.
    """
    folder = program.parent
    inside = [*_NAMESPACES, f"--root={folder}", "--wd=/", f"/{program.name}"]
    command = inside if how() == ALONE else [str(program)]
    process = subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=functools.partial(_limit, seconds),
    )
    try:
        return process.wait(timeout=seconds) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the first process of a namespace takes all others with it
        process.wait()
        return False


def _limit(seconds: float) -> None:
    """Sets the limits of this process and of all that it starts."""
    for what, most in (
        (resource.RLIMIT_CPU, int(seconds) + 1),
        (resource.RLIMIT_AS, MEMORY_MIB << 20),
        (resource.RLIMIT_FSIZE, FILE_MIB << 20),
        (resource.RLIMIT_NPROC, PROCESSES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (value, value))
