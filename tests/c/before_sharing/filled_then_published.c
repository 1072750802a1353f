// A message is filled while nobody else can see it, and handed out by storing its address under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message { int kind, length; };
static struct message *inbox;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
    struct message *m = malloc(sizeof *m);
    if (!m)
        return 0;
    m->kind = 1;
    m->length = 10;
    assert(m->kind == 1); // SAFE
    m->length = 12;
    assert(m->length == 12); // SAFE
    pthread_mutex_lock(&lock);
    inbox = m;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *receiver(void *unused) {
    pthread_mutex_lock(&lock);
    struct message *m = inbox;
    inbox = 0;
    pthread_mutex_unlock(&lock);
    if (m) {
        assert(m->kind == 1); // SAFE
        assert(m->length == 12); // SAFE
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
