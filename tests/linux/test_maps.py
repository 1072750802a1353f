"""Maps of registers that a driver makes: how many bytes a transfer of several registers has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pycparser import c_ast

from duet.linux import maps
from duet.options import LINUX_ASSUMPTIONS
from tests.linux import kernel_tree

DRIVER = """
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/chip.h>
#include <linux/gadget.h>
extern unsigned int any(void);
extern void *anything(void);
static struct i2c_client *client;
static const struct regmap_config narrow = { .reg_bits = 8, .val_bits = 8 };
static const struct regmap_config wide = { .reg_bits = 8, .val_bits = 16 };
static const struct regmap_config cached = { .val_bits = 8, .cache_type = REGCACHE_RBTREE };
static const struct regmap_config flat = { .val_bits = 8, .cache_type = REGCACHE_FLAT };
static int table[256];
struct variant { int number; struct regmap_config config; };
static const struct variant variants[2] = { { .config = { .val_bits = 8 } }, { .config = { .val_bits = 7 } } };
struct own { int number; struct regmap *map; };
static struct regmap *kept;
extern struct regulator_dev *given(void);
extern void hand(void *what);
static unsigned char values[4];
@MORE@
static int start(struct gadget *g) { struct regmap *map; struct own *own; @BODY@ return 0; }
static const struct gadget_ops ops = { .start = start };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void) { @LOAD@ return gadget_register(&gadget); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
MAKE = "devm_regmap_init_i2c(client, &narrow)"
READ = "return regmap_bulk_read({}, 0, values, {});"
ONE = "unsigned int v; if (regmap_read(map, 3, &v)) return -2; return table[v];"
OWN = f"own = kmalloc(sizeof(*own), GFP_KERNEL); if (!own) return -1; own->map = {MAKE};"
BACK = """
static int get(void *priv, unsigned int offset, void *to, size_t bytes)
{
	struct regmap *map = priv;
	unsigned char here[4];

	return regmap_bulk_read(map, 0, here, 4);
}
static int look(void *priv, unsigned int offset, void *to, size_t bytes) { return ((struct own *)priv)->number; }
"""
DESCRIBED = 'struct nvmem_config c = { .name = "n", .reg_read = get }; nvmem_register(&c);'
PROVED: Mapping[str, tuple[str, str, str]] = {
    "a byte for each": (f"map = {MAKE}; " + READ.format("map", 4), "", ""),
    "a number that was compared": (f"size_t n = any(); map = {MAKE}; if (n <= 4) " + READ.format("map", "n"), "", ""),
    "two bytes for each": ("map = devm_regmap_init_i2c(client, &wide); " + READ.format("map", 2), "", ""),
    "a map in a structure": (OWN + READ.format("own->map", 4), "", ""),
    "a map in a variable": (f"kept = {MAKE}; " + READ.format("kept", 4), "", ""),
    "a parameter": (
        f"return get({MAKE});",
        "static int get(struct regmap *map) { " + READ.format("map", 4) + " }",
        "",
    ),
    "one of several configurations": (
        "map = devm_regmap_init_i2c(client, &variants[any() & 1].config); " + READ.format("map", 4),
        "",
        "",
    ),
    "no map of which anything is known": ("map = dev_get_regmap(0, 0); " + READ.format("map", "0"), "", ""),
    "what the memory core gives back": (f"{DESCRIBED.replace('get }', 'get, .priv = ' + MAKE + ' }')}", BACK, ""),
    "it is assigned": (
        DESCRIBED.replace("nvmem_register", f"c.priv = {MAKE}; nvmem_register"),
        BACK,
        "",
    ),
    "another description gives something else": (
        DESCRIBED.replace("nvmem_register", f"c.priv = {MAKE}; nvmem_register")
        + "struct nvmem_config d = { .reg_read = look }; d.priv = own; nvmem_register(&d);",
        BACK,
        "",
    ),
    "a byte is read": (f"map = {MAKE}; " + ONE, "", ""),
    "a byte of a cache is read": (f"map = {MAKE.replace('narrow', 'cached')}; " + ONE, "", ""),
    "a byte is read by a function of a header": (f"map = {MAKE}; " + ONE.replace("read(", "look("), "", ""),
    "seven bits are read": ("map = devm_regmap_init_i2c(client, &variants[any() & 1].config); " + ONE, "", ""),
    "a written one": (f"map = {MAKE}; return regmap_bulk_write(map, 0, values, 4);", "", ""),
}
OPEN: Mapping[str, tuple[str, str, str]] = {
    "a byte is read from elsewhere": (f"kept = {MAKE}; map = dev_get_regmap(0, 0); " + ONE, "", ""),
    "a byte of somebody else's map is read in a header": (
        f"kept = {MAKE}; " + ONE.replace("regmap_read(map", "chip_read(anything()"),
        "",
        "",
    ),
    "somebody else's map is read in a header": ("return chip_transfer(anything(), values, 4);", "", ""),
    "two bytes are read": ("map = devm_regmap_init_i2c(client, &wide); " + ONE, "", ""),
    "two bytes are read from another one": (f"map = {MAKE}; " + ONE, "", "kept = devm_regmap_init_i2c(client, &wide);"),
    "a byte that is not read": (f"map = {MAKE}; " + ONE.replace("if (regmap_read", "if (0 && regmap_read"), "", ""),
    "a reading that fails": (f"map = {MAKE}; " + ONE.replace("return -2", "v = any()"), "", ""),
    "a byte is read by the driver itself": (
        f"map = {MAKE.replace('narrow', 'asked')}; " + ONE,
        "static int asked_for(void *context, unsigned int reg, unsigned int *value) { *value = any(); return 0; }"
        " static const struct regmap_config asked = { .val_bits = 8, .reg_read = asked_for };",
        "",
    ),
    "a byte of a bus": ("map = devm_regmap_init(0, anything(), 0, &narrow); " + ONE, "", ""),
    "a cache that keeps what was written": (f"map = {MAKE.replace('narrow', 'flat')}; " + ONE, "", ""),
    "a newer cache that does": (
        f"map = {MAKE.replace('narrow', 'newer')}; " + ONE,
        "static const struct regmap_config newer = { .val_bits = 8, .cache_type = REGCACHE_MAPLE };",
        "",
    ),
    "a cache that is made later": (f"map = {MAKE}; regmap_reinit_cache(map, &flat); " + ONE, "", ""),
    "one too many": (f"map = {MAKE}; " + READ.format("map", 5), "", ""),
    "too many to write": (f"map = {MAKE}; return regmap_bulk_write(map, 0, values, 5);", "", ""),
    "two bytes for each": ("map = devm_regmap_init_i2c(client, &wide); " + READ.format("map", 3), "", ""),
    "another map is wider": (
        f"map = {MAKE}; " + READ.format("map", 4),
        "",
        "kept = devm_regmap_init_i2c(client, &wide);",
    ),
    "a wide one was made first": (
        f"map = devm_regmap_init_i2c(client, &wide); kept = {MAKE}; " + READ.format("map", 4),
        "",
        "",
    ),
    "a map of somebody else": (f"kept = {MAKE}; map = dev_get_regmap(0, 0); " + READ.format("map", 4), "", ""),
    "it is used at once": (f"kept = {MAKE}; " + READ.format("dev_get_regmap(0, 0)", 4), "", ""),
    "a map in a structure of the kernel": (f"kept = {MAKE}; " + READ.format("given()->regmap", 4), "", ""),
    "it is copied": (f"kept = {MAKE}; map = given()->regmap; " + READ.format("map", 4), "", ""),
    "a pointer of no type": (f"kept = {MAKE}; map = anything(); " + READ.format("map", 4), "", ""),
    "it is given at once": (f"kept = {MAKE}; " + READ.format("anything()", 4), "", ""),
    "a cast": (f"kept = {MAKE}; map = (struct regmap *)any(); " + READ.format("map", 4), "", ""),
    "somebody else writes it": (f"map = {MAKE}; hand(&map); anything(); " + READ.format("map", 4), "", ""),
    "a member that somebody else writes": (OWN + "hand(&own->map); " + READ.format("own->map", 4), "", ""),
    "a configuration of somebody else": (
        "map = devm_regmap_init_i2c(client, anything()); " + READ.format("map", 4),
        "",
        "",
    ),
    "another file writes it": (f"kept = {MAKE}; " + READ.format("shared", 4), "extern struct regmap *shared;", ""),
    "a parameter that anybody gives": (
        f"kept = {MAKE}; hand((void *)get); return 0;",
        "static int get(struct regmap *map) { " + READ.format("map", 4) + " }",
        "",
    ),
    "what the memory core gives back is not known": (
        f"kept = {MAKE};" + DESCRIBED.replace("get }", "get, .priv = anything() }"),
        BACK,
        "",
    ),
    "it is assigned": (
        f"kept = {MAKE};" + DESCRIBED.replace("nvmem_register", "c.priv = anything(); nvmem_register"),
        BACK,
        "",
    ),
    "it is assigned through a pointer": (
        f"kept = {MAKE}; struct nvmem_config *d;"
        + DESCRIBED.replace("nvmem_register", "d = &c; d->priv = anything(); nvmem_register"),
        BACK,
        "",
    ),
    "it is initialised by its position": (
        f"kept = {MAKE}; struct nvmem_config d = {{ .reg_read = get, anything() }}; nvmem_register(&d);",
        BACK,
        "",
    ),
    "it is changed": (
        DESCRIBED.replace("get }", f"get, .priv = {MAKE} }}"),
        BACK.replace("here[4];", "here[4]; priv = anything(); map = priv;"),
        "",
    ),
    "the function is found elsewhere, too": (
        DESCRIBED.replace("get }", f"get, .priv = {MAKE} }}") + " hand((void *)get);",
        BACK,
        "",
    ),
}  # fmt: skip


def is_proved(directory: Path, found: tuple[str, str, str], assumed: tuple[str, ...] = LINUX_ASSUMPTIONS) -> bool:
    body, more, load = found
    text = DRIVER.replace("@BODY@", body).replace("@MORE@", more).replace("@LOAD@", load)
    return all(kernel_tree.safe(directory, text, ("array-bounds",), assumed=assumed))


@pytest.mark.parametrize("name", PROVED)
def test_a_transfer_that_fits_is_proved(tmp_path: Path, name: str) -> None:
    assert is_proved(tmp_path, PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_a_transfer_that_may_not_fit_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not is_proved(tmp_path, OPEN[name])


def test_structures_of_the_driver_may_hold_anything(tmp_path: Path) -> None:
    assert not is_proved(tmp_path, PROVED["a map in a variable"], ())


_is_own = maps._Maps._is_own


def _is_own_or_address(self: maps._Maps, value: c_ast.Node, scope: Mapping[int, c_ast.Decl]) -> bool:
    """As the rule, but for addresses of places that hold maps."""
    return isinstance(value, c_ast.UnaryOp) or _is_own(self, value, scope)


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "all maps are the driver's": (
        lambda patch: patch.setattr(maps._Maps, "_is_own", lambda *_: True),
        "a map of somebody else",
    ),
    "all private data are maps that the driver made": (
        lambda patch: patch.setattr(maps._Maps, "_is_private", lambda *_: False),
        "it is assigned",
    ),
    "nobody else writes a map": (
        lambda patch: patch.setattr(maps._Maps, "_is_own", _is_own_or_address),
        "somebody else writes it",
    ),
    "functions are called by name": (
        lambda patch: patch.setattr(maps._Maps, "_is_only_called", lambda *_: True),
        "a parameter that anybody gives",
    ),
    "no parameter changes": (lambda patch: patch.setattr(maps, "_is_changed", lambda *_: False), "it is changed"),
    "all members have names": (
        lambda patch: patch.setattr(maps, "_is_by_name", lambda _: True),
        "it is initialised by its position",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert is_proved(tmp_path, OPEN[shown])
