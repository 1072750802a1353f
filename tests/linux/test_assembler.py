"""Assembler between the items of a header: what its text names may be called and changed at any time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.errors import SourceError
from duet.frontend.source import toplevel
from duet.options import FrontendOptions
from duet.reading import read
from tests.linux import kernel_tree
from tests.linux.kernel_tree import safe
from tests.linux.test_general import driver

STUB = "#include <linux/stub.h>\ntypedef int stub_type;\n"
STUBBED = STUB + "static int stubbed(int number) { @ return number; }\n"
FAILS: Mapping[str, str] = {
    "a function that it names": driver(
        "__VERIFIER_assert(level == 0); return 0;", "", more=STUBBED.replace("@", "level = 1;")
    ),
    "an object that it names": driver(
        "__VERIFIER_assert(stub_data == 0); return 0;", "", more=STUB + "static int stub_data;\n"
    ),
    "what it defines": driver("__VERIFIER_assert(stub(1) == 1); return 0;", "", more=STUBBED.replace("@", "")),
}
HOLDS: Mapping[str, str] = {
    "a function that it does not name": driver(
        "__VERIFIER_assert(level == 0); return 0;",
        "",
        more=STUBBED.replace("stubbed(", "other(").replace("@", "level = 1;"),
    ),
    "what a function that it names leaves alone": driver(
        "__VERIFIER_assert(level == 0); return 0;", "", more=STUBBED.replace("@", "number = 2;")
    ),
}


OWN = """asm(".pushsection .text\\n" ".globl jump\\n" "jump:\\n" "\\tjmp " "step" "ped\\n" ".popsection\\n"
	".section \\"___ksymtab+jump\\", \\"a\\"\\n .long step_data - .\\n .previous\\n");
extern int jump(int number);
static int step_data;
static int stepped(int number) { @ return number; }
"""
OWN_FAILS: Mapping[str, str] = {
    "a function whose name is in two literals": driver(
        "__VERIFIER_assert(level == 0); return 0;", "", more=OWN.replace("@", "level = 1;")
    ),
    "an object in a table": driver("__VERIFIER_assert(step_data == 0); return 0;", "", more=OWN.replace("@", "")),
    "a quirk of a device": driver(
        "__VERIFIER_assert(level == 0); return 0;",
        "",
        more='static void quirk(void *device) { level = 1; }\nasm(".section .pci_fixup_early, \\"a\\"\\n .balign 16\\n"'
        ' ".short 0x8086, (~0)\\n" ".long quirk - .\\n" ".previous\\n");\n',
    ),
    "what the driver calls": driver("__VERIFIER_assert(jump(1) == 1); return 0;", "", more=OWN.replace("@", "")),
}
OWN_HOLDS = driver("__VERIFIER_assert(level == 0); return 0;", "", more=OWN.replace("@", "number = 2;"))
REFUSED = {
    "another name of an object": ".set other, level",
    "a value for a name": "other = level",
    "a macro": ".macro leap to\\n jmp step\\\\to\\n.endm\\n leap ped",
    "a function that may be another one": ".weak start",
    "other text": '.include \\"more.s\\"',
    "a table of patches": ".section .altinstructions\\n.long start - .",
    "what the loader runs": ".section .init_array\\n.quad start",
    "a name in numbers": "jmp \\163\\164\\145p",
    "an alias behind a comment": "/* nothing */ .set other, level",
    "an alias behind a label": '\\"no name\\": .set other, level',
    "a directive that is not listed": ".reloc start, R_X86_64_NONE",
}


@pytest.mark.parametrize("name", OWN_FAILS)
def test_what_fails_by_assembler_of_the_driver_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(safe(tmp_path, OWN_FAILS[name]))


def test_what_assembler_of_the_driver_leaves_alone_is_proved(tmp_path: Path) -> None:
    assert all(safe(tmp_path, OWN_HOLDS))


@pytest.mark.parametrize("assembler", ['asm("step: nop");', OWN.replace("@", "")])
def test_what_stands_behind_assembler_is_where_it_was_written(tmp_path: Path, assembler: str) -> None:
    text = driver("__VERIFIER_assert(level == 0); return 0;", "", more=f"{assembler}\n")
    source = tmp_path / "driver.c"
    source.write_text(text)
    found = read((str(source),), FrontendOptions(model="linux", kernel=str(kernel_tree.found(tmp_path))), Clock())
    assert [text.split("\n")[check.line - 1].startswith("static int start") for check in found.checks] == [True]


@pytest.mark.parametrize("name", REFUSED)
def test_assembler_that_may_change_anything_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="assembler outside of functions"):
        safe(tmp_path, driver("return 0;", "", more=f'asm("{REFUSED[name]}\\n");\n'))


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_in_the_kernel_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(safe(tmp_path, FAILS[name]))


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_proved(tmp_path: Path, name: str) -> None:
    assert all(safe(tmp_path, HOLDS[name]))


@pytest.mark.parametrize("name", list(FAILS)[:2])
def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toplevel, "_NAME", re.compile(r"(?!)"))
    assert all(safe(tmp_path, FAILS[name]))


def test_a_directive_is_no_name() -> None:
    text = r'asm(".type called, @function\n" ".size called, . - called\n" ".long tab" "le\n" ".skip size\n");'
    assert {"called", "table", "size"} <= toplevel.names(text)
    assert toplevel.names(text.replace(".skip size", "")).isdisjoint({"size", "type", "long"})
