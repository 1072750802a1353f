// ARGS: --model linux --entries worker,waiter
// A completion hands over; a wait with a limit need not have been met.
#include <linux/completion.h>
#include <linux/semaphore.h>
#include <linux/bug.h>

DECLARE_COMPLETION(done);
DEFINE_SEMAPHORE(one);
int result, guarded;

void worker(void) {
    down(&one);
    guarded = 1;
    BUG_ON(guarded != 1); // SAFE
    guarded = 0;
    up(&one);
    result = 5;
    complete(&done);
}

void waiter(void) {
    if (down_trylock(&one) == 0) {
        guarded = 2;
        BUG_ON(guarded != 2); // SAFE
        guarded = 0;
        up(&one);
    }
    if (wait_for_completion_timeout(&done, 10) == 0) {
        BUG_ON(result != 5); // UNSAFE!
        return;
    }
    BUG_ON(result != 5); // SAFE (needs refinement)
    if (try_wait_for_completion(&done)) BUG_ON(1); // UNREACHABLE
}
