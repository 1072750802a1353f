// ARGS: --properties data-race
// As numbered_threads.c, but an element is in the parts of two threads, or the first thread comes too late.
#include <pthread.h>

#define WORKERS 20
#define EACH 10

int halves[WORKERS];
int parts[WORKERS * EACH + 1];
int rows[WORKERS + 1][EACH];
int low[256];
struct job {
    int number, result;
} jobs[WORKERS]; // SAFE
int late[WORKERS];

void *by_number(void *given) {
    long number = (long)given;
    halves[number / 2] = number; // UNSAFE!
    for (int i = number * EACH; i <= (number + 1) * EACH; i++)
        parts[i] = i; // UNSAFE!
    rows[number][0] = 1; // UNSAFE!
    rows[number + 1][0] = 2; // UNSAFE!
    low[(unsigned char)(number * 16)] = 1; // UNSAFE!
    return 0;
}

void *by_pointer(void *given) {
    struct job *job = given;
    job->result = 2 * job->number;
    return 0;
}

void *writer(void *given) {
    *(int *)given = 1; // UNSAFE!
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
    for (int i = 0; i < WORKERS; i++) {
        pthread_create(&thread, 0, writer, &late[i]);
        late[i] = 0; // UNSAFE!
    }
    return 0;
}
