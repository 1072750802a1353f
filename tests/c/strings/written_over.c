// ARGS: --properties assertion --no-verify
// A string that the library gives lies where it wrote an earlier one, or may.
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

static void host(unsigned from, unsigned to) {
    struct in_addr source = {.s_addr = from}, target = {.s_addr = to};
    char *one = inet_ntoa(source);
    char first = one[0];
    assert(one[0] == first); // SAFE
    inet_ntoa(target);
    assert(one[0] == first); // UNSAFE! (the second address is there)
}

static void message(int number) {
    char *text = strerror(number);
    char last = text[17];
    strerror(number + 1);
    assert(text[17] == last); // UNSAFE! (numbers that are no errors)
}

static void date(time_t now) {
    time_t then = now + 86400;
    struct tm *broken = localtime(&now);
    int weekday = broken->tm_wday;
    ctime(&then);
    assert(broken->tm_wday == weekday); // UNSAFE! (ctime calls localtime)
}

static void day(time_t now) {
    time_t then = now + 86400;
    char *text = ctime(&then);
    char first = text[0];
    ctime(&now);
    assert(text[0] == first); // UNSAFE! (Thursday and Friday)
}

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
        host(1, 2);
        break;
    case 1:
        message(1001);
        break;
    case 2:
        date(0);
        break;
    default:
        day(0);
    }
    return 0;
}
