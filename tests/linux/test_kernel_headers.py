"""The kernel's own headers: finding them, reading a module with them, and who then calls its functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.errors import UsageError
from duet.frontend.source.kernel import described, find_headers, installed_headers
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read
from tests.linux import kernel_tree

DRIVER = """
#include <linux/module.h>
#include <linux/gadget.h>
static int level;
@BODY@
static const struct gadget_ops ops = { .start = start, .level = set_level };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void) { return gadget_register(&gadget); }
static void __exit unloading(void) { gadget_unregister(&gadget); }
module_init(loading);
module_exit(unloading);
MODULE_LICENSE("GPL");
"""
PLAIN = """
static int start(struct gadget *g) { __VERIFIER_assert(level == 0); return 0; }
static void set_level(struct gadget *g, unsigned int to) { @SET@ }
"""


def proved(directory: Path, text: str, config: str = "#define CONFIG_GADGET 1\n") -> list[bool]:
    """Which of the assertions of a driver are proved with the small kernel's headers."""
    kernel = kernel_tree.found(directory, config)
    source = directory / "driver.c"
    source.write_text(text)
    found = read((str(source),), FrontendOptions(model="linux", kernel=str(kernel)), Clock())
    statuses = [status.is_safe for status in analyse(found.program, AnalysisOptions(domain="interval")).statuses]
    statuses += [False for _ in found.unknown]
    assert statuses
    return statuses


def test_a_package_of_headers_names_the_common_ones(tmp_path: Path) -> None:
    configured = kernel_tree.make(tmp_path)
    found = find_headers(configured)
    assert found.release == "6.1.7-test-amd64"
    assert found.version == (6, 1, 7, 64)
    assert found.common == tmp_path / "linux-headers-6.1.7-test-common"
    assert found.directories[0] == configured / "arch/x86/include/generated"
    assert "6.1.7-test-amd64" in described(str(configured))
    assert not found.has_unsigned_char


def test_what_is_no_package_of_headers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no headers of a kernel"):
        find_headers(tmp_path)
    configured = kernel_tree.make(tmp_path)
    (configured / "arch/x86").rename(configured / "arch/arm")
    with pytest.raises(UsageError, match="only headers of x86"):
        find_headers(configured)


def test_the_newest_installed_headers_serve(tmp_path: Path) -> None:
    assert installed_headers(tmp_path) is None
    for release in ("6.9.2-1", "6.10.1-1", "5.10.0-3"):
        kernel_tree.make(tmp_path / "usr/src", release)
    found = installed_headers(tmp_path)
    assert found is not None
    assert found.release == "6.10.1-1-amd64"
    assert found.has_unsigned_char


def test_what_is_registered_with_any_subsystem_is_called(tmp_path: Path) -> None:
    never_set = PLAIN.replace("@SET@", "")
    is_set = PLAIN.replace("@SET@", "level = to;")
    assert proved(tmp_path, DRIVER.replace("@BODY@", never_set)) == [True]
    assert proved(tmp_path, DRIVER.replace("@BODY@", is_set)) == [False]


def test_callbacks_run_beside_themselves_and_each_other(tmp_path: Path) -> None:
    text = """
static int start(struct gadget *g) { level = 1; __VERIFIER_assert(level == 1); level = 0; return 0; }
static void set_level(struct gadget *g, unsigned int to) { }
"""
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [False]


@pytest.mark.parametrize("broken", ["for_each_gadget(g) { level = 1; }", "level = ;"])
def test_a_callback_that_cannot_be_parsed_may_do_anything(tmp_path: Path, broken: str) -> None:
    assert proved(tmp_path, DRIVER.replace("@BODY@", PLAIN.replace("@SET@", broken))) == [False]


def test_nothing_is_called_that_never_reaches_the_kernel(tmp_path: Path) -> None:
    text = PLAIN.replace("@SET@", "") + "static void unused(void) { level = 7; }\n"
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [True]
    found_by_linker = text + "static void *const in_a_section = unused;\n"
    assert proved(tmp_path, DRIVER.replace("@BODY@", found_by_linker)) == [False]
    of_other_files = text.replace("static void unused", "void unused")
    assert proved(tmp_path, DRIVER.replace("@BODY@", of_other_files)) == [False]
    exported = text + "EXPORT_SYMBOL(unused);\n"
    assert proved(tmp_path, DRIVER.replace("@BODY@", exported)) == [False]


