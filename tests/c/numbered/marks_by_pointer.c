// ARGS: --properties assertion,array-bounds
// A mark on the heap for each thread, by a pointer that goes from one to the next; main starts one thread of another
// kind too many, which is given what is behind the last mark.
#include <pthread.h>
#include <stdlib.h>

static void *mark(void *given) {
    int *own = given;
    *own = 1; // SAFE
    return NULL;
}

static void *look(void *given) {
    int *own = given;
    return *own ? given : NULL; // UNKNOWN (false: there is one mark less than threads that look)
}

int main(void) {
    pthread_t created;
    int threads = rand() % 8 + 1;
    int *marks = malloc(sizeof(int) * threads);
    if (marks == NULL)
        return 1;
    for (int *it = marks; it < marks + threads; it++)
        pthread_create(&created, NULL, mark, it);
    for (int i = 0; i <= threads; i++)
        pthread_create(&created, NULL, look, marks + i);
    return 0;
}
