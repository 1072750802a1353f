"""Which functions of timers run, with what, and beside what."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.linux.drivers import harness, statuses

BEGIN = """static int inside, fired; static spinlock_t lock;
struct session { int n; struct timer_list timer; };
static void fire(struct timer_list *t)
{
	fired = 1;
	spin_lock(&lock); inside++; spin_unlock(&lock);
	BUG_ON(inside > 1);
	spin_lock(&lock); inside--; spin_unlock(&lock);
}
"""
START = "static int start(void) { %s return 0; } module_init(start);\n"
MISC = """static const struct file_operations ops = { .open = opened };
static struct miscdevice misc = { .minor = 5, .name = "x", .fops = &ops };
""" + (START % "return misc_register(&misc);")
OPENED = "static int opened(struct inode *i, struct file *f) { %s return 0; }\n" + MISC
NEW = "struct session *s = kzalloc(sizeof(*s), 0); if (!s) return -ENOMEM;"
ARMED = "mod_timer(&s->timer, jiffies);"

MANY: dict[str, str] = {
    "one for each open file": OPENED % f"{NEW} timer_setup(&s->timer, fire, 0); {ARMED}",
    "one for each of several": "static struct timer_list all[4];"
    + START % "int i; for (i = 0; i < 4; i++) { timer_setup(&all[i], fire, 0); mod_timer(&all[i], jiffies); }",
    "one of a parameter": "static struct timer_list a, b; static void arm(struct timer_list *t)"
    "{ timer_setup(t, fire, 0); add_timer(t); }" + START % "arm(&a); arm(&b);",
    "in structures": "static struct session a = { .timer = __TIMER_INITIALIZER(fire, 0) }, b = "
    "{ .timer = __TIMER_INITIALIZER(fire, 0) };" + START % "mod_timer(&a.timer, 5); mod_timer(&b.timer, 5);",
    "in an array of structures": "static struct session all[2] = { { .timer = __TIMER_INITIALIZER(fire, 0) },"
    "{ .timer = __TIMER_INITIALIZER(fire, 0) } };"
    + START
    % "mod_timer(&all[0].timer, 5); mod_timer(&all[1].timer, 5);",
    "in a function": START
    % "static DEFINE_TIMER(a, fire); static DEFINE_TIMER(b, fire); add_timer(&a); add_timer(&b);",
    "in a compound literal": OPENED % f"{NEW} *s = (struct session) {{ .timer = {{ .function = fire }} }}; {ARMED}",
    "through a function": "static struct timer_list a, b;"
    "static void arm(struct timer_list *t, void (*f)(struct timer_list *)) { timer_setup(t, f, 0); mod_timer(t, 5); }"
    + START
    % "arm(&a, fire); arm(&b, fire);",
    "from a table": "static void (*const table[])(struct timer_list *) = { fire }; static struct timer_list a, b;"
    + START % "timer_setup(&a, table[0], 0); add_timer(&a); timer_setup(&b, table[0], 0); add_timer(&b);",
    "copied": "static struct session a;"
    + START % f"{NEW} timer_setup(&a.timer, fire, 0); *s = a; add_timer(&a.timer); {ARMED}",
    "of two variables": "static DEFINE_TIMER(a, fire); static DEFINE_TIMER(b, fire);"
    + START % "add_timer(&a); add_timer(&b);",
    "of a type with a name": "typedef struct timer_list timer; static void late(timer *t) { fire(t); }"
    "static void (*const table[])(timer *) = { late }; static timer a, b;"
    + START
    % "timer_setup(&a, table[0], 0); add_timer(&a); timer_setup(&b, table[0], 0); add_timer(&b);",
}
ONE: dict[str, str] = {
    "of a variable": "static DEFINE_TIMER(a, fire);" + START % "add_timer(&a);",
    "set up once": "static struct timer_list a;" + START % "timer_setup(&a, fire, 0); add_timer(&a);",
    "in a variable": "static struct session a;" + START % "timer_setup(&a.timer, fire, 0); mod_timer(&a.timer, 5);",
    "armed by a pointer": "static DEFINE_TIMER(a, fire); static void arm(struct timer_list *t) { add_timer(t); }"
    + START % "arm(&a);",
    "armed by itself": "static void again(struct timer_list *t) { fire(t); mod_timer(t, jiffies + 5); }"
    "static DEFINE_TIMER(a, again);" + START % "add_timer(&a);",
}
ARMING = ("mod_timer(&a, 5)", "add_timer(&a)", "add_timer_on(&a, 1)", "mod_timer_pending(&a, 5)", "timer_reduce(&a, 5)")


@pytest.mark.parametrize("name", MANY)
def test_timers_run_beside_each_other(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path, BEGIN + MANY[name]) == [False]


@pytest.mark.parametrize("name", MANY)
def test_timers_fire(tmp_path: Path, name: str) -> None:
    text = BEGIN.replace("BUG_ON(inside > 1);", "") + MANY[name]
    look = "int look(void) { BUG_ON(fired); return 0; } EXPORT_SYMBOL(look);"
    assert statuses(tmp_path, text + look) == [False]


@pytest.mark.parametrize("name", ONE)
def test_a_timer_does_not_run_beside_itself(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path, BEGIN + ONE[name]) == [True]


@pytest.mark.parametrize("arming", ARMING)
def test_everything_that_arms_a_timer_does(tmp_path: Path, arming: str) -> None:
    text = BEGIN.replace("BUG_ON(inside > 1);", "") + "static DEFINE_TIMER(a, fire);"
    text += START % f"BUG_ON(fired); {arming}; if (__duet_nondet_bool()) BUG_ON(fired);"
    assert statuses(tmp_path, text.replace("BUG_ON(fired); " + arming, arming)) == [False]


def test_the_object_of_a_timer_is_where_it_was_armed(tmp_path: Path) -> None:
    text = """static struct session s = { .timer = __TIMER_INITIALIZER(set, 0) };
static void set(struct timer_list *t) { struct session *s = from_timer(s, t, timer); s->n = 1; }
int look(void) { BUG_ON(s.n); return 0; } EXPORT_SYMBOL(look);"""
    text = "struct session { int n; struct timer_list timer; }; static void set(struct timer_list *t);" + text
    assert statuses(tmp_path, text + START % "mod_timer(&s.timer, 5);") == [False]


def test_the_text_says_which_is_which(tmp_path: Path) -> None:
    include = "#include <linux/module.h>\n#include <linux/timer.h>\n#include <linux/slab.h>\n"
    one = harness(tmp_path, include + BEGIN + ONE["of a variable"]).text
    assert "(void)fire(&a);" in one
    assert "\t__duet_spawn(__duet_run_timer_0);" in one
    many = harness(tmp_path, include + BEGIN + MANY["of a type with a name"]).text
    assert "(void)late((struct timer_list *)__duet_nondet_ptr());" in many
    assert "while (__duet_nondet_bool())\n\t\t__duet_spawn(__duet_run_timer_0);" in many


def test_a_timer_that_nothing_sets_up_may_call_any_function(tmp_path: Path) -> None:
    text = "static struct session a; static DEFINE_TIMER(b, fire);" + START % "add_timer(&b); add_timer(&a.timer);"
    assert statuses(tmp_path, BEGIN + text) == [False]
