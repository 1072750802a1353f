// ARGS: --parameterized --entries critical
// A ticket lock: that only one holds it is a matter of which ticket is served.
static unsigned next_ticket, now_serving;
static int inside;

void critical(void) {
    unsigned mine = __sync_fetch_and_add(&next_ticket, 1);
    int before = 0;
    while (now_serving != mine) ;
    inside = 1;
    before = inside;
    assert(before >= 0); // SAFE
    assert(before == 1); // SAFE
    inside = 0;
    now_serving = now_serving + 1;
    assert(inside == 0); // UNSAFE!
}
