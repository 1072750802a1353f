// ARGS: --properties data-race
// As many threads as are asked for; parts are computed from the number of a thread, or pointers to them are handed over.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define WORKERS 20
#define LENGTH 1500
#define MOST 200

int data[LENGTH];       // SAFE
int table[WORKERS][8];  // SAFE
int results[WORKERS];   // SAFE
int marks[MOST];        // SAFE
struct order {
    int *result, *row;
} orders[WORKERS]; // SAFE
pthread_t *handles;

void *worker(void *given) {
    int number = (int)(intptr_t)given;
    int each = LENGTH / WORKERS;
    int from = number * each, to = from + each;
    for (int i = from; i < to; i++)
        data[i] = number;
    return 0;
}

void *helper(void *given) {
    struct order *order = given;
    for (int i = 0; i < 8; i++)
        order->row[i] = i;
    *order->result = 1;
    return 0;
}

void *marker(void *given) {
    marks[(size_t)given] = 1;
    return 0;
}

int main(void) {
    int count = rand();
    if (count < 1 || count > MOST)
        return 1;
    handles = malloc(count * sizeof *handles);
    if (!handles)
        return 1;
    pthread_t thread;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread, 0, worker, (void *)(intptr_t)i);
    for (int i = 0; i < WORKERS; i++) {
        orders[i].result = &results[i];
        orders[i].row = table[i];
        pthread_create(&thread, 0, helper, &orders[i]);
    }
    for (size_t i = 0; i < count; i++)
        pthread_create(&handles[i], 0, marker, (void *)i);
    return 0;
}
