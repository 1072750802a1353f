/* <grp.h>: groups */
#ifndef DUET_GRP_H
#define DUET_GRP_H

#include <features.h>
#include <bits/types.h>

#if defined __USE_MISC
#define NSS_BUFLEN_GROUP 1024
#endif

struct group {
	char *gr_name, *gr_passwd;
	gid_t gr_gid;
	char **gr_mem;
};

struct group *getgrnam(const char *name);
struct group *getgrgid(gid_t group);

#endif
