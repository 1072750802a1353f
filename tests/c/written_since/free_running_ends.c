// A ring of which both ends only go up, around the numbers that there are.
#include <assert.h>
#include <pthread.h>
#define SIZE 8
struct queue { int data[SIZE]; unsigned in, out; pthread_mutex_t lock; };
static struct queue q = { .lock = PTHREAD_MUTEX_INITIALIZER };
static int push(int v) {
    int ok = 0;
    pthread_mutex_lock(&q.lock);
    assert(q.in - q.out <= SIZE); // UNKNOWN (a difference of numbers that wrap)
    if (q.in - q.out < SIZE) {
        q.data[q.in % SIZE] = v;
        q.in++;
        ok = 1;
        assert(q.in != q.out); // SAFE
    }
    pthread_mutex_unlock(&q.lock);
    return ok;
}
static int pop(int *v) {
    int ok = 0;
    pthread_mutex_lock(&q.lock);
    if (q.in != q.out) {
        *v = q.data[q.out % SIZE];
        q.out++;
        ok = 1;
        assert(q.in - q.out < SIZE); // UNKNOWN (a difference of numbers that wrap)
    }
    pthread_mutex_unlock(&q.lock);
    return ok;
}
static void *put(void *arg) { for (int i = 0; i < 1000; i++) push(7); return 0; }
static void *get(void *arg) { int v; for (int i = 0; i < 1000; i++) if (pop(&v)) 
        assert(v == 7); // SAFE
    return 0; }
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    pthread_create(&c, 0, get, 0);
    pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
    assert(q.in - q.out <= SIZE); // UNKNOWN (a difference of numbers that wrap)
    return 0;
}
