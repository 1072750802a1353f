// ARGS: --properties data-race
// A table that grows, beside a thread that reads it with the lock and one that does without.
#include <pthread.h>
#include <stdlib.h>

int *table;
int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *careful(void *unused) {
    pthread_mutex_lock(&lock);
    if (table)
        total = table[0];
    pthread_mutex_unlock(&lock);
    return 0;
}

void *careless(void *unused) {
    int *seen;
    pthread_mutex_lock(&lock);
    seen = table;
    pthread_mutex_unlock(&lock);
    if (seen && seen[0] > 3) // UNSAFE!
        return seen;
    return 0;
}

int main(void) {
    pthread_t one, other;
    int *larger;
    table = calloc(4, sizeof *table);
    pthread_create(&one, 0, careful, 0);
    pthread_create(&other, 0, careless, 0);
    pthread_mutex_lock(&lock);
    larger = realloc(table, 8 * sizeof *table); // UNSAFE!
    if (larger)
        table = larger;
    pthread_mutex_unlock(&lock);
    return 0;
}
