"""Options and values shared by all tests."""

from __future__ import annotations

import gc
import signal
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from duet.garbage import RARELY
from duet.result import Assertion, Check, FlowNote, Run, RunStatus, Status, Step
from duet.result import Warning as Note
from duet.source import SourceFile
from tests.sampled import sampled

# A shell starts jobs in the background with interrupts ignored, and what tests start and interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Times on a busy machine say nothing of an example.
settings.register_profile("duet", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("duet")

SOURCE = """#include <pthread.h>
#define LIMIT 10 /* a "quoted" <remark> & more */
int c;
char *name = "<script>alert(1)</script>";

void func1(void) {
    __VERIFIER_atomic_begin();
    c = c + 1;
    __VERIFIER_atomic_end();
}

void func2(void) {
    int seen = c;
    if (seen > 0)
        assert(seen >= 0 && seen <= LIMIT);
    assert(c <= 0);
    if (0) { assert(seen == 7); }
}
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow (minutes)")


def pytest_report_header(config: pytest.Config) -> str:
    return (
        ""
        if config.getoption("--slow")
        else "tests marked slow, and some cases of others, are left out: run with --slow"
    )


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """The cases of a function that are run; those that are not would take time and memory until the end."""
    found = yield
    if not isinstance(found, list) or collector.config.getoption("--slow"):
        return found
    return sampled([item for item in found if "slow" not in item.keywords])


def pytest_collection_finish() -> None:
    """What exists now stays: the garbage collector need not look at thousands of tests again and again.

    Nor need it look more often than in a run of the program, most of whose parts tests call one by one.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)


@pytest.fixture
def example_run() -> Run:
    """A finished run with one check of each kind, hostile text in every field that comes from the input."""
    file = "driver.c"
    flows = (
        FlowNote(file, 3, "main", "init", "c", "0", ""),
        FlowNote(
            file, 8, "func1", "inter", "c", "1 <= c <= 2", "c = c + 1 & <b>x</b>",
            (
                Step("func1", file, 7, "atomic begin"),
                Step("func2", file, 13, "seen := c"),
                Step("func1", file, 8, "c := c + 1"),
            ),
        ),
        FlowNote(file, 14, "func2", "intra", "c", "0", "[seen > 0]"),
    )  # fmt: skip
    return Run(
        files=(file,),
        domain="octagon",
        engine="souffle 2.5",
        numeric="own",
        mode="parameterized",
        entries=("func1", "func2"),
        status=RunStatus.COMPLETE,
        assertions=(
            Assertion(Check(file, 15, 9, "func2", "assertion", "seen <= LIMIT"), Status.PROVED, "interval"),
            Assertion(
                Check(file, 16, 5, "func2", "assertion", "c <= 0"), Status.UNPROVED, "", "0 <= c <= 2", 2,
                ("func2",), flows, "another thread may have counted",
            ),
            Assertion(Check(file, 17, 14, "func2", "assertion", "seen == 7"), Status.UNREACHABLE, "interval"),
            Assertion(Check("other.h", 4, 1, "<img src=x>", "overflow", "a + b"), Status.UNKNOWN),
        ),
        assumptions=("sequential consistency", "no signals & no <longjmp>"),
        warnings=(Note(file, 7, 5, "unknown-function", "unknown function 'f<T>' may change anything"),),
        sources=(SourceFile(file, SOURCE),),
        stats={"locations": 1812, "flows_inter": 3, "rounds": 2, "peak_rss_mib": 41},
        timing={"preprocess": 0.02, "parse": 0.01, "invariants": 0.2, "interference": 0.1, "total": 0.36},
    )  # fmt: skip
