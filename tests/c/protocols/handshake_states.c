// A three-way handshake between two threads through atomic states.
#include <pthread.h>
#include <assert.h>

enum { IDLE, SYN, SYN_ACK, ESTABLISHED };
static _Atomic int state;
static int session;

static void *server(void *unused) {
    while (state != SYN) ;
    session = 77;
    state = SYN_ACK;
    assert(session == 77); // SAFE
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, server, 0);
    state = SYN;
    assert(state >= SYN); // SAFE
    assert(session == 0); // UNSAFE!
    while (state != SYN_ACK) ;
    assert(session == 77); // SAFE (needs refinement)
    state = ESTABLISHED;
    assert(state == ESTABLISHED); // SAFE
    return 0;
}
