// Every thread takes back what it added; only the sum of all says that the counter is never negative.
#include <pthread.h>
#include <assert.h>

int users;
int peak;

void *user(void *unused) {
    __sync_fetch_and_add(&users, 1);
    assert(users >= 1); // SAFE
    if (users > 1) {
        peak = 1;
        assert(users > 1); // UNSAFE!
    }
    __sync_fetch_and_sub(&users, 1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    assert(peak >= 0); // SAFE
    assert(peak <= 1); // SAFE
    return 0;
}
