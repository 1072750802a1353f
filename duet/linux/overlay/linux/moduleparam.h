/*
 * <linux/moduleparam.h> over the kernel's own: each parameter is a marker for the harness that says what is written, who
 * may write it while the module is loaded, and where the number of elements given is stored; or a structure of callbacks.
 */
#ifndef DUET_OVERLAY_MODULEPARAM_H
#define DUET_OVERLAY_MODULEPARAM_H

#include_next <linux/moduleparam.h>

#undef module_param
#undef module_param_unsafe
#undef module_param_named
#undef module_param_named_unsafe
#undef module_param_cb
#undef module_param_cb_unsafe
#undef module_param_call
#undef __level_param_cb
#undef core_param
#undef core_param_unsafe
#undef module_param_string
#undef module_param_array
#undef module_param_array_named
#undef module_param_hw
#undef module_param_hw_named
#undef module_param_hw_array
#undef MODULE_PARM_DESC
#undef __MODULE_INFO
#define __duet_parameter(kind, name, variable, mode, count) \
	static const unsigned long __duet_##kind##_parameter_##name[] = {sizeof(variable), (mode), sizeof(count)}
#define module_param_named(name, variable, type, permissions) \
	__duet_parameter(plain, name, variable, permissions, ((void *)0))
#define module_param_named_unsafe(name, variable, type, permissions) module_param_named(name, variable, type, permissions)
#define module_param_hw_named(name, variable, type, hardware, permissions) \
	module_param_named(name, variable, type, permissions)
#define module_param(name, type, permissions) __duet_parameter(plain, name, name, permissions, ((void *)0))
#define module_param_unsafe(name, type, permissions) module_param(name, type, permissions)
#define module_param_hw(name, type, hardware, permissions) module_param(name, type, permissions)
#define core_param(name, variable, type, permissions) module_param_named(name, variable, type, permissions)
#define core_param_unsafe(name, variable, type, permissions) module_param_named(name, variable, type, permissions)
#define module_param_array_named(name, elements, type, count, permissions) \
	__duet_parameter(array, name, elements, permissions, count)
#define module_param_array(name, type, count, permissions) __duet_parameter(array, name, name, permissions, count)
#define module_param_hw_array(name, type, hardware, count, permissions) \
	__duet_parameter(array, name, name, permissions, count)
#define module_param_string(name, buffer, size, permissions) \
	__duet_parameter(array, name, buffer, permissions, ((void *)0))
/* The operations of a parameter are called with a structure that has what they are about. */
#define __duet_parameter_operations(name, operations, argument, mode) \
	static const struct kernel_param __duet_used_parameter_##name = {.ops = (operations), .arg = (void *)(argument)}
#define module_param_cb(name, operations, argument, mode) __duet_parameter_operations(name, operations, argument, mode)
#define module_param_cb_unsafe(name, operations, argument, mode) \
	__duet_parameter_operations(name, operations, argument, mode)
#define __level_param_cb(name, operations, argument, mode, level) \
	__duet_parameter_operations(name, operations, argument, mode)
#define module_param_call(name, setting, getting, argument, mode)                                          \
	static const struct kernel_param_ops __duet_operations_##name = {.set = (setting), .get = (getting)}; \
	__duet_parameter_operations(name, &__duet_operations_##name, argument, mode)
#define MODULE_PARM_DESC(name, text) extern int __duet_text_##name
#define __MODULE_INFO(tag, name, info) extern int __duet_text_##name

#endif
