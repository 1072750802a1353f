// Each pair has its own lock; the relation of one pair says nothing of the other.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t in = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t out = PTHREAD_MUTEX_INITIALIZER;
int in_packets, in_headers, out_packets, out_headers;

void *receiver(void *unused) {
    pthread_mutex_lock(&in);
    in_packets++;
    in_headers++;
    assert(out_packets == out_headers); // UNSAFE!
    pthread_mutex_unlock(&in);
    return 0;
}

void *sender(void *unused) {
    pthread_mutex_lock(&out);
    out_packets++;
    out_headers++;
    pthread_mutex_unlock(&out);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, receiver, 0);
    pthread_create(&b, 0, sender, 0);
    pthread_create(&c, 0, sender, 0);
    pthread_mutex_lock(&in);
    assert(in_packets == in_headers); // SAFE (needs octagon)
    pthread_mutex_unlock(&in);
    pthread_mutex_lock(&out);
    assert(out_packets == out_headers); // SAFE (needs octagon)
    pthread_mutex_unlock(&out);
    return 0;
}
