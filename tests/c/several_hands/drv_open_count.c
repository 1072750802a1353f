// ARGS: --properties assertion,data-race
// A device that is powered while somebody has it open.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

static struct device {
    pthread_mutex_t lock;
    int open_count;
    bool powered, gone;
    int irq_enabled;
} dev = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int dev_open(void) {
    int rc = 0;
    pthread_mutex_lock(&dev.lock);
    if (dev.gone)
        rc = -ENODEV;
    else if (dev.open_count++ == 0) {
        assert(!dev.powered); // SAFE
        dev.powered = true;
        dev.irq_enabled = 1;
    }
    assert(dev.powered == (dev.open_count > 0)); // SAFE
    pthread_mutex_unlock(&dev.lock);
    return rc;
}

static void dev_close(void) {
    pthread_mutex_lock(&dev.lock);
    assert(dev.open_count > 0); // SAFE
    assert(dev.powered); // SAFE
    if (--dev.open_count == 0) {
        dev.irq_enabled = 0;
        dev.powered = false;
    }
    assert(dev.open_count >= 0); // SAFE
    pthread_mutex_unlock(&dev.lock);
}

static void *client(void *arg) {
    for (int i = 0; i < 3; i++) {
        if (dev_open() != 0)
            continue;
        pthread_mutex_lock(&dev.lock);
        assert(dev.powered); // UNKNOWN (how often others run)
        assert(dev.irq_enabled == 1); // SAFE
        pthread_mutex_unlock(&dev.lock);
        dev_close();
    }
    return 0;
}

static void *unplug(void *arg) {
    pthread_mutex_lock(&dev.lock);
    dev.gone = true;
    pthread_mutex_unlock(&dev.lock);
    return 0;
}

int main(void) {
    pthread_t c[3], u;
    for (int i = 0; i < 3; i++)
        pthread_create(&c[i], 0, client, 0);
    pthread_create(&u, 0, unplug, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(c[i], 0);
    pthread_join(u, 0);
    assert(dev.open_count == 0); // SAFE
    assert(!dev.powered); // SAFE
    assert(dev.gone); // SAFE
    return 0;
}
