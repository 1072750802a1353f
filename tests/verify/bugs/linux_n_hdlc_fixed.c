// ARGS: --properties use-after-free,null-dereference
// Linux 4.11, commit 82f2341c94d2 (CVE-2017-2636): `tbuf` is gone. A buffer is taken off the queue under the lock of the
// queue by whoever sends or flushes it, and put back at the front where the device did not take it.
#include <pthread.h>
#include <stdlib.h>

struct n_hdlc_buf {
    int count;
};

struct n_hdlc {
    pthread_spinlock_t lock, queue_lock;
    struct n_hdlc_buf *queue; /* of one buffer here */
    int tbusy, woke_up;
};

static struct n_hdlc tty;

int __VERIFIER_nondet_int(void);

static struct n_hdlc_buf *n_hdlc_buf_get(void) {
    struct n_hdlc_buf *buffer;
    pthread_spin_lock(&tty.queue_lock);
    buffer = tty.queue;
    tty.queue = 0;
    pthread_spin_unlock(&tty.queue_lock);
    return buffer;
}

static void n_hdlc_buf_return(struct n_hdlc_buf *buffer) {
    pthread_spin_lock(&tty.queue_lock);
    tty.queue = buffer;
    pthread_spin_unlock(&tty.queue_lock);
}

static void n_hdlc_buf_put(struct n_hdlc_buf *buffer) {
    free(buffer); // SAFE
}

/* The device takes all, or nothing for now. */
static int device_write(int count) { return __VERIFIER_nondet_int() ? count : 0; }

static void n_hdlc_send_frames(void) {
    struct n_hdlc_buf *buffer;
    int sent;
    pthread_spin_lock(&tty.lock);
    if (tty.tbusy) {
        tty.woke_up = 1;
        pthread_spin_unlock(&tty.lock);
        return;
    }
    tty.tbusy = 1;
    tty.woke_up = 0;
    pthread_spin_unlock(&tty.lock);
    buffer = n_hdlc_buf_get();
    if (buffer) {
        sent = device_write(buffer->count); // SAFE
        if (sent == buffer->count) // SAFE
            n_hdlc_buf_put(buffer);
        else
            n_hdlc_buf_return(buffer);
    }
    pthread_spin_lock(&tty.lock);
    tty.tbusy = 0;
    pthread_spin_unlock(&tty.lock);
}

static void flush_tx_queue(void) {
    struct n_hdlc_buf *buffer = n_hdlc_buf_get();
    if (buffer)
        n_hdlc_buf_put(buffer);
}

static void *writer(void *unused) {
    n_hdlc_send_frames();
    return 0;
}

static void *flusher(void *unused) {
    flush_tx_queue();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&tty.lock, 0);
    pthread_spin_init(&tty.queue_lock, 0);
    tty.queue = malloc(sizeof *tty.queue);
    if (!tty.queue)
        return 1;
    tty.queue->count = 8;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, __VERIFIER_nondet_int() ? writer : flusher, 0);
    return 0;
}
