// Atomic arithmetic by the compiler's builtins: what each of them returns.
#include <pthread.h>
#include <assert.h>

int up;
unsigned bits;
int level = 5;

void *raise(void *unused) {
    int after = __atomic_add_fetch(&up, 2, __ATOMIC_SEQ_CST);
    int before = __atomic_exchange_n(&level, 6, __ATOMIC_SEQ_CST);
    unsigned old = __atomic_fetch_or(&bits, 1u, __ATOMIC_SEQ_CST);
    assert(after >= 2); // SAFE
    assert(before >= 5); // SAFE
    assert(before <= 6); // SAFE
    assert(before == 5); // UNSAFE!
    assert(old <= 1); // SAFE
    assert(old == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, raise, 0);
    pthread_create(&b, 0, raise, 0);
    assert(__atomic_load_n(&up, __ATOMIC_SEQ_CST) >= 0); // SAFE
    return 0;
}
