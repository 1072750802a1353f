// Eggs are packed by six; price lists by the box.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int laid, loose, boxes, income;

static void *hen(void *arg) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&m);
        laid++;
        loose++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *packer(void *arg) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&m);
        while (loose >= 6) {
            loose -= 6;
            boxes++;
        }
        assert(loose < 6); // SAFE
        assert(laid == 6 * boxes + loose + 0 || income > 0); // SAFE
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *seller(void *arg) {
    int sold = 0;
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&m);
        if (boxes > 0) {
            boxes--;
            sold++;
            income += 4;
        }
        assert(income == 4 * sold); // SAFE
        assert(6 * boxes <= laid - 6 * sold); // SAFE
        pthread_mutex_unlock(&m);
    }
    assert(sold <= 8); // SAFE
    return (void *)(long)sold;
}

int main(void) {
    pthread_t h1, h2, p, s;
    void *r;
    pthread_create(&h1, 0, hen, 0);
    pthread_create(&h2, 0, hen, 0);
    pthread_create(&p, 0, packer, 0);
    pthread_create(&s, 0, seller, 0);
    pthread_join(h1, 0);
    pthread_join(h2, 0);
    pthread_join(p, 0);
    pthread_join(s, &r);
    int sold = (int)(long)r;
    assert(laid == 40); // SAFE
    assert(loose + 6 * boxes + 6 * sold == 40); // UNKNOWN (a weighted sum with what a thread gives back)
    assert(income == 4 * sold); // SAFE
    assert(sold <= 6); // SAFE
    assert(loose < 6); // UNSAFE!
    return 0;
}
