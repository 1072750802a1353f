// What is called is found behind as many `*` as it takes to come to a function; those beyond them are none (C11 6.5.3.2p4).
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

typedef void (*step)(void);

static int last;

static void first(void) { last = 1; }

static void second(void) { last = 2; }

static step steps[2] = {first, second};
static step (*all)[2] = &steps;
static struct {
	step *begin, chosen;
} plan = {steps, second};

static step *begin(void) { return steps; }

static void one_star(void)
{
	step *next = steps;

	(*next)();
	assert(last == 1); // SAFE
	(*++next)();
	if (__VERIFIER_nondet_int())
		assert(last == 1); // UNSAFE!
}

static void more_stars(void)
{
	step *next = steps, **where = &next;

	(***next)();
	(**where)();
	assert(last == 1); // SAFE
	next++;
	(***where)();
	assert(last == 2); // SAFE
	(**where)();
	if (__VERIFIER_nondet_int())
		assert(last != 2); // UNSAFE!
}

static void of_no_variable(void)
{
	(*steps)();
	assert(last == 1); // SAFE
	(*plan.chosen)();
	assert(last == 2); // SAFE
	(*plan.begin)();
	assert(last == 1); // SAFE
	(*steps[1])();
	assert(last == 2); // SAFE
	(**all)();
	assert(last == 1); // SAFE
	(**second)();
	assert(last == 2); // SAFE
	(*begin())();
	if (__VERIFIER_nondet_int())
		assert(last == 2); // UNSAFE!
}

static void *all_in_turn(void *argument)
{
	(void)argument;
	for (step *next = steps; next < steps + 2; next++)
		(*next)();
	assert(last == 2); // SAFE
	return 0;
}

int main(void)
{
	pthread_t thread;

	one_star();
	more_stars();
	of_no_variable();
	pthread_create(&thread, 0, all_in_turn, 0);
	pthread_join(thread, 0);
	if (__VERIFIER_nondet_int())
		assert(last == 0); // UNSAFE!
	return 0;
}
