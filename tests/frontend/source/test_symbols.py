"""Names of weak symbols, and symbols that stand for others."""

from __future__ import annotations

import pytest

from duet.errors import Unsupported
from duet.frontend.source.symbols import check_label, note_attribute, note_pragmas
from tests.frontend.source.drafts import draft_of, token_of


def test_all_names_of_a_weak_declaration_may_be_weak() -> None:
    draft = draft_of("int before; extern int one weak, two; int behind;")
    note_attribute(draft, token_of(draft, "weak"), draft.weak)
    assert {"one", "two"} <= draft.weak
    assert draft.weak.isdisjoint({"before", "behind"})


def test_a_pragma_makes_a_name_weak() -> None:
    draft = draft_of("#pragma weak one\nint x;\n # pragma weak two\n")
    note_pragmas(draft)
    assert draft.weak == {"one", "two"}


@pytest.mark.parametrize("line", ["#pragma weak one = two", "#pragma redefine_extname old used"])
def test_a_name_that_stands_for_another_one_is_refused(line: str) -> None:
    with pytest.raises(Unsupported, match="stands for another one"):
        note_pragmas(draft_of(f"{line}\nint used;"))


def test_names_that_nobody_uses_may_be_renamed_to() -> None:
    draft = draft_of("#pragma redefine_extname old new\nint x;")
    note_pragmas(draft)
    assert draft.weak == set()


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ('int a asm("other"); int b;', False),
        ('int a asm("b"); int b;', True),
        ('int a(void) asm("b"); int b(void) { }', True),
        ('int a(void) asm("b"); int b(void);', False),
        ('int a(void) asm("b"); int a(void) { } int b(void);', True),
        ('int a[2] asm("other"); int b;', False),
        ('int a asm("a");', False),
        ('register int a asm("b"); int b;', None),
    ],
)
def test_names_in_assembler(text: str, is_refused: bool | None) -> None:
    """None where the name is that of a register."""
    draft = draft_of(text)
    token = token_of(draft, "asm")
    label = draft.text(token + 2).strip('"')
    if is_refused:
        with pytest.raises(Unsupported, match="stands for another one"):
            check_label(draft, token, label)
    else:
        check_label(draft, token, label)
    assert draft.labels == ([] if is_refused is None else [(label, "a", draft.span(token))])
