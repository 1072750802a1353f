// ARGS: --properties assertion,null-dereference,array-bounds
// A table of handlers, some of which nobody has registered.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define MAXIRQ 16
typedef int (*handler_t)(int);
struct slot { handler_t fn; int hits; };
static struct slot *table[MAXIRQ];
static struct slot uart, timer;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int uart_irq(int n) { return n + 1; }
static int timer_irq(int n) { return 0; }

static int dispatch(int irq) {
    int rc = -1;
    if (irq < 0 || irq >= MAXIRQ)
        return rc;
    pthread_mutex_lock(&lock);
    struct slot *s = table[irq]; // SAFE
    if (s != NULL) {
        s->hits++; // SAFE
        rc = s->fn(irq); // SAFE
        assert(s->hits > 0); // SAFE
    }
    pthread_mutex_unlock(&lock);
    assert(rc >= -1); // SAFE
    return rc;
}

static void *cpu(void *arg) {
    for (int i = -2; i < 20; i++)
        dispatch(i);
    return 0;
}

int main(void) {
    pthread_t a, b;
    uart.fn = uart_irq;
    timer.fn = timer_irq;
    table[4] = &uart;
    table[0] = &timer;
    pthread_create(&a, 0, cpu, 0);
    pthread_create(&b, 0, cpu, 0);
    pthread_mutex_lock(&lock);
    table[4] = NULL;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(timer.hits == 2); // UNKNOWN (members of objects that are found in a table)
    assert(uart.hits <= 2); // UNKNOWN (members of objects that are found in a table)
    assert(uart.hits == 2); // UNSAFE!
    return 0;
}
