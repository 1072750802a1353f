// Two lanes of a queue with their own counters under one lock; the urgent lane goes first.
#include <pthread.h>
#include <assert.h>

#define LANE 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int urgent, normal;
static int served_urgent, served_normal;

static void *client(void *argument) {
    int wants_urgent = argument != 0;
    pthread_mutex_lock(&lock);
    if (wants_urgent) {
        if (urgent < LANE) urgent++;
    } else {
        if (normal < LANE) normal++;
    }
    assert(urgent <= LANE); // SAFE
    assert(normal <= LANE); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *server(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        if (urgent > 0) {
            urgent--;
            served_urgent = 1;
        } else if (normal > 0) {
            normal--;
            served_normal = 1;
        }
        assert(urgent >= 0 && normal >= 0); // SAFE
        assert(!served_normal || urgent == 0); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c, s;
    pthread_create(&a, 0, client, (void *)1);
    pthread_create(&b, 0, client, (void *)0);
    pthread_create(&s, 0, server, 0);
    pthread_create(&c, 0, client, (void *)1);
    pthread_join(s, 0);
    assert(served_urgent <= 1); // SAFE
    assert(served_normal == 0); // UNSAFE!
    return 0;
}
