/* <sys/cdefs.h>: declarations for several languages */
#ifndef DUET_SYS_CDEFS_H
#define DUET_SYS_CDEFS_H

#include <features.h>

#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __THROWNL
#define __P(arguments) arguments
#define __PMT(arguments) arguments
#define __CONCAT(left, right) left##right
#define __STRING(text) #text
#define __ptr_t void *

#endif
