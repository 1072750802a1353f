// Two devices, each with its own lock: the lock of one says nothing about the other.
#include <pthread.h>
#include <assert.h>

struct device {
    pthread_mutex_t lock;
    int state;
    int error;
};

struct device left = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
struct device right = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

void *use_left(void *unused) {
    pthread_mutex_lock(&left.lock);
    left.state = 2;
    assert(left.state == 2); // SAFE
    left.state = 0;
    pthread_mutex_unlock(&left.lock);
    return 0;
}

void *use_right(void *unused) {
    pthread_mutex_lock(&right.lock);
    right.state = 3;
    assert(right.state == 3); // SAFE
    assert(left.state == 0); // UNSAFE!
    assert(left.error == 0); // SAFE
    right.state = 0;
    pthread_mutex_unlock(&right.lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, use_left, 0);
    pthread_create(&b, 0, use_right, 0);
    pthread_create(&c, 0, use_right, 0);
    pthread_mutex_lock(&left.lock);
    assert(left.state == 0); // SAFE
    pthread_mutex_unlock(&left.lock);
    return 0;
}
