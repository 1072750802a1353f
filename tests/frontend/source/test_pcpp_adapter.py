"""Preprocessing without a compiler: what pcpp does not know is an error, never passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import SourceError
from duet.frontend.source.pcpp_adapter import run_pcpp


def run(
    text: str, *defines: str, path: str = "a.c", includes: tuple[str, ...] = (), has_trigraphs: bool = False
) -> str:
    return " ".join(run_pcpp(path, text, defines, includes, has_trigraphs).split())


def test_macros_are_replaced() -> None:
    assert run("#define F(x) x + N\nF(1);\n", "N=2").endswith("1 + 2;")
    assert run("#ifdef A\nA\n#endif\n", "A").endswith("1")
    assert run("N;\n", "N=1", "N=2").endswith("2;")
    assert run("N;\n", "N=").endswith(";")


def test_headers_are_searched_in_order(tmp_path: Path) -> None:
    for number, name in enumerate(("one", "two")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.h").write_bytes(b"\xef\xbb\xbfint x%d;\n" % number)
    found = run("#include <x.h>\n", includes=(str(tmp_path / "two"), str(tmp_path / "one")))
    assert "int x1;" in found
    assert "int x0;" not in found


def test_names_of_files_are_those_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.h").write_text("int x;\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert '"sub/x.h"' in run('#include "x.h"\n', path="sub/a.c")


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("int x;\n#include <missing.h>\n", "cannot find the header 'missing.h'", 2),
        ("\n\n#error no\n", "#error no", 3),
        ("#elifdef X\n", "needs gcc", 1),
        ("#embed <a>\n", "needs gcc", 1),
        ("#define F(...) __VA_OPT__(x)\n", "needs gcc", 1),
        ("int x = 1'000;\n", "needs gcc", 1),
        ("#if __has_attribute(x)\n#endif\n", "needs gcc", 1),
        ('#pragma push_macro("X")\n', "needs gcc", 1),
        ("#unheard of\n", "is not known", 1),
        ("#if 1\n", "Unterminated", 1),
        ("int x;\n\0", "needs gcc", 2),
    ],
)
def test_what_is_wrong_or_not_known_is_an_error(text: str, message: str, line: int) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        run(text)
    assert caught.value.span is not None
    assert caught.value.span.line == line


def test_trigraphs_count_where_the_standard_has_them() -> None:
    with pytest.raises(SourceError, match="needs gcc"):
        run("int x ??( 3 ??);\n", has_trigraphs=True)
    assert run('char s[] = "a??!";\n').endswith('char s[] = "a??!";')


def test_headers_keep_what_looks_like_a_trigraph(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_text('char s[] = "a??!";\n', encoding="utf-8")
    assert '"a??!"' in run("#include <x.h>\n", includes=(str(tmp_path),))


def test_what_says_nothing_of_the_program_goes() -> None:
    assert run("#warning hear\n#ident x\nint x;\n").endswith("int x;")
    assert "#pragma omp parallel" in run("#pragma omp parallel\nint x;\n")
