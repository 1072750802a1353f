"""How many characters a number is printed with follows from its type and bounds."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <stdio.h>
extern int any(void);
static unsigned char byte; static signed char small; static unsigned int word; static int number; static short two;
"""
TRUE = {
    "bytes in base 16": 'char s[7]; byte = any(); sprintf(s, "%02x%02x%02x", byte, byte, byte);',
    "a byte": 'char s[4]; byte = any(); sprintf(s, "%d", byte);',
    "with a sign": 'char s[5]; small = any(); sprintf(s, "%d", small);',
    "with a sign that is always there": 'char s[5]; byte = any(); sprintf(s, "%+d", byte);',
    "in base 8": 'char s[4]; byte = any(); sprintf(s, "%o", byte);',
    "masked": 'char s[3]; number = any(); sprintf(s, "%X", number & 255);',
    "any number": 'char s[12]; number = any(); sprintf(s, "%d", number);',
    "with a width": 'char s[6]; byte = any(); sprintf(s, "%5d", byte);',
}
FALSE = {
    "bytes in base 16": 'char s[6]; byte = any(); sprintf(s, "%02x%02x%02x", byte, byte, byte);',
    "a byte": 'char s[3]; byte = any(); sprintf(s, "%d", byte);',
    "with a sign": 'char s[4]; small = any(); sprintf(s, "%d", small);',
    "with a sign that is always there": 'char s[4]; byte = any(); sprintf(s, "%+d", byte);',
    "with a blank for it": 'char s[4]; byte = any(); sprintf(s, "% d", byte);',
    "with what tells the base": 'char s[4]; byte = any(); sprintf(s, "%#x", byte);',
    "a negative number in base 16": 'char s[3]; small = any(); sprintf(s, "%x", small);',
    "a negative byte": 'char s[4]; byte = any(); sprintf(s, "%hhd", byte);',
    "any number": 'char s[11]; number = any(); sprintf(s, "%d", number);',
    "digits that are asked for": 'char s[6]; byte = any(); sprintf(s, "%.6d", byte);',
    "with a width": 'char s[5]; byte = any(); sprintf(s, "%5d", byte);',
    "a large one": 'char s[10]; word = any(); sprintf(s, "%u", word);',
    "a large one that becomes negative": 'char s[11]; word = any(); sprintf(s, "%d", word);',
    "a long one": 'char s[4]; long l = any(); sprintf(s, "%ld", l);',
}


def is_proved(body: str) -> bool:
    found = decided(START, body, "array-bounds")
    assert found
    return all(check.is_safe for check in found)


@pytest.mark.parametrize("name", TRUE)
def test_what_fits_is_proved(name: str) -> None:
    assert is_proved(TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_what_may_not_fit_is_not(name: str) -> None:
    """Each writes one character more than there is room for, with some value."""
    assert not is_proved(FALSE[name])
