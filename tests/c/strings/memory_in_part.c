// Bytes that are set from the start, the middle or up to the end of an object: what they leave out keeps its value.
#include <assert.h>
#include <stdbool.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct record {
    int kind;
    char text[8];
    int sum;
    short parts[3];
    unsigned low : 3, high : 4;
    bool is_set;
    int *target;
};

int aim;
struct record record;

int main(void)
{
    int last[4];

    record.kind = 1;
    record.sum = 2;
    record.parts[0] = record.parts[1] = record.parts[2] = 7;
    record.low = 1;
    record.high = 2;
    record.is_set = true;
    record.target = &aim;
    memset(&record, 0, 12);
    assert(record.kind == 0 && record.text[7] == 0); // SAFE
    assert(record.sum == 2 && record.parts[0] == 7); // SAFE
    assert(record.target == &aim && record.is_set && record.low == 1); // SAFE
    memset(record.parts + 1, 1, 2);
    assert(record.parts[0] == 7 && record.parts[2] == 7); // SAFE
    assert(record.parts[1] == 257); // SAFE
    for (int i = 0; i < 4; i++)
        last[i] = 1;
    memset(last, 0, 2 * sizeof(int));
    assert(last[0] == 0 && last[1] == 0); // SAFE
    assert(last[2] == 1 && last[3] == 1); // SAFE
    if (__VERIFIER_nondet_int())
        assert(last[1] == 1); // UNSAFE!
    memset(last + 1, 255, 6);
    assert(last[0] == 0 && last[3] == 1); // SAFE
    assert(last[1] == -1); // SAFE
    memcpy(last, "abcd", 4);
    assert(last[1] == -1 && last[3] == 1); // SAFE
    if (__VERIFIER_nondet_int())
        assert(last[2] == 1); // UNSAFE!
    memset(&record.sum, 255, 2);
    assert(record.kind == 0 && record.parts[0] == 7); // SAFE
    if (__VERIFIER_nondet_int())
        assert(record.sum == 2); // UNSAFE!
    return 0;
}
