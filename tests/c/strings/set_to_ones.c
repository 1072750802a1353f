// ARGS: --no-verify
// Pointers all of whose bytes are the same hold that number, which leads to no object: what they held is gone.
#include <assert.h>
#include <string.h>

struct client {
    int socket;
    void (*opened)(int);
    int *count;
};

static struct client clients[2];
static int opened, kept = 3, changed = 3;

static void on_open(int socket) { opened = socket >= 0; }

int __VERIFIER_nondet_int(void);

int main(void) {
    int which = __VERIFIER_nondet_int();
    memset(clients, -1, sizeof(clients));
    assert(clients[0].socket == -1);                // SAFE
    assert(clients[1].count == (int *)-1);          // SAFE
    assert(clients[1].count != NULL);               // SAFE
    clients[0].opened = on_open;
    clients[0].opened(4);
    assert(opened == 1);                            // SAFE
    clients[0].count = &changed;
    *clients[0].count = 4;
    assert(kept == 3);                              // SAFE
    if (which == 2)
        assert(changed == 3);                       // UNSAFE!
    memset(&clients[0].count, 0x41, sizeof(int *));
    if (which == 3)
        assert(clients[0].count == &changed);       // UNSAFE!
    clients[0].count = &changed;
    memset(&clients[0].opened, 0, sizeof(clients[0].opened) + 4);
    if (which == 4)
        assert(clients[0].count == &changed);       // UNSAFE!
    if (which == 5)
        assert(clients[0].opened == on_open);       // UNSAFE!
    return 0;
}
