// ARGS: --properties data-race
// As parts_by_number.c, but numbers are given twice, parts overlap, or two threads are handed the same place.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define WORKERS 20
#define LENGTH 1500
#define MOST 200

int data[LENGTH];
int table[WORKERS + 1][8];
int results[WORKERS];
int marks[MOST];
struct order {
    int *result, *row;
} orders[WORKERS]; // SAFE

void *worker(void *given) {
    int number = (int)(intptr_t)given;
    int each = LENGTH / WORKERS;
    int from = number * each, to = from + each;
    if (number == 4)
        to++;
    for (int i = from; i < to; i++)
        data[i] = number; // UNSAFE!
    return 0;
}

void *helper(void *given) {
    struct order *order = given;
    for (int i = 0; i <= 8; i++)
        order->row[i] = i; // UNSAFE!
    *order->result = 1; // UNSAFE!
    return 0;
}

void *marker(void *given) {
    marks[(size_t)given] = 1; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread, 0, worker, (void *)(intptr_t)i);
    for (int i = 0; i < WORKERS; i++) {
        orders[i].result = &results[i < 9 ? i : 8];
        orders[i].row = table[i];
        pthread_create(&thread, 0, helper, &orders[i]);
    }
    for (size_t i = 0; i < WORKERS; i++)
        pthread_create(&thread, 0, marker, (void *)(i % 15));
    return 0;
}
