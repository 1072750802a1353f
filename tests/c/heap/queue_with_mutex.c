// A queue that is allocated once, with the mutex that protects it inside.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t mutex;
    int busy;
};

static struct queue *queue_new(void)
{
    struct queue *queue = malloc(sizeof(*queue));

    if (queue == NULL)
        return NULL;
    pthread_mutex_init(&queue->mutex, NULL);
    queue->busy = 0;
    return queue;
}

void *worker(void *argument)
{
    struct queue *queue = argument;

    pthread_mutex_lock(&queue->mutex);
    assert(queue->busy == 0); // SAFE
    queue->busy = 1;
    assert(queue->busy == 1); // SAFE
    queue->busy = 0;
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    struct queue *queue = queue_new();

    if (queue == NULL)
        return 1;
    pthread_create(&first, NULL, worker, queue);
    pthread_create(&second, NULL, worker, queue);
    pthread_mutex_lock(&queue->mutex);
    queue->busy = 7;
    assert(queue->busy == 7); // SAFE
    queue->busy = 0;
    pthread_mutex_unlock(&queue->mutex);
    assert(queue->busy == 0); // UNSAFE!
    return 0;
}