@pytest.mark.parametrize(
    "place",
    [
        "g->ops = &hidden;",
        "struct gadget *other = g->data; other->ops = &hidden;",
        "struct gadget local = { .ops = &hidden }; gadget_register(&local);",
        "gadget_set_data(g, set);",
        "gadget_set_data(&gadget, set);",
        "static struct gadget inner = { .ops = &hidden }; gadget.data = &inner;",
        "struct gadget *made = kzalloc(sizeof(*made), 1u); if (made) { made->ops = &hidden; gadget.data = made; }",
    ],
)
def test_a_function_that_is_left_where_the_kernel_finds_it_is_called(tmp_path: Path, place: str) -> None:
    text = f"""
#include <linux/slab.h>
static struct gadget gadget;
static void set(struct gadget *g, unsigned int to) {{ level = 1; }}
static const struct gadget_ops hidden = {{ .level = set }};
static int start(struct gadget *g) {{ __VERIFIER_assert(level == 0); {place} return 0; }}
static void set_level(struct gadget *g, unsigned int to) {{ }}
"""
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [False]


def test_parameters_take_any_value(tmp_path: Path) -> None:
    text = "static int size = 3; module_param(size, int, 0);\n" + PLAIN.replace("level == 0", "size == 3")
    assert proved(tmp_path, DRIVER.replace("@BODY@", text.replace("@SET@", ""))) == [False]
    callback = """
static int size = 3;
static int setting(const char *value, const struct kernel_param *param) { level = 1; return 0; }
static const struct kernel_param_ops size_ops = { .set = setting };
module_param_cb(size, &size_ops, &size, 0644);
"""
    assert proved(tmp_path, DRIVER.replace("@BODY@", callback + PLAIN.replace("@SET@", ""))) == [False]


def test_inline_functions_of_headers_are_taken_as_they_are(tmp_path: Path) -> None:
    text = PLAIN.replace("level == 0", "gadget_twice(3) == 6").replace("@SET@", "")
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [True]


LOCKED = """
#include <linux/spinlock.h>
#include <linux/mutex.h>
static DEFINE_SPINLOCK(spin);
static DEFINE_MUTEX(sleeping);
static struct watched watched;
static int start(struct gadget *g)
{
	@TAKE@;
	watched.guarded = 1;
	__VERIFIER_assert(watched.guarded == 1);
	watched.guarded = 0;
	@GIVE@;
	return 0;
}
static void set_level(struct gadget *g, unsigned int to) { }
"""


@pytest.mark.parametrize(
    ("take", "give", "expected"),
    [
        ("spin_lock(&spin)", "spin_unlock(&spin)", True),
        ("spin_lock(&watched.lock)", "spin_unlock(&watched.lock)", True),
        ("mutex_lock(&sleeping)", "mutex_unlock(&sleeping)", True),
        ("spin_lock_irqsave(&spin, flags)", "spin_unlock_irqrestore(&spin, flags)", True),
        ("(void)0", "(void)0", False),
    ],
)
def test_locks_of_the_model_replace_those_of_the_headers(tmp_path: Path, take: str, give: str, expected: bool) -> None:
    text = LOCKED.replace("@TAKE@", take).replace("@GIVE@", give)
    text = text.replace("{\n\t", "{\n\tunsigned long flags;\n\n\t", 1)
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [expected]


def test_locks_whose_configuration_gives_them_more_order_nothing(tmp_path: Path) -> None:
    text = LOCKED.replace("@TAKE@", "spin_lock(&spin)").replace("@GIVE@", "spin_unlock(&spin)")
    config = "#define CONFIG_DEBUG_LOCK_ALLOC 1\n"
    assert proved(tmp_path, DRIVER.replace("@BODY@", text), config=config) == [False]


def test_allocation_is_known_by_name(tmp_path: Path) -> None:
    text = """
#include <linux/slab.h>
static int start(struct gadget *g)
{
	int *p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (p)
		__VERIFIER_assert(*p == 0);
	return 0;
}
static void set_level(struct gadget *g, unsigned int to) { }
"""
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [True]


