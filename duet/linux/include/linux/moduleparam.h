/* <linux/moduleparam.h>: parameters: a marker that the harness generator finds */
#ifndef DUET_LINUX_MODULEPARAM_H
#define DUET_LINUX_MODULEPARAM_H

#include <linux/types.h>
#include <linux/stat.h>

/* `mode`: who may write it while the module is loaded; `count`: where the number of elements given is stored. */
#define __duet_parameter(kind, name, mode) \
	extern int __duet_param_##kind##_##name; \
	static const int __duet_mode_##name = (mode)
#define module_param(name, type, permissions) __duet_parameter(plain, name, permissions)
#define module_param_hw(name, type, hardware, permissions) __duet_parameter(plain, name, permissions)
#define module_param_named(name, variable, type, permissions) __duet_parameter(plain, variable, permissions)
#define module_param_array(name, type, count, permissions)         \
	static const void *const __duet_count_##name = (count);    \
	__duet_parameter(array, name, permissions)
#define module_param_string(name, buffer, size, permissions) __duet_parameter(array, buffer, permissions)
#define MODULE_PARM_DESC(name, text) extern int __duet_text_##name
#define __MODULE_STRING_1(...) #__VA_ARGS__
#define __MODULE_STRING(...) __MODULE_STRING_1(__VA_ARGS__)

#endif
