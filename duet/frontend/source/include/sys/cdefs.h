/* <sys/cdefs.h>: declarations for several languages */
#ifndef DUET_SYS_CDEFS_H
#define DUET_SYS_CDEFS_H

#define __BEGIN_DECLS
#define __END_DECLS

#endif
