// ARGS: --parameterized --entries open_session
// Session numbers are drawn by an atomic addition; zero is never one, until the counter wraps.
static unsigned char next = 1;
static int sessions;

void open_session(void) {
    unsigned char mine = __sync_fetch_and_add(&next, 1);
    assert(mine <= 255); // SAFE
    if (mine == 0) return;
    assert(mine >= 1); // SAFE
    if (sessions < 8) sessions = sessions + 1;
    assert(sessions >= 0); // SAFE
    assert(next != mine + 1); // UNSAFE!
}
