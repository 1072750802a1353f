// Settings that are read often and replaced seldom, as a whole, under a read/write lock.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct settings { int low, high, step, version; };
static struct settings settings = {0, 100, 10, 1};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int clamp(int value) {
    int result = value;
    pthread_rwlock_rdlock(&lock);
    if (result < settings.low)
        result = settings.low;
    if (result > settings.high)
        result = settings.high;
    assert(settings.low <= settings.high); // SAFE
    assert(result >= settings.low && result <= settings.high); // SAFE
    pthread_rwlock_unlock(&lock);
    return result;
}

static void *reader(void *unused) {
    int last = 0;
    for (int i = 0; i < 4; i++) {
        int value = clamp(__VERIFIER_nondet_int());
        assert(value >= -50 && value <= 200); // SAFE
        __goblint_check(value <= 100); // UNSAFE!
        pthread_rwlock_rdlock(&lock);
        int version = settings.version;
        assert(settings.step > 0); // SAFE
        pthread_rwlock_unlock(&lock);
        assert(version >= last); // SAFE
        last = version;
    }
    return 0;
}

static void *writer(void *unused) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < -50 || high > 200 || low > high)
        return 0;
    pthread_rwlock_wrlock(&lock);
    settings.low = low;
    settings.high = high;
    settings.step = high - low > 10 ? (high - low) / 10 : 1;
    settings.version++;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(c, 0);
    pthread_rwlock_rdlock(&lock);
    assert(settings.version == 1 || settings.version == 2); // SAFE
    __goblint_check(settings.high == 100); // UNSAFE!
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
