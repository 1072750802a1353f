/* <linux/moduleparam.h>: parameters: a marker that the harness generator finds */
#ifndef DUET_LINUX_MODULEPARAM_H
#define DUET_LINUX_MODULEPARAM_H

#include <linux/types.h>

#define module_param(name, type, permissions) extern int __duet_param_##name
#define module_param_hw(name, type, hardware, permissions) extern int __duet_param_##name
#define module_param_named(name, variable, type, permissions) extern int __duet_param_##variable
#define module_param_array(name, type, count, permissions) extern int __duet_param_array_##name
#define module_param_string(name, buffer, size, permissions) extern int __duet_param_array_##buffer
#define MODULE_PARM_DESC(name, text) extern int __duet_text_##name
#define __MODULE_STRING_1(...) #__VA_ARGS__
#define __MODULE_STRING(...) __MODULE_STRING_1(__VA_ARGS__)

#endif
