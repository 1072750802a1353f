"""Inline assembler as calls of `__duet_asm`, which say what it may read and write."""

from __future__ import annotations

import re
from itertools import groupby

from duet.errors import Unsupported
from duet.frontend.source.data import symbols
from duet.frontend.source.draft import Draft
from duet.frontend.source.instructions import goes_on
from duet.frontend.source.symbols import check_label
from duet.frontend.source.tokens import Kind
from duet.frontend.source.words import ASSEMBLER, ENDING, OPENING, RENAMED

_ORDERING = re.compile(
    r"(?:\s|;|\\n|\\t|[mls]fence|pause|nop|rep(?=\s*;?\s*nop)|lock(?=\s*;?\s*(?:addl|orl)\b)|(?:addl|orl)\s+\$0(?:x0)?,[^;\\\n]*)*"
)
"""Instructions that change no memory or register of the program."""
_SPACE = r"(?:\s|;|\\[nt])*"
_DIRECTIVES = "ident|file|section|previous|text|data|hidden|globa?l|type|size|symver"
_HARMLESS = re.compile(rf"(?:{_SPACE}\.(?:{_DIRECTIVES})\b[^;\n\\]*)*{_SPACE}")
"""Directives at file level that define nothing."""
_MNEMONIC = (
    r"(?:mov|add|adc|sub|sbb|i?mul|i?div|and|x?or|not|neg|inc|dec|sh[lr]|sa[lr]|cmp|test)[bwlq]?|movz[bw][wlq]|set[a-z]+|"
    r"j[a-z]+|nop|clc|stc"
)
_REGISTER_OR_NUMBER = r"%%[a-z0-9]+|\$?-?(?:0[xX][0-9a-fA-F]+|\d+[bf]?)|%[a-zA-Z]?\d+|[\s,()]"
_SIMPLE = re.compile(rf"\s*(?:\d+:\s*)?(?:(?:{_MNEMONIC})(?:\s(?:{_REGISTER_OR_NUMBER})*)?)?\s*")
"""One instruction of x86 that changes no operand but one that it names by itself, not as a part of an address."""
_LOADS_ADDRESS = re.compile(r"(?<![a-zA-Z])(?:lea[bwlq]?|[dl]?la|lay|larl)(?![a-zA-Z])", re.IGNORECASE)
"""The instructions that give the address of an operand in memory: of x86, and of PowerPC, MIPS, RISC-V and s390."""
_NO_SYMBOL = re.compile(r"%%\w+|%\w?\[\w+\]|%\w+|\.\w+")
"""Registers, operands and directives in a template."""
_FIRST = re.compile(r"\A\s*(?:\w+:\s*)*[A-Za-z_]\w*")
"""The labels and the instruction in front of a line, which are no operands."""
_REGISTERS = frozenset("abcdDSqrRtuxyfginsIKNX0123456789")
"""In constraints of operands that may be in registers, or numbers: such instructions do not take them."""
_EFFECTS = re.compile(r"\+\+|--|[^=!<>]=[^=]|<<=|>>=|[\w)\]] \(|\( \{")


def rewrite_assembly(draft: Draft, token: int) -> int:
    """Turns an assembler statement into a call of `__duet_asm` with its operands; drops the name of a declaration.

    Outputs are passed by address, so whoever models the call knows what it may write, and in a string the symbols
    that the template may have. With a "memory" clobber it is `__duet_asm_memory`; instructions that only order accesses
    are dropped; `asm goto` may go on at each of its labels. Where a thread may not go on it may end.
    """
    start = token + 1
    is_jump = False
    while RENAMED.get(draft.text(start), draft.text(start)) in ("volatile", "inline", "goto"):
        is_jump = is_jump or draft.text(start) == "goto"
        start += 1
    if draft.text(start) != "(":
        return token + 1
    last = draft.closing(start)
    previous = draft.text(token - 1)
    statement = previous in (";", "{", "}", ":", "else", "do", "") or (previous == ")" and draft.is_in_braces[token])
    template, sections = _sections(draft, start, last)
    operands = _operands(draft, start, last, template) if statement else []
    has_memory = "memory" in _strings(draft, sections[2])
    has_result = any("=" in text for text in _strings(draft, sections[0]))
    is_plain = not operands or (not template.strip() and not has_result and not any(map(_may_have_effects, operands)))
    barrier = not is_jump and is_plain and _ORDERING.fullmatch(template) is not None
    defined = symbols(template) if statement and not draft.is_in_braces[token] and not any(sections) else None
    if statement and not barrier and not defined:
        inside = "inline assembler is replaced by arbitrary writes to its operands"
        outside = "assembler outside of functions: what it names may be called and changed at any time"
        draft.warn(token, "inline-assembler", inside if draft.is_in_braces[token] else outside)
    if not statement:
        check_label(draft, token, template)
    elif defined is not None:
        draft.symbols.extend((name, draft.span(token)) for name in sorted(defined))
    elif not draft.is_in_braces[token] and not _HARMLESS.fullmatch(template):
        raise Unsupported("assembler outside of functions may define or change anything", draft.span(token))
    labels = [draft.text(index) for index in sections[3] if draft.kind(index) is Kind.NAME]
    draft.blank(token, last)
    if statement and not barrier and draft.is_in_braces[token]:
        named = sorted(_symbols(template))
        told = [f'"{" ".join(named)}"'] if named else []
        text = f"{ASSEMBLER}{'_memory' if has_memory else ''}({', '.join((*operands, *told))})"
        jumps = " ".join(f"if (__duet_nondet_int()) goto {label};" for label in labels) if is_jump else ""
        if not goes_on(_plain(template), is_jump):
            text = f"{ENDING}(); {text}; {ENDING}()"
            jumps = jumps or ";"
        if jumps:
            text = f"do {{ {text}; {jumps} }} while (0)"
        draft.out[draft.tokens[token]] = text
    return last + 1


