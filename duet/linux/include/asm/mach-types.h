/* <asm/mach-types.h>: kinds of ARM machines */
#ifndef DUET_ASM_MACH_TYPES_H
#define DUET_ASM_MACH_TYPES_H

#include <duet/intrinsics.h>

#define machine_is_netwinder() ((int)__duet_nondet_bool())

#endif
