// ARGS: --properties assertion,overflow
// Any number of readers borrow books from a library and bring them back; a librarian counts, and buys more.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define MOST 5
static pthread_rwlock_t catalogue = PTHREAD_RWLOCK_INITIALIZER;
static int owned = 10, shelf = 10, lent, overdue;

static int borrow(int wanted) {
    int given = 0;
    pthread_rwlock_wrlock(&catalogue);
    assert(shelf + lent == owned); // SAFE
    if (wanted <= shelf) {
        given = wanted;
        shelf -= given; // SAFE
        lent += given; // SAFE
        assert(shelf >= 0); // SAFE
    }
    assert(lent >= given); // SAFE
    pthread_rwlock_unlock(&catalogue);
    return given;
}

static void bring_back(int books, int is_late) {
    pthread_rwlock_wrlock(&catalogue);
    assert(books <= lent); // SAFE
    lent -= books; // SAFE
    shelf += books; // SAFE
    if (is_late && overdue < 1000)
        overdue++; // SAFE
    assert(shelf + lent == owned); // SAFE
    pthread_rwlock_unlock(&catalogue);
}

static void *reader(void *unused) {
    int wanted = 1 + rand() % MOST;
    assert(wanted >= 1 && wanted <= MOST); // SAFE
    int got = borrow(wanted);
    assert(got == 0 || got == wanted); // SAFE
    assert(got <= MOST); // SAFE
    if (got) {
        __goblint_check(got == 1); // UNSAFE!
        bring_back(got, rand() % 2);
    }
    return 0;
}

static void *librarian(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_rdlock(&catalogue);
        int here = shelf, away = lent;
        assert(here + away == owned); // SAFE
        assert(away >= 0 && here >= 0); // SAFE
        pthread_rwlock_unlock(&catalogue);
        if (here < MOST) {
            pthread_rwlock_wrlock(&catalogue);
            owned += MOST; // SAFE
            shelf += MOST; // SAFE
            int expected = here + MOST; // SAFE
            __goblint_check(shelf == expected); // UNSAFE!
            assert(shelf >= MOST); // SAFE
            pthread_rwlock_unlock(&catalogue);
        }
    }
    return 0;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, librarian, 0);
    while (rand() % 8)
        pthread_create(&r, 0, reader, 0);
    pthread_join(l, 0);
    pthread_rwlock_rdlock(&catalogue);
    assert(owned >= 10 && owned <= 10 + 3 * MOST); // SAFE
    assert(shelf <= owned); // SAFE
    assert((owned - 10) % MOST == 0); // SAFE
    assert(overdue >= 0 && overdue <= 1000); // SAFE
    pthread_rwlock_unlock(&catalogue);
    return 0;
}
