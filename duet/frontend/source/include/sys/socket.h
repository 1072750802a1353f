/* <sys/socket.h>: sockets */
#ifndef DUET_SYS_SOCKET_H
#define DUET_SYS_SOCKET_H

#include <features.h>
#include <bits/types.h>
#include <bits/sockaddr.h>
#include <bits/iovec.h>
#include <bits/socket.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/endian.h>
#include <bits/select.h>
#endif

typedef unsigned int socklen_t;
struct sockaddr_storage {
	sa_family_t ss_family;
	char __ss_padding[126 - sizeof(long)];
	unsigned long __ss_align;
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
struct cmsghdr {
	size_t cmsg_len;
	int cmsg_level, cmsg_type;
	unsigned char __cmsg_data[];
};
struct linger {
	int l_onoff, l_linger;
};
#if defined __USE_GNU
struct mmsghdr {
	struct msghdr msg_hdr;
	unsigned int msg_len;
};
struct ucred {
	pid_t pid;
	uid_t uid;
	gid_t gid;
};
#endif

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
struct cmsghdr *__cmsg_nxthdr(struct msghdr *message, struct cmsghdr *header);
int setsockopt(int descriptor, int level, int name, const void *value, socklen_t length);
int getsockopt(int descriptor, int level, int name, void *value, socklen_t *length);
int getsockname(int descriptor, struct sockaddr *address, socklen_t *length);
int getpeername(int descriptor, struct sockaddr *address, socklen_t *length);
int shutdown(int descriptor, int how);

#endif
