// ARGS: --properties assertion,array-bounds
// Every booking writes an entry of a circular log; the auditor walks it under the lock.
#include <pthread.h>
#include <assert.h>

#define ENTRIES 6
struct entry { int account, amount; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[ENTRIES];
static unsigned position;
static int sum;

static void book(int account, int amount) {
    pthread_mutex_lock(&lock);
    entries[position % ENTRIES].account = account; // SAFE
    entries[position % ENTRIES].amount = amount; // SAFE
    position++;
    if (sum < 500) sum += amount;
    assert(sum <= 530); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *teller(void *argument) {
    int account = (int)(long)argument;
    for (int i = 0; i < 4; i++) book(account, 10 + i);
    return 0;
}

static void *auditor(void *unused) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < ENTRIES; i++) {
        int amount = entries[i].amount; // SAFE
        assert(amount <= 13); // SAFE
        assert(amount != 11); // UNSAFE!
    }
    pthread_mutex_unlock(&lock);
    assert(sum >= 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, teller, (void *)1);
    pthread_create(&b, 0, teller, (void *)2);
    pthread_create(&c, 0, auditor, 0);
    pthread_join(a, 0);
    assert(entries[0].amount >= 0); // SAFE
    return 0;
}
