// ARGS: --properties data-race
// Any number of threads have elements for themselves, by a number or a pointer that each one is given.
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 20
#define EACH 10

int squares[WORKERS];        // SAFE
int parts[WORKERS * EACH];   // SAFE
int rows[WORKERS][EACH + 1]; // SAFE
int sums[1000];              // SAFE
struct job {
    int number, result;
} jobs[WORKERS]; // SAFE

void *by_number(void *given) {
    long number = (long)given;
    squares[number] = number * number;
    for (int i = number * EACH; i < (number + 1) * EACH; i++)
        parts[i] = i;
    for (int i = 0; i < EACH; i++)
        rows[number][i + 1] = rows[number][i];
    return 0;
}

void *by_pointer(void *given) {
    struct job *job = given;
    job->result = 2 * job->number;
    return 0;
}

void *adder(void *given) {
    int number = (int)(long)given;
    for (int i = 1; i < 10; i++)
        sums[number] += i;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&thread, 0, by_number, (void *)i);
    for (int i = 0; i < WORKERS; i++) {
        jobs[i].number = i;
        pthread_create(&thread, 0, by_pointer, &jobs[i]);
    }
    int count = rand() % 8;
    for (long i = 0; i < count && i < 1000; i++) {
        sums[i] = 0;
        pthread_create(&thread, 0, adder, (void *)i);
    }
    return 0;
}
