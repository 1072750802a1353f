/* <linux/export.h> over the kernel's own: what other modules may use is marked for the harness */
#ifndef DUET_OVERLAY_EXPORT_H
#define DUET_OVERLAY_EXPORT_H

#include_next <linux/export.h>

#undef THIS_MODULE
#undef EXPORT_SYMBOL
#undef EXPORT_SYMBOL_GPL
#undef EXPORT_SYMBOL_NS
#undef EXPORT_SYMBOL_NS_GPL
#undef __EXPORT_SYMBOL
#define THIS_MODULE (&__this_module)
/* Macros in the name count. */
#define __duet_export(name) extern int __duet_exported_##name
#define EXPORT_SYMBOL(name) __duet_export(name)
#define __EXPORT_SYMBOL(name, ...) EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_GPL(name) EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_NS(name, space) EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_NS_GPL(name, space) EXPORT_SYMBOL(name)

#endif
