"""Words of C and GNU C that the rewriting for pycparser knows."""

from __future__ import annotations

NESTING_LIMIT = 256
RENAMED = {
    "__inline": "inline",
    "__inline__": "inline",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__const": "const",
    "__const__": "const",
    "__signed": "signed",
    "__signed__": "signed",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__thread": "_Thread_local",
    "__typeof": "typeof",
    "__typeof__": "typeof",
    "__alignof": "_Alignof",
    "__alignof__": "_Alignof",
    "__complex__": "_Complex",
    "__builtin_offsetof": "offsetof",
    "__builtin_va_start": "__duet_va_start",
    "__builtin_va_end": "__duet_va_end",
    "__builtin_va_copy": "__duet_va_copy",
    "<:": "[",
    ":>": "]",
    "<%": "{",
    "%>": "}",
}
OWN_NAMES = frozenset({"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"})
"""What stands for the name of the function around it."""
FLOATS = {
    "_Float16": "signed short float",
    "__bf16": "unsigned short float",
    "_Float32": "signed float",
    "_Float64": "signed double",
    "_Float32x": "unsigned double",
    "_Float64x": "unsigned long double",
    "_Float128": "signed long double",
    "__float128": "signed long double",
}
"""Types that compilers have beside those of C, as types that C has not (see `basic_type`).

Old headers declare them by `typedef`.
"""
C23_RENAMED = {
    "bool": "_Bool",
    "thread_local": "_Thread_local",
    "static_assert": "_Static_assert",
    "alignas": "_Alignas",
    "alignof": "_Alignof",
}
"""Keywords of C23 that C11 has under another name."""
C23_KEYWORDS = frozenset({"true", "false", "nullptr", "constexpr"})
CHAR8 = "char8_t"
"""The prefix that stands for the `u8` of strings whose elements are unsigned: from C23 on."""
CONSTANT_P = "__builtin_constant_p"
AUTO_TYPE = "__auto_type"
REFUSED = "__duet_refused_"
"""Starts the names that stand for what the rewriting refused; the parser meets them only in functions it keeps."""
STARTER = "__duet_spawn"
"""The function that starts a thread, for models and where constructs that start threads are refused."""
ASSEMBLER = "__duet_asm"
"""The function that stands for a statement in assembler."""
ENDING = "__duet_may_end"
"""The function that stands for what may end the thread, as the system can."""
ATOMIC_BEGIN, ATOMIC_END = "__duet_atomic_begin", "__duet_atomic_end"
"""The functions between which everything is one step."""
INVARIANT = "__duet_invariant"
"""The name of the call that checks an invariant."""
OPENED = "__duet_opened"
"""The function by which a harness says that a file is open from here on."""
MODULE_ENTRY, MODULE_EXIT = "__duet_module_init", "__duet_module_exit"
"""What kernel headers declare to say which functions a module starts and ends with: no objects of the program."""
INSTALLED = "__duet_installed"
"""The function by which a harness says that a terminal is there from here on."""
ASSERTION, ASSERTION_FAILED = "assert", "__assert_fail"
"""The check of C, and the function that its macro calls in preprocessed text."""
EXPECT = "__builtin_expect"
ASSEMBLY = frozenset({"asm", "__asm", "__asm__"})
PACKED, ALIGNED, PACK = '"__duet packed"', '"__duet aligned"', '"__duet pack"'
"""Messages of the static assertions that stand for the attributes of a struct and for `#pragma pack`."""
PACKED_MEMBER = '"__duet packed member"'
"""The message of the static assertion that stands for the attribute `packed` of the member behind it."""
ALIGNED_TYPE = '"__duet aligned type '
"""Starts the message of the static assertion that stands for the attribute of a typedef name, which follows."""
MOST_ALIGN = 1 << 28
"""The largest alignment that compilers know."""
PACKED_ENUM = "__duet_packed"
"""The enumerator that stands for the attribute `packed` of an enumeration."""
LAYOUT = frozenset({"packed", "aligned"})
"""Attributes that change the layout of types."""
CLEANUP = "cleanup"
"""The attribute of a variable that names the function to call where the variable goes out of scope."""
LOADED = frozenset({"constructor", "destructor"})
"""Attributes of functions that the loader calls."""
ALIAS = "alias"
"""The attribute of a function that is another name of one in the same file."""
REFUSED_ATTRIBUTES = frozenset(
    {
        "ext_vector_type",
        "ifunc",
        "mode",
        "ms_struct",
        "scalar_storage_order",
        "vector_size",
        "weakref",
    }
)
MODES = {"QI": "char", "HI": "short", "SI": "int", "DI": "long", "TI": "__int128", "word": "long", "pointer": "long"}
"""What `int` is with a machine mode; a `long` is as large as a pointer in each data model."""
SMALL_MODES = {**MODES, "DI": "long long"}
"""The same for pointers of 32 bits."""
SPECIFIERS = frozenset(
    {"static", "extern", "register", "auto", "const", "volatile", "_Thread_local", "restrict", "_Noreturn", "inline"}
)
TYPE_OPERATORS = frozenset({"typeof", "typeof_unqual", "_Atomic"})
"""What makes a type of what is in parentheses behind it."""
GROUPED = frozenset(
    {
        *("__attribute__", "__attribute", "__declspec", "__asm__", "__asm", "asm"),
        *("typeof", "__typeof", "__typeof__", "_Alignas"),
    }
)
"""Words whose parentheses are neither a declarator nor parameters."""
OPENING = {"(": ")", "[": "]", "{": "}"}
KEYWORDS = frozenset(
    {
        "_Alignas",
        "_Alignof",
        "_Atomic",
        "_Bool",
        "_Complex",
        "_Generic",
        "_Imaginary",
        "_Noreturn",
        "_Static_assert",
        "_Thread_local",
        "__int128",
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "offsetof",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
    }
)
ACQUIRING = frozenset(("pthread_mutex_lock", "pthread_spin_lock", "mtx_lock"))
RELEASING = frozenset(("pthread_mutex_unlock", "pthread_spin_unlock", "mtx_unlock"))
"""Functions that take a lock, or give it back, and whose calls witnesses may have ghosts at."""
STATEMENTS = frozenset(
    f"__duet_{word}" for word in ("run_as", "give", "operate", "place", "keep", "relay", "behind", "call_by")
)
"""Functions by which a harness says how the kernel calls others, and what else it does: they are never left out."""
