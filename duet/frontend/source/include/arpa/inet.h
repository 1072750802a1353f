/* <arpa/inet.h>: internet addresses as text */
#ifndef DUET_ARPA_INET_H
#define DUET_ARPA_INET_H

#include <features.h>
#include <netinet/in.h>
#include <bits/endian.h>
#include <bits/in.h>
#include <bits/socket.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/select.h>
#endif

in_addr_t inet_addr(const char *text);
char *inet_ntoa(struct in_addr address);
int inet_aton(const char *text, struct in_addr *result);
const char *inet_ntop(int family, const void *address, char *buffer, socklen_t size);
int inet_pton(int family, const char *text, void *result);

#endif
