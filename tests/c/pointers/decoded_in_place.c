// ARGS: --properties assertion
// A string in a member is decoded where it is, three bytes at a time: the pointer goes on in its array.
#include <assert.h>
#include <string.h>

struct request {
    int *count;
    char text[64];
    int length;
};

static int count = 5;

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : 10;
}

static void decode(char *from)
{
    char *to = from;
    while (*from) {
        if (from[0] == '%' && from[1] && from[2]) {
            *to++ = (char)(digit(from[1]) * 16 + digit(from[2]));
            from += 3;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
}

int main(int argc, char **argv)
{
    struct request request;
    request.count = &count;
    request.length = 3;
    request.text[0] = 0;
    if (argc > 1)
        strncat(request.text, argv[1], sizeof request.text - 1);
    decode(request.text);
    assert(*request.count == 5); // SAFE
    assert(request.length == 3); // SAFE
    return 0;
}
