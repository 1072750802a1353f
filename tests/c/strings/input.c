// What is read into buffers is any value; what lies beside them stays.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct message {
    int kind;
    char body[32];
};

int main(void)
{
    struct message message;
    char *end;
    long number, size;
    time_t now;

    message.kind = 2;
    size = read(-1, message.body, sizeof(message.body));
    assert(size >= -1 && size <= 32); // SAFE
    assert(message.kind == 2); // SAFE
    number = strtol("12x", &end, 10);
    assert(message.kind == 2); // SAFE
    time(&now);
    assert(message.kind == 2); // SAFE
    assert(number == 0); // UNSAFE!
    return *end == 'x';
}
