/* Each player moves only on its own turn: the numbers of all of them are different. */
#include <assert.h>
#include <pthread.h>

#ifdef BUG
#define NUMBER(i) ((i) / 2)
#else
#define NUMBER(i) (i)
#endif

static int turn, playing;

static void *player(void *argument) {
    int number = (int)(long)argument;
    if (turn == number) {
        playing = number + 1;
        assert(playing == number + 1); /* SAFE: nobody has this turn besides; with BUG two do */
        playing = 0;
        turn = turn + 1;
    }
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, player, (void *)(long)NUMBER(i));
    return 0;
}
