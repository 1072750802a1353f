// ARGS: --properties use-after-free,null-dereference
// Linux before 4.11, CVE-2017-2636 (drivers/tty/n_hdlc.c): a buffer that is sent is freed twice.
// The buffer that is being sent is kept in `tbuf` after an error, to be sent again. Neither those who send nor those who
// flush the queue hold a lock from looking at `tbuf` to clearing it, so both may put the buffer on the list of free ones.
// Here a buffer that is put back is freed at once; in the kernel that happens when the list is destroyed.
#include <pthread.h>
#include <stdlib.h>

struct n_hdlc_buf {
    int count;
};

struct n_hdlc {
    pthread_spinlock_t lock;
    struct n_hdlc_buf *tbuf; /* being sent, or to be sent again */
    int tbusy, woke_up;
};

static struct n_hdlc tty;

int __VERIFIER_nondet_int(void);

static void n_hdlc_buf_put(struct n_hdlc_buf *buffer) {
    free(buffer); // UNSAFE!
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
    buffer = tty.tbuf;
    if (buffer) {
        sent = device_write(buffer->count); // UNSAFE!
        if (sent == buffer->count) { // UNSAFE!
            tty.tbuf = 0;
            n_hdlc_buf_put(buffer);
        }
    }
    pthread_spin_lock(&tty.lock);
    tty.tbusy = 0;
    pthread_spin_unlock(&tty.lock);
}

static void flush_tx_queue(void) {
    struct n_hdlc_buf *buffer = tty.tbuf;
    if (buffer) {
        tty.tbuf = 0;
        n_hdlc_buf_put(buffer);
    }
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
    tty.tbuf = malloc(sizeof *tty.tbuf);
    if (!tty.tbuf)
        return 1;
    tty.tbuf->count = 8;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, __VERIFIER_nondet_int() ? writer : flusher, 0);
    return 0;
}
