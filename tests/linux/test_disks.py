"""Block devices: when what a driver has for its queue and its disk runs, and how much is behind each request."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import requests
from duet.frontend.cells.operations import OPERATIONS
from tests.linux.opened import add_header, filled, open_checks_of

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/blk-mq.h>
struct own { int more[8]; int level; };
struct larger { struct own own; int more; };
struct drive { int number; struct blk_mq_tag_set tags; };
static struct drive *kept;
static int tagged, queued, added;
static unsigned char issue(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *data)
{
	struct own *sent = blk_mq_rq_to_pdu(data->rq);

	__VERIFIER_assert(queued == 1);
	sent->level = 1;
	return 0;
}
static void done(struct request *rq)
{
	struct own *own = blk_mq_rq_to_pdu(rq);
	struct request *back = blk_mq_rq_from_pdu(own);

	own->level = 2;
	back->tag = 3;
	@LATER@
}
static int first(struct blk_mq_tag_set *set, struct request *rq, unsigned int index, unsigned int node)
{
	struct drive *drive = container_of(set, struct drive, tags);

	__VERIFIER_assert(tagged == 1);
	__VERIFIER_assert(drive == kept);
	return 0;
}
static int opened(struct block_device *device, unsigned int mode)
{
	__VERIFIER_assert(added == 1);
	return 0;
}
static const struct blk_mq_ops operations = { .queue_rq = issue, .complete = done, .init_request = first };
static const struct block_device_operations files = { .open = opened };
static int __init loading(void)
{
	struct drive *drive = kzalloc(sizeof(struct drive), 0);
	struct gendisk *disk;

	if (!drive)
		return -1;
	kept = drive;
	@EARLY@
	drive->tags.ops = &operations;
	@SIZE@
	@FIRST@
	tagged = 1;
	if (blk_mq_alloc_tag_set(&drive->tags))
		return -1;
	@SECOND@
	queued = 1;
	disk = blk_mq_alloc_disk(&drive->tags, drive);
	if (IS_ERR(disk))
		return -1;
	disk->fops = &files;
	@THIRD@
	added = 1;
	return add_disk(disk);
}
module_init(loading);
MODULE_LICENSE("GPL");
"""
CORE = """
struct blk_mq_tag_set { const struct blk_mq_ops *ops; unsigned int cmd_size; };
struct gendisk { const struct block_device_operations *fops; };
extern int blk_mq_alloc_tag_set(struct blk_mq_tag_set *set);
extern void *blk_mq_init_queue(struct blk_mq_tag_set *set);
extern int device_add_disk(void *parent, struct gendisk *disk, void *groups);
"""
USUAL = dict.fromkeys(("LATER", "EARLY", "FIRST", "SECOND", "THIRD"), "")
USUAL["SIZE"] = "drive->tags.cmd_size = sizeof(struct own);"
PRIVATE = {"sent->level", "own->level"}
MANY = "struct drive *other = kzalloc(sizeof(struct drive), 0); if (!other) return -1; other->tags.ops = &operations;"


def open_in(directory: Path, changed: Mapping[str, str], *asked: str) -> set[str]:
    found = open_checks_of(directory, filled(DRIVER, USUAL, changed), asked, assumed=("kernel-pointers",))
    return {text.split(" = ")[0] if asked == ("array-bounds",) else text for text in found}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"SIZE": "drive->tags.cmd_size = sizeof(struct own) + 8;"},
        {"EARLY": "memset(&drive->tags, 0, sizeof(drive->tags));"},
        {"EARLY": "memset(drive, 0, sizeof(*drive));"},
    ],
)
def test_requests_have_the_private_data_that_was_asked_for(tmp_path: Path, changed: Mapping[str, str]) -> None:
    assert not open_in(tmp_path, changed, "array-bounds")


@pytest.mark.parametrize(
    "changed",
    [
        {"SIZE": ""},
        {"SIZE": "drive->tags.cmd_size = sizeof(struct own *);"},
        {"SIZE": "drive->tags.cmd_size = sizeof(struct own) - 4;"},
        {"SIZE": "drive->tags.cmd_size = tagged;"},
        {"FIRST": "memset(&drive->tags, 0, sizeof(drive->tags));"},
        {"FIRST": "memset(drive, 0, sizeof(*drive));"},
        {"FIRST": "void *raw = drive; memset(raw, 0, sizeof(*drive));"},
        {"FIRST": "memset((char *)&drive->tags + 8, 0, 16);"},
        {"FIRST": "unsigned int *at = (unsigned int *)((char *)&drive->tags + 16); *at = 8;"},
        {"FIRST": "drive->tags = (struct blk_mq_tag_set){ .ops = &operations };"},
        {"FIRST": "if (tagged) drive->tags.cmd_size = 8;"},
        {"FIRST": "kept->tags.cmd_size = 8;"},
        {"FIRST": "*(&drive->tags.cmd_size) = 8;"},
        {"FIRST": "hand_over_tags(&drive->tags);"},
        {"EARLY": f"{MANY} other->tags.cmd_size = 8; if (blk_mq_alloc_tag_set(&other->tags)) return -1;"},
        {"EARLY": f"{MANY} if (blk_mq_alloc_tag_set(&other->tags)) return -1;"},
        {"EARLY": "static struct blk_mq_tag_set other; if (blk_mq_alloc_tag_set(&other)) return -1;"},
    ],
)
def test_private_data_of_requests_that_is_too_small_is_noticed(tmp_path: Path, changed: Mapping[str, str]) -> None:
    assert open_in(tmp_path, changed, "array-bounds") >= PRIVATE


