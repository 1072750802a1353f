/* <linux/kstrtox.h> over the kernel's own: numbers from text: what is only declared here is a function that is known by name */
#ifndef DUET_OVERLAY_KSTRTOX_H
#define DUET_OVERLAY_KSTRTOX_H

#include_next <linux/kstrtox.h>

extern int kstrtoul(const char *text, unsigned int base, unsigned long *result);
extern int kstrtol(const char *text, unsigned int base, long *result);

#endif
