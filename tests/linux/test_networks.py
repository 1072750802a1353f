"""Network devices: private data of the size that was asked for, and what their operations are called with, and when.

Each driver touches the private data in many functions; what is open is what may be outside of it in the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import moved
from duet.frontend.cells.operations import registered_by
from tests.linux.opened import add_header, filled, open_checks_of

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
struct own { int more[8]; struct napi_struct napi; @MEMBER@ int level; };
struct larger { struct own own; int more; };
static struct own *kept;
static void *data_of(struct net_device *dev) { return netdev_priv(dev); }
static void later(struct net_device *dev) { @LATER@ }
static int up(struct net_device *dev)
{
	struct own *opened = @DATA@;

	opened->level = 1;
	later(dev);
	return 0;
}
static int send(struct sk_buff *skb, struct net_device *dev)
{
	struct own *sent = netdev_priv(dev);

	sent->level = 2;
	return 0;
}
static int poll(struct napi_struct *napi, int budget)
{
	struct own *polled = container_of(napi, struct own, napi);

	polled->level = 3;
	return 0;
}
static int length(struct net_device *dev)
{
	struct own *asked = netdev_priv(dev);

	return asked->level;
}
static const struct net_device_ops operations = { .ndo_open = up, .ndo_start_xmit = send };
static const struct ethtool_ops tools = { .get_regs_len = length };
@SETUP@
static int probe(struct platform_device *device)
{
	struct net_device *dev = @NEW@;
	struct own *own;

	if (!dev)
		return -1;
	own = netdev_priv(dev);
	platform_set_drvdata(device, dev);
	dev->netdev_ops = &operations;
	dev->ethtool_ops = &tools;
	@MORE@
	@FIRST@
	return register_netdev(dev);
}
static int gone(struct platform_device *device)
{
	struct net_device *dev = platform_get_drvdata(device);
	struct own *left = netdev_priv(dev);

	left->level = 5;
	unregister_netdev(dev);
	free_netdev(dev);
	return 0;
}
static struct platform_driver driver = { .probe = probe, .remove = gone };
static int __init loading(void) { @LOAD@ return __platform_driver_register(&driver, 0); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
USUAL = {
    "MEMBER": "",
    "LATER": "",
    "DATA": "netdev_priv(dev)",
    "SETUP": "",
    "NEW": "alloc_etherdev(sizeof(struct own))",
    "MORE": "",
    "LOAD": "",
    "FIRST": "own->level = 4; netif_napi_add_weight(dev, &own->napi, poll, 64); napi_enable(&own->napi);",
}
SETUP = "static void setup(struct net_device *dev) { dev->netdev_ops = &operations; }"
LINKS = {"SETUP": SETUP + "static struct rtnl_link_ops links = { .setup = setup };"}
FINE: Mapping[str, Mapping[str, str]] = {
    "as most drivers do it": {},
    "of the bus": {"NEW": "devm_alloc_etherdev_mqs(&device->dev, sizeof(struct own), 1, 1)"},
    "with a function that sets it up": {
        "SETUP": SETUP,
        "NEW": "alloc_netdev(sizeof(struct own), 0, 0, setup)",
    },
    "of several sizes that suffice": {
        "NEW": "alloc_etherdev(sizeof(struct own) + 8)",
        "MORE": "kept = netdev_priv(alloc_etherdev(sizeof(struct own)));",
    },
    "given to others": {"MORE": "hand_over(dev);"},
}
EVERY = {"opened->level = 1", "sent->level = 2", "asked->level", "left->level = 5"}
OPEN: Mapping[str, tuple[Mapping[str, str], set[str]]] = {
    "the size of a pointer": ({"NEW": "alloc_etherdev(sizeof(struct own *))"}, EVERY),
    "all but the last member": ({"NEW": "alloc_etherdev(sizeof(struct own) - 8)"}, EVERY),
    "a size that nobody knows": ({"NEW": "alloc_etherdev(device->id)"}, EVERY),
    "given to others": ({"NEW": "alloc_etherdev(8)", "MORE": "hand_over(dev);"}, EVERY),
    "made as another one, too": (
        {"MORE": "hand_over(dev); hand_over(alloc_etherdev(8));"},
        EVERY,
    ),
    "set up for others, too": (
        {
            "SETUP": SETUP + "static struct rtnl_link_ops links = { .setup = setup };",
            "NEW": "alloc_netdev(8, 0, 0, setup)",
            "LOAD": "rtnl_link_register(&links);",
        },
        EVERY,
    ),
    "made for others with less": ({**LINKS, "LOAD": "rtnl_link_register(&links);"}, EVERY),
    "made for others with less, elsewhere": ({**LINKS, "LOAD": "__rtnl_link_register(&links);"}, EVERY),
    "kept as a pointer to anything": (
        {"NEW": "alloc_etherdev(8)", "MORE": "hand_over(dev);", "DATA": "data_of(dev)"},
        EVERY,
    ),
    "as a larger structure": (
        {
            "MORE": "hand_over(dev);",
            "LATER": "struct own *plain = netdev_priv(dev); ((struct larger *)plain)->more = 1;",
        },
        {"((struct larger *) plain)->more = 1"},
    ),
    "an element behind the end": (
        {"LATER": "kept = netdev_priv(dev); kept->more[1 + sizeof(struct own) / 4] = 0;"},
        {"kept->more[1 + ((sizeof(struct own)) / 4)]"},
    ),
}


def open_in(directory: Path, changed: Mapping[str, str]) -> set[str]:
    """What may be outside of its object in a driver that is changed."""
    return open_checks_of(directory, filled(DRIVER, USUAL, changed), ("array-bounds",), assumed=("kernel-pointers",))


@pytest.mark.parametrize("name", FINE)
def test_private_data_has_the_size_that_was_asked_for(tmp_path: Path, name: str) -> None:
    assert not open_in(tmp_path, FINE[name])


@pytest.mark.parametrize("name", OPEN)
def test_private_data_that_is_too_small_is_noticed(tmp_path: Path, name: str) -> None:
    changed, expected = OPEN[name]
    assert expected <= {text.removesuffix(" = 0") for text in open_in(tmp_path, {"FIRST": "", **changed})}


def test_what_is_polled_is_inside_of_what_was_asked_for(tmp_path: Path) -> None:
    wanted = {"NEW": "alloc_etherdev(sizeof(struct own) - 8)", "FIRST": USUAL["FIRST"].replace("own->level = 4;", "")}
    assert "container_of(napi)" in open_in(tmp_path, wanted)


def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moved, "_least_made", lambda *_: 1 << 20)
    assert not open_in(tmp_path, {"FIRST": "", **OPEN["given to others"][0]}) >= EVERY


def test_every_operation_may_run_once_the_device_is_registered(tmp_path: Path) -> None:
    """Each sets a number of its own, for which another function asks; in the record all are functions of a device."""
    record = registered_by("register_netdev")
    assert record is not None
    names = sorted(record.members)
    tables = {True: "net_device_ops", False: "ethtool_ops"}
    fields, functions, asked = {True: "", False: ""}, "", ""
    given = {True: "", False: ""}
    for name in names:
        is_net = name.startswith("ndo_")
        packet = "struct sk_buff *skb, " if name == "ndo_start_xmit" else ""
        fields[is_net] += f"int (*{name})({packet}struct net_device *dev); "
        functions += f"static int n_{name}; static int do_{name}({packet}struct net_device *dev) "
        functions += f"{{ n_{name} = 1; return 0; }}\n"
        asked += f"__VERIFIER_assert(n_{name} == 0); "
        given[is_net] += f".{name} = do_{name}, "
    header = "struct net_device; struct sk_buff;\n"
    header += "".join(f"struct {tables[is_net]} {{ {fields[is_net]} }};\n" for is_net in (True, False))
    header += """
struct net_device { const struct net_device_ops *netdev_ops; const struct ethtool_ops *ethtool_ops; };
extern int register_netdev(struct net_device *dev);
"""
    add_header(tmp_path, "every.h", header)
    text = "#include <linux/module.h>\n#include <linux/kernel.h>\n#include <linux/every.h>\n"
    text += functions
    text += "".join(
        f"static const struct {tables[is_net]} t{is_net:d} = {{ {given[is_net]} }};\n" for is_net in (True, False)
    )
    text += f"""
static struct net_device device;
static int __init loading(void)
{{
	{" ".join(f"__VERIFIER_assert(0 == n_{name});" for name in names)}
	device.netdev_ops = &t1; device.ethtool_ops = &t0;
	register_netdev(&device);
	{asked}
	return 0;
}}
module_init(loading);
MODULE_LICENSE("GPL");
"""
    found = open_checks_of(tmp_path, text, ("assertion",))
    assert found == {f"n_{name} == 0" for name in names}
