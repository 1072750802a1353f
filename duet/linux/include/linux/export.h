/* <linux/export.h>: what other modules may use: a marker that the harness generator finds */
#ifndef DUET_LINUX_EXPORT_H
#define DUET_LINUX_EXPORT_H

#define EXPORT_SYMBOL(name) extern int __duet_exported_##name
#define EXPORT_SYMBOL_GPL(name) EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_NS(name, space) EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_NS_GPL(name, space) EXPORT_SYMBOL(name)

#endif
