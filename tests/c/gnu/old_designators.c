// ARGS: --properties assertion --no-verify
// Members that are named with a colon and elements without a sign, as in GNU C before C99; and what only looks like that.
#include <assert.h>

struct point { int x, y; };
struct shape { int kind, size; struct point at; unsigned first:3, second:4; };
struct operations { int (*open)(int), (*close)(int); int flags; };

extern int __VERIFIER_nondet_int(void);

static int same(int x) { return x; }

static struct operations table[] = { { open: same, flags: 3 }, { close: same, open: same } };
static int numbers[] = {[1] 5, 6, [4 ... 5] 7};
static struct shape one = {kind: 1, size: 2, at: {x: 3, y: 4}, first: 5, second: 6};

int main(void) {
    int turn = 1, kind = 7, size = 8;
    struct shape local = {size: turn ? 10, size : kind, kind: 3, at: (struct point){y: 5}};
    struct point *there = &(struct point){x: 11, 12};
    if (turn)
        goto kind;
    { kind: turn = 2; }
    struct { unsigned kind:2, size:4; } bits = { size: 9, kind: 1 };
    assert(bits.kind == 1 && bits.size == 9); // SAFE
    assert(one.kind == 1 && one.size == 2 && one.at.x == 3 && one.at.y == 4); // SAFE
    assert(one.first == 5 && one.second == 6); // SAFE
    assert(table[0].open == same && table[0].close == 0 && table[0].flags == 3); // SAFE
    assert(table[1].close == same && table[1].open == same && table[1].flags == 0); // SAFE
    assert(local.size == 8 && local.kind == 3 && local.at.x == 0 && local.at.y == 5); // SAFE
    assert(there->x == 11 && there->y == 12); // SAFE
    assert(turn == 2); // SAFE
    assert(numbers[0] == 0 && numbers[1] == 5 && numbers[2] == 6 && numbers[3] == 0 && numbers[5] == 7); // SAFE
    assert(sizeof numbers == 6 * sizeof(int)); // SAFE
    if (__VERIFIER_nondet_int())
        assert(local.size == 10 || numbers[4] == 0); // UNSAFE!
    else
        assert(table[0].open == 0); // UNSAFE!
    return 0;
}
