// A cinema: tickets of two kinds, refunds, a cash box. Money is a function of what was sold.
#include <assert.h>
#include <pthread.h>

enum { ADULT = 10, CHILD = 6, SEATS = 40 };

static pthread_mutex_t hall = PTHREAD_MUTEX_INITIALIZER;
static int adults, children, left_over = SEATS;
static int cash;

static int sell(int is_child) {
    int price = 0;
    pthread_mutex_lock(&hall);
    if (left_over > 0) {
        left_over--;
        if (is_child) {
            children++;
            price = CHILD;
        } else {
            adults++;
            price = ADULT;
        }
        cash += price;
        assert(cash == ADULT * adults + CHILD * children); // SAFE
        assert(adults + children + left_over == SEATS); // SAFE
    }
    pthread_mutex_unlock(&hall);
    return price;
}

static void refund(void) {
    pthread_mutex_lock(&hall);
    if (adults > 0) {
        adults--;
        left_over++;
        cash -= ADULT;
        assert(cash >= 0); // SAFE
    }
    pthread_mutex_unlock(&hall);
}

static void *clerk(void *arg) {
    int taken = 0;
    for (int i = 0; i < 30; i++)
        taken += sell(i & 1);
    assert(taken >= 0); // SAFE
    assert(taken <= 30 * ADULT); // SAFE
    return arg;
}

static void *desk(void *arg) {
    for (int i = 0; i < 5; i++)
        refund();
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, clerk, 0);
    pthread_create(&b, 0, clerk, 0);
    pthread_create(&c, 0, desk, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(cash == ADULT * adults + CHILD * children); // SAFE
    assert(cash <= ADULT * SEATS); // SAFE
    // All seats were taken at some time, and five tickets at most were given back since.
    assert(left_over < SEATS); // UNKNOWN (how often a loop has found something)
    assert(left_over == 0); // UNSAFE!
    return 0;
}
