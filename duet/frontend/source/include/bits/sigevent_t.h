/* <bits/sigevent_t.h>: members of struct sigevent (glibc 2.36) */
#ifndef DUET_BITS_SIGEVENT_T_H
#define DUET_BITS_SIGEVENT_T_H

#if defined __USE_POSIX199309
#define sigev_notify_function sigev_notify_function
#define sigev_notify_attributes sigev_notify_attributes
#endif

#endif
