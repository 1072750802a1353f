/* <linux/irqreturn.h>: results of interrupt handlers */
#ifndef DUET_LINUX_IRQRETURN_H
#define DUET_LINUX_IRQRETURN_H

#include <linux/interrupt.h>

#endif
