"""The annotations' own tests, and what every bundled program must have."""

from pathlib import Path

import pytest

from tests.c.annotations import AnnotatedProgram, Annotation, Expected, bundled, parse

HERE = Path("example.c")
PROGRAMS = bundled()


def test_every_verdict_is_read_with_its_line() -> None:
    text = "\n".join(
        [
            "// ARGS: --parameterized --entries f,g",
            "assert(a); // SAFE",
            "assert(b); // SAFE (needs octagon)",
            "assert(c); // UNKNOWN (counting)",
            "assert(d); // UNSAFE!",
            "assert(e); // UNREACHABLE",
            "int safe; // not SAFELY an annotation",
            "assert(f); // UNSAFE! (undefined: a destroyed lock)",
        ]
    )
    program = parse(text, HERE)
    assert program.arguments == ("--parameterized", "--entries", "f,g")
    assert program.annotations == (
        Annotation(2, Expected.SAFE),
        Annotation(3, Expected.SAFE, "octagon", "needs octagon"),
        Annotation(4, Expected.UNKNOWN, "", "counting"),
        Annotation(5, Expected.UNSAFE),
        Annotation(6, Expected.UNREACHABLE),
        Annotation(8, Expected.UNSAFE, "", "undefined: a destroyed lock"),
    )
    assert [annotation.line for annotation in program.annotations if annotation.is_undefined] == [8]


@pytest.mark.parametrize("comment", ["UNSAFE", "SAFE!", "UNKNOWN", "SAFE because", "UNKNOWN! (why)", "SAFE ()"])
def test_malformed_comments_are_refused(comment: str) -> None:
    with pytest.raises(ValueError, match=r"example\.c:1: "):
        parse(f"assert(x); // {comment}", HERE)


def test_options_are_found_in_both_spellings() -> None:
    program = AnnotatedProgram(HERE, ("--parameterized", "--entries", "f,g", "--domain=octagon"), ())
    assert program.option("parameterized") == ""
    assert program.option("entries") == "f,g"
    assert program.option("domain") == "octagon"
    assert program.option("init") is None


def test_there_are_enough_programs() -> None:
    assert len(PROGRAMS) >= 200


@pytest.mark.parametrize("topic", sorted({program.path.parent for program in PROGRAMS}), ids=lambda topic: topic.name)
def test_each_topic_has_failing_checks(topic: Path) -> None:
    """In each program, or in twins of those that have none."""
    own = [program for program in PROGRAMS if program.path.parent == topic]
    failing = [program for program in own if program.lines(Expected.UNSAFE)]
    assert len(failing) >= (len(own) + 2) // 3


def test_each_topic_has_provable_checks() -> None:
    topics = {program.path.parent for program in PROGRAMS}
    assert topics == {program.path.parent for program in PROGRAMS if program.lines(Expected.SAFE)}
