/* <linux/module.h> over the kernel's own: entry points are markers for the harness, descriptions are nothing */
#ifndef DUET_OVERLAY_MODULE_H
#define DUET_OVERLAY_MODULE_H

#include_next <linux/module.h>
#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/export.h>

#undef module_init
#undef module_exit
#undef MODULE_INFO
#undef MODULE_FILE
#undef MODULE_DEVICE_TABLE
#undef MODULE_IMPORT_NS
#define module_init(function) static int (*__duet_module_init)(void) = function;
#define module_exit(function) static void (*__duet_module_exit)(void) = function;
#define __duet_paste_1(left, right) left##right
#define __duet_paste(left, right) __duet_paste_1(left, right)
#define MODULE_INFO(tag, info) extern int __duet_paste(__duet_text_line_, __LINE__)
#define MODULE_FILE
#define MODULE_DEVICE_TABLE(type, name) extern int __duet_paste(__duet_text_line_, __LINE__)
#define MODULE_IMPORT_NS(space) extern int __duet_paste(__duet_text_line_, __LINE__)

#endif
