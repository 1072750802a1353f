/* <linux/init.h>: entry points: a pointer that the harness generator finds */
#ifndef DUET_LINUX_INIT_H
#define DUET_LINUX_INIT_H

#include <linux/compiler.h>
#include <linux/types.h>

#define module_init(function) static int (*__duet_module_init)(void) = function;
#define module_exit(function) static void (*__duet_module_exit)(void) = function;
/* In a module there is one moment for all of them. */
#define core_initcall(function) module_init(function)
#define postcore_initcall(function) module_init(function)
#define arch_initcall(function) module_init(function)
#define subsys_initcall(function) module_init(function)
#define fs_initcall(function) module_init(function)
#define device_initcall(function) module_init(function)
#define late_initcall(function) module_init(function)

#endif
