// A device with flags: open as long as somebody has it, gone for ever.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define BIT(n) (1u << (n))
enum { DEV_OPEN = 0, DEV_BUSY = 1, DEV_GONE = 2 };
struct dev { pthread_mutex_t lock; unsigned flags; int open_count; int irqs; int *buf; };
static struct dev dev = { PTHREAD_MUTEX_INITIALIZER };
static int dev_open(struct dev *d) {
    int err = -1;
    pthread_mutex_lock(&d->lock);
    if (!(d->flags & BIT(DEV_GONE))) {
        if (d->open_count++ == 0) {
            d->flags |= BIT(DEV_OPEN);
        }
        assert(d->flags & BIT(DEV_OPEN)); // SAFE
        assert(d->open_count >= 1); // SAFE
        err = 0;
    }
    pthread_mutex_unlock(&d->lock);
    return err;
}
static void dev_close(struct dev *d) {
    pthread_mutex_lock(&d->lock);
    assert(d->open_count > 0); // SAFE
    if (--d->open_count == 0) d->flags &= ~BIT(DEV_OPEN);
    assert(d->open_count == 0 || (d->flags & BIT(DEV_OPEN))); // SAFE
    pthread_mutex_unlock(&d->lock);
}
static void dev_remove(struct dev *d) {
    pthread_mutex_lock(&d->lock);
    d->flags |= BIT(DEV_GONE);
    assert(d->flags & BIT(DEV_GONE)); // SAFE
    pthread_mutex_unlock(&d->lock);
}
static void *user(void *u) { if (dev_open(&dev) == 0) dev_close(&dev); return 0; }
static void *unplug(void *u) { dev_remove(&dev); return 0; }
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, unplug, 0);
    pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
    assert(dev.open_count == 0); // SAFE
    assert(dev.flags == BIT(DEV_GONE)); // SAFE
    return 0;
}
