// ARGS: --properties assertion,data-race,use-after-free
// Two loops: one starts threads, the other one joins them, of a number that is not known; results are read behind it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counted; // SAFE
static int *table;

static void *count(void *unused) {
    if (table[0] > 0) { // SAFE
        pthread_mutex_lock(&lock);
        counted++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int number = argc > 1 ? atoi(argv[1]) : 4;
    if (number < 1 || number > 100)
        return 1;
    pthread_t *threads = malloc(number * sizeof *threads);
    table = calloc(8, sizeof *table);
    if (threads == NULL || table == NULL)
        exit(EXIT_FAILURE);
    table[0] = 3;
    for (int i = 0; i < number; i++)
        if (pthread_create(&threads[i], NULL, count, NULL) != 0)
            exit(EXIT_FAILURE);
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    int first = counted;
    table[0] = 5; // SAFE
    assert(counted == first); // SAFE
    free(table);
    free(threads);
    return 0;
}
