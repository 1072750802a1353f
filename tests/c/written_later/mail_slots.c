// Messages in a structure of their own that goes from a sender to a receiver by a pointer in a slot.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message { int from, length, sum; };
static struct message *slot;
static int sent, received;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void send_message(struct message *m) {
    pthread_mutex_lock(&lock);
    while (slot)
        pthread_cond_wait(&changed, &lock);
    slot = m;
    sent++;
    assert(sent == received + 1); // SAFE
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static struct message *receive(void) {
    pthread_mutex_lock(&lock);
    while (!slot)
        pthread_cond_wait(&changed, &lock);
    struct message *m = slot;
    slot = 0;
    received++;
    assert(received == sent); // SAFE
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return m;
}

static void *sender(void *unused) {
    for (int i = 1; i <= 3; i++) {
        struct message *m = malloc(sizeof *m);
        if (!m)
            abort();
        m->from = 7;
        m->length = i;
        m->sum = 2 * i;
        assert(m->sum == m->length + i); // SAFE
        send_message(m);
    }
    assert(sent == 3); // SAFE
    __goblint_check(received == 3); // UNSAFE!
    return 0;
}

static void *receiver(void *unused) {
    int total = 0;
    for (int i = 0; i < 3; i++) {
        struct message *m = receive();
        assert(m != 0); // SAFE
        assert(m->from == 7); // SAFE
        assert(m->length >= 1 && m->length <= 3); // SAFE
        assert(m->sum == 2 * m->length); // SAFE
        total += m->length;
        free(m);
    }
    assert(total >= 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sent == 3 && received == 3); // SAFE
    assert(slot == 0); // SAFE
    return 0;
}
