// An enumeration and a structure that a member defines are known in a function that is found to be called only later.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
	enum kind { KIND_EMPTY, KIND_TEXT = 4, KIND_NUMBER = 12 } kind;
	struct value {
		int number;
	} value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*chosen)(const struct entry *);

static int read_out(const struct entry *entry)
{
	const struct value *value = &entry->value;

	switch (entry->kind) {
	case KIND_EMPTY:
		return 0;
	case KIND_NUMBER:
		assert(entry->kind == 12); // SAFE
		return value->number;
	default:
		assert(entry->kind == KIND_TEXT); // UNSAFE!
		return 1;
	}
}

static void *worker(void *argument)
{
	struct entry seven = {KIND_NUMBER, {7}}, other = {__VERIFIER_nondet_int(), {0}};

	(void)argument;
	while (__VERIFIER_nondet_int()) {
		pthread_mutex_lock(&lock);
		if (chosen) {
			assert(chosen(&seven) == 7); // SAFE
			chosen(&other);
		}
		chosen = read_out;
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, 0, worker, 0);
	return 0;
}
