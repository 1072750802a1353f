"""What drivers compute with, read with a kernel's own headers.

For each function there is a check that its model makes provable, and one that fails in the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.models import effects
from tests.linux.kernel_tree import safe

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/err.h>
#include <linux/bcd.h>
#include <linux/math.h>
#include <linux/overflow.h>
#include <linux/kstrtox.h>
#include <linux/string.h>
#include <asm/bitops.h>
#include <linux/gadget.h>
#include <linux/transfers.h>
#include <linux/thread_info.h>
extern unsigned int any(void);
static struct regmap *map;
static struct i2c_client *client;
static struct device *device;
static struct usb_device *usb;
static struct spi_device *spi;
static int table[8], level, other = 3;
static unsigned int at;
static const char *text = "7";
struct record { int count; int values[]; };
static int start(struct gadget *g) { @BODY@ return 0; }
static void set_level(struct gadget *g, unsigned int wanted) { start(g); }
static const struct gadget_ops ops = { .level = set_level };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void) { return gadget_register(&gadget); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
CHECK = "__VERIFIER_assert"
PAIRS: Mapping[str, tuple[str, str]] = {
    "a register is no other variable": (
        f"unsigned int v; regmap_read(map, 4, &v); {CHECK}(other == 3);",
        f"unsigned int v = 0; regmap_read(map, 4, &v); {CHECK}(v == 0);",
    ),
    "a register may not be read": (
        f"unsigned int v; if (regmap_read(map, 4, &v)) return 0; if (v < 8) table[v] = 1; {CHECK}(other == 3);",
        f"unsigned int v; {CHECK}(regmap_read(map, 4, &v) == 0);",
    ),
    "registers fill what they are given": (
        f"u8 v[4] = {{1, 1, 1, 1}}; regmap_raw_read(map, 4, v, 3); {CHECK}(v[3] <= 255);",
        f"u8 v[4] = {{1, 1, 1, 1}}; regmap_raw_read(map, 4, v, 3); {CHECK}(v[0] == 1);",
    ),
    "more registers than there is room": (
        "u8 v[4]; regmap_raw_read(map, 4, v, 4);",
        "u8 v[4]; regmap_raw_read(map, 4, v, 5);",
    ),
    "bytes from mapped memory": (
        f"u8 v[4]; memcpy_fromio(v, 0, 4); {CHECK}(other == 3);",
        "u8 v[4]; memcpy_fromio(v, 0, 5);",
    ),
    "bytes to mapped memory": (
        f"u8 v[4] = {{1, 1, 1, 1}}; memcpy_toio(0, v, 4); {CHECK}(v[3] == 1);",
        "u8 v[4] = {1, 1, 1, 1}; memcpy_toio(0, v, 5);",
    ),
    "digits in bytes": (
        f"u8 v[4]; if (hex2bin(v, text, 4)) return 0; {CHECK}(other == 3);",
        "u8 v[4]; hex2bin(v, text, 5);",
    ),
    "a signal": (
        f"int was = test_ti_thread_flag(current_thread_info(), 2); {CHECK}(was == 0 || was == 1);",
        "struct thread_info *t = current_thread_info(); clear_ti_thread_flag(t, 2);"
        f" {CHECK}(!test_ti_thread_flag(t, 2));",
    ),
    "bytes that are looked at": (
        f"u8 v[4] = {{0}}; void *p = memchr_inv(v, 0, 4); {CHECK}(v[3] == 0);",
        "u8 v[4] = {0}; void *p = memchr_inv(v, 0, 5);",
    ),
    "a time that is looked at": (
        f"struct rtc_time t = {{ .tm_mon = 3 }}; int r = rtc_valid_tm(&t); rtc_tm_to_time64(&t);"
        f" {CHECK}(r <= 0 && t.tm_mon == 3);",
        f"struct rtc_time t = {{ .tm_mon = 3 }}; {CHECK}(rtc_valid_tm(&t) == 0);",
    ),
    "a time that is made": (
        f"struct rtc_time t; rtc_time64_to_tm(7, &t); {CHECK}(other == 3 && t.tm_mon < 12 && t.tm_mday > 0);",
        f"struct rtc_time t = {{ .tm_mon = 3 }}; rtc_time64_to_tm(7, &t); {CHECK}(t.tm_mon == 3);",
    ),
    "a time of the calendar": (
        f"struct rtc_time t; rtc_time64_to_tm(any(), &t); {CHECK}(t.tm_sec >= 0 && t.tm_wday >= 0 && t.tm_year >= 70);",
        f"struct rtc_time t; rtc_time64_to_tm(-1, &t); {CHECK}(t.tm_sec >= 0);",
    ),
    "a time in three million years": (
        f"struct rtc_time t; rtc_time64_to_tm(1LL << 40, &t); {CHECK}(t.tm_wday < 7);",
        f"struct rtc_time t; rtc_time64_to_tm(1LL << 50, &t); {CHECK}(t.tm_wday >= 0);",
    ),
    "a time in seconds": (
        f"struct rtc_time t; {CHECK}(rtc_tm_to_time64(&t) < (1LL << 50));",
        f"struct rtc_time t; {CHECK}(rtc_tm_to_time64(&t) >= 0);",
    ),
    "a byte of a bus": (
        f"s32 v = i2c_smbus_read_byte_data(client, 1); {CHECK}(v <= 255); if (v >= 0) table[v & 7] = 1;",
        "s32 v = i2c_smbus_read_byte_data(client, 1); table[v & 15] = 1;",
    ),
    "a word of a bus, or an error": (
        f"s32 v = i2c_smbus_read_word_data(client, 1); if (v < 0) return v; {CHECK}(v <= 65535);",
        f"s32 v = i2c_smbus_read_word_data(client, 1); {CHECK}(v >= 0);",
    ),
    "a block of a bus": (
        "u8 v[16]; s32 n = i2c_smbus_read_i2c_block_data(client, 1, 16, v); if (n > 0 && n <= 16) level = v[n - 1];",
        "u8 v[16]; s32 n = i2c_smbus_read_i2c_block_data(client, 1, 17, v);",
    ),
    "what is received": (
        f"char v[4]; int n = i2c_master_recv(client, v, 4); {CHECK}(n <= 4);",
        "char v[4]; int n = i2c_master_recv(client, v, 4); level = v[n];",
    ),
    "what a command answers": (
        "u8 out[2] = {1, 2}, in[2]; spi_write_then_read(spi, out, 2, in, 2);",
        "u8 out[2] = {1, 2}, in[2]; spi_write_then_read(spi, out, 3, in, 2);",
    ),
    "a message": (
        f"u8 v[4]; int n = usb_control_msg(usb, 0, 0, 0, 0, 0, v, 4, 9); {CHECK}(n <= 4);",
        "u8 v[4]; int n = usb_control_msg(usb, 0, 0, 0, 0, 0, v, 5, 9);",
    ),
    "a property": (
        f'u32 v[2]; if (device_property_read_u32_array(device, "x", v, 2)) return 0; {CHECK}(other == 3);',
        'u32 v[2]; device_property_read_u32_array(device, "x", v, 3);',
    ),
    "a property is any number": (
        'u32 v; if (device_property_read_u32_array(device, "x", &v, 1)) return 0; if (v < 8) table[v] = 1;',
        'u32 v; if (device_property_read_u32_array(device, "x", &v, 1)) return 0; table[v] = 1;',
    ),
    "a number from a text": (
        f"unsigned long v; int e = kstrtoul(text, 10, &v); if (e) return e; {CHECK}(e == 0); if (v < 8) table[v] = 1;",
        f"unsigned long v; int e = kstrtoul(text, 10, &v); if (e) return e; {CHECK}(v == 7);",
    ),
    "what fits of a text": (
        f'char v[8]; int n = scnprintf(v, sizeof(v), "%d", level); {CHECK}(n < 8); level = v[n];',
        f'char v[8]; int n = scnprintf(v, sizeof(v), "%d", level); {CHECK}(n < 7);',
    ),
    "a text that is too long for its size": (
        'char v[8]; scnprintf(v, 8, "%d", level);',
        'char v[8]; scnprintf(v, 9, "%d", level);',
    ),
    "a copy of a text": (
        f"char v[8]; ssize_t n = strscpy(v, text, 8); {CHECK}(n <= 8);",
        "char v[8]; ssize_t n = strscpy(v, text, 9);",
    ),
    "a buffer that a user reads": (
        f"char v[8] = {{0}}; loff_t p = 0; ssize_t n = simple_read_from_buffer(g, 16, &p, v, 8); {CHECK}(n <= 16);",
        "char v[8] = {0}; loff_t p = 0; simple_read_from_buffer(g, 16, &p, v, 9);",
    ),
    "an error is its number": (
        "void *p = gadget_memory(); if (!IS_ERR(p)) return 0; int e = PTR_ERR(p);"
        f" {CHECK}(e < 0); {CHECK}(e >= -4095);",
        f"void *p = gadget_memory(); int e = PTR_ERR(p); {CHECK}(e < 0);",
    ),
    "the error that was put in": (
        f"void *p = ERR_PTR(-5); {CHECK}(IS_ERR(p)); {CHECK}(PTR_ERR(p) == -5);",
        f"void *p = ERR_PTR(-5); {CHECK}(!p || !IS_ERR(p));",
    ),
    "decimal digits": (
        f"unsigned int v = any() & 255; {CHECK}(bcd2bin(v) <= 165); {CHECK}(bcd2bin(0x12) == 12);",
        f"unsigned int v = any(); {CHECK}(bcd2bin(v) <= 99);",
    ),
    "digits of a number": (
        f"static u8 all[] = {{bin2bcd(59)}}; int v = any() % 60u; {CHECK}(all[0] == 0x59);"
        f" {CHECK}(bin2bcd(v) <= 0x99);",
        f"{CHECK}(bin2bcd(any()) <= 0x99);",
    ),
    "digits of more than a byte": (
        f"int v = any() & 511; v = v < 256 ? v : 7; {CHECK}(bcd2bin(v) <= 165);",
        f"int v = any() & 511; {CHECK}(bcd2bin(v) <= 165);",
    ),
    "an absolute value": (
        f"int v = any() & 255; {CHECK}(abs(v - 100) <= 155);",
        f"int v = any(); {CHECK}(abs(v) >= 0);",
    ),
    "bits of a constant": (
        f"{CHECK}(__builtin_ffsll(0x70) == 5); {CHECK}(__builtin_clzll(1) == 63); {CHECK}(__builtin_popcount(7) == 3);"
        f" {CHECK}(__builtin_ctz(8) == 3); {CHECK}(__builtin_ffs(0) == 0); {CHECK}(__builtin_clrsb(0) == 31);",
        f"{CHECK}(__builtin_clz(0) == 32);",
    ),
    "the last bit": (f"{CHECK}(fls(any()) <= 32); {CHECK}(fls(0) == 0);", f"{CHECK}(fls(any()) <= 31);"),
    "a field": (
        "unsigned int v = any(); table[(v & 0x70) >> (__builtin_ffsll(0x70) - 1)] = 1;",
        "unsigned int v = any(); table[(v & 0xf0) >> (__builtin_ffsll(0xf0) - 1)] = 1;",
    ),
    "an array that is allocated": (
        "int *p = kcalloc(4, sizeof(*p), GFP_KERNEL); if (p) p[any() & 3] = 1;",
        "int *p = kcalloc(4, sizeof(*p), GFP_KERNEL); if (p) p[any() & 7] = 1;",
    ),
    "an array of a size that may be too large": (
        "int *p = kmalloc_array(size_mul(2, 2), sizeof(*p), GFP_KERNEL); if (p) p[3] = 1;",
        "int *p = kmalloc_array(size_mul(2, 2), sizeof(*p), GFP_KERNEL); if (p) p[4] = 1;",
    ),
    "a copy in new memory": (
        "int v[2] = {1, 2}; int *p = kmemdup(v, sizeof(v), GFP_KERNEL); if (p) p[1] = 1;",
        "int v[2] = {1, 2}; int *p = kmemdup(v, sizeof(v), GFP_KERNEL); if (p) p[2] = 1;",
    ),
}
PROPERTIES = ("assertion", "array-bounds", "overflow")


@pytest.mark.parametrize("name", PAIRS)
def test_what_cannot_fail_is_proved(tmp_path: Path, name: str) -> None:
    assert all(safe(tmp_path, DRIVER.replace("@BODY@", PAIRS[name][0]), PROPERTIES))


@pytest.mark.parametrize("name", PAIRS)
def test_what_may_fail_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(safe(tmp_path, DRIVER.replace("@BODY@", PAIRS[name][1]), PROPERTIES))


def test_a_transfer_that_forgets_to_fill_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "fill", lambda *_, **__: None)
    _, fails = PAIRS["registers fill what they are given"]
    assert all(safe(tmp_path, DRIVER.replace("@BODY@", fails), PROPERTIES))
