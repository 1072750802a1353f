#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#include <errno.h>
struct device { pthread_mutex_t lock; int open_count; char *buffer; int irq; };
static struct device dev = { PTHREAD_MUTEX_INITIALIZER, 0, NULL, -1 };
static int dev_open(struct device *d)
{
    int err = 0;
    pthread_mutex_lock(&d->lock);
    if (d->open_count > 0) {
        err = -EBUSY;
        goto out;
    }
    assert(d->buffer == NULL); // SAFE
    d->buffer = malloc(64);
    if (!d->buffer) {
        err = -ENOMEM;
        goto out;
    }
    d->irq = 9;
    d->open_count++;
out:
    pthread_mutex_unlock(&d->lock);
    return err;
}
static void dev_close(struct device *d)
{
    pthread_mutex_lock(&d->lock);
    assert(d->open_count == 1); // SAFE
    assert(d->buffer != NULL); // SAFE
    assert(d->irq == 9); // SAFE
    free(d->buffer);
    d->buffer = NULL;
    d->irq = -1;
    d->open_count--;
    pthread_mutex_unlock(&d->lock);
}
static void *client(void *p)
{
    struct device *d = p;
    if (dev_open(d))
        return 0;
    d->buffer[0] = 'x';
    d->buffer[63] = 'y';
    dev_close(d);
    return 0;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, client, &dev);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(dev.open_count == 0); // SAFE
    assert(dev.buffer == NULL); // SAFE
    return 0;
}
