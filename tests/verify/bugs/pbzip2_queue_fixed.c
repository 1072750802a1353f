// ARGS: --properties use-after-free,null-dereference
// pbzip2, the deletion of the queue as it was fixed in 0.9.5: the main thread waits for the consumers to end first.
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t lock;
    int blocks;
    int is_finished;
};

static struct queue *fifo;
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static int written;

int __VERIFIER_nondet_int(void);

static struct queue *queue_init(int blocks) {
    struct queue *made = malloc(sizeof *made);
    if (!made)
        exit(1);
    pthread_mutex_init(&made->lock, 0);
    made->blocks = blocks;
    made->is_finished = 1;
    return made;
}

static void queue_delete(struct queue *queue) {
    pthread_mutex_destroy(&queue->lock); // SAFE
    free(queue); // SAFE
}

static void *consumer(void *unused) {
    struct queue *queue = fifo;
    for (;;) {
        int is_taken = 0, is_last = 0;
        pthread_mutex_lock(&queue->lock); // SAFE
        if (queue->blocks > 0) {
            queue->blocks--;
            is_taken = 1;
        } else if (queue->is_finished)
            is_last = 1;
        pthread_mutex_unlock(&queue->lock);
        if (is_last)
            return 0;
        if (is_taken) {
            pthread_mutex_lock(&output_lock);
            written++;
            pthread_mutex_unlock(&output_lock);
        }
    }
}

/* Whether the file writer has seen all blocks. */
static int is_all_written(int blocks) {
    int is_all;
    pthread_mutex_lock(&output_lock);
    is_all = written == blocks;
    pthread_mutex_unlock(&output_lock);
    return is_all;
}

int main(void) {
    pthread_t first, second;
    fifo = queue_init(2);
    pthread_create(&first, 0, consumer, 0);
    pthread_create(&second, 0, consumer, 0);
    while (!is_all_written(2))
        ;
    pthread_join(first, 0);
    pthread_join(second, 0);
    queue_delete(fifo);
    return 0;
}
