// Status words with fields, seen as a whole or bit by bit.
#include <pthread.h>
#include <assert.h>
union status { unsigned word; struct { unsigned ready : 1; unsigned error : 1; unsigned code : 6; unsigned rest : 24; } f; };
static union status st;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *device(void *arg) {
    for (unsigned i = 0; i < 20; i++) {
        pthread_mutex_lock(&m);
        st.f.ready = 1;
        st.f.code = i % 8;
        assert(st.f.code < 8); // UNKNOWN (bit-fields in unions)
        if (i == 13) st.f.error = 1;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
static void *poller(void *arg) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&m);
        union status s = st;
        if (s.f.error) assert(s.word != 0); // UNKNOWN (bit-fields in unions)
        assert(s.f.rest == 0); // UNKNOWN (bit-fields in unions)
        assert(s.f.code <= 7); // UNKNOWN (bit-fields in unions)
        st.f.ready = 0;
        assert((st.word & 1) == 0); // UNKNOWN (bit-fields in unions)
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    st.word = 0;
    pthread_create(&a, 0, device, 0); pthread_create(&b, 0, poller, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(st.f.error == 1); // UNKNOWN (bit-fields in unions)
    assert(st.f.rest == 0); // UNKNOWN (bit-fields in unions)
    return 0;
}
