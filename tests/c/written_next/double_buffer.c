// ARGS: --properties assertion,array-bounds,data-race
// A renderer draws into the back buffer and swaps; a screen shows the front one while it holds it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define FRAMES 4
#define PIXELS 3
struct frame {
    int number;
    int pixel[PIXELS];
};
static struct frame frames[2];
static sem_t drawn, shown;
static int front; // SAFE
static int dropped;

static void draw(struct frame *frame, int number) {
    frame->number = number;
    for (int i = 0; i < PIXELS; i++)
        frame->pixel[i] = number * 10 + i; // SAFE
}

static void *renderer(void *unused) {
    for (int n = 1; n <= FRAMES; n++) {
        int back = 1 - front;
        assert(back == 0 || back == 1); // SAFE
        assert(back != front); // SAFE
        draw(&frames[back], n); // SAFE
        assert(frames[back].number == n); // SAFE
        sem_wait(&shown);
        front = back;
        assert(front == back); // SAFE
        sem_post(&drawn);
    }
    return 0;
}

static void *screen(void *unused) {
    int last = 0;
    for (int n = 1; n <= FRAMES; n++) {
        sem_wait(&drawn);
        int at = front;
        assert(at == 0 || at == 1); // SAFE
        int number = frames[at].number; // UNKNOWN (semaphores hand an index and an object back and forth)
        assert(number == n); // UNKNOWN (semaphores hand an index and an object back and forth)
        assert(number == last + 1); // SAFE
        __goblint_check(at == 0); // UNSAFE!
        last = number;
        if (n == 2)
            dropped++;
        sem_post(&shown);
    }
    assert(last == FRAMES); // SAFE
    return 0;
}

int main(void) {
    pthread_t r, s;
    sem_init(&drawn, 0, 0);
    sem_init(&shown, 0, 1);
    pthread_create(&r, 0, renderer, 0);
    pthread_create(&s, 0, screen, 0);
    pthread_join(r, 0);
    assert(front == 0); // SAFE
    assert(frames[front].number == FRAMES); // SAFE
    assert(dropped == 1); // UNKNOWN (what is left when both have ended)
    int left = 9;
    sem_getvalue(&shown, &left);
    __goblint_check(left == 1); // UNSAFE!
    pthread_join(s, 0);
    assert(dropped == 1); // SAFE
    sem_getvalue(&shown, &left);
    assert(left == 1); // SAFE
    return 0;
}
