/* <linux/module.h>: modules; brings the usual headers along */
#ifndef DUET_LINUX_MODULE_H
#define DUET_LINUX_MODULE_H

#include <linux/kernel.h>
#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/export.h>
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/spinlock.h>
#include <linux/err.h>

struct module;

extern struct module __this_module;
#define THIS_MODULE (&__this_module)
#ifndef KBUILD_MODNAME
#define KBUILD_MODNAME "driver"
#endif
#define __duet_paste_1(left, right) left##right
#define __duet_paste(left, right) __duet_paste_1(left, right)
#define __duet_text extern int __duet_paste(__duet_text_line_, __LINE__)
#define MODULE_AUTHOR(text) __duet_text
#define MODULE_DESCRIPTION(text) __duet_text
#define MODULE_LICENSE(text) __duet_text
#define MODULE_VERSION(text) __duet_text
#define MODULE_ALIAS(text) __duet_text
#define MODULE_FIRMWARE(text) __duet_text
#define MODULE_SUPPORTED_DEVICE(text) __duet_text
#define MODULE_ALIAS_MISCDEV(minor) __duet_text
#define MODULE_DEVICE_TABLE(type, name) __duet_text

/* The count of users is not modelled: that exit may run at any time is an over-approximation. */
#define __module_get(module) ((void)(module))
#define try_module_get(module) ((void)(module), __duet_nondet_bool())
#define module_put(module) ((void)(module))

#endif
