#include <assert.h>
#include <pthread.h>

#define MOST 64

struct event {
    int kind;
};

static struct event events[MOST];
static int used, lost;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void record(int kind, int place) {
    pthread_mutex_lock(&lock);
    if (used < MOST) {
        struct event *event = &events[used++];
        if (place == 7 && used < MOST)
            event++;
        event->kind = kind;
    } else {
        lost++;
    }
    pthread_mutex_unlock(&lock);
}

void *worker(void *unused) {
    for (int i = 0; i < 50; i++)
        record(1 + i % 2, i);
    return 0;
}

void *auditor(void *unused) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < used; i++)
        assert(events[i].kind == 1 || events[i].kind == 2); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one, other, third;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_create(&third, 0, auditor, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    pthread_join(third, 0);
    return 0;
}
