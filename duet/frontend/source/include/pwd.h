/* <pwd.h>: users */
#ifndef DUET_PWD_H
#define DUET_PWD_H

#include <features.h>
#include <bits/types.h>

#if defined __USE_MISC
#define NSS_BUFLEN_PASSWD 1024
#endif

struct passwd {
	char *pw_name, *pw_passwd;
	uid_t pw_uid;
	gid_t pw_gid;
	char *pw_gecos, *pw_dir, *pw_shell;
};

struct passwd *getpwnam(const char *name);
struct passwd *getpwuid(uid_t user);

#endif
