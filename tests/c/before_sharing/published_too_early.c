// As filled_then_published.c, but the address is handed out before all of the message is filled.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message { int kind, length; };
static struct message *inbox;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
    struct message *m = calloc(1, sizeof *m);
    if (!m)
        return 0;
    m->kind = 1;
    pthread_mutex_lock(&lock);
    inbox = m;
    pthread_mutex_unlock(&lock);
    m->length = 12;
    assert(m->length == 12); // UNSAFE!
    return 0;
}

static void *receiver(void *unused) {
    struct message *m;
    pthread_mutex_lock(&lock);
    m = inbox;
    pthread_mutex_unlock(&lock);
    if (m) {
        __goblint_check(m->kind == 1); // SAFE
        __goblint_check(m->length == 12); // UNSAFE!
        m->length = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    return 0;
}
