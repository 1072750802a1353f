/* <linux/kconfig.h>: 1 where a part of the kernel is configured in (defined to 1), 0 where it is not */
#ifndef DUET_LINUX_KCONFIG_H
#define DUET_LINUX_KCONFIG_H

/* Of a macro that is 1 the pasted name gives two arguments more, so that the second one is 1. */
#define __duet_before_1 0,
#define __duet_second(first, second, ...) second
#define __duet_is_one_3(pasted) __duet_second(pasted 1, 0, 0)
#define __duet_is_one_2(value) __duet_is_one_3(__duet_before_##value)
#define __duet_is_one(macro) __duet_is_one_2(macro)

/* Each pastes what it is given itself: the macro is not expanded before that. */
#define IS_BUILTIN(option) __duet_is_one(option)
#define IS_MODULE(option) __duet_is_one(option##_MODULE)
#define IS_REACHABLE(option) (__duet_is_one(option) || (__duet_is_one(option##_MODULE) && __duet_is_one(MODULE)))
#define IS_ENABLED(option) (__duet_is_one(option) || __duet_is_one(option##_MODULE))

#endif
