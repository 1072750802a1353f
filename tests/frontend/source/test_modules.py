"""Which C files are parts of kernel modules."""

from __future__ import annotations

import pytest

from duet.frontend.source.modules import is_module


@pytest.mark.parametrize(
    "text",
    [
        "#include <linux/module.h>\nint x;",
        "# include <linux/init.h>\n",
        "module_init(start);",
        "static int x;\nmodule_platform_driver (driver);",
        'MODULE_LICENSE("GPL");',
        "#include <linux/kernel.h>\nEXPORT_SYMBOL_GPL(x);",
    ],
)
def test_modules(text: str) -> None:
    assert is_module(text)


@pytest.mark.parametrize(
    "text",
    [
        "#include <linux/if.h>\nint main(void) { return 0; }",
        "#include <stdio.h>\n#include <linux/module.h>\nint x;",
        "#include <linux/module.h>\nint main(void) { return 0; }",
        "/* module_init(x) */ int x;",
        'char *x = "MODULE_LICENSE(GPL)";',
        "int module_init;",
        "",
    ],
)
def test_programs_of_user_space(text: str) -> None:
    assert not is_module(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#include "parts.h"\nint shared(void) { return 1; }', True),
        ("#include <linux/slab.h>\nint x;", True),
        ("#include <linux/if.h>\nint main(void) { return 0; }", False),
        ("#include <stdio.h>\nint x;", False),
    ],
)
def test_a_file_with_headers_of_a_kernel_given_for_it(text: str, expected: bool) -> None:
    assert is_module(text, is_told=True) is expected
    assert not is_module(text)
