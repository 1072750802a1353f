// ARGS: --properties assertion,array-bounds,overflow
// Embedded: a receive ring that an interrupt fills and a loop empties; one writes head, the other tail.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define RX_SIZE 64
static volatile uint8_t rx_buf[RX_SIZE];
static volatile uint8_t rx_head, rx_tail;
static volatile uint16_t overruns;
extern unsigned char __VERIFIER_nondet_uchar(void);

static void uart_isr(void) {
    uint8_t c = __VERIFIER_nondet_uchar();
    uint8_t next = (rx_head + 1) % RX_SIZE;
    assert(next < RX_SIZE); // SAFE
    if (next == rx_tail) {
        if (overruns < 1000)
            overruns++;
        return;
    }
    rx_buf[rx_head] = c; // SAFE
    rx_head = next;
    assert(rx_head != rx_tail); // UNSAFE!
}

static void *interrupt(void *arg) {
    for (int n = 0; n < 2000; n++)
        uart_isr();
    return 0;
}

static int get_char(void) {
    if (rx_head == rx_tail)
        return -1;
    uint8_t c = rx_buf[rx_tail]; // SAFE
    rx_tail = (rx_tail + 1) % RX_SIZE;
    return c;
}

int main(void) {
    pthread_t t;
    int n = 0;
    pthread_create(&t, 0, interrupt, 0);
    for (int i = 0; i < 500; i++) {
        int c = get_char();
        assert(c >= -1 && c <= 255); // SAFE
        if (c >= 0)
            n++;
        assert(rx_tail < RX_SIZE); // SAFE
        assert(rx_head < 64); // SAFE
        assert(n <= i + 1); // SAFE
        assert(overruns <= 1000); // SAFE
    }
    return 0;
}
