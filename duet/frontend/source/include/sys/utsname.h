/* <sys/utsname.h>: the name of the system */
#ifndef DUET_SYS_UTSNAME_H
#define DUET_SYS_UTSNAME_H

#include <features.h>

#define _UTSNAME_LENGTH 65
#define _UTSNAME_DOMAIN_LENGTH _UTSNAME_LENGTH
#define _UTSNAME_SYSNAME_LENGTH _UTSNAME_LENGTH
#define _UTSNAME_NODENAME_LENGTH _UTSNAME_LENGTH
#define _UTSNAME_RELEASE_LENGTH _UTSNAME_LENGTH
#define _UTSNAME_VERSION_LENGTH _UTSNAME_LENGTH
#define _UTSNAME_MACHINE_LENGTH _UTSNAME_LENGTH
#if defined __USE_MISC
#define SYS_NMLN _UTSNAME_LENGTH
#endif

struct utsname {
	char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65];
};

int uname(struct utsname *buffer);

#endif
