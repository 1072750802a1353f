"""Programs with the headers of the machine (glibc and the kernel's) instead of the bundled ones."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.models import jumps

HEADERS = """
assert complex ctype errno fenv float inttypes iso646 limits locale math signal stdalign stdarg stdatomic stdbool
stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar wchar wctype
pthread semaphore unistd fcntl dirent dlfcn getopt glob grp pwd poll sched syslog termios netdb arpa/inet netinet/in
netinet/tcp net/if sys/types sys/stat sys/time sys/socket sys/un sys/wait sys/mman sys/ioctl sys/resource sys/select
sys/uio sys/epoll sys/eventfd sys/timerfd sys/signalfd sys/statvfs sys/utsname sys/syscall sys/prctl sys/sysinfo
sys/file sys/param linux/types linux/futex linux/fs linux/if_packet linux/input regex search spawn ucontext utime
mqueue ftw fnmatch byteswap endian err malloc libgen execinfo
"""
BODY = """
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static atomic_int count;
static void *worker(void *arg) {
  pthread_mutex_lock(&lock); shared = 1; shared = 0; pthread_mutex_unlock(&lock);
  atomic_fetch_add(&count, 1);
  if (errno == EINTR && isspace(htons(3))) printf("%d\\n", (int) sizeof(struct sockaddr_in));
  return arg;
}
int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, worker, NULL)) return EXIT_FAILURE;
  pthread_mutex_lock(&lock); assert(shared == 0); pthread_mutex_unlock(&lock);
  assert(atomic_load(&count) >= 0);
  assert(shared == 0);
  return EXIT_SUCCESS;
}
"""
MACHINE = pytest.mark.skipif(
    shutil.which("gcc") is None or not Path("/usr/include/features.h").exists(), reason="no gcc or no headers here"
)


def program(folder: Path) -> Path:
    path = folder / "a.c"
    known = [
        name for name in HEADERS.split() if list(Path("/usr").glob(f"include/{name}.h")) or not name.startswith("linux")
    ]
    includes = "".join(f"#include <{name}.h>\n" for name in known)
    path.write_text("#define _GNU_SOURCE\n" + includes + BODY, encoding="utf-8")
    return path


def analyze(*arguments: str) -> list[str]:
    done = CliRunner().invoke(cli, ["analyze", "--no-verify", *arguments, "--domain", "interval", "--format", "json"])
    assert done.exit_code == 1, done.output
    report = json.loads(done.stdout)
    assert report["understood"]["percent"] == 100
    assert report["understood"]["functions"] == 2
    assert not [w for w in report["warnings"] if w["code"] in ("implicit-int", "not-understood")]
    return [assertion["status"] for assertion in report["assertions"]]


@MACHINE
def test_a_file_with_the_headers_of_the_machine(tmp_path: Path) -> None:
    assert analyze(str(program(tmp_path)), "--system-headers") == ["proved", "proved", "unproved"]


@MACHINE
def test_those_of_the_machine_serve_where_one_is_not_bundled(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("#include <assert.h>\n#include <ftw.h>\nint main(void) { assert(FTW_D == 1); }\n")
    report = json.loads(CliRunner().invoke(cli, ["analyze", str(path), "--format", "json"]).stdout)
    assert [(warning["line"], warning["code"]) for warning in report["warnings"]] == [(2, "system-headers")]
    assert [assertion["status"] for assertion in report["assertions"]] == ["proved"]


ASSERTIONS = """
int f(int *p, double d) { assert(p); assert(d); return *p; }
int main(void) { int x = 1; return f(&x, 1.5); }
"""


@MACHINE
@pytest.mark.parametrize("standard", ["gnu17", "c17"])
def test_assertions_are_of_any_scalar(tmp_path: Path, standard: str) -> None:
    found = asserted(tmp_path, "#include <assert.h>" + ASSERTIONS, standard)
    assert not [one["message"] for one in found["warnings"]]
    assert sorted(one["status"] for one in found["assertions"]) == ["proved", "unproved"]


@MACHINE
def test_without_the_header_a_function_of_that_name_may_be_any(tmp_path: Path) -> None:
    found = asserted(tmp_path, ASSERTIONS, "gnu17")
    assert "unknown-function" in [one["code"] for one in found["warnings"]]


def asserted(folder: Path, text: str, standard: str) -> dict[str, Any]:
    """What is said of a program with the headers of the machine."""
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    command = ["analyze", "--no-verify", str(path), "--system-headers", f"--std={standard}", "--format", "json"]
    report: dict[str, Any] = json.loads(CliRunner().invoke(cli, command).stdout)
    return report


@MACHINE
def test_a_header_that_is_nowhere_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("#include <ftw.h>\n#include <no_such.h>\nint main(void) { return 0; }\n")
    done = CliRunner().invoke(cli, ["analyze", str(path)])
    assert done.exit_code == 2
    assert "a.c:2:10: error: cannot find the header 'no_such.h'" in done.output


@MACHINE
def test_a_file_that_gcc_has_preprocessed(tmp_path: Path) -> None:
    preprocessed = tmp_path / "a.i"
    subprocess.run(["gcc", "-E", str(program(tmp_path)), "-o", str(preprocessed)], check=True)
    assert analyze(str(preprocessed)) == ["proved", "proved", "unproved"]


def test_they_do_not_go_together_with_a_kernel_model(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["analyze", str(program(tmp_path)), "--system-headers", "--model", "linux"])
    assert done.exit_code == 2
    assert "--system-headers does not go together with --model" in done.output


CLEANUP = """#include <assert.h>
#include <pthread.h>
static int n;
static void add(void *digit) { n = 10 * n + *(int *)digit; }
static int one = 1, two = 2;
static void leave(void) { pthread_exit(0); }
static void *worker(void *arg) {
  pthread_cleanup_push(add, &one);
  pthread_cleanup_push(add, &two);
  %s
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  %s
  pthread_join(t, 0);
  assert(n != %d);
  return 0;
}
"""


def left(text: str) -> str:
    """The program with a way out of a handler's block, which then stays as glibc's header has it."""
    return re.sub(r"(pthread_cleanup_push\(.*\);)", r"\1 if (!one) return 0;", text)


def cleaned_up(folder: Path, text: str, *options: str) -> str:
    """What is said of the assertion, or why nothing is."""
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    command = ["analyze", "--no-verify", str(path), "--system-headers", *options, "--format", "json"]
    found = json.loads(CliRunner().invoke(cli, command).stdout)
    return str(found["assertions"][0]["status"] if found["status"] == "complete" else found["message"])


@MACHINE
@pytest.mark.parametrize(
    ("body", "seen"), [("leave();", 21), ("n = 3; pthread_exit(0);", 321), ("if (one) leave(); n = 7;", 21), ("", 2)]
)
def test_cleanup_handlers_run_where_a_thread_ends(body: str, seen: int, tmp_path: Path) -> None:
    text = CLEANUP % (body, "", seen)
    assert cleaned_up(tmp_path, text) == "unproved"
    subprocess.run(["gcc", "-w", "a.c", "-o", "a", "-pthread"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "a"], capture_output=True).returncode == -6


@MACHINE
def test_they_do_not_where_none_ends_early(tmp_path: Path) -> None:
    assert cleaned_up(tmp_path, CLEANUP % ("", "", 21)) == "proved"


CANCELLED = """#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static volatile int done;
static void note(void *digit) { done = *(int *)digit; }
static int one = 1;
static void *worker(void *arg) {
  pthread_cleanup_push(note, &one);
  for (;;) { %s }
  pthread_cleanup_pop(0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  usleep(100000);
  %s
  pthread_join(t, 0);
  assert(done != %d);
  return 0;
}
"""


@MACHINE
@pytest.mark.parametrize("body", ["pthread_testcancel();", "pause();", "done = 3; usleep(1);"])
def test_a_thread_that_is_cancelled_may_jump_to_them_from_anywhere(body: str, tmp_path: Path) -> None:
    text = CANCELLED % (body, "pthread_cancel(t);", 1)
    assert cleaned_up(tmp_path, text) == "unproved"
    subprocess.run(["gcc", "-w", "a.c", "-o", "a", "-pthread"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "a"], capture_output=True).returncode == -6
    assert cleaned_up(tmp_path, CANCELLED % (body, "pthread_cancel(t);", 2)) == "proved"
    assert cleaned_up(tmp_path, CANCELLED % (body, "", 1)) == "proved"


@MACHINE
def test_the_defect_that_cancelled_threads_jump_nowhere_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jumps, "_jumps_anywhere", lambda _: False)
    assert cleaned_up(tmp_path, left(CANCELLED) % ("pause();", "pthread_cancel(t);", 1)) == "proved"


@MACHINE
def test_a_thread_that_is_cancelled_in_an_atomic_section_is_refused(tmp_path: Path) -> None:
    text = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n" + CANCELLED % (
        "__VERIFIER_atomic_begin(); pthread_testcancel(); __VERIFIER_atomic_end();",
        "pthread_cancel(t);",
        1,
    )
    assert "out of this atomic section" in cleaned_up(tmp_path, text)
    own = "void __VERIFIER_atomic_test(void) { pthread_testcancel(); }\n"
    text = CANCELLED % ("__VERIFIER_atomic_test();", "pthread_cancel(t);", 1)
    assert "out of this atomic section" in cleaned_up(tmp_path, text.replace("static int one", own + "static int one"))


@MACHINE
def test_the_defect_that_the_end_of_a_thread_jumps_nowhere_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jumps, "note_end", id)
    assert cleaned_up(tmp_path, left(CLEANUP) % ("leave();", "", 21)) == "proved"


UNLOCKING = """#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  n++;
  if (arg) pthread_exit(0);
  n--;
  pthread_cleanup_pop(%s);
  %s
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, &n);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""
FORMS = pytest.mark.parametrize("form", ["-fno-exceptions", "-fexceptions"])


