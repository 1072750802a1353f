/* <netinet/tcp.h>: options of TCP */
#ifndef DUET_NETINET_TCP_H
#define DUET_NETINET_TCP_H

#define TCP_NODELAY 1

#endif
