// ARGS: --properties assertion
// Several writers of a seqlock exclude each other by a mutex; the sequence is even under it.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t wl = PTHREAD_MUTEX_INITIALIZER;
_Atomic unsigned seq;
_Atomic int x, y;

void *writer(void *p)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&wl);
        assert((seq & 1) == 0); // SAFE
        seq++;
        assert((seq & 1) == 1); // SAFE
        x++;
        y++;
        assert(x == y); // SAFE
        seq++;
        pthread_mutex_unlock(&wl);
    }
    return 0;
}

void *reader(void *p)
{
    unsigned s = seq;
    if (s & 1)
        return 0;
    int a = x, b = y;
    if (seq == s)
        assert(a == b); // UNKNOWN (what is read while a number stays the same)
    assert(a == b); // UNSAFE!
    return 0;
}

int main()
{
    pthread_t w1, w2, r;
    pthread_create(&w1, 0, writer, 0);
    pthread_create(&w2, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w1, 0);
    pthread_join(w2, 0);
    assert(seq == 12); // SAFE
    assert(x == 6 && y == 6); // SAFE
    return 0;
}
