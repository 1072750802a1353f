/* <linux/moduleparam.h>: parameters: a marker that the harness generator finds */
#ifndef DUET_LINUX_MODULEPARAM_H
#define DUET_LINUX_MODULEPARAM_H

#include <linux/types.h>
#include <linux/stat.h>

/* What is written, who may write it while the module is loaded, where the number of elements given is stored. */
#define __duet_parameter(kind, name, variable, mode, count) \
	static const unsigned long __duet_##kind##_parameter_##name[] = {sizeof(variable), (mode), sizeof(count)}
#define module_param_named(name, variable, type, permissions) \
	__duet_parameter(plain, name, variable, permissions, NULL)
#define module_param_hw_named(name, variable, type, hardware, permissions) \
	__duet_parameter(plain, name, variable, permissions, NULL)
#define module_param(name, type, permissions) __duet_parameter(plain, name, name, permissions, NULL)
#define module_param_unsafe(name, type, permissions) __duet_parameter(plain, name, name, permissions, NULL)
#define module_param_hw(name, type, hardware, permissions) __duet_parameter(plain, name, name, permissions, NULL)
#define module_param_array_named(name, elements, type, count, permissions) \
	__duet_parameter(array, name, elements, permissions, count)
#define module_param_array(name, type, count, permissions) __duet_parameter(array, name, name, permissions, count)
#define module_param_hw_array(name, type, hardware, count, permissions) \
	__duet_parameter(array, name, name, permissions, count)
#define module_param_string(name, buffer, size, permissions) __duet_parameter(array, name, buffer, permissions, NULL)
#define MODULE_PARM_DESC(name, text) extern int __duet_text_##name
#define __MODULE_STRING_1(...) #__VA_ARGS__
#define __MODULE_STRING(...) __MODULE_STRING_1(__VA_ARGS__)

#endif
