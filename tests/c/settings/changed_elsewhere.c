// Variables that keep their first value are constants; these only look as if nothing changed them.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <assert.h>

static int limit = 3, by_pointer = 3, by_memory = 3, by_table = 3, by_atomic = 3, by_condition;
static const int fixed = 3;
static int *const table[1] = {&by_table};
static struct { int low, high; } range = {1, 2}, copied = {1, 2};
static int short_list[4] = {5, 6, 7, 8}, kept[4] = {5, 6, 7, 8};

static void set(int *where) {
    *where = 4;
}

static void *changer(void *unused) {
    int zero = 0;
    set(&by_pointer);
    memcpy(&by_memory, &zero, sizeof zero);
    *table[0] = 4;
    __sync_fetch_and_add(&by_atomic, 1);
    copied = range;
    range.high = 9;
    short_list[limit] = 0;
    if (by_condition) by_condition = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    int here = 3, elsewhere = 3, list[2] = {1, 2};
    int *there = &elsewhere;
    assert(by_pointer == 3); // SAFE
    pthread_create(&t, 0, changer, 0);
    *there = 4;
    list[limit - 2] = 5;
    assert(limit == 3 && fixed == 3 && here == 3); // SAFE
    assert(by_condition == 0); // SAFE
    assert(range.low == 1 && kept[limit - 1] == 7); // SAFE
    assert(list[0] == 1); // SAFE
    __goblint_check(elsewhere == 3); // UNSAFE!
    __goblint_check(list[1] == 2); // UNSAFE!
    __goblint_check(by_pointer == 3); // UNSAFE!
    __goblint_check(by_memory == 3); // UNSAFE!
    __goblint_check(by_table == 3); // UNSAFE!
    __goblint_check(by_atomic == 3); // UNSAFE!
    __goblint_check(range.high == 2); // UNSAFE!
    __goblint_check(short_list[3] == 8); // UNSAFE!
    pthread_join(t, 0);
    assert(short_list[3] == 0 && short_list[0] == 5); // SAFE (needs refinement)
    assert(copied.low == 1); // SAFE
    return 0;
}