def _symbols(template: str) -> set[str]:
    """What may be symbols in a template, as it is in the text of a file: not what is in front of a line."""
    lines = [_FIRST.sub("", line) for line in re.split(r"[;\n]", _plain(template))]
    return {word for line in lines for word in re.findall(r"[A-Za-z_]\w*", _NO_SYMBOL.sub(" ", line))}


def _plain(template: str) -> str:
    """The text of a template, with what its escapes stand for."""
    known = re.sub(r"\\(?![abfnrtvx0-7\\'\"])", " ", template)
    return known.encode("ascii", "backslashreplace").decode("unicode_escape", "replace")


def _sections(draft: Draft, start: int, last: int) -> tuple[str, tuple[list[int], ...]]:
    """The template of an assembler statement, and the tokens of what follows: outputs, inputs, clobbers, labels."""
    template: list[str] = []
    sections: list[list[int]] = [[]]
    depth = 0
    for index in range(start + 1, last):
        text = draft.text(index)
        depth += (text in OPENING) - (text in OPENING.values())
        if text in (":", "::") and depth == 0:
            sections.append([])
        elif len(sections) == 1:
            template.append(text[1:-1] if draft.kind(index) is Kind.STRING else text)
        else:
            sections[-1].append(index)
    rest = [*sections[1:], [], [], [], []]
    return "".join(template), (rest[0], rest[1], rest[2], rest[3])


def _strings(draft: Draft, tokens: list[int]) -> list[str]:
    """The string literals among some tokens; adjacent ones are one."""
    groups = groupby(tokens, lambda index: draft.kind(index) is Kind.STRING)
    return ["".join(draft.text(index)[1:-1] for index in group) for is_string, group in groups if is_string]


def _may_have_effects(operand: str) -> bool:
    """Whether the text of an expression has what may be a call, a statement or an assignment in it."""
    return _EFFECTS.search(operand) is not None


def _operands(draft: Draft, start: int, last: int, template: str) -> list[str]:
    """The operands of an assembler statement as argument texts: `&(x)` for those with `=` or `+` that it may change.

    Where addresses are loaded, that of one in memory is an operand, too.
    """
    found = _constrained(draft, start, last)
    texts = dict(enumerate(found))
    operands = []
    for number, (constraint, inner) in texts.items():
        if "=" not in constraint and "+" not in constraint:
            operands.append(f"({inner})")
        elif not _is_kept(template, number, constraint, inner, found):
            operands.append(f"&({inner})")
        elif "+" in constraint:
            operands.append(f"({inner})")
        if _LOADS_ADDRESS.search(template) and _REGISTERS.isdisjoint(constraint):
            operands.append(f"(void *)&({inner})")
    return operands


def _is_kept(template: str, number: int, constraint: str, inner: str, operands: list[tuple[str, str]]) -> bool:
    """Whether an output is the input that it begins as: the template only uses it as the base of addresses.

    It is in any register: what the template names itself is another one.
    """
    if set(constraint) - set("=+&r"):
        return False
    if "+" not in constraint and (str(number), inner) not in operands:
        return False
    lines = re.split(r"\\n|\n|;", template.replace("\\t", " "))
    is_changed = any(re.search(rf"(?<!%)%[a-zA-Z]?{number}(?!\d)", re.sub(r"\([^()]*\)", "()", line)) for line in lines)
    return not is_changed and all(map(_SIMPLE.fullmatch, lines))


def _constrained(draft: Draft, start: int, last: int) -> list[tuple[str, str]]:
    """The constraints and texts of the operands of an assembler statement."""
    operands = []
    constraint = ""
    token = start + 1
    while token < last:
        if draft.text(token) == "(" and constraint:
            end = draft.closing(token)
            words = (draft.text(index) for index in range(token + 1, end))
            inner = " ".join(RENAMED.get(word, word) for word in words if word != "__extension__")
            operands.append((constraint.replace('"', ""), inner))
            token = end
        constraint = constraint + draft.text(token) if draft.kind(token) is Kind.STRING else ""
        token += 1
    return operands
