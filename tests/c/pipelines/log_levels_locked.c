// Log lines carry a level and a length that belong together under the log's lock.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int log_level, log_length, rotations;

static void write_log(int level, int length) {
    pthread_mutex_lock(&log_lock);
    log_level = level;
    log_length = log_length + length;
    if (log_length > 200) {
        log_length = 0;
        if (rotations < 9) rotations++;
    }
    assert(log_level == level); // SAFE
    assert(log_length >= 0 && log_length <= 200); // SAFE
    pthread_mutex_unlock(&log_lock);
    assert(log_level == level); // UNSAFE!
}

static void *network(void *unused) {
    for (int i = 0; i < 3; i++) write_log(1, 40);
    return 0;
}

static void *disk(void *unused) {
    for (int i = 0; i < 3; i++) write_log(2, 90);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, network, 0);
    pthread_create(&b, 0, disk, 0);
    assert(rotations >= 0 && rotations <= 9); // SAFE
    assert(log_level <= 2); // SAFE
    return 0;
}
