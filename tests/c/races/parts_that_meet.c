// ARGS: --properties data-race
// As parts_of_arrays.c, but what one thread has for itself ends behind where that of another one begins.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 1000
#define WORKERS 4

struct part {
    int from, to;
};

int halves[LENGTH];
int slices[LENGTH];
int turns[LENGTH];
int words[LENGTH];
struct record {
    int key, values[3];
} records[100];

void *lower(void *start) {
    int *element = start;
    for (int i = 0; i <= LENGTH / 2; i++)
        element[i] = 1; // UNSAFE!
    for (int i = 0; i < LENGTH; i += 2)
        turns[i] = 1; // UNSAFE!
    for (int i = 0; i < 50; i++)
        words[i] = 1;
    for (int i = 0; i < 50; i++)
        records[i].values[2] = 1; // UNSAFE!
    return 0;
}

void *upper(void *unused) {
    struct record empty = {0};
    for (int i = LENGTH; i-- > LENGTH / 2;)
        halves[i] = 2; // UNSAFE!
    for (int i = 1; i < LENGTH; i += 3)
        turns[i] = 2; // UNSAFE!
    memset(&words[49], 0, 4 * sizeof words[0]);
    for (int i = 49; i < 100; i++)
        records[i] = empty; // UNSAFE!
    return 0;
}

void *worker(void *given) {
    struct part *part = given;
    for (int i = part->from; i <= part->to; i++)
        slices[i] = i; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS], one, other;
    struct part parts[WORKERS];
    pthread_create(&one, 0, lower, halves);
    pthread_create(&other, 0, upper, 0);
    for (int i = 0; i < WORKERS; i++) {
        parts[i].from = i * (LENGTH / WORKERS);
        parts[i].to = (i + 1) * (LENGTH / WORKERS);
        if (i == WORKERS - 1)
            parts[i].to--;
        pthread_create(&threads[i], 0, worker, &parts[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
