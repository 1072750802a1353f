"""`duet batch --baseline`: only what is new counts."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner

from duet.cli import cli
from tests.batch.conftest import BROKEN, SAFE, make_suite
from tests.cli.conftest import LOCKED, Duet

WORSE = LOCKED.replace("assert x == 0", "assert x == 1")


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a suite of one task that is proved and one that is not, and the results of a batch."""
    directory = tmp_path_factory.mktemp("earlier")
    make_suite(directory / "suite", {"open.plip": LOCKED, "safe.plip": SAFE})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        assert CliRunner().invoke(cli, ["batch", "suite", "-o", "before", "-j", "1"]).exit_code == 1
    return directory


@pytest.fixture
def before(earlier: Path, tmp_path: Path) -> Path:
    """The results of the earlier batch, in the directory of `duet`."""
    shutil.copytree(earlier, tmp_path, dirs_exist_ok=True)
    return tmp_path / "before"


def test_nothing_new(duet: Duet, before: Path, tmp_path: Path) -> None:
    (tmp_path / "suite" / "open.plip").write_text("\n\n" + LOCKED, encoding="utf-8")
    done = duet("batch", "suite", "-o", "now", "-j", "1", "--baseline", "before/manifest.jsonl")
    assert done.code == 0
    assert "against the baseline: 0 open checks are new, 0 fixed, 1 the same" in done.out
    assert "new:" not in done.out
    failures = Xml.fromstring((tmp_path / "now" / "junit.xml").read_text(encoding="utf-8")).get("failures")
    assert failures == "0"


def test_what_is_new_is_told(duet: Duet, before: Path, tmp_path: Path) -> None:
    make_suite(tmp_path / "suite", {"safe.plip": WORSE, "more.plip": LOCKED})
    done = duet("batch", "suite", "-o", "now", "-j", "1", "--baseline", "before")
    assert done.code == 1
    with (tmp_path / "now" / "results.csv").open(encoding="utf-8") as file:
        new = {row["task"]: row["new"] for row in csv.DictReader(file)}
    assert new == {"open.plip": "0", "safe.plip": "1", "more.plip": "1"}
    assert done.out.count("new: ") == 2
    assert "new: suite/more.plip:10: assertion 'y <= 3' in w (more.plip)" in done.out
    assert "open checks that were not open before" in (tmp_path / "now" / "index.html").read_text(encoding="utf-8")


def test_what_is_fixed_is_counted(duet: Duet, before: Path, tmp_path: Path) -> None:
    (tmp_path / "suite" / "open.plip").write_text(SAFE, encoding="utf-8")
    done = duet("batch", "suite", "-o", "now", "-j", "1", "--baseline", "before")
    assert done.code == 0
    assert "0 open checks are new, 1 fixed, 0 the same" in done.out


def test_as_many_as_were_open_are_the_same(duet: Duet, before: Path, tmp_path: Path) -> None:
    twice = LOCKED.replace("assert y <= 3", "assert y <= 3 assert y <= 3")
    (tmp_path / "suite" / "open.plip").write_text(twice, encoding="utf-8")
    done = duet("batch", "suite", "-o", "now", "-j", "1", "--baseline", "before")
    assert "1 open checks are new, 0 fixed, 1 the same" in done.out
    assert done.code == 1


def test_errors_count_as_ever_and_fix_nothing(duet: Duet, before: Path, tmp_path: Path) -> None:
    (tmp_path / "suite" / "open.plip").write_text(BROKEN, encoding="utf-8")
    done = duet("batch", "suite", "-o", "now", "-j", "1", "--baseline", "before")
    assert done.code == 2
    assert "0 open checks are new, 0 fixed, 0 the same" in done.out


def test_the_directory_may_be_that_of_the_earlier_batch(duet: Duet, before: Path) -> None:
    for more in ((), ("--resume",)):
        done = duet("batch", "suite", "-o", "before", "-j", "1", "--baseline", "before", *more)
        assert done.code == 0
        assert "0 open checks are new, 0 fixed, 1 the same" in done.out


def test_a_report_of_one_run_is_a_baseline_for_its_files(duet: Duet, before: Path, tmp_path: Path) -> None:
    duet("analyze", "suite/open.plip", "--format", "json", "-o", "one.json")
    assert duet("batch", "suite", "-o", "now", "-j", "1", "--baseline", "one.json").code == 0
    duet("analyze", "suite/safe.plip", "--format", "json", "-o", "other.json")
    assert duet("batch", "suite", "-o", "now", "-j", "1", "--baseline", "other.json").code == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON report"),
        ("[]", "no JSON report"),
        ('{"schema": "duet.suite/1"}', "no JSON report"),
        ('{"schema": "duet.result/1"}', "is damaged"),
        ('{"schema": "duet.result/1", "assertions": [{"status": "unproved"}]}', "is damaged"),
    ],
)
def test_what_is_no_baseline_is_refused_before_anything_runs(
    duet: Duet, tmp_path: Path, text: str, message: str
) -> None:
    make_suite(tmp_path / "suite", {"safe.plip": SAFE})
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    done = duet("batch", "suite", "--baseline", "bad.json")
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "duet-results").exists()
    assert duet("batch", "suite", "--baseline", "missing").code == 2
    assert duet("batch", "suite", "--baseline", "suite").code == 2
