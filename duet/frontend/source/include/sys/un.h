/* <sys/un.h>: local sockets */
#ifndef DUET_SYS_UN_H
#define DUET_SYS_UN_H

#include <features.h>
#include <bits/sockaddr.h>
#if defined __USE_MISC
#include <bits/null.h>
#endif
#if defined __USE_GNU
#include <bits/strdupa.h>
#endif

#if defined __USE_MISC
#define SUN_LEN(ptr) ((size_t) (((struct sockaddr_un *) 0)->sun_path) + strlen ((ptr)->sun_path))
#endif

struct sockaddr_un {
	sa_family_t sun_family;
	char sun_path[108];
};

#endif
