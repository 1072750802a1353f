// ARGS: --properties assertion,unreach-call,array-bounds
// A parser of frames: start byte, length, payload, checksum. The length is limited before it is used as a count.
#include <pthread.h>
#include <assert.h>

enum { WAIT, LENGTH, PAYLOAD, CHECKSUM };
#define MAXIMUM 8
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char payload[MAXIMUM], unchecked[MAXIMUM];
static int frames;

static void *parser(void *unused) {
    int state = WAIT, wanted = 0, got = 0;
    for (int n = 0; n < 30; n++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        switch (state) {
        case WAIT:
            if (byte == 1) state = LENGTH;
            break;
        case LENGTH:
            if (byte == 0 || byte > MAXIMUM) {
                state = WAIT;
                break;
            }
            wanted = byte;
            got = 0;
            state = PAYLOAD;
            break;
        case PAYLOAD:
            payload[got] = byte; // SAFE (needs octagon)
            unchecked[byte & 15] = 1; // UNSAFE!
            got++;
            if (got >= wanted) state = CHECKSUM;
            break;
        case CHECKSUM:
            frames = frames < 100 ? frames + 1 : frames;
            state = WAIT;
            break;
        default:
            reach_error(); // UNREACHABLE
        }
        assert(wanted <= MAXIMUM); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, parser, 0);
    assert(frames >= 0); // SAFE
    assert(frames <= 100); // SAFE
    return 0;
}
