/* <linux/notifier.h>: notifiers */
#ifndef DUET_LINUX_NOTIFIER_H
#define DUET_LINUX_NOTIFIER_H

#define NOTIFY_DONE 0
#define NOTIFY_OK 1
#define NOTIFY_STOP 0x8001
#define NOTIFY_BAD 0x8002

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long code, void *data);
	struct notifier_block *next;
	int priority;
};

#endif
