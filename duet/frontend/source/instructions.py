"""Instructions of assembler behind which a thread certainly goes on; any other may be its end."""

from __future__ import annotations

import re


def _any_of(patterns: str) -> str:
    """One expression for several, which stand with white space between them."""
    return "|".join(patterns.split())


_SIZED = _any_of(r"""
    add adc sub sbb i?mul i?div and x?or not neg inc dec cmp test xchg xadd cmpxchg
    sh[lr]d? s[ah][lr] ro[lr] rc[lr] bt[src]? bs[fr] bswap
    lea cmps stos lods scas popcnt lzcnt tzcnt andn in out crc32
""")
_PACKED = _any_of(r"""
    add sub mul madd and or xor shuf s[rl]l sra unpck cmp ack max min avg sad clmul insr extr movmskb align blend abs
""")
_FLOATING = _any_of("add sub mul div sqrt andn? x?or max min shuf unpck[lh] cmp rcp rsqrt")
_X86 = _any_of(rf"""
    (?:{_SIZED})[bwlq]?(?:%z\d+)?
    mov[a-z0-9]* cmpxchg(?:8|16)b (?:set|cmov)[a-z]+ push[fa]?[wlq]? pop[fa]?[wlq]?
    [ml]?fence sfence pause nop[wl]? endbr(?:32|64) prefetch\w* cl(?:flush(?:opt)?|wb)
    rdtscp? rdpmc cpuid xgetbv rd(?:rand|seed)
    cl[cd] st[cd] cmc lahf sahf c[bwlq]t[wldqo] cdqe? cqo cwde?
    emms fn?st[cs]w fldcw fn?clex fn?init (?:ld|st)mxcsr
    bext[rq]? bls[ir] bls(?:msk) p(?:dep|ext) mulx[lq]? ad[co]x[lq]?
    v?(?:p(?:{_PACKED})|aes(?:enc|dec|imc|keygen))\w* sha(?:1|256)\w+
    v?(?:{_FLOATING})[ps][sd] v?cvtt?\w+ vzero(?:all|upper)
""")
_CONDITION = _any_of("eq ne [ch]s cc lo mi pl v[sc] hi ls ge lt gt le al")
_CONDITIONAL = _any_of(r"""
    add adc sub sbc rs[bc] and orr orn eor eon bic mvn neg mul ls[lr] asr ror mla mls
    cmp cmn tst teq clz rbit rev(?:16|32|sh)? [su](?:mull|mlal|div|mulh|bfx|xt[bhw]) bf[ic]
    mov[a-z]? ldr[a-z]* str[a-z]*
""")
_ARM = _any_of(rf"""
    (?:{_CONDITIONAL})s?(?:{_CONDITION})?(?:\.[nw])?
    madd msub csel cset csetm csinc csinv csneg cinc ccmp ccmn extr adrp?
    ld[au]?[px]?r[bhs]*w? ldap?x?r[bh]? ldn?p ldaxp ldxp stn?p stu?r[bhw]* stl?x[rp][bhw]* stlr[bh]?
    (?:swp|cas|ld(?:add|clr|eor|set|[su](?:max|min)))p?a?l?[bh]? st(?:add|clr|eor|set)l?[bh]?
    clrex dmb dsb isb yield wfe sevl? mrs mrc prfm pld ite? it[te]{{1,3}} [su]xt[bhw] crc32c?[bhwx]
""")
_RISCV = _any_of(r"""
    (?:add|sub|mul|mulhs?u?|divu?|remu?|and|or|xor|s[rl]l|sra|slt)[iu]{0,2}w?
    amo\w+(?:\.\w+)+ (?:lr|sc)\.[wd](?:\.\w+)* fence(?:\.i|\.tso)?
    l[iau] mv l[bhwd]u? s[bhwd] s(?:eq|ne|lt|gt)z negw? sext\.\w zext\.\w rd(?:cycle|time|instret)h?
""")
_JUMP = _any_of(rf"""
    j(?!al)[a-z]+ j loop(?:n?[ez])?
    b\.?(?:{_CONDITION})? c?bn?z tbn?z b(?:eq|ne|lt|ge|gt|le)(?:z|u)?
""")
"""Of x86, and `j` of RISC-V; of arm64, arm and RISC-V."""
_PREFIX = r"(?:lock|rep(?:n?[ez])?|data16)"
_LABEL = r"[\w.$]+(?:%=)?"
_DIRECTIVE = (
    r"\.(?:(?:p2|b)?align\s+\d+(?:\s*,\s*,\s*\d+)?\s*|"
    r"(?:intel_syntax\s+noprefix|att_syntax|syntax|arch\w*|cpu|fpu|cfi_\w+|loc|file|type|size|globa?l|local|"
    r"hidden)\b.*)"
)
_LINE = re.compile(
    rf"\s*(?P<labels>(?:{_LABEL}:\s*)*)(?:\#.*|{_DIRECTIVE}|(?:{_PREFIX}\s*)*(?:{_PREFIX}\s*|"
    rf"(?:{_JUMP})(?P<jump>\s.*)|(?P<instruction>(?:{_X86}|{_ARM}|{_RISCV})(?:\s.*)?)))?",
    re.IGNORECASE,
)
"""Labels, and a comment, a directive that puts nothing into the code, or an instruction: moves, arithmetic, orders."""
_TARGET = re.compile(rf"(?:.*,)?\s*(?P<target>{_LABEL}|%l\w+|%l\[\w+\])\s*", re.DOTALL)
"""What a jump goes to: the last operand."""
_ADDRESS = re.compile(r"\([^()]*\)|%%[a-z]s\s*:|^\s*mov[lq]?\s+%%[er]?sp\s*,")
"""Where registers are only read: in addresses, and by moves to what comes behind them."""
_REGISTERS = re.compile(
    r"(?<![\w.%])(?:(?:%%)?(?:[er]?[sb]p|[er]?ip|pc|[c-gs]s|fp|x2)|r1[1-5])(?![\w.])", re.IGNORECASE
)
"""Registers by which a thread is somewhere, or has its stack and its data: who changes them may be anybody."""


