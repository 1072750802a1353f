"""What several ways of a call give that is negative, or positive, is not 0 together either."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform
from duet.result import Status

PROGRAM = """#include <netdb.h>
#include <stddef.h>
extern int any(void);
static int resolve(const char *host, struct addrinfo **out) {
    struct addrinfo hints = {.ai_family = 2};
    %s
    return getaddrinfo(host, "80", &hints, out);
}
static int family(const char *host) {
    struct addrinfo *found = 0;
    int ret;
    if ((ret = resolve(host, &found)) %s)
        return ret;
    ret = found->ai_family;
    freeaddrinfo(found);
    return ret;
}
int main(int argc, char **argv) {
    return family(any() ? argv[0] : NULL);
}
"""


def of(folder: Path, first: str, failed: str) -> set[tuple[Status, str]]:
    path = folder / "a.c"
    path.write_text(PROGRAM % (first, failed))
    job = Job((str(path),), FrontendOptions(properties=("null-dereference",)), AnalysisOptions())
    found = perform(job, lambda _: None).assertions
    return {(one.status, one.proved_by) for one in found if one.check.expression == "found != 0"}


def test_an_error_of_either_sign_is_told_from_success(tmp_path: Path) -> None:
    assert of(tmp_path, "", "!= 0") == {(Status.PROVED, "direct")}


@pytest.mark.parametrize(
    ("first", "failed"),
    [
        ("if (any()) return 0;", "!= 0"),  # success of its own, with nothing found
        ("if (any()) return any();", "!= 0"),
        ("if (any()) return (int)sizeof(long) - 8;", "!= 0"),
        ("", "< 0"),  # there are positive errors
        ("", "> 0"),
        ("", "== 0"),
    ],
)
def test_what_may_be_nothing_stays_open(tmp_path: Path, first: str, failed: str) -> None:
    assert Status.UNPROVED in {status for status, _ in of(tmp_path, first, failed)}
