"""What the model headers of the kernel do: no assertion that fails in a kernel is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.linux.drivers import lowered, statuses

N = "__duet_nondet_int()"


def _start(text: str, globals: str = "") -> str:
    """A driver that does nothing but start; MAYBE is BUG_ON that may be left out."""
    maybe = f"#define MAYBE(condition) do {{ if ({N}) BUG_ON(condition); }} while (0)"
    return f"{maybe}\n{globals}\nstatic int start(void) {{ {text} return 0; }}\nmodule_init(start);\n"


ERRORS = "extern void *get(void); static char here;"
LAYOUT = """struct S { char a; int b; } __packed; struct T { char a; char b __aligned(8); };
struct U { short a; int b; } __aligned(16);"""
LOCKS = """static DEFINE_SPINLOCK(spin); static DEFINE_RAW_SPINLOCK(raw); static DEFINE_RWLOCK(two);
static DEFINE_SEQLOCK(seq); static unsigned long flags;"""
FLAGS = (
    *("spin_lock_irqsave(&spin, flags)", "spin_trylock_irqsave(&spin, flags)", "local_irq_save(flags)"),
    *("raw_spin_lock_irqsave(&raw, flags)", "read_lock_irqsave(&two, flags)", "write_lock_irqsave(&two, flags)"),
    "write_seqlock_irqsave(&seq, flags)",
)
BITS = "static unsigned long map[4]; static int n;"
GIVEN = f"n = {N}; if (n < 0 || n >= 256) return 0;"
COUNT = """static refcount_t r = REFCOUNT_INIT(1); static struct refcounts { refcount_t r[2]; } rs = {{{1}, {1}}};"""
ONCE = """#include <linux/kref.h>
#include <linux/ioport.h>
static int n, m; static unsigned long bits[4]; static atomic_t c[4]; static refcount_t r[4]; static char text[8];
static struct mutex mutex[2]; static struct semaphore sem[2]; static struct rw_semaphore both[2];
static struct completion done[2]; static struct kref kref[2]; static void gone(struct kref *k) { }
static wait_queue_head_t q; static int test(void) { n = 1; return __duet_nondet_int(); }"""
EVALUATED = (
    *(
        "min(n++, 5)",
        "max(5, n++)",
        "min_t(long, n++, 5)",
        "max_t(int, 5, n++)",
        "clamp(n++, 0, 5)",
        "clamp_t(int, n++, 0, 5)",
    ),
    *(f"{name}(n++, bits)" for name in ("set_bit", "clear_bit", "change_bit", "test_bit", "__set_bit", "__clear_bit")),
    *(f"test_and_{name}_bit(n++, bits)" for name in ("set", "clear", "change")),
    *("assign_bit(n++, bits, m)", "atomic_add_unless(&c[n++], 1, 5)", "atomic_dec_if_positive(&c[n++])"),
    *("atomic_inc_unless_negative(&c[n++])", "atomic_dec_unless_positive(&c[n++])", "atomic_inc_not_zero(&c[n++])"),
    *(f"refcount_{name}(&r[n++])" for name in ("inc", "dec", "inc_not_zero", "dec_and_test")),
    *("kref_put(&kref[n++], gone)", "copy_from_user(text, 0, n++)", "copy_to_user(0, text, n++)"),
    *("mutex_lock_interruptible(&mutex[n++])", "down_interruptible(&sem[n++])", "down_timeout(&sem[n++], 5)"),
    *("down_read_interruptible(&both[n++])", "down_write_killable(&both[n++])", 'request_region(n++, 5, "x")'),
    *("wait_for_completion_timeout(&done[n++], 5)", "wait_for_completion_interruptible(&done[n++])"),
    *("wait_for_completion_interruptible_timeout(&done[n++], 5)", "wait_event_interruptible(q, test())"),
    *("wait_event_killable(q, test())", "wait_event_timeout(q, test(), 5)"),
    *("wait_event_interruptible_timeout(q, test(), 5)", 'request_region(-1, n++, "x")'),
)
"""Each counts `n` up by one, once."""
SKIPPED = (
    *('pr_debug("%d", n++)', 'dev_dbg(0, "%d", n++)', 'pr_info_once("%d", n++)', 'WARN(m, "%d", n++)'),
    *('pr_warn_ratelimited("%d", n++)', 'dev_err_once(0, "%d", n++)', 'WARN_ONCE(m, "%d", n++)'),
)
"""Each may leave `n` as it is."""


def _each(texts: tuple[str, ...], check: str) -> dict[str, str]:
    """Drivers that check some texts at a time."""
    parts = [texts[at : at + 3] for at in range(0, len(texts), 3)]
    return {f"{part[0]} and so on": _start(" ".join(f"n = 0; {t}; {check};" for t in part), ONCE) for part in parts}


DATA = """struct D { int n; struct timer_list timer; struct D *next; } s;
static int handle(int irq, void *d) { ((struct D *)d)->n = 1; return IRQ_HANDLED; }
static void fire(struct timer_list *t) { container_of(t, struct D, timer)->n = 1; }
static int probe(struct platform_device *d) { %s return 0; }
static int unbind(struct platform_device *d) { %s return 0; }
static struct platform_driver driver = { .probe = probe, .remove = unbind, .driver = { .name = "x" } };
static int opened(struct inode *i, struct file *f) { %s return 0; }
static ssize_t get(struct file *f, char *b, size_t n, loff_t *p) { %s return 0; }
static const struct file_operations ops = { .open = opened, .read = get };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "x", .fops = &ops };
static void pass(struct timer_list *t) { }
static DEFINE_TIMER(tick, pass); static struct D *made;"""


def _bound(first: str, later: str) -> str:
    """A platform driver that runs something when it is bound and when it is unbound."""
    return DATA % (first, later, "", "") + "module_platform_driver(driver);"


def _opened(first: str, later: str) -> str:
    """A driver whose device runs something when it is opened and when it is read."""
    return _start("return misc_register(&misc);", DATA % ("", "", first, later))


def _data(text: str) -> str:
    return _start(text, DATA % ("", "", "", ""))


KEPT = """typedef int (*fn)(void *); struct S { fn call; struct S *next; };
static int x; extern struct S *outside(void); static int f(void *d) { x = 1; return 0; }
static irqreturn_t act(int i, void *d) { x = 1; return 0; }
static ssize_t get(struct file *f, char *b, size_t n, loff_t *p) { x = 1; return 0; }
static const struct file_operations ops = { .read = get }, *at = &ops;
static struct miscdevice misc = { .minor = 5, .name = "x", .fops = &ops };
static struct S s, t = { f }; static struct S *to = &t; @GLOBALS@
static int start(void) { @START@ }
static void stop(void) { x = 0; BUG_ON(@WRONG@); }
module_init(start); module_exit(stop);"""


def _kept(start: str, globals: str = "", wrong: str = "x != 0") -> str:
    """A driver whose functions the kernel may have been given when it starts."""
    return KEPT.replace("@GLOBALS@", globals).replace("@START@", start).replace("@WRONG@", wrong)


def _pci(text: str) -> str:
    """A driver that does something with a PCI device."""
    return _start("return 0;").partition("static int start")[0] + PCI % text


EXPORTED = (
    "static int n; int *share(int a) { BUG_ON(a != 0); return &n; } EXPORT_SYMBOL_GPL(share); int m; EXPORT_SYMBOL(m);"
)
PARAMETERS = """static int array_size = 4; module_param(array_size, int, 0); static int size[4] = {4, 4, 4, 4};
static int plain_size[2] = {4, 4}; module_param_array(plain_size, int, NULL, 0);"""
PCI = """static int n; static int probe(struct pci_dev *d, const struct pci_device_id *i) { %s return 0; }
static struct pci_driver driver = { .probe = probe }; module_pci_driver(driver);"""
BUSES = (
    ("platform", "platform_device", "platform_driver_register", "platform_driver_unregister", "int", ""),
    ("pci", "pci_dev", "pci_register_driver", "pci_unregister_driver", "void", ", const struct pci_device_id *i"),
    ("pnp", "pnp_dev", "pnp_register_driver", "pnp_unregister_driver", "void", ", const struct pnp_device_id *i"),
)


def _bus(bus: tuple[str, ...], start: str, stop: str, probe: str = "x = 1;", remove: str = "x = 2;") -> str:
    """A driver of a bus that does something once it is registered, and something before and after its end."""
    kind, device, registering, unregistering, result, identity = bus
    return f"""#include <linux/{kind if kind != "platform" else "platform_device"}.h>
