// ARGS: --properties assertion,overflow
// Interest is booked by a thread at night; amounts are capped, so that nothing overflows.
#include <pthread.h>
#include <assert.h>

#define CAP 1000000
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1000, bonus = 1000, nights;

static void *night_job(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        int interest = balance / 20 + 1; // SAFE
        if (balance > CAP - interest) balance = CAP;
        else balance = balance + interest; // SAFE
        assert(balance <= CAP); // SAFE (needs refinement)
        pthread_mutex_unlock(&lock);
        if (nights < 365) nights++;
        bonus = bonus * 10; // UNSAFE!
        assert(nights <= 365); // SAFE
    }
    return 0;
}

static void *customer(void *unused) {
    pthread_mutex_lock(&lock);
    if (balance >= 500) balance -= 500;
    assert(balance >= 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, night_job, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_join(b, 0);
    assert(nights >= 0); // SAFE
    return 0;
}
