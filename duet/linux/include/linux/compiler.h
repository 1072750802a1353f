/* <linux/compiler.h>: annotations: only those that lay out memory mean anything */
#ifndef DUET_LINUX_COMPILER_H
#define DUET_LINUX_COMPILER_H

#define __user
#define __iomem
#define __force
#define __init
#define __exit
#define __initdata
#define __initconst
#define __exitdata
#define __devinit
#define __devexit
#define __devinitdata
#define __used
#define __unused
#define __maybe_unused
#define __always_unused
#define __must_check
#define __always_inline inline
#define noinline
#define __packed __attribute__((packed))
#define __aligned(alignment) __attribute__((aligned(alignment)))
#define __read_mostly
#define __ro_after_init
#define __refdata
#define __ref
#define __percpu
#define __rcu
#define __cold
#define __deprecated
#define __printf(format, first)
#define __acquires(lock)
#define __releases(lock)
#define asmlinkage
#define likely(condition) (!!(condition))
#define unlikely(condition) (!!(condition))
#define barrier() do { } while (0)
#define fallthrough do { } while (0)
#define READ_ONCE(cell) __duet_read_once(cell)
#define WRITE_ONCE(cell, value) __duet_write_once(cell, value)

#endif
