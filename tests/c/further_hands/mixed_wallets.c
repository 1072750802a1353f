// A player buys things with coins that others win for him; what is bought is checked before it is paid.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t purse_lock = PTHREAD_MUTEX_INITIALIZER;
static int coins = 10, earned = 10, spent;

static int can_buy(int price) {
    pthread_mutex_lock(&purse_lock);
    int enough = coins >= price;
    pthread_mutex_unlock(&purse_lock);
    return enough;
}

static void *player(void *u) {
    int mine = 0;
    for (int i = 0; i < 5; i++) {
        int price = __VERIFIER_nondet_int();
        if (price < 1 || price > 20)
            continue;
        if (!can_buy(price))
            continue;
        pthread_mutex_lock(&purse_lock);
        // Nobody else spends.
        assert(coins >= price); // SAFE
        coins -= price;
        spent += price;
        mine += price;
        assert(coins >= 0); // SAFE
        assert(mine == spent); // SAFE
        pthread_mutex_unlock(&purse_lock);
    }
    assert(mine <= 100); // SAFE
    return u;
}

static void *miner(void *u) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&purse_lock);
        int before = coins;
        coins += 2;
        earned += 2;
        assert(coins == before + 2); // SAFE
        assert(coins <= earned); // SAFE
        pthread_mutex_unlock(&purse_lock);
    }
    return u;
}

int main(void) {
    pthread_t p, m1, m2;
    pthread_create(&p, 0, player, 0);
    pthread_create(&m1, 0, miner, 0);
    pthread_create(&m2, 0, miner, 0);
    pthread_join(p, 0);
    pthread_join(m1, 0);
    pthread_join(m2, 0);
    assert(earned == 22); // SAFE
    assert(coins + spent == earned); // SAFE
    assert(coins >= 0 && spent <= 22); // SAFE
    assert(coins > 0); // UNSAFE!
    return 0;
}
