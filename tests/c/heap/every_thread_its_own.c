// Many threads allocate at one place: each has an object of its own, and one cell stands for all.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *last;

void *worker(void *unused)
{
    int *own = malloc(sizeof(int));

    if (own == NULL)
        return NULL;
    *own = 1;
    last = own;
    *own = 2;
    assert(*last == 2); // UNSAFE!
    return unused;
}

int main(void)
{
    pthread_t id;
    int i;

    for (i = 0; i < 4; i++)
        pthread_create(&id, NULL, worker, NULL);
    return 0;
}
