"""What is checked where nobody says what."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.defaults import with_defaults
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import DEFAULT_PROPERTIES, THREAD_PROPERTIES, FrontendOptions

START = """#include <assert.h>
#include <pthread.h>
#include <signal.h>
int x;
void handle(int s) { x = s; }
void *f(void *p) { x++; return p; }
"""
CREATE = "pthread_t t; pthread_create(&t, 0, f, 0);"
DEFAULT = FrontendOptions(has_default_properties=True)


def chosen(body: str, options: FrontendOptions, folder: Path) -> tuple[str, ...]:
    path = folder / "a.c"
    path.write_text(f"{START}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    unit = parse(preprocess(str(path), options).text, str(path), options)
    return with_defaults(options, [unit]).properties


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (CREATE, THREAD_PROPERTIES),
        ("x++;", DEFAULT_PROPERTIES),
        ("signal(15, handle);", THREAD_PROPERTIES),
        ("assert(x);", DEFAULT_PROPERTIES),
        (f"{CREATE} assert(x);", DEFAULT_PROPERTIES),
        (f"{CREATE} if (x) {{ ERROR: x = 1; }}", DEFAULT_PROPERTIES),
    ],
)
def test_threads_and_handlers_without_an_assertion_have_more(body: str, found: tuple[str, ...], tmp_path: Path) -> None:
    assert chosen(body, DEFAULT, tmp_path) == found


def test_what_was_asked_for_stays(tmp_path: Path) -> None:
    assert chosen(CREATE, FrontendOptions(), tmp_path) == DEFAULT_PROPERTIES
