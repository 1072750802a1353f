// Two workers with a queue of their own each; who has nothing left takes from the other one.
#include <assert.h>
#include <pthread.h>

struct queue { pthread_mutex_t lock; int left; };
static struct queue first = {PTHREAD_MUTEX_INITIALIZER, 6}, second = {PTHREAD_MUTEX_INITIALIZER, 2};
static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static int take_from(struct queue *q) {
    int found = 0;
    pthread_mutex_lock(&q->lock);
    if (q->left > 0) {
        q->left--;
        found = 1;
    }
    assert(q->left >= 0); // SAFE
    pthread_mutex_unlock(&q->lock);
    return found;
}

static void run(struct queue *mine, struct queue *other) {
    while (take_from(mine) || take_from(other)) {
        pthread_mutex_lock(&done_lock);
        done++;
        assert(done >= 1); // SAFE
        assert(done <= 8); // SAFE
        pthread_mutex_unlock(&done_lock);
    }
}

static void *one(void *unused) {
    run(&first, &second);
    return 0;
}

static void *two(void *unused) {
    run(&second, &first);
    __goblint_check(done == 8); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first.left == 0 && second.left == 0); // SAFE
    assert(done == 8); // SAFE
    return 0;
}
