"""Instructions of assembler behind which a thread certainly goes on; any other may be its end."""

from __future__ import annotations

import re

_SIZED = (
    "add|adc|sub|sbb|i?mul|i?div|and|x?or|not|neg|inc|dec|cmp|test|xchg|xadd|cmpxchg|sh[lr]d?|s[ah][lr]|ro[lr]|rc[lr]|"
    "bt[src]?|bs[fr]|bswap|lea|cmps|stos|lods|scas|popcnt|lzcnt|tzcnt|andn|in|out|crc32"
)
_X86 = (
    rf"(?:{_SIZED})[bwlq]?(?:%z\d+)?|mov[a-z0-9]*|cmpxchg(?:8|16)b|(?:set|cmov)[a-z]+|push[fa]?[wlq]?|pop[fa]?[wlq]?|"
    rf"[ml]?fence|sfence|pause|"
    r"nop[wl]?|endbr(?:32|64)|rdtscp?|rdpmc|cpuid|xgetbv|rd(?:rand|seed)|cl[cd]|st[cd]|cmc|lahf|sahf|c[bwlq]t[wldqo]|"
    r"cdqe?|cqo|cwde?|"
    r"prefetch\w*|cl(?:flush(?:opt)?|wb)|emms|fn?st[cs]w|fldcw|fn?clex|fn?init|(?:ld|st)mxcsr|bext[rq]?|bls[ir]|"
    r"bls(?:msk)|p(?:dep|ext)|"
    r"mulx[lq]?|ad[co]x[lq]?|v?(?:p(?:add|sub|mul|madd|and|or|xor|shuf|s[rl]l|sra|unpck|cmp|ack|max|min|avg|sad|clmul|"
    r"insr|extr|movmskb|"
    r"align|blend|abs)|aes(?:enc|dec|imc|keygen))\w*|sha(?:1|256)\w+|v?(?:add|sub|mul|div|sqrt|andn?|x?or|max|min|"
    r"shuf|unpck[lh]|cmp|rcp|rsqrt)"
    r"[ps][sd]|v?cvtt?\w+|vzero(?:all|upper)"
)
_CONDITION = "eq|ne|[ch]s|cc|lo|mi|pl|v[sc]|hi|ls|ge|lt|gt|le|al"
_ARM = (
    r"(?:add|adc|sub|sbc|rs[bc]|and|orr|orn|eor|eon|bic|mvn|neg|mul|ls[lr]|asr|ror|mla|mls|cmp|cmn|tst|teq|clz|rbit|"
    r"rev(?:16|32|sh)?|"
    rf"[su](?:mull|mlal|div|mulh|bfx|xt[bhw])|bf[ic]|mov[a-z]?|ldr[a-z]*|str[a-z]*)s?(?:{_CONDITION})?(?:\.[nw])?|"
    rf"madd|msub|csel|cset|csetm|"
    r"csinc|csinv|csneg|cinc|ccmp|ccmn|extr|adrp?|ld[au]?[px]?r[bhs]*w?|ldap?x?r[bh]?|ldn?p|ldaxp|ldxp|stn?p|"
    r"stu?r[bhw]*|stl?x[rp][bhw]*|stlr[bh]?|"
    r"(?:swp|cas|ld(?:add|clr|eor|set|[su](?:max|min)))p?a?l?[bh]?|st(?:add|clr|eor|set)l?[bh]?|clrex|dmb|dsb|isb|"
    r"yield|wfe|sevl?|mrs|mrc|prfm|pld|"
    rf"ite?|it[te]{{1,3}}|[su]xt[bhw]|crc32c?[bhwx]"
)
_RISCV = (
    r"(?:add|sub|mul|mulhs?u?|divu?|remu?|and|or|xor|s[rl]l|sra|slt)[iu]{0,2}w?|amo\w+(?:\.\w+)+|(?:lr|"
    r"sc)\.[wd](?:\.\w+)*|fence(?:\.i|\.tso)?|"
    r"l[iau]|mv|l[bhwd]u?|s[bhwd]|s(?:eq|ne|lt|gt)z|negw?|sext\.\w|zext\.\w|rd(?:cycle|time|instret)h?"
)
_JUMP = (
    r"j(?!al)[a-z]+|j|loop(?:n?[ez])?|"  # of x86, and j of RISC-V
    rf"b\.?(?:{_CONDITION})?|c?bn?z|tbn?z|b(?:eq|ne|lt|ge|gt|le)(?:z|u)?"  # of arm64, arm and RISC-V
)
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
