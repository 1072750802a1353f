/* <sys/param.h>: limits of the system */
#ifndef DUET_SYS_PARAM_H
#define DUET_SYS_PARAM_H

#include <limits.h>
#include <sys/types.h>

#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))

#endif
