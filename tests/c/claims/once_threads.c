// The first of C11's threads to lock a journal opens it, the last one to leave closes it; entries are added with +=.
#include <assert.h>
#include <threads.h>

#define KINDS 4

struct journal {
    int is_open;
    int version;
    int users;
    int total;
    int kind[KINDS];
};

static struct journal journal;
static mtx_t lock;

static void enter(void)
{
    mtx_lock(&lock);
    if (!journal.is_open) {
        assert(journal.users == 0);             // SAFE
        journal.is_open = 1;
        journal.version = 3;
    }
    journal.users++;
    mtx_unlock(&lock);
}

static void leave(void)
{
    mtx_lock(&lock);
    assert(journal.users > 0);                  // SAFE
    if (--journal.users == 0)
        journal.is_open = 0;
    mtx_unlock(&lock);
}

static int use(void *argument)
{
    int kind = *(int *)argument % KINDS;

    enter();
    mtx_lock(&lock);
    assert(journal.is_open == 1);               // SAFE
    assert(journal.version == 3);               // SAFE
    int before = journal.kind[kind];
    journal.kind[kind] += 5;
    assert(journal.kind[kind] == before + 5);   // SAFE
    journal.total += 5;
    mtx_unlock(&lock);
    leave();
    return 0;
}

int main(void)
{
    thrd_t threads[3];
    int number[3];

    if (mtx_init(&lock, mtx_plain) != thrd_success)
        return 1;
    for (int t = 0; t < 3; t++) {
        number[t] = t;
        if (thrd_create(&threads[t], use, &number[t]) != thrd_success)
            return 1;
    }
    for (int t = 0; t < 3; t++)
        thrd_join(threads[t], 0);
    assert(journal.users == 0);                 // SAFE
    assert(journal.is_open == 0);               // SAFE
    assert(journal.total == 15);                // SAFE
    return 0;
}
