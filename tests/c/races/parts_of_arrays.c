// ARGS: --properties data-race
// Each thread has a part of an array for itself: the elements between two indices, or every second one.
#include <pthread.h>
#include <stdlib.h>

#define LENGTH 1000
#define WORKERS 4

struct part {
    int from, to;
};

int halves[LENGTH];         // SAFE
int slices[LENGTH];         // SAFE
int turns[LENGTH];          // SAFE
int rows[64][64], sums[64]; // SAFE
struct {
    int key, values[3];
} records[100];
long *heap; // SAFE

void *lower(void *start) {
    int *element = start;
    for (int i = 0; i < LENGTH / 2; i++)
        element[i] = 1;
    for (int i = 0; i < LENGTH; i += 2)
        turns[i] = 1;
    for (int i = 0; i < 100; i++)
        records[i].values[0] = 1;
    return 0;
}

void *upper(void *unused) {
    for (int i = LENGTH; i-- > LENGTH / 2;)
        halves[i] = 2;
    for (int i = 1; i < LENGTH; i += 2)
        turns[i] = 2;
    for (int i = 0; i < 100; i++)
        records[i].values[2] = 2;
    return 0;
}

void *worker(void *given) {
    struct part *part = given;
    for (int i = part->from; i < part->to; i++) {
        slices[i] = i;
        heap[i] = i;
    }
    return 0;
}

void *row_worker(void *number) {
    int row = *(int *)number;
    for (int i = row * 16; i < row * 16 + 16; i++) {
        sums[i] = 0;
        for (int j = 0; j < 64; j++)
            sums[i] += ++rows[i][j];
    }
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS], one, other;
    struct part parts[WORKERS];
    int numbers[WORKERS];
    heap = malloc(LENGTH * sizeof *heap);
    if (!heap)
        return 1;
    pthread_create(&one, 0, lower, halves);
    pthread_create(&other, 0, upper, 0);
    for (int i = 0; i < WORKERS; i++) {
        parts[i].from = i * (LENGTH / WORKERS);
        parts[i].to = (i + 1) * (LENGTH / WORKERS);
        pthread_create(&threads[i], 0, worker, &parts[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, row_worker, &numbers[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
