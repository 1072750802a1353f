// ARGS: --properties assertion
// Three levels of locks taken in their order only; what each level says is checked one level below.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t channel_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;

static int device_users, channel_open, channel_users;
static int sent, dropped, attempts;

static void device_get(void) {
    pthread_mutex_lock(&device_lock);
    device_users++;
    if (device_users == 1) {
        pthread_mutex_lock(&channel_lock);
        assert(channel_open == 0); // SAFE
        channel_open = 1;
        pthread_mutex_unlock(&channel_lock);
    }
    assert(device_users >= 1); // SAFE
    pthread_mutex_unlock(&device_lock);
}

static void device_put(void) {
    pthread_mutex_lock(&device_lock);
    assert(device_users > 0); // SAFE
    device_users--;
    if (device_users == 0) {
        pthread_mutex_lock(&channel_lock);
        assert(channel_users == 0); // SAFE
        assert(channel_open == 1); // SAFE
        channel_open = 0;
        pthread_mutex_unlock(&channel_lock);
    }
    pthread_mutex_unlock(&device_lock);
}

static void transmit(int bytes) {
    pthread_mutex_lock(&channel_lock);
    channel_users++;
    assert(channel_open == 1); // UNKNOWN (what is proved by cubes backwards alone)
    pthread_mutex_lock(&stats_lock);
    attempts++;
    if (bytes > 64)
        dropped++;
    else
        sent++;
    assert(sent + dropped == attempts); // SAFE
    pthread_mutex_unlock(&stats_lock);
    channel_users--;
    assert(channel_users == 0); // SAFE
    pthread_mutex_unlock(&channel_lock);
}

static void *sender(void *arg) {
    int bytes = *(int *)arg;
    for (int i = 0; i < 4; i++) {
        device_get();
        transmit(bytes);
        bytes += 20;
        device_put();
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int small = 10, large = 50;
    pthread_create(&a, 0, sender, &small);
    pthread_create(&b, 0, sender, &large);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(device_users == 0); // SAFE
    assert(channel_open == 0); // SAFE
    assert(attempts == 8); // SAFE
    assert(sent + dropped == 8); // SAFE
    assert(dropped == 8); // UNSAFE!
    return 0;
}
