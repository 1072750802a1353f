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
struct ipv6_mreq {
	struct in6_addr ipv6mr_multiaddr;
	unsigned int ipv6mr_interface;
};
#if defined __USE_MISC
struct ip_mreq {
	struct in_addr imr_multiaddr, imr_interface;
};
struct ip_mreqn {
	struct in_addr imr_multiaddr, imr_address;
	int imr_ifindex;
};
struct ip_mreq_source {
	struct in_addr imr_multiaddr, imr_interface, imr_sourceaddr;
};
struct in_pktinfo {
	int ipi_ifindex;
	struct in_addr ipi_spec_dst, ipi_addr;
};
#endif
#if defined __USE_GNU
struct in6_pktinfo {
	struct in6_addr ipi6_addr;
	unsigned int ipi6_ifindex;
};
#endif

uint32_t htonl(uint32_t value);
uint16_t htons(uint16_t value);
uint32_t ntohl(uint32_t value);
uint16_t ntohs(uint16_t value);

#endif
