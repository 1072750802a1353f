#include <pthread.h>
#include <assert.h>
struct latch { pthread_mutex_t m; pthread_cond_t c; int count; };
static struct latch start = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1 };
static struct latch done = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 3 };
static int config, outputs[3];
static void count_down(struct latch *l)
{
    pthread_mutex_lock(&l->m);
    assert(l->count > 0); // SAFE
    if (--l->count == 0)
        pthread_cond_broadcast(&l->c);
    pthread_mutex_unlock(&l->m);
}
static void await(struct latch *l)
{
    pthread_mutex_lock(&l->m);
    while (l->count > 0)
        pthread_cond_wait(&l->c, &l->m);
    pthread_mutex_unlock(&l->m);
}
static void *worker(void *p)
{
    int id = *(int *)p;
    await(&start);
    assert(config == 9); // SAFE
    outputs[id] = config + id;
    count_down(&done);
    return 0;
}
int main(void)
{
    pthread_t t[3];
    int ids[3] = { 0, 1, 2 };
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, &ids[i]);
    config = 9;
    count_down(&start);
    await(&done);
    assert(outputs[0] == 9); // SAFE
    assert(outputs[2] == 11); // SAFE
    assert(done.count == 0); // SAFE
    return 0;
}
