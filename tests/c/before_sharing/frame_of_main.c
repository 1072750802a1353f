// A structure in the frame of main: its own until the first thread is given its address, and again once that has ended.
#include <assert.h>
#include <pthread.h>

struct account { int balance, entries; };

static void *book(void *given) {
    struct account *a = given;
    a->balance = a->balance - 5;
    a->entries++;
    return 0;
}

int main(void) {
    pthread_t t;
    struct account account;
    account.balance = 20;
    account.entries = 0;
    assert(account.balance == 20); // SAFE
    account.balance += 10;
    assert(account.balance == 30 && account.entries == 0); // SAFE
    if (pthread_create(&t, 0, book, &account))
        return 1;
    __goblint_check(account.entries == 0); // UNSAFE!
    pthread_join(t, 0);
    assert(account.balance == 25); // SAFE
    account.balance = 0;
    assert(account.balance == 0); // SAFE
    return 0;
}
