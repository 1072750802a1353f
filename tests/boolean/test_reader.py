"""What is read of Boolean programs, and what is refused, with its place."""

from __future__ import annotations

import pytest

from duet.boolean import syntax
from duet.boolean.reader import parse
from duet.boolean.syntax import Assign, Expression, Goto, Start, show
from duet.boolean.threads import lower
from duet.errors import SourceError

SHELL = (
    "decl a, b, c;\nvoid main() begin\n{}\nend\nbool f(x) begin return !x; end\nbool<2> g() begin return 0, 1; end\n"
)


def statements(text: str) -> syntax.Block:
    return parse(SHELL.format(text), "p.bp").functions["main"].body


def value(text: str) -> Expression:
    (statement,) = statements(f"a := {text};")
    assert isinstance(statement.kind, Assign)
    return statement.kind.values[0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a | b & c", "a | (b & c)"),
        ("a & b | c", "(a & b) | c"),
        ("a ^ b | c", "a ^ (b | c)"),
        ("a => b => c", "a => (b => c)"),
        ("a = b | c", "a = (b | c)"),
        ("!a & ~b", "!a & !b"),
        ("a && b || T", "(a & b) | 1"),
        ("schoose[a, !b & *]", "schoose[a, !b & *]"),
        ("(a != F)", "a != 0"),
    ],
)
def test_operators_bind_as_in_satabs(text: str, shown: str) -> None:
    assert show(value(text)) == shown


def test_labels_and_places() -> None:
    first, second = statements("L1: 7: skip; /* two\nlines */ goto L1, 7")
    assert (first.labels, first.span.line, first.span.column) == (("L1", "7"), 3, 8)
    assert (second.kind, second.span.line) == (Goto(("L1", "7")), 4)


def test_a_call_behind_the_label_of_one_starts_a_thread() -> None:
    (plain,), (other,) = statements("c_1: ASYNC_3: f(a);"), statements("c_1: f(a);")
    assert isinstance(plain.kind, Start)
    assert not isinstance(other.kind, Start)


REFUSED = {
    "a := ;": (3, "expected a name"),
    "a, b := 1;": (3, "1 values for 2 variables"),
    "skip skip;": (3, "expected ';'"),
    "a := 2;": (3, "2 is no Boolean value"),
    "a := b @ c;": (3, "unexpected character"),
    "skip;\nsync e;": (4, "'sync' are not supported"),
    "wait;": (3, "'wait' are not supported"),
    "broadcast;": (3, "'broadcast' are not supported"),
    "skip;\n a$ := 1;": (4, "variables of other threads"),
    "d := 1;": (3, "no variable d"),
    "a := 'b;": (3, "'constrain' only"),
    "a, a := 0, 1;": (3, "assigned twice"),
    "goto L;": (3, "no label L"),
    "L: skip;\nL: skip;": (4, "twice"),
    "h();": (3, "no function h"),
    "a := f();": (3, "takes 1 arguments, not 0"),
    "a, b := f(a);": (3, "returns 1 values, not 2"),
    "return a;": (3, "returns 0 values, not 1"),
    "main();": (3, "recursion"),
    "start_thread main2();": (3, "no function main2"),
    "start_thread goto M;": (3, "no label M"),
    "start_thread skip;": (3, "expected a name"),
    "atomic_begin;\natomic_begin;": (4, "begins in another one"),
    "atomic_end;": (3, "did not begin"),
    "if * then atomic_begin; fi;\nskip;": (3, "from inside and from outside"),
    "decl a;\ndecl a;": (4, "declared twice"),
    "if a then skip;": (4, "expected a statement, found 'end'"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_understood_is_an_error_with_its_place(text: str) -> None:
    line, message = REFUSED[text]
    with pytest.raises(SourceError) as error:
        lower(parse(SHELL.format(text), "p.bp"), False)
    assert message in error.value.message
    assert error.value.span is not None
    assert (error.value.span.file, error.value.span.line) == ("p.bp", line)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("decl a;", "no function main"),
        ("void main() begin end void main() begin end", "defined twice"),
        ("decl a; decl a; void main() begin end", "declared twice"),
        ("int main() begin end", "expected decl, void or bool"),
        ("void main(a) begin end", "no arguments"),
        ("void main() begin f(); end void f() begin start_thread goto L; L: skip; end", "is called"),
    ],
)
def test_whole_programs_are_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        lower(parse(text, "p.bp"), False)
