// ARGS: --properties assertion,data-race,overflow
// Bytes and packets that go in and out; the difference is what is under way.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int packets_in, packets_out, bytes_in, bytes_out, inflight;
static atomic_int errors, total;

static void rx(int size) {
    pthread_mutex_lock(&m);
    packets_in++;
    bytes_in += size;
    inflight++;
    assert(bytes_in >= 64 * packets_in); // SAFE
    assert(inflight == packets_in - packets_out); // SAFE
    pthread_mutex_unlock(&m);
    atomic_fetch_add(&total, 1);
}

static void tx(void) {
    pthread_mutex_lock(&m);
    if (packets_out < packets_in) {
        packets_out++;
        bytes_out += 64;
        inflight--;
        assert(inflight >= 0); // SAFE
        assert(bytes_out == 64 * packets_out); // SAFE
        assert(bytes_out <= bytes_in); // SAFE
    } else
        atomic_fetch_add(&errors, 1);
    pthread_mutex_unlock(&m);
    atomic_fetch_add(&total, 1);
}

static void *receiver(void *arg) {
    (void)arg;
    for (int i = 0; i < 100; i++)
        rx(64 + i % 50);
    return NULL;
}

static void *sender(void *arg) {
    (void)arg;
    for (int i = 0; i < 100; i++)
        tx();
    return NULL;
}

int main(void) {
    pthread_t r, s;
    pthread_create(&r, NULL, receiver, NULL);
    pthread_create(&s, NULL, sender, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    assert(packets_in == 100); // SAFE
    assert(packets_out + errors == 100); // SAFE
    assert(inflight == errors); // SAFE
    assert(total == 200); // SAFE
    return 0;
}
