/* <sys/socket.h>: sockets */
#ifndef DUET_SYS_SOCKET_H
#define DUET_SYS_SOCKET_H

#include <sys/types.h>
#include <sys/uio.h>

typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr {
	sa_family_t sa_family;
	char sa_data[14];
};
struct sockaddr_storage {
	sa_family_t ss_family;
	char ss_padding[118];
	unsigned long ss_align;
};
struct msghdr {
	void *msg_name;
	socklen_t msg_namelen;
	struct iovec *msg_iov;
	size_t msg_iovlen;
	void *msg_control;
	size_t msg_controllen;
	int msg_flags;
};

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNIX AF_UNIX
#define PF_INET AF_INET
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_KEEPALIVE 9
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SOMAXCONN 4096
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

int socket(int family, int type, int protocol);
int socketpair(int family, int type, int protocol, int descriptors[2]);
int bind(int descriptor, const struct sockaddr *address, socklen_t length);
int listen(int descriptor, int backlog);
int accept(int descriptor, struct sockaddr *address, socklen_t *length);
int connect(int descriptor, const struct sockaddr *address, socklen_t length);
ssize_t send(int descriptor, const void *buffer, size_t count, int flags);
ssize_t recv(int descriptor, void *buffer, size_t count, int flags);
ssize_t sendto(int descriptor, const void *buffer, size_t count, int flags, const struct sockaddr *address,
	       socklen_t length);
ssize_t recvfrom(int descriptor, void *buffer, size_t count, int flags, struct sockaddr *address, socklen_t *length);
ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags);
ssize_t recvmsg(int descriptor, struct msghdr *message, int flags);
int setsockopt(int descriptor, int level, int name, const void *value, socklen_t length);
int getsockopt(int descriptor, int level, int name, void *value, socklen_t *length);
int getsockname(int descriptor, struct sockaddr *address, socklen_t *length);
int getpeername(int descriptor, struct sockaddr *address, socklen_t *length);
int shutdown(int descriptor, int how);

#endif
