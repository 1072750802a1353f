// ARGS: --properties assertion,data-race
// Each lock of an array keeps threads from one element; they are destroyed when no thread uses them any more.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

struct slot {
    pthread_rwlock_t lock;
    int value;
} slots[100]; // SAFE
int last;

void *user(void *unused) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 99)
        return 0;
    struct slot *mine = &slots[i];
    pthread_rwlock_wrlock(&mine->lock);
    mine->value = 1;
    pthread_rwlock_unlock(&mine->lock);
    last = i; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t first, second;
    for (int i = 0; i < 100; i++)
        pthread_rwlock_init(&slots[i].lock, 0);
    pthread_create(&first, 0, user, 0);
    pthread_create(&second, 0, user, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    for (int i = 0; i < 100; i++)
        pthread_rwlock_destroy(&slots[i].lock);
    return 0;
}
