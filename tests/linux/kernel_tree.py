"""A small kernel of our own: headers as a distribution packs them, with what a module needs and a made-up subsystem."""

from __future__ import annotations

from pathlib import Path

RELEASE = "6.1.7-test"
_COMMON = {
    "include/linux/kconfig.h": "#include <generated/autoconf.h>\n",
    "include/linux/compiler_types.h": "#define __user\n#define __must_check __attribute__((warn_unused_result))\n",
    "include/linux/types.h": """
typedef _Bool bool;
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long size_t;
typedef struct { int counter; } atomic_t;
struct list_head { struct list_head *next, *prev; };
""",
    "include/linux/init.h": """
#define __init __attribute__((__section__(".init.text")))
#define __exit __attribute__((__section__(".exit.text")))
""",
    "include/linux/export.h": "extern struct module __this_module;\n#define EXPORT_SYMBOL(name) extern int exported\n",
    "include/linux/moduleparam.h": """
struct kernel_param;
struct kernel_param_ops {
	int (*set)(const char *value, const struct kernel_param *param);
	int (*get)(char *buffer, const struct kernel_param *param);
};
struct kernel_param { const char *name; const struct kernel_param_ops *ops; void *arg; };
""",
    "include/linux/module.h": """
#include <linux/types.h>
#include <linux/init.h>
#include <linux/export.h>
#include <linux/moduleparam.h>
#define module_init(function) int init_module(void) __attribute__((alias(#function)))
#define module_exit(function) void cleanup_module(void) __attribute__((alias(#function)))
#define MODULE_LICENSE(text) MODULE_INFO(license, text)
extern int printk(const char *format, ...);
""",
    "include/linux/gadget.h": """
#include <linux/types.h>
struct unrelated { int a; int b; };
struct holder { struct unrelated *held; };
struct gadget_ops {
	int (*start)(struct gadget *gadget);
	void (*level)(struct gadget *gadget, unsigned int level);
};
struct gadget { const char *name; const struct gadget_ops *ops; void *data; struct holder *holder; };
static inline void gadget_set_data(struct gadget *gadget, void *data)
{
	gadget->data = data;
}
static inline int gadget_twice(int number)
{
	return number + number;
}
register unsigned long stack_pointer asm("rsp");
extern int gadget_register(struct gadget *gadget);
extern void gadget_unregister(struct gadget *gadget);
""",
}


def make(directory: Path, release: str = RELEASE, config: str = "#define CONFIG_GADGET 1\n") -> Path:
    """Writes the headers of a kernel, below `directory`; the package that a user names."""
    common, configured = directory / f"linux-headers-{release}-common", directory / f"linux-headers-{release}-amd64"
    files = {common / name: text for name, text in _COMMON.items()}
    files |= {
        configured / "Makefile": f"include /usr/src/{common.name}/Makefile\n",
        configured / "include/generated/utsrelease.h": f'#define UTS_RELEASE "{release}-amd64"\n',
        configured / "include/generated/autoconf.h": config,
        configured / "arch/x86/include/generated/asm/nothing.h": "",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return configured
