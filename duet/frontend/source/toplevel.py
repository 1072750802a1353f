"""Assembler outside of functions: the names in it, and whether what these stand for is all that it may use.

Assembler there can define symbols, and data and code behind them. Its code runs if something calls a symbol of it,
its data is used if something reads it: either way it is about what the text names. Macros could put names together, and
aliases, weak symbols and tables of patches change what C means. So only labels, instructions, and directives that are
listed here count as plain, in sections that hold data, code, or tables of exported symbols, of tracepoints, and of
functions that the kernel calls: quirks of devices, what initialises a built-in driver.
"""

from __future__ import annotations

import re

_HEAD = re.compile(r"\s*(?:asm|__asm|__asm__)\b")
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_FRAME = re.compile(r"\s*(?:asm|__asm|__asm__)\s*(?:volatile|__volatile__)?\s*\(\s*\)\s*;?\s*")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_LABELS = re.compile(r"\s*(?:[\w.$]+\s*:\s*)*")
_PLAIN = re.compile(
    r"\.(?:text|data|bss|section|pushsection|popsection|previous|globa?l|local|hidden|type|size|b?align|p2align|long|quad"
    r"|word|byte|short|int|[248]byte|asci[iz]|string|skip|zero|ident|file)"
)
_INSTRUCTION = re.compile(r"[a-z]\w*(?:\s[\w\s,.$%()*+@:<-]*)?")
_SECTION = re.compile(
    r'"?(?:\.(?:text|data|rodata|bss|init\.text|exit\.text|static_call\.text|discard|note)\b[\w.]*'
    r"|\.pci_fixup\w*|\.(?:con_)?initcall\w*\.init"
    r"|_{2,3}k(?:symtab|crctab)(?:_gpl)?(?:\+\w+)?|__ksymtab_strings|__tracepoints_ptrs)\"?\s*(?:,.*)?"
)


def is_assembler(text: str) -> bool:
    """Whether an item, without directives of the preprocessor, is assembler."""
    return _HEAD.match(text) is not None


def names(text: str) -> frozenset[str]:
    """What may be names in assembler, no directives (`.size`); its literals count one by one, and as one text."""
    parts = [_ESCAPE.sub(" ", part) for part in _LITERAL.findall(text)]
    return frozenset(_NAME.findall("\n".join((*parts, "".join(parts)))))


def is_plain(text: str) -> bool:
    """Whether all that assembler may use is what it names."""
    template = "".join(_LITERAL.findall(text))
    if not _FRAME.fullmatch(_LITERAL.sub("", text)) or set(_ESCAPE.findall(template)) - _ESCAPES.keys():
        return False
    shown = _ESCAPE.sub(lambda match: _ESCAPES[match[1]], template)
    return "\\" not in shown and all(_is_plain(line) for line in re.split(r"[\n;]", shown))


def _is_plain(statement: str) -> bool:
    """Whether a statement is labels, an instruction, or a directive that does nothing to other symbols."""
    rest = statement[_LABELS.match(statement).end() :].strip()  # type: ignore[union-attr]  # it matches nothing, too
    word, _, operands = rest.replace("\t", " ").partition(" ")
    if word in (".section", ".pushsection"):
        return _SECTION.fullmatch(operands.strip()) is not None
    return not word or bool(_PLAIN.fullmatch(word) or _INSTRUCTION.fullmatch(rest))
