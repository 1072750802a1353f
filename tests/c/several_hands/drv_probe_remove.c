// ARGS: --properties assertion,null-dereference,data-race
// probe allocates, the interrupt handler looks under a lock whether the device is there, remove frees.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum st { UNBOUND, PROBING, READY, REMOVING };
struct priv { int regs; int events; };
static struct priv *priv; // SAFE
static enum st st = UNBOUND; // SAFE
static pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER;

static void *irq(void *arg) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lk);
        if (st == READY) {
            assert(priv != NULL); // SAFE
            priv->events++; // SAFE
            assert(priv->events >= 1); // SAFE
            assert(priv->regs == 7); // SAFE
        }
        pthread_mutex_unlock(&lk);
    }
    return 0;
}

static int probe(void) {
    struct priv *p = malloc(sizeof *p);
    if (!p)
        return -1;
    p->regs = 7;
    p->events = 0;
    pthread_mutex_lock(&lk);
    assert(st == UNBOUND); // SAFE
    priv = p;
    st = READY;
    pthread_mutex_unlock(&lk);
    return 0;
}

static void removal(void) {
    struct priv *p;
    pthread_mutex_lock(&lk);
    assert(st == READY); // SAFE
    st = UNBOUND;
    p = priv;
    priv = NULL;
    pthread_mutex_unlock(&lk);
    assert(p != NULL); // SAFE
    assert(p->events <= 10); // UNKNOWN (how often others run)
    free(p);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, irq, 0);
    for (int i = 0; i < 3; i++) {
        if (probe() == 0)
            removal();
    }
    pthread_mutex_lock(&lk);
    assert((st == READY) == (priv != NULL)); // SAFE
    assert(st == UNBOUND); // SAFE
    pthread_mutex_unlock(&lk);
    pthread_join(t, 0);
    return 0;
}