@MACHINE
@FORMS
@pytest.mark.parametrize(
    ("popped", "behind", "found"), [("1", "", set()), ("0", "", {"deadlock"}), ("1", "n++;", {"data-race"})]
)
def test_a_lock_that_a_handler_gives_back(tmp_path: Path, form: str, popped: str, behind: str, found: set[str]) -> None:
    path = tmp_path / "a.c"
    path.write_text(UNLOCKING % (popped, behind), encoding="utf-8")
    command = ["analyze", str(path), "--system-headers", form, "--properties", "data-race,deadlock", "--format", "json"]
    checks = json.loads(CliRunner().invoke(cli, command).stdout)["assertions"]
    assert {one["property"] for one in checks if one["status"] != "proved"} == found


@MACHINE
@FORMS
def test_handlers_run_where_a_thread_ends_in_either_form(tmp_path: Path, form: str) -> None:
    assert cleaned_up(tmp_path, CLEANUP % ("leave();", "", 21), form) == "unproved"
    assert cleaned_up(tmp_path, CLEANUP % ("leave();", "", 2), form) == "proved"


@MACHINE
def test_one_that_runs_where_its_block_is_left_is_refused(tmp_path: Path) -> None:
    message = cleaned_up(tmp_path, left(CLEANUP) % ("", "", 2), "-fexceptions")
    assert "may run where its block is left" in message


@MACHINE
def test_two_assertions_in_one_line_are_two_checks(tmp_path: Path) -> None:
    found = asserted(
        tmp_path,
        "#include <assert.h>\nint main(void) { int a = 1, b = 2; if (a) assert(a == 1); if (b) assert(b == 1); }",
        "gnu17",
    )
    assert [(one["expression"], one["status"]) for one in found["assertions"]] == [
        ("a == 1", "proved"),
        ("b == 1", "unproved"),
    ]