static int x, y;
static int probe(struct {device} *d{identity}) {{ {probe} return 0; }}
static {result} remove(struct {device} *d) {{ {remove} {"return 0;" if result == "int" else ""} }}
static struct {kind}_driver driver = {{ .probe = probe, .remove = remove }};
static int start(void) {{ int e = {registering}(&driver); if (e) return e; {start} return 0; }}
static void stop(void) {{ {stop.replace("END", f"{unregistering}(&driver)")} }}
module_init(start); module_exit(stop);"""


FALSE: dict[str, str] = {
    "no error in a null pointer": _start(
        "void *p = get(); if (IS_ERR_OR_NULL(p)) { int e = PTR_ERR(p); BUG_ON(e == 0); }", ERRORS
    ),
    "the address is no error": _start("void *p = get(); long e = PTR_ERR(p); if (!IS_ERR(p)) BUG_ON(e >= 0);", ERRORS),
    "an error of its own": _start("void *p = ERR_PTR(-5); BUG_ON(PTR_ERR(p) == -5);", ERRORS),
    "a small number is no error": _start("void *p = (void *)7; BUG_ON(!IS_ERR(p));", ERRORS),
    "an error is not null": _start("void *p = ERR_PTR(-5); BUG_ON(p != NULL);", ERRORS),
    "no error is null": _start("BUG_ON(IS_ERR_OR_NULL(NULL));", ERRORS),
    "sizes": _start(
        "MAYBE(sizeof(struct S) == 5); MAYBE(sizeof(struct T) == 16); MAYBE(sizeof(struct U) == 16);", LAYOUT
    ),
    "offsets": _start("MAYBE(offsetof(struct S, b) == 1); MAYBE(offsetof(struct T, b) == 8);", LAYOUT),
    "bits of the second word": _start(
        "set_bit(70, map); MAYBE(map[1] == 64); clear_bit(70, map); MAYBE(map[1] == 0); MAYBE(map[0] == 0);"
        "map[2] = 4; MAYBE(test_bit(130, map)); map[2] = 0;"
        "n = test_and_change_bit(130, map); MAYBE(n == 0); MAYBE(map[2] == 4);",
        BITS,
    ),
    "some bit": _start(f"{GIVEN} if (!test_and_set_bit(n, map)) BUG_ON(map[1] != 0);", BITS),
    "some bit of a flag": _start("if (!test_and_clear_bit(n & 7, map)) BUG_ON(map[0] != 64);", BITS + "static int k;"),
    "the last reference taken off alone": _start("refcount_dec(&r); BUG_ON(refcount_read(&r) != 0);", COUNT),
    "a reference to nothing": _start("refcount_set(&r, 0); refcount_inc(&r); BUG_ON(refcount_read(&r) != 1);", COUNT),
    **_each(EVALUATED, "MAYBE(n == 1)"),
    **_each(SKIPPED, "MAYBE(n == 0)"),
    "what an interrupt is given": _data('int r = request_irq(5, handle, 0, "x", &s); BUG_ON(s.n == 1); return r;'),
    "where a timer is": _data(
        "made = kzalloc(sizeof(*made), 0); if (!made) return -5; timer_setup(&made->timer, fire, 0);"
        "int r = misc_register(&misc); if (!r) { struct D *d = made; BUG_ON(d->n == 1); } return r;"
    ),
    "what a device was given": _bound(
        "platform_set_drvdata(d, &s);", "((struct D *)platform_get_drvdata(d))->n = 1; BUG_ON(s.n == 1);"
    ),
    "what a device was given itself": _bound(
        "d->dev.platform_data = &s;", "((struct D *)d->dev.platform_data)->n = 1; BUG_ON(s.n == 1);"
    ),
    "what a file was given": _opened(
        "f->private_data = &s;", "((struct D *)f->private_data)->n = 1; BUG_ON(s.n == 1);"
    ),
    "when a timer fires": _data("tick.expires = 5; mod_timer(&tick, 77); BUG_ON(tick.expires != 5);"),
    "what a timer calls": _data("timer_setup(&s.timer, fire, 5); MAYBE(s.timer.function); MAYBE(s.timer.flags);"),
    "what a timer no longer calls": _data("timer_shutdown(&tick); BUG_ON(!tick.function);"),
    "the minor that was free": _data("int r = misc_register(&misc); BUG_ON(misc.minor != 255); return r;"),
    "characters": _start('BUG_ON(printk("four") == 4);'),
    "time that has run out": _start("BUG_ON(wait_event_timeout(q, 1, -5) == -5);", ONCE),
    "this processor": _start("this_cpu_write(m, 5); BUG_ON(*&m == 5);", ONCE),
    "where the user has nothing": _start("m = 5; copy_from_user(text, (char *)&m, 4); BUG_ON(text[0] != 5);", ONCE),
    "exchanged": _start("m = 5; swap(n, m); MAYBE(n == 5); MAYBE(m == 0);", ONCE),
    "flags": _start("".join(f"flags = 0; {name}; MAYBE(flags != 0);" for name in FLAGS), LOCKS),
    "a handler that a parameter is": _kept("return ask(act);", "static int ask(irq_handler_t h) { return hook(h); }"),
    "a variable given away": _kept("hook(&x); return 0;"),
    "a variable given away in another": _kept("u.p = &x; hook(&u); return 0;", "static struct U { int *p; } u;"),
    "memory given away": _kept(
        "u = kzalloc(4, 0); if (u) hook(u); return 0;", "static int *u;", "u && (*u = 0, *u != 0)"
    ),
    "a handler in a variable": _kept('irq_handler_t h = act; return request_threaded_irq(5, h, NULL, 0, "x", NULL);'),
    "operations through a pointer": _kept('return register_chrdev(240, "x", at);'),
    "a function or none": _kept("return hook(outside() ? f : 0);"),
    "a function two pointers away": _kept("s.next = &t; return hook(&s);"),
    "a function that is there later": _kept("fn h = f; int r = hook(&s); s.call = h; return r;"),
    "a function left in the memory of the kernel": _kept("fn h = f; outside()->call = h; return 0;"),
    "a function where nothing is understood": _kept("struct unknown u; u.call = to; return hook(&u);"),
    "an interrupt where nothing is parsed": _kept('HOOK(struct S); return request_irq(5, act, 0, "x", NULL);'),
    "a device where nothing is parsed": _kept("HOOK(struct S); return misc_register(&misc);"),
    "a device with any name": _start(
        "return misc_register(&device);",
        "static char here; static int opened(struct inode *i, struct file *f) { BUG_ON(here == 0); return 0; }"
        "static const struct file_operations file = { .open = opened };"
        "static struct miscdevice device = { .minor = 5, .fops = &file };",
    ),
    "an interrupt with any name": _start(
        'return request_irq(5, handler, 0, "x", NULL);',
        "static char here; static irqreturn_t handler(int i, void *d) { BUG_ON(here == 0); return 0; }",
    ),
    "a start at another level": "static char here; static int start(void) { BUG_ON(here == 0); return 0; }\n"
    "late_initcall(start);",
    "a start with a warning": "static char here; static int start(void) { return 1; } module_init(start);\n"
    "static void stop(void) { BUG_ON(here == 0); } module_exit(stop);",
    "a device in its own file": _opened(
        "", "struct miscdevice *m = f->private_data; m->minor = 77; BUG_ON(misc.minor == 77);"
    ),
    "no position": _opened("f->f_mode |= FMODE_STREAM;", "BUG_ON(!p);"),
    "no position in a stream": _opened("return stream_open(i, f);", "BUG_ON(!p);"),
    "no position in what others open": _opened("return open_somehow(i, f);", "BUG_ON(!p);"),
    "no position in a table": _opened("", "BUG_ON(!p);").replace(".open = opened", ".open = stream_open"),
    "no position by what is not understood": _opened("OPEN(struct S);", "BUG_ON(!p);"),
    "a module is somewhere": _start("BUG_ON(THIS_MODULE);"),
    "a positive error": _pci("u8 v; n = pci_read_config_byte(d, 0, &v); MAYBE(n > 0); MAYBE(n < 0); MAYBE(n == 0);"),
    "a positive error in writing": _pci("n = pci_write_config_dword(d, 0, 5); MAYBE(n > 0); MAYBE(n < 0);"),
    "a line of its own": _pci("d->irq = 5; n = pci_enable_device(d); BUG_ON(d->irq != 5);"),
    "memory of a device": _pci("u64 start = pci_resource_start(d, 0); BUG_ON(start > 0xffff);"),
    "two reboots": _start(
        "return register_reboot_notifier(&block);",
        "static int inside; static int rebooting(struct notifier_block *b, unsigned long c, void *d)"
        "{ inside++; BUG_ON(inside > 1); inside--; return 0; }"
        "static struct notifier_block block = { .notifier_call = rebooting };",
    ),
    "no device": _start(
        "platform_driver_probe(&driver, probe); BUG_ON(!n);",
        "static int n; static int probe(struct platform_device *d) { n = 1; return 0; }"
        "static struct platform_driver driver;",
    ),
    "absolute values": _start(
        f"long l = {N}; m = {N}; l = l * 4294967296L + 5; MAYBE(abs(l) < 2147483647L); MAYBE(abs(l) == 5);"
        "short s = -32768; MAYBE(abs(s) == -32768); unsigned int u = -5; MAYBE(abs(u) == 5);",
        ONCE,
    ),
    "a parameter with the name of an array": _start("MAYBE(array_size == 4); MAYBE(plain_size[1] == 4);", PARAMETERS),
    "what other modules call and change": _start("n = m = 0; MAYBE(n == 0); MAYBE(m == 0);", EXPORTED),
    **{
        f"a {bus[0]} device at any time": _bus(bus, "x = 0; BUG_ON(x != 0);", "x = 3; BUG_ON(x != 3); END;")
        for bus in BUSES
    },
    **{f"a {bus[0]} device with a warning": _bus(bus, "", "END;", "return 1;", "BUG_ON(x == 0);") for bus in BUSES[1:]},
}
TRUE: dict[str, str] = {
    "an error is a small number": _start(
        "void *p = get(); if (IS_ERR(p)) { long e = PTR_ERR(p); BUG_ON(e >= 0); BUG_ON(e < -4095); }", ERRORS
    ),
    "one or the other": _start("void *p = get(); if (!IS_ERR(p)) BUG_ON(IS_ERR(p));", ERRORS),
    "the error that was put in": _start("void *p = ERR_PTR(-5); BUG_ON(!IS_ERR(p)); BUG_ON(PTR_ERR(p) != -5);"),
    "zero where there is no error": _start(
        "void *p = get(); if (!IS_ERR(p)) { int e = PTR_ERR_OR_ZERO(p); BUG_ON(e != 0); }", ERRORS
    ),
    "a small number": _start("void *p = (void *)7; BUG_ON(IS_ERR(p));"),
    "sizes": _start("BUG_ON(sizeof(struct S) != 5); BUG_ON(sizeof(struct T) != 16 || sizeof(struct U) != 16);", LAYOUT),
    "bits": _start(
        "set_bit(70, map); BUG_ON(map[1] != 64); clear_bit(70, map); BUG_ON(map[1] != 0); BUG_ON(map[0] != 0);"
        "if (test_and_set_bit(3, map)) BUG_ON(1); else BUG_ON(map[0] != 8);"
        "if (test_and_clear_bit(3, map)) BUG_ON(map[0] != 0); else BUG_ON(1); BUG_ON(map[2] != 0);",
        BITS,
    ),
    "references": _start(
        "refcount_inc(&r); BUG_ON(refcount_read(&r) != 2); refcount_dec(&r); BUG_ON(refcount_read(&r) != 1);"
        "if (!refcount_dec_and_test(&r)) BUG_ON(1); if (refcount_inc_not_zero(&r)) BUG_ON(1);"
        "BUG_ON(refcount_read(&r) != 0);",
        COUNT,
    ),
    **_each(EVALUATED, "BUG_ON(n != 1)"),
    "what an interrupt is given": _data(
        'made = kzalloc(sizeof(*made), 0); int r = request_irq(5, handle, 0, "x", &s); BUG_ON(s.n > 1); return r;'
    ),
    "what a device was given": _bound(
        "platform_set_drvdata(d, &s);", "((struct D *)platform_get_drvdata(d))->n = 1; BUG_ON(s.n > 1); BUG_ON(made);"
    ),
    "when a timer fires": _data("mod_timer(&tick, 77); BUG_ON(tick.expires != 77);"),
    "the smaller one": _start(f"m = {N}; n = min(m, 5); BUG_ON(n > 5); n = clamp(m, 1, 5); BUG_ON(n < 1);", ONCE),
    "the condition holds": _start(f"m = {N}; if (!wait_event_interruptible(q, m == 5)) BUG_ON(m != 5);", ONCE),
    "exchanged": _start("m = 5; swap(n, m); BUG_ON(n != 5); BUG_ON(m != 0);", ONCE),
    "a device in its own file": _opened("struct miscdevice *m = f->private_data; BUG_ON(m != &misc);", ""),
    "a position": _opened("return nonseekable_open(i, f);", "BUG_ON(!p);"),
    "a module is somewhere": _start("BUG_ON(!THIS_MODULE);"),
    "an error or none": _pci(
        "n = pci_enable_device(d); BUG_ON(n > 0); n = pci_read_config_byte(d, 0, &v);BUG_ON(n > 0x89);"
    ).replace("static int n;", "static int n; static u8 v;"),
    "absolute values": _start(
        "long l = -5; BUG_ON(abs(l) != 5); l = __duet_nondet_int(); if (l > -9 && l < 9) BUG_ON(abs(l) > 8);"
        "BUG_ON(abs(-7) != 7); short s = -3; BUG_ON(abs(s) != 3);"
        "l = -4294967296L; BUG_ON(abs(l) != 4294967296L);"
    ),
    "a handler in a variable": _kept(
        'irq_handler_t h = act; BUG_ON(x != 0); return request_threaded_irq(5, h, NULL, 0, "x", NULL);',
        "extern int request_threaded_irq(unsigned int irq, irq_handler_t hard, irq_handler_t soft, unsigned long flags,"
        " const char *name, void *data);",
        "x > 1",
    ),
    "a local variable given away": _kept("int v = 0; hook(&v); v = 5; BUG_ON(v != 5); return 0;", "", "x > 1"),
    "a parameter with the name of an array": _start("BUG_ON(size[1] != 4);", PARAMETERS),
    "what other modules call and change": _start(
        "x = 5; BUG_ON(x != 5 || c != 7);",
        "static int x; const int c = 7; EXPORT_SYMBOL(c); int share(int a) { if (a < 0) a = 0; BUG_ON(a < 0);"
        "return a; } EXPORT_SYMBOL(share);",
    ),
    **{
        f"a {bus[0]} device while there is a driver": _bus(
            bus, "BUG_ON(x > 2);", "END; x = 3; BUG_ON(x != 3);", "x = 1; BUG_ON(x != 1);", "x = 2; BUG_ON(x != 2);"
        )
        for bus in BUSES
    },
    "a platform device with a warning": _bus(BUSES[0], "", "END;", "x = 1; return 1;", "BUG_ON(x == 1);"),
    "null is no error": _start("BUG_ON(IS_ERR(NULL)); BUG_ON(!IS_ERR_OR_NULL(NULL));"),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_may_fail_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not any(statuses(tmp_path, FALSE[name]))


@pytest.mark.parametrize("name", TRUE)
def test_what_cannot_fail_is_proved(tmp_path: Path, name: str) -> None:
    assert all(statuses(tmp_path, TRUE[name]))


@pytest.mark.parametrize("reading", ['printk("%s", text)', 'dev_info(0, "%s", text)', "copy_to_user(b, text, 4)"])
def test_what_is_shown_is_read(tmp_path: Path, reading: str) -> None:
    writing = "mutex_lock(&held); text[0] = 1; mutex_unlock(&held);"
    racing = DATA % ("", "", writing, f"{reading};")
    text = _start("return misc_register(&misc);", f"static char text[4]; static DEFINE_MUTEX(held);\n{racing}")
    assert not all(statuses(tmp_path, text, "data-race"))
    assert all(
        statuses(tmp_path, text.replace(reading, f"mutex_lock(&held); {reading}; mutex_unlock(&held)"), "data-race")
    )


def test_headers_have_no_checks_of_their_own(tmp_path: Path) -> None:
    """Also none of functions that nobody calls."""
    for kind in ("array-bounds", "overflow", "division-by-zero", "null-dereference", "assertion"):
        assert lowered(tmp_path, _start(""), kind).checks == ()
