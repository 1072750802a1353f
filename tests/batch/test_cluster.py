"""The same tasks on a Dask cluster of one process on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from duet.batch import cluster
from tests.batch.conftest import manifest
from tests.cli.conftest import Duet

# In a process of its own, as Dask starts threads, in which the tests of the pool could not fork safely.
CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=2, host="127.0.0.1", dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""
needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="needs Dask: pip install 'duet-analyzer[cluster]'"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster's scheduler that can be reached from other processes."""
    directory = tmp_path_factory.mktemp("cluster")
    (directory / "cluster.py").write_text(CLUSTER, encoding="utf-8")  # Dask's processes read it again
    with subprocess.Popen(
        [sys.executable, "cluster.py"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=directory,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        found = process.stdout.readline().strip()
        assert found.startswith("tcp://")
        yield found
        process.communicate("", timeout=60)


def _batch(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "duet", "batch", "suite", *arguments],
        capture_output=True, text=True, cwd=directory, check=False, timeout=120,
    )  # fmt: skip


@needs_dask
def test_cluster_gives_the_results_of_the_pool(duet: Duet, suite: Path, tmp_path: Path, address: str) -> None:
    here = duet("batch", "suite", "-o", "here")
    there = _batch(tmp_path, "-o", "there", "--scheduler", address)
    assert there.returncode == here.code == 2
    assert len(there.stderr.splitlines()) == 3
    for name, entry in manifest(tmp_path / "here").items():
        other = manifest(tmp_path / "there")[name]
        assert other["fingerprint"] == entry["fingerprint"]
        one, two = (
            json.loads((tmp_path / place / f"{entry['stem']}.json").read_text(encoding="utf-8"))["assertions"]
            for place in ("here", "there")
        )
        assert one == two
    again = _batch(tmp_path, "-o", "there", "--scheduler", address, "--resume")
    assert again.stderr.count("from before") == 3


@needs_dask
def test_limits_hold_on_the_cluster(suite: Path, tmp_path: Path, address: str) -> None:
    done = _batch(tmp_path, "-o", "out", "--scheduler", address, "--timeout", "0.001")
    assert done.returncode == 3
    assert {entry["status"] for entry in manifest(tmp_path / "out").values()} == {"timeout"}


@needs_dask
@pytest.mark.parametrize("nowhere", ["nonsense://nowhere", pytest.param("tcp://127.0.0.1:1", marks=pytest.mark.slow)])
def test_scheduler_that_is_not_there(suite: Path, tmp_path: Path, nowhere: str) -> None:
    done = _batch(tmp_path, "--scheduler", nowhere)
    assert done.returncode == 2
    assert f"no Dask scheduler answers at {nowhere}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_without_dask_it_says_what_to_install(duet: Duet, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", missing)
    done = duet("batch", "suite", "--scheduler", "tcp://127.0.0.1:1")
    assert done.code == 2
    assert "pip install 'duet-analyzer[cluster]'" in done.err
