/* <sys/param.h>: limits of the system */
#ifndef DUET_SYS_PARAM_H
#define DUET_SYS_PARAM_H

#include <features.h>
#include <limits.h>
#include <bits/types.h>
#include <bits/endian.h>
#include <bits/null.h>
#include <bits/posix1_lim.h>
#include <bits/posix2_lim.h>
#include <signal.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/select.h>
#endif
#if defined __USE_POSIX
#include <bits/pthread_stack_min.h>
#endif
#if defined __USE_GNU
#include <bits/access.h>
#include <bits/posix_opt.h>
#include <bits/seek.h>
#include <bits/seek_data.h>
#include <bits/seek_old.h>
#endif
#if defined __USE_POSIX199309
#include <bits/sigevent_t.h>
#endif

#define HZ 100
#define EXEC_PAGESIZE 4096
#define NOGROUP (-1)
#define MAXHOSTNAMELEN 64
#define MAXSYMLINKS 20
#define NOFILE 256
#define NCARGS 131072
#define NBBY CHAR_BIT
#define NGROUPS NGROUPS_MAX
#define CANBSIZ MAX_CANON
#define MAXPATHLEN PATH_MAX
#define NODEV ((dev_t) -1)
#define DEV_BSIZE 512
#define setbit(a, i) ((a)[(i)/NBBY] |= 1<<((i)%NBBY))
#define clrbit(a, i) ((a)[(i)/NBBY] &= ~(1<<((i)%NBBY)))
#define isset(a, i) ((a)[(i)/NBBY] & (1<<((i)%NBBY)))
#define isclr(a, i) (((a)[(i)/NBBY] & (1<<((i)%NBBY))) == 0)
#define howmany(x, y) (((x) + ((y) - 1)) / (y))
#define roundup roundup
#define powerof2(x) ((((x) - 1) & (x)) == 0)
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#if !defined __USE_POSIX
#define NR_OPEN 1024
#define LINK_MAX 127
#endif

#endif
