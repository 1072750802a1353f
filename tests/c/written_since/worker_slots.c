// Workers with a slot each: number, share of the work, result; all are looked at when they have ended.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 12
#define ITEMS 120

struct slot {
    int number, begin, end;
    long sum;
    pthread_t thread;
};
static int items[ITEMS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *work(void *arg) {
    struct slot *slot = arg;
    assert(slot->number >= 0 && slot->number < WORKERS); // SAFE
    assert(slot->begin <= slot->end); // SAFE
    assert(slot->end <= ITEMS); // SAFE
    long sum = 0;
    for (int i = slot->begin; i < slot->end; i++) {
        assert(i >= 0 && i < ITEMS); // SAFE
        sum += items[i];
    }
    slot->sum = sum;
    pthread_mutex_lock(&lock);
    finished++;
    assert(finished <= WORKERS); // SAFE
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    struct slot slots[WORKERS];
    int ids[WORKERS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = i % 7;
    for (int i = 0; i < WORKERS; i++) {
        ids[i] = i;
        slots[i].number = ids[i];
        slots[i].begin = i * (ITEMS / WORKERS);
        slots[i].end = (i + 1) * (ITEMS / WORKERS);
        slots[i].sum = -1;
        if (pthread_create(&slots[i].thread, NULL, work, &slots[i]) != 0) {
            fprintf(stderr, "no thread %d\n", i);
            exit(EXIT_FAILURE);
        }
    }
    long total = 0;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(slots[i].thread, NULL);
        assert(slots[i].sum >= 0); // UNKNOWN (an element for each thread)
        total += slots[i].sum;
    }
    assert(finished == WORKERS); // SAFE
    assert(total >= 0); // UNKNOWN (an element for each thread)
    printf("%ld\n", total);
    return 0;
}