def test_private_data_of_requests_is_no_larger_structure(tmp_path: Path) -> None:
    wanted = {"LATER": "((struct larger *)own)->more = 1;"}
    assert "((struct larger *) own)->more" in open_in(tmp_path, wanted, "array-bounds")


def test_a_defect_of_the_size_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "least", lambda _: 1 << 20)
    assert not open_in(tmp_path, {"SIZE": ""}, "array-bounds")


def test_operations_run_in_their_order(tmp_path: Path) -> None:
    assert not open_in(tmp_path, {}, "assertion")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"FIRST": "blk_mq_alloc_tag_set(&drive->tags);"}, {"tagged == 1"}),
        ({"FIRST": "hand_over_tags(&drive->tags);"}, {"tagged == 1", "queued == 1", "drive == kept"}),
        ({"SECOND": "blk_mq_init_queue(&drive->tags);"}, {"queued == 1"}),
        ({"SECOND": "blk_mq_alloc_disk(&drive->tags, drive);"}, {"queued == 1"}),
        ({"THIRD": "hand_over_disk(disk);"}, {"added == 1"}),
        ({"THIRD": "if (add_disk(disk)) return -1;"}, {"added == 1"}),
        ({"SECOND": "kept = 0;"}, {"drive == kept"}),
    ],
)
def test_operations_may_run_from_what_starts_them_on(
    tmp_path: Path, changed: Mapping[str, str], expected: set[str]
) -> None:
    assert open_in(tmp_path, changed, "assertion") == expected


def test_every_operation_may_run_and_beside_itself(tmp_path: Path) -> None:
    """Each sets a number of its own, for which another function asks, and counts how many run."""
    tables = {
        record.table for record in OPERATIONS if "blk_mq_tag_set" in record.objects or "gendisk" in record.objects
    }
    assert tables == {"blk_mq_ops", "block_device_operations"}
    names = {table: sorted({n for r in OPERATIONS if r.table == table for n in r.members}) for table in sorted(tables)}
    header = "".join(
        f"struct {table} {{ {' '.join(f'int (*{name})(void *subject);' for name in members)} }};\n"
        for table, members in names.items()
    )
    add_header(tmp_path, "every.h", header + CORE)
    text = "#include <linux/module.h>\n#include <linux/kernel.h>\n#include <linux/slab.h>\n#include <linux/every.h>\n"
    text += "static int beside;\n"
    every = [name for members in names.values() for name in members]
    counted = {"queue_rq": "beside++; __VERIFIER_assert(beside == 1); beside--; "}
    for name in every:
        text += f"static int n_{name}; static int do_{name}(void *subject) "
        text += f"{{ n_{name} = 1; {counted.get(name, '')}return 0; }}\n"
    for table, members in names.items():
        given = ", ".join(f".{name} = do_{name}" for name in members)
        text += f"static const struct {table} t_{table} = {{ {given} }};\n"
    text += f"""
static int __init loading(void)
{{
	struct blk_mq_tag_set *set = kzalloc(sizeof(*set), 0);
	struct gendisk *disk = kzalloc(sizeof(*disk), 0);

	if (!set || !disk)
		return -1;
	set->ops = &t_blk_mq_ops;
	disk->fops = &t_block_device_operations;
	{" ".join(f"__VERIFIER_assert(0 == n_{name});" for name in every)}
	blk_mq_alloc_tag_set(set);
	blk_mq_init_queue(set);
	device_add_disk(0, disk, 0);
	{" ".join(f"__VERIFIER_assert(n_{name} == 0);" for name in every)}
	return 0;
}}
module_init(loading);
MODULE_LICENSE("GPL");
"""
    found = open_checks_of(tmp_path, text, ("assertion",))
    assert found == {f"n_{name} == 0" for name in every} | {"beside == 1"}
