/* <linux/export.h>: exported symbols */
#ifndef DUET_LINUX_EXPORT_H
#define DUET_LINUX_EXPORT_H

#define EXPORT_SYMBOL(name) extern int __duet_text_##name
#define EXPORT_SYMBOL_GPL(name) extern int __duet_text_##name

#endif
