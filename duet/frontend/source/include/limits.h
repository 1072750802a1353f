/* <limits.h>: ranges of the integer types (LP64) */
#ifndef DUET_LIMITS_H
#define DUET_LIMITS_H

#include <features.h>
#include <bits/posix2_lim.h>
#if defined __USE_POSIX
#include <bits/posix1_lim.h>
#include <bits/pthread_stack_min.h>
#endif

#endif
