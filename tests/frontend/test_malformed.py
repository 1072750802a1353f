"""Malformed input of every kind ends with a message that has a place, never with a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from duet.__main__ import main
from duet.errors import DuetError, SourceError, UsageError
from duet.frontend.lower import lower
from duet.frontend.source.commands import read_commands
from duet.frontend.source.database import read_database
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.frontend.source.tokens import pieces, places
from duet.options import FrontendOptions

FRAGMENTS = (
    *(
        "'",
        '"',
        "\\",
        "u8'a'",
        "L'ab'",
        'u"x"',
        "U'\\U0001F600'",
        "'\\xfff'",
        "'\\'",
        "''",
        '"\\u12"',
        "'\\400'",
        "'abcde'",
    ),
    *(
        "1'000",
        "0b12",
        "0b",
        "0x",
        "0xg",
        "08",
        "1e",
        "1e+",
        "0x1p",
        "1.2.3",
        "1uu",
        "1lll",
        "1wb",
        "9" * 30,
        ".5.",
        "1'",
        "0'0'",
    ),
    *(
        "1.0dd",
        "3i",
        "0x1.8",
        "1_000",
        "1ulul",
        "0b1'",
        "'\\8'",
        "\\u00e9",
        "\u00e9",
        "\u2028",
        "$",
        "`",
        "@",
        "#",
        "##",
        "??/",
    ),
    *(
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "[[",
        "]]",
        "<:",
        "%>",
        "...",
        "..",
        "->*",
        "::",
        ";",
        ",",
        ":",
        "?",
        "=",
        "&&",
        "*",
    ),
    *(
        "int",
        "x",
        "y",
        "f",
        "auto",
        "bool",
        "true",
        "nullptr",
        "typeof",
        "typeof_unqual",
        "_BitInt",
        "constexpr",
        "enum",
    ),
    *(
        "struct",
        "union",
        "static_assert",
        "_Static_assert",
        "_Generic",
        "default",
        "case",
        "sizeof",
        "alignof",
        "return",
    ),
    *(
        "__attribute__",
        "((packed))",
        "__asm__",
        "_Pragma",
        "__extension__",
        "__label__",
        "__auto_type",
        "__builtin_va_arg",
    ),
    *(
        "/*",
        "*/",
        "//",
        "\n",
        '\n#line 3 "z"\n',
        '\n# 1 "q\n',
        "\n#pragma pack(",
        "\n#\n",
        "\t",
        " ",
        "_Complex",
        "goto",
        "if",
    ),
    *(
        "__func__",
        "_Alignas",
        "_Atomic",
        "_Thread_local",
        "{0}",
        "0",
        "1u",
        '"a"',
        'L"a" u"b"',
        "_Imaginary",
        "__int128",
    ),
)


def failure(action: Callable[[], object], other: type[DuetError] = SourceError) -> Any:
    """The error that an action ends with, if it is one of the input."""
    try:
        action()
    except (SourceError, other) as error:
        return error
    return None


FRAMES = ("{}", "int main(void) {{ {} }}", "int main(void) {{ int x = {}; }}", "{} int main(void) {{ return 0; }}")
QUICK = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


NOWHERE = {
    "if (n) break;": "'break' is in no loop and in no switch",
    "switch (n) { case 1: continue; }": "'continue' is in no loop",
    "for (;;) ({ break; }); break;": "'break' is in no loop and in no switch",
    "goto end; { int end; }": "there is no label 'end' in this function",
}


@pytest.mark.parametrize("jump", NOWHERE)
def test_jumps_to_nowhere_are_not_understood(jump: str, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(f"int f(int n) {{ {jump} return n; }} int main(void) {{ return f(1); }}", encoding="utf-8")
    options = FrontendOptions()
    found = lower(parse(preprocess(str(path), options).text, str(path), options), options)
    assert any(NOWHERE[jump] in warning.message for warning in found.warnings)


@QUICK
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=8), st.sampled_from(FRAMES), st.sampled_from(("gnu17", "c23")))
@example(["constexpr"], FRAMES[-1], "c23")
def test_text_is_understood_or_refused_with_a_place(parts: list[str], frame: str, standard: str) -> None:
    text = frame.format(" ".join(parts))
    options = FrontendOptions(std=standard)
    refusal = failure(lambda: lower(parse(text, "a.c", options), options))
    assert refusal is None or refusal.span is not None or "main" in refusal.message


@QUICK
@given(st.text(max_size=60))
def test_pieces_are_the_text(text: str) -> None:
    parts = list(pieces(text))
    assert "".join(piece.text for piece in parts) == text
    assert len(list(places(parts, "a.c"))) == len(parts)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from((*FRAGMENTS, "\n#if", "\n#define x", "\n#elifdef y\n", "\n#include", "\n#embed")), max_size=8
    )
)
def test_preprocessing_without_a_program_never_fails_otherwise(tmp_path: Path, parts: list[str]) -> None:
    file = tmp_path / "a.c"
    file.write_text(" ".join(("int a;", *parts)), encoding="utf-8")
    refusal = failure(lambda: preprocess(str(file), FrontendOptions(), "pcpp"))
    assert refusal is None or refusal.span is not None


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("int main(void) { return 'a; }\n", (1, 25), "unmatched"),
        ('int main(void) { char *s = "abc; }\n', (1, 28), '"'),
        ('int main(void) {\n  return "a\\";\n}\n', (2, 10), '"'),
        ("int main(void) { return ''; }\n", (1, 25), "char constant"),
        ("int main(void) { return 1'000; }\n", (1, 25), "C23"),
        ("int main(void) { return 1lll; }\n", (1, 28), "unexpected 'l'"),
        ("int main(void) { return 08; }\n", (1, 25), "octal"),
        ("int a[] = {\n#embed <a>\n};\n", (2, 1), "directive"),
        ("int a =\n#if 1\n2\n#else\n3\n#endif\n;\n", (2, 1), "directive"),
    ],
)
def test_places_of_malformed_text(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        parse(text, "a.i", FrontendOptions())
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == place


def test_assembler_notes_of_preprocessors_are_no_directives() -> None:
    parse(
        '#ident "x"\n#define KEPT 1\n#undef KEPT\n#pragma once\n# 1 "a.c"\n#line 3\n#\nint a;\n',
        "a.i",
        FrontendOptions(),
    )


WORDS = st.text(st.characters(codec=None), max_size=6) | st.sampled_from(
    (
        "a.c",
        "cc",
        "-I",
        "-D",
        "-DX",
        "-std=c99",
        "-std=",
        "@x",
        "-include",
        "-Wp,",
        '"',
        "'",
        "-x",
        "\0",
        "\ud800",
        "",
        "g++",
        "-O2",
    )
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=4,
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "file": st.just("a.c") | VALUES,
        "directory": st.just(".") | VALUES,
        "command": WORDS | VALUES,
        "arguments": st.lists(WORDS, max_size=4) | VALUES,
        "output": VALUES,
    },
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(ENTRIES | VALUES, max_size=3).map(json.dumps)
    | st.text(st.sampled_from('[]{}",:\\ \u00e9\ud800\x007a'), max_size=20)
)
def test_databases_are_read_or_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "compile_commands.json"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    refusal = failure(lambda: read_commands(str(file)), UsageError)
    assert refusal is None or refusal.exit_code == 2
    assert refusal is None or str(file) in str(refusal)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (
            '[{"directory": ".", "file": "a.c",\n "arguments": 7}]',
            (2, 15),
            "'arguments' of an entry is a list of strings",
        ),
        ('[{"directory": ".", "file": "a.c", "arguments": ["cc", 7]}]', (1, 49), "list of strings"),
        ('[{"directory": ".", "file": "a.c", "arguments": {"a": 1}}]', (1, 49), "list of strings"),
        ('[{"directory": ".", "file": "a.c", "command": 7}]', (1, 47), "'command' of an entry is a string"),
        ('[{"directory": ".", "file": "a.c", "command": ["cc"]}]', (1, 47), "'command' of an entry is a string"),
        ('[{"directory": ".", "file": "a.c", "command": "cc \'"}]', (1, 47), "quotation"),
        ('[{"directory": ".", "file": 7, "command": "cc"}]', (1, 29), "'file' of an entry is a string"),
        ('[{"directory": ".", "file": null}]', (1, 29), "'file' of an entry is a string"),
        ('[{"directory": 7, "file": "a.c", "command": "cc"}]', (1, 16), "'directory' of an entry is a string"),
        ('[{"file": "a\\u0000.c"}]', (1, 11), "'file' of an entry is a string"),
        ('[{"file": "\\ud800.c"}]', (1, 11), "'file' of an entry is a string"),
        ('[{"file": ""}]', (1, 11), "has a 'file'"),
        ('[{"command": "cc"}]', (1, 2), "has a 'file'"),
        ("[\n 7]", (2, 2), "is an object"),
        ("{}", (1, 1), "is a list"),
        ("7", (1, 1), "is a list"),
        ("", (1, 1), "is a list"),
        ("[", (1, 2), "Expecting value"),
        ('[{"file": "a.c"} {}]', (1, 18), "missing"),
        ('[{"file": "a.c"},]', (1, 18), "Expecting value"),
        ('[{"file": "a.c"}] 3', (1, 19), "behind its end"),
        ("[" * 100_000, (1, 2), "recursion"),
        ('[{"file": "a.c", "arguments": ["g++", "a.c"]}]', (1, 31), r"C\+\+"),
        ('[{"file": "a.c", "arguments": ["cc", "-x", "c++", "a.c"]}]', (1, 31), r"c\+\+"),
        ('[{"file": "a.c", "arguments": ["cc", "@loop", "a.c"]}]', (1, 31), "nest"),
        ('[{"file": "a.c", "arguments": ["cc", "-imacros", "x.h", "a.c"]}]', (1, 31), "-imacros"),
    ],
)
def test_places_in_databases(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    place: tuple[int, int],
    message: str,
) -> None:
    (tmp_path / "loop").write_text(f"@{tmp_path / 'loop'}")
    file = tmp_path / "compile_commands.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=message) as caught:
        read_commands(str(file))
    assert caught.value.span is not None
    assert (caught.value.span.file, caught.value.span.line, caught.value.span.column) == (str(file), *place)
    monkeypatch.setattr("sys.argv", ["duet", "analyze", str(file)])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err.startswith(f"{file}:{place[0]}:{place[1]}: error: ")


def test_entries_of_a_database(tmp_path: Path) -> None:
    file = tmp_path / "compile_commands.json"
    file.write_text('[{"file": "a.c", "command": "cc -DA=\'1 2\' a.c"},\n {"file": "b.c", "arguments": ["cc"]}]\n')
    first, second = read_database(file)
    assert first.arguments == ("cc", "-DA=1 2", "a.c")
    assert (second.directory, second.file, second.span.line) == (".", "b.c", 2)
