/* <bits/sockaddr.h>: addresses of sockets */
#ifndef DUET_BITS_SOCKADDR_H
#define DUET_BITS_SOCKADDR_H

typedef unsigned short sa_family_t;
struct sockaddr {
	sa_family_t sa_family;
	char sa_data[14];
};

#endif
