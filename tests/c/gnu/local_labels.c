// Labels that belong to a block, jumps into blocks, vectors, switches with declarations, complex numbers.
#include <assert.h>

#define POSITIVE(c) ({ __label__ no, end; int r_; if ((c) <= 0) goto no; r_ = 1; goto end; no: r_ = 2; end: r_; })

typedef int four __attribute__((vector_size(16)));
static int kept = 1;

static four sum(four a, four b)
{
    return a + b;
}

int main(void)
{
    int x = 5, first = POSITIVE(x), second = POSITIVE(-x);
    assert(first >= 1); // SAFE
    assert(second >= 1); // SAFE
    goto inside;
    {
        int y;
    inside:
        y = 3;
        x = y;
    }
    assert(x == 3); // SAFE
    switch (x) {
        int z;
    case 3:
        z = 5;
        x = z;
        break;
    default:
        x = 0;
    }
    assert(x == 5); // SAFE
    {
        __label__ again;
        int rounds = 0;
    again:
        rounds++;
        if (rounds < 3)
            goto again;
        {
            __label__ again;
            x = rounds;
            goto again;
            x = 9;
        again:
            x++;
        }
    }
    assert(x != 9); // SAFE
    assert(x >= 4); // SAFE
    four a = {1, 2, 3, 4}, b = sum(a, a);
    a[1] = 7;
    x = b[0];
    assert(sizeof a == 16); // SAFE
    assert(kept == 1); // SAFE
    float _Complex w = 1.0f;
    w = w * w;
    (void)w;
    assert(x == 2); // UNKNOWN (elements of vectors are not tracked)
    assert(second == 1); // UNSAFE!
    return 0;
}
