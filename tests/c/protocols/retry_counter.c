// ARGS: --parameterized --entries sender
// Requests are repeated at most three times; the shared statistics saturate.
extern int __VERIFIER_nondet_int(void);
static unsigned short failures;
static int gave_up;

void sender(void) {
    int attempts = 0, acknowledged = 0;
    while (attempts < 3 && !acknowledged) {
        attempts++;
        if (__VERIFIER_nondet_int() > 0) acknowledged = 1;
        else if (failures < 60000) failures++;
    }
    assert(attempts >= 1); // SAFE
    assert(attempts <= 3); // SAFE
    assert(acknowledged == 1 || attempts == 3); // SAFE
    if (!acknowledged) {
        gave_up = 1;
        assert(gave_up == 1); // SAFE
    } else {
        assert(gave_up == 0); // UNSAFE!
    }
}
