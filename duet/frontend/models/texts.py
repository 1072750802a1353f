"""Which arguments of library functions are strings that are read up to their end."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_FIRST = (0,)
_BOTH = (0, 1)

TEXTS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("strlen", "strdup", "wcsdup", "strchr", "strrchr", "strchrnul", "index", "rindex"), _FIRST),
        **dict.fromkeys(("atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull"), _FIRST),
        **dict.fromkeys(("strtod", "strtof", "strtold", "strncat"), _FIRST),
        **dict.fromkeys(("puts", "fputs", "putenv", "getenv", "secure_getenv", "system", "sscanf", "vsscanf"), _FIRST),
        **dict.fromkeys(("open", "creat", "stat", "lstat", "access", "unlink", "remove", "mkdir", "rmdir"), _FIRST),
        **dict.fromkeys(("chdir", "opendir", "chmod", "chown", "readlink", "realpath", "dirname", "basename"), _FIRST),
        **dict.fromkeys(("strcmp", "strcasecmp", "strcoll", "strcat", "strstr", "strpbrk", "strlcat"), _BOTH),
        **dict.fromkeys(
            ("strspn", "strcspn", "fopen", "popen", "rename", "link", "symlink", "setenv", "strlcat"), _BOTH
        ),
        **dict.fromkeys(("strcpy", "stpcpy", "strlcpy", "strtok", "strtok_r", "strsep"), (1,)),
    }
)
"""The positions of these arguments by name. Those that may be null are not among them."""
