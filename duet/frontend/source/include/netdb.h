/* <netdb.h>: names of hosts */
#ifndef DUET_NETDB_H
#define DUET_NETDB_H

#include <features.h>
#include <netinet/in.h>
#include <bits/endian.h>
#include <bits/in.h>
#include <bits/socket.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/select.h>
#endif
#if defined __USE_GNU
#include <bits/sigevent_t.h>
#endif

#define _PATH_HEQUIV "/etc/hosts.equiv"
#define _PATH_HOSTS "/etc/hosts"
#define _PATH_NETWORKS "/etc/networks"
#define _PATH_NSSWITCH_CONF "/etc/nsswitch.conf"
#define _PATH_PROTOCOLS "/etc/protocols"
#define _PATH_SERVICES "/etc/services"
#if defined __USE_MISC || !defined __USE_XOPEN2K8
#define h_errno (*__h_errno_location())
#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4
#endif
#if defined __USE_MISC
#define NETDB_INTERNAL -1
#define NETDB_SUCCESS 0
#define NO_ADDRESS NO_DATA
#define h_addr h_addr_list[0]
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#endif
#if defined __USE_XOPEN2K || defined __USE_XOPEN_EXTENDED
#define IPPORT_RESERVED 1024
#endif
#if defined __USE_XOPEN2K
#define AI_PASSIVE 0x0001
#define AI_CANONNAME 0x0002
#define AI_NUMERICHOST 0x0004
#define AI_V4MAPPED 0x0008
#define AI_ALL 0x0010
#define AI_ADDRCONFIG 0x0020
#define AI_NUMERICSERV 0x0400
#define EAI_BADFLAGS -1
#define EAI_NONAME -2
#define EAI_AGAIN -3
#define EAI_FAIL -4
#define EAI_FAMILY -6
#define EAI_SOCKTYPE -7
#define EAI_SERVICE -8
#define EAI_MEMORY -10
#define EAI_SYSTEM -11
#define EAI_OVERFLOW -12
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#endif
#if defined __USE_GNU
#define SCOPE_DELIMITER '%'
#define GAI_WAIT 0
#define GAI_NOWAIT 1
#define AI_IDN 0x0040
#define AI_CANONIDN 0x0080
#define AI_IDN_ALLOW_UNASSIGNED 0x0100
#define AI_IDN_USE_STD3_ASCII_RULES 0x0200
#define EAI_NODATA -5
#define EAI_ADDRFAMILY -9
#define EAI_INPROGRESS -100
#define EAI_CANCELED -101
#define EAI_NOTCANCELED -102
#define EAI_ALLDONE -103
#define EAI_INTR -104
#define EAI_IDN_ENCODE -105
#define NI_IDN 32
#define NI_IDN_ALLOW_UNASSIGNED 64
#define NI_IDN_USE_STD3_ASCII_RULES 128
#endif

struct hostent {
	char *h_name;
	char **h_aliases;
	int h_addrtype, h_length;
	char **h_addr_list;
};
struct addrinfo {
	int ai_flags, ai_family, ai_socktype, ai_protocol;
	socklen_t ai_addrlen;
	struct sockaddr *ai_addr;
	char *ai_canonname;
	struct addrinfo *ai_next;
};

struct netent {
	char *n_name;
	char **n_aliases;
	int n_addrtype;
	unsigned int n_net;
};
struct protoent {
	char *p_name;
	char **p_aliases;
	int p_proto;
};
struct servent {
	char *s_name;
	char **s_aliases;
	int s_port;
	char *s_proto;
};
#if defined __USE_MISC
struct rpcent {
	char *r_name;
	char **r_aliases;
	int r_number;
};
#endif

struct hostent *gethostbyname(const char *name);
struct hostent *gethostbyaddr(const void *address, unsigned int length, int family);
struct protoent *getprotobyname(const char *name);
struct protoent *getprotobynumber(int number);
struct servent *getservbyname(const char *name, const char *protocol);
struct servent *getservbyport(int port, const char *protocol);
struct hostent *gethostent(void);
struct netent *getnetbyaddr(unsigned int net, int family);
struct netent *getnetbyname(const char *name);
struct netent *getnetent(void);
struct protoent *getprotoent(void);
struct servent *getservent(void);
#if defined __USE_MISC
struct hostent *gethostbyname2(const char *name, int family);
struct rpcent *getrpcbyname(const char *name);
struct rpcent *getrpcbynumber(int number);
struct rpcent *getrpcent(void);
#endif
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result);
void freeaddrinfo(struct addrinfo *list);
const char *gai_strerror(int code);

extern int *__h_errno_location(void);

#endif