def test_a_function_of_the_user_stays_as_it_is(tmp_path: Path) -> None:
    text = "static int kzalloc(int x) { return 5; }\n" + PLAIN.replace("level == 0", "kzalloc(1) == 5").replace(
        "@SET@", ""
    )
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [True]


REAL = installed_headers()


@pytest.mark.skipif(
    REAL is None, reason="no headers of a kernel are installed (Debian: apt install linux-headers-amd64)"
)
def test_locks_with_the_installed_headers(tmp_path: Path) -> None:
    assert REAL is not None
    text = LOCKED.replace("@TAKE@", "spin_lock(&spin)").replace("@GIVE@", "spin_unlock(&spin)")
    text = text.replace("static struct watched watched;", "static struct { int guarded; } watched;")
    text = text.replace("struct gadget *g, unsigned int to", "void").replace(
        "struct gadget *g", "struct platform_device *p"
    )
    registered = """
static struct platform_driver driver = { .probe = start, .driver = { .name = "d" } };
module_platform_driver(driver);
"""
    source = tmp_path / "driver.c"
    source.write_text(f"#include <linux/module.h>\n#include <linux/platform_device.h>\n{text}{registered}")
    found = read((str(source),), FrontendOptions(model="linux", kernel=str(REAL.configured)), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    assert [status.is_safe for status in analysis.statuses] == [True]


def test_the_configuration_is_that_of_the_headers(tmp_path: Path) -> None:
    text = "#ifdef CONFIG_GADGET\n#define EXPECTED 0\n#else\n#define EXPECTED 1\n#endif\n" + PLAIN
    text = text.replace("level == 0", "level == EXPECTED").replace("@SET@", "")
    assert proved(tmp_path, DRIVER.replace("@BODY@", text)) == [True]


def test_char_is_unsigned_from_6_2_on(tmp_path: Path) -> None:
    text = "char c = -1; module_init(start); static int start(void) { __VERIFIER_assert(c < 0); return 0; }\n"
    source = tmp_path / "driver.c"
    source.write_text(f"#include <linux/module.h>\nstatic int start(void);\n{text.replace('char c', 'static char c')}")
    for release, expected in (("6.1.9", True), ("6.2.0", False)):
        kernel = kernel_tree.make(tmp_path, release)
        found = read((str(source),), FrontendOptions(model="linux", kernel=str(kernel)), Clock())
        analysis = analyse(found.program, AnalysisOptions(domain="interval"))
        assert [status.is_safe for status in analysis.statuses] == [expected]


CHECKED = """
struct own { int first; _Static_assert(sizeof(int) == 4, "words"); struct gadget *gadget; };
static struct own own;
static int start(struct gadget *g) { own.gadget->ops = g->ops; __VERIFIER_assert(level == 0); return 0; }
static void set_level(struct gadget *g, unsigned int to) { @SET@ }
"""


@pytest.mark.parametrize(("set_", "expected"), [("", True), ("level = to;", False)])
def test_assertions_may_stand_between_members(tmp_path: Path, set_: str, expected: bool) -> None:
    assert proved(tmp_path, DRIVER.replace("@BODY@", CHECKED.replace("@SET@", set_))) == [expected]


@pytest.mark.parametrize(("set_", "expected"), [("", True), ("level = to;", False)])
def test_entry_points_need_no_semicolon(tmp_path: Path, set_: str, expected: bool) -> None:
    text = DRIVER.replace("@BODY@", PLAIN.replace("@SET@", set_))
    text = text.replace("module_init(loading);", "module_init(loading)")
    assert proved(tmp_path, text) == [expected]


def test_a_lost_function_may_put_interrupts_back(tmp_path: Path) -> None:
    lost = "unsigned long flags; local_irq_save(flags); level = nobody_declared; local_irq_restore(flags);"
    text = DRIVER.replace("#include <linux/gadget.h>", "#include <linux/spinlock.h>\n#include <linux/gadget.h>")
    assert proved(tmp_path, text.replace("@BODY@", PLAIN.replace("@SET@", lost))) == [False]
