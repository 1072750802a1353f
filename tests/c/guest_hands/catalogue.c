// ARGS: --properties assertion,data-race
// A catalogue behind a read/write lock: items, a version, and what they cost together.
#include <assert.h>
#include <pthread.h>

#define MOST 10

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int items, version; // SAFE
static int added, removed; // SAFE

static void *editor(void *unused) {
    for (int i = 0; i < 6; i++) {
        pthread_rwlock_wrlock(&rw);
        if (i % 2 == 0 && items < MOST) {
            items++;
            added++;
        } else if (items > 0) {
            items--;
            removed++;
        }
        version++;
        assert(items == added - removed); // SAFE
        assert(items >= 0); // SAFE
        assert(version >= added + removed); // SAFE
        pthread_rwlock_unlock(&rw);
    }
    return unused;
}

static void *viewer(void *unused) {
    pthread_rwlock_rdlock(&rw);
    int v = version, n = items;
    assert(n <= MOST); // SAFE
    assert(added >= removed); // SAFE
    assert(version == v); // SAFE
    assert(n == items); // SAFE
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_rdlock(&rw);
    assert(version >= v); // SAFE
    assert(version <= 12); // SAFE
    pthread_rwlock_unlock(&rw);
    return unused;
}

int main(void) {
    pthread_t e[2], v[3];
    for (int i = 0; i < 2; i++)
        pthread_create(&e[i], 0, editor, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&v[i], 0, viewer, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(e[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(v[i], 0);
    assert(version == 12); // SAFE
    assert(added + removed <= 12); // SAFE
    assert(version == 11); // UNSAFE!
    return 0;
}
