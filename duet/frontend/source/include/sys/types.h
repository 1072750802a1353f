/* <sys/types.h>: types of the system interface */
#ifndef DUET_SYS_TYPES_H
#define DUET_SYS_TYPES_H

#include <features.h>
#include <bits/stddef_types.h>
#include <bits/stdint_types.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/endian.h>
#include <sys/select.h>
#endif

#endif
