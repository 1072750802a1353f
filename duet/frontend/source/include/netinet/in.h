/* <netinet/in.h>: internet addresses */
#ifndef DUET_NETINET_IN_H
#define DUET_NETINET_IN_H

#include <features.h>
#include <bits/stdint_types.h>
#include <sys/socket.h>
#include <bits/endian.h>
#include <bits/in.h>
#include <bits/socket.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/select.h>
#endif

typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
struct in_addr {
	in_addr_t s_addr;
};
struct sockaddr_in {
	sa_family_t sin_family;
	in_port_t sin_port;
	struct in_addr sin_addr;
	unsigned char sin_zero[8];
};
struct in6_addr {
	uint8_t s6_addr[16] __attribute__((aligned(4)));
};
struct sockaddr_in6 {
	sa_family_t sin6_family;
	in_port_t sin6_port;
	uint32_t sin6_flowinfo;
	struct in6_addr sin6_addr;
	uint32_t sin6_scope_id;
};

uint32_t htonl(uint32_t value);
uint16_t htons(uint16_t value);
uint32_t ntohl(uint32_t value);
uint16_t ntohs(uint16_t value);

#endif
