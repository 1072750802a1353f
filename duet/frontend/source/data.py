"""Assembler outside of functions that only puts data into memory: files as they are, numbers and texts under names.

To C these are objects that are defined somewhere else. Whatever is not listed here may do anything: macros, aliases,
weak symbols, addresses of what the program has, sections whose contents are run.
"""

from __future__ import annotations

import re

_STATEMENTS = re.compile(r"\\n|\n|;")
_LABEL = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*:")
_TEXT = re.compile(r'\\"[^"\\]*\\"')
_OPERAND = re.compile(r"[A-Za-z_]\w*|\.|0[xX][0-9a-fA-F]+|\d+|[-+*/(),\s]")
_SECTION = re.compile(
    r'(?:\.(?:section|pushsection)\s+)?\.(?:rodata|data|bss)(?:\.\w+)*(?:\s*,\s*\\"[aw]*\\"(?:\s*,\s*[@%]\w+)?)?'
)
_ELSEWHERE = re.compile(r"\.text|\.previous|\.popsection")
_PROPERTY = re.compile(
    r"\.(?:globa?l|hidden)\s+(\w+)|\.type\s+(\w+)\s*,\s*[@%]object|\.size\s+(\w+)\s*,[-+.\w\s]*|\.(?:b|p2)?align\s+\d+"
)
_DATA = re.compile(r"\.(?:[248]?byte|short|word|int|long|quad|zero|space|skip|fill|asci[iz]|string|incbin)(?=\s)")


def symbols(template: str) -> frozenset[str] | None:
    """The names that a template, as C writes it, gives to data; None where it may do anything else."""
    statements = [text.replace("\\t", " ").strip() for text in _STATEMENTS.split(template)]
    found: set[str] = set()
    used: set[str] = set()
    is_data = False
    for text in statements:
        rest = text
        while label := _LABEL.match(rest):
            if not is_data:
                return None
            found.add(label["name"])
            rest = rest[label.end() :].strip()
        if _SECTION.fullmatch(rest):
            is_data = True
        elif _ELSEWHERE.fullmatch(rest):
            is_data = False
        elif (directive := _DATA.match(rest)) and is_data:
            operands = _TEXT.sub("", rest[directive.end() :])
            if _OPERAND.sub("", operands):
                return None
            used.update(re.findall(r"[A-Za-z_]\w*", re.sub(r"0[xX][0-9a-fA-F]+", "", operands)))
        elif found_property := _PROPERTY.fullmatch(rest):
            used.update(filter(None, found_property.groups()))
        elif rest:
            return None
    return frozenset(found) if used <= found else None
