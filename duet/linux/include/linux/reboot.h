/* <linux/reboot.h>: reboot notifiers; the harness runs them */
#ifndef DUET_LINUX_REBOOT_H
#define DUET_LINUX_REBOOT_H

#include <linux/notifier.h>
#include <duet/intrinsics.h>

#define SYS_DOWN 1
#define SYS_RESTART 1
#define SYS_HALT 2
#define SYS_POWER_OFF 3

extern int register_reboot_notifier(struct notifier_block *block);
#define unregister_reboot_notifier(block) ((void)(block), __duet_nondet_int())
#define emergency_restart() __duet_noreturn()
#define kernel_power_off() __duet_noreturn()
#define kernel_restart(command) ((void)(command), __duet_noreturn())
#define orderly_poweroff(force) ((void)(force))

#endif
