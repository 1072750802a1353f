/* <linux/build_bug.h> over the kernel's own: what the compiler has checked already */
#ifndef DUET_OVERLAY_BUILD_BUG_H
#define DUET_OVERLAY_BUILD_BUG_H

#include_next <linux/build_bug.h>

#undef BUILD_BUG_ON
#undef BUILD_BUG_ON_MSG
#undef BUILD_BUG_ON_ZERO
#undef BUILD_BUG_ON_INVALID
#undef BUILD_BUG
#undef compiletime_assert
#define BUILD_BUG_ON(condition) do { } while (0)
#define BUILD_BUG_ON_MSG(condition, text) do { } while (0)
#define BUILD_BUG_ON_ZERO(condition) 0
#define BUILD_BUG_ON_INVALID(condition) do { } while (0)
#define BUILD_BUG() do { } while (0)
#define compiletime_assert(condition, text) do { } while (0)

#endif
