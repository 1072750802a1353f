// A desk lends out numbered boards: every board is on the shelf, promised to somebody, or out.
#include <assert.h>
#include <pthread.h>

#define BOARDS 12

static struct {
    pthread_mutex_t mutex;
    int shelf, promised, out, broken;
} desk = { PTHREAD_MUTEX_INITIALIZER, BOARDS, 0, 0, 0 };

/* Each step moves one board from one count to another, inside of the lock. */
static int promise(void) {
    int done = 0;
    pthread_mutex_lock(&desk.mutex);
    if (desk.shelf > 0) {
        desk.shelf--;
        desk.promised++;
        done = 1;
    }
    assert(desk.shelf + desk.promised + desk.out + desk.broken == BOARDS); // SAFE
    pthread_mutex_unlock(&desk.mutex);
    return done;
}

static void hand_over(void) {
    pthread_mutex_lock(&desk.mutex);
    if (desk.promised > 0) {
        desk.promised--;
        desk.out++;
    }
    assert(desk.out <= BOARDS); // SAFE
    pthread_mutex_unlock(&desk.mutex);
}

static void take_back(int is_broken) {
    pthread_mutex_lock(&desk.mutex);
    if (desk.out > 0) {
        desk.out--;
        if (is_broken)
            desk.broken++;
        else
            desk.shelf++;
    }
    assert(desk.shelf <= BOARDS - desk.broken); // SAFE
    pthread_mutex_unlock(&desk.mutex);
}

static void *borrower(void *arg) {
    if (promise()) {
        hand_over();
        take_back(arg != 0);
    }
    return arg;
}

static void *auditor(void *arg) {
    int shelf, rest;
    pthread_mutex_lock(&desk.mutex);
    shelf = desk.shelf;
    pthread_mutex_unlock(&desk.mutex);
    pthread_mutex_lock(&desk.mutex);
    rest = desk.promised + desk.out + desk.broken;
    pthread_mutex_unlock(&desk.mutex);
    assert(shelf + rest == BOARDS); // UNSAFE!
    return arg;
}

int main(void) {
    pthread_t t[3], check;
    pthread_create(&check, 0, auditor, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, borrower, i == 1 ? &desk : 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    // Only borrowers change the counts, and each is back.
    assert(desk.shelf + desk.promised + desk.out + desk.broken == BOARDS); // SAFE
    assert(desk.broken == 0); // UNSAFE!
    pthread_join(check, 0);
    return 0;
}
