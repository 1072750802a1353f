// Three units of a balance go to each order, one more for express; the reserve is never touched.
#include <assert.h>
#include <pthread.h>

#define START 100
#define RESERVE 10

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = START, orders, express;

static int place(int fast) {
    int cost = fast ? 4 : 3;
    pthread_mutex_lock(&m);
    if (balance - cost < RESERVE) {
        assert(3 * orders + express >= START - RESERVE - 3); // SAFE
        pthread_mutex_unlock(&m);
        return -1;
    }
    balance -= cost;
    orders++;
    if (fast)
        express++;
    assert(balance == START - 3 * orders - express); // SAFE
    assert(express <= orders); // SAFE
    assert(balance >= RESERVE); // SAFE
    pthread_mutex_unlock(&m);
    return cost;
}

static void *client(void *arg) {
    int spent = 0;
    for (int i = 0; i < 50; i++) {
        int c = place(i % 5 == 0);
        if (c < 0)
            break;
        spent += c;
    }
    assert(spent <= START - RESERVE); // SAFE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(3 * orders + express + balance == START); // SAFE
    assert(orders <= 30); // SAFE
    assert(balance <= 13); // SAFE
    return 0;
}
