/* <linux/init.h> over the kernel's own: where code and data lie does not matter */
#ifndef DUET_OVERLAY_INIT_H
#define DUET_OVERLAY_INIT_H

#include_next <linux/init.h>

#undef __init
#undef __initdata
#undef __initconst
#undef __exitdata
#undef __exit
#undef __ref
#undef __refdata
#undef __refconst
#undef __meminit
#undef __meminitdata
#undef __meminitconst
#define __init
#define __initdata
#define __initconst
#define __exitdata
#define __exit
#define __ref
#define __refdata
#define __refconst
#define __meminit
#define __meminitdata
#define __meminitconst

/* Text that is only ever built in has no linux/module.h, which says this for modules; read by itself it is loaded so, too. */
#ifndef core_initcall
#define module_init(function) static int (*__duet_module_init)(void) = function;
#define early_initcall(fn) module_init(fn)
#define core_initcall(fn) module_init(fn)
#define postcore_initcall(fn) module_init(fn)
#define arch_initcall(fn) module_init(fn)
#define subsys_initcall(fn) module_init(fn)
#define fs_initcall(fn) module_init(fn)
#define device_initcall(fn) module_init(fn)
#define late_initcall(fn) module_init(fn)
#endif

#endif