def goes_on(template: str, may_jump: bool) -> bool:
    """Whether a thread certainly goes on behind a template, or at one of its labels if it `may_jump` there."""
    lines = re.split(r"[;\n]", re.sub(r"/\*.*?\*/", " ", template, flags=re.DOTALL))
    found = [_LINE.fullmatch(line) for line in lines]
    known = [match for match in found if match is not None]
    labels = [set(re.findall(rf"({_LABEL}):", match["labels"])) for match in known]
    return (
        len(known) == len(lines)
        and _is_balanced(known)
        and all(
            _leads_there(match["jump"], labels[: number + 1], labels[number + 1 :], may_jump)
            if match["jump"]
            else _REGISTERS.search(_ADDRESS.sub(" ", match["instruction"] or "")) is None
            for number, match in enumerate(known)
        )
    )


def _is_balanced(lines: list[re.Match[str]]) -> bool:
    """Whether as much is taken from the stack as is put there."""
    depth = 0
    is_below = False
    for line in lines:
        word = re.match(r"push|pop(?!cnt)|", line["instruction"] or "", re.IGNORECASE)
        depth += {"push": 1, "pop": -1, "": 0}[word[0].lower() if word else ""]
        is_below = is_below or depth < 0
    return depth == 0 and not is_below


def _leads_there(operands: str, before: list[set[str]], behind: list[set[str]], may_jump: bool) -> bool:
    """Whether a jump stays in its template, with labels `before` and `behind` it, or goes to one that it was given."""
    match = _TARGET.fullmatch(operands)
    target = "" if match is None else match["target"]
    if target.startswith("%"):
        return may_jump
    if re.fullmatch(r"\d+[bf]", target):
        return any(target[:-1] in names for names in (before if target[-1] == "b" else behind))
    return not target.isdigit() and any(target in names for names in (*before, *behind))
