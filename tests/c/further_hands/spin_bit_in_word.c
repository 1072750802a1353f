// ARGS: --entries writer,resizer,reader --parameterized
// The lowest bit of a word is its lock, the other bits its value, as in the kernel's tables of buckets.
#include <assert.h>
#include <stdatomic.h>

#define LOCKED 1u
#define STEP 2u

static atomic_uint head;
static unsigned length, room = 4;

static void bit_lock(void)
{
	while (atomic_fetch_or(&head, LOCKED) & LOCKED)
		;
}

static void bit_unlock(void)
{
	atomic_fetch_and(&head, ~LOCKED);
}

void writer(void)
{
	bit_lock();
	if (length < room)
		length++;
	assert(length <= room);	/* only under the bit */ // SAFE
	assert(atomic_load(&head) & LOCKED);	// SAFE
	bit_unlock();
}

void resizer(void)
{
	bit_lock();
	if (room < 64) {
		room *= 2;
		atomic_fetch_add(&head, STEP);
	}
	assert(room >= 4 && room <= 64);	// SAFE
	assert(length <= room);	// SAFE
	bit_unlock();
}

void reader(void)
{
	unsigned before = atomic_load(&head);
	if (!(before & LOCKED)) {
		unsigned after = atomic_load(&head);
		assert(!(after & LOCKED));	// UNSAFE!
	}
	unsigned n = length;
	assert(n <= 64);	// SAFE
}
