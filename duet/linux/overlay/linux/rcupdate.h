/* <linux/rcupdate.h> over the kernel's own: sections of readers, which are functions that are known by name */
#ifndef DUET_OVERLAY_RCUPDATE_H
#define DUET_OVERLAY_RCUPDATE_H

#include_next <linux/rcupdate.h>

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);

#endif
