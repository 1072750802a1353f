// ARGS: --properties assertion,array-bounds
/* Tables that are scanned up to the entry that ends them: a test of an entry says which indices are possible. */
#include <assert.h>

static const int ports[] = {0x270, 0x350, 0x370, 0};
static const struct {
	int port, id;
} cards[] = {{1, 10}, {2, 20}, {3, 30}, {0, 0}};
static const int holes[] = {5, 0, 5, 0};
static const int endless[] = {1, 2, 3, 4};

extern int __VERIFIER_nondet_int(void);

static int scan(void)
{
	int i, found = 0;

	for (i = 0; !found && ports[i]; i++) // SAFE
		if (__VERIFIER_nondet_int())
			found = 1;
	assert(i <= 4); // SAFE
	for (i = 0; cards[i].port != 0; i++) // SAFE
		if (cards[i].id == __VERIFIER_nondet_int()) // SAFE
			break;
	assert(i <= 3); // SAFE
	return i;
}

static void lookup(int j)
{
	if (j >= 0 && j < 4 && ports[j] > 0x300) { // SAFE
		assert(j >= 1 && j <= 2); // SAFE
		assert(j == 1); // UNSAFE!
	}
	if (j >= 0 && j < 4 && !ports[j]) // SAFE
		assert(j == 3); // SAFE
}

static void overrun(int step)
{
	int i;

	for (i = 0; i < 4; i += step)
		if (ports[i] == 0) // SAFE
			break;
	assert(i < 4); // UNSAFE!
	if (__VERIFIER_nondet_int()) {
		for (i = 0; i < 4 && holes[i] == 5; i += 2) // SAFE
			;
		assert(i < 4); // UNSAFE!
	} else {
		for (i = 0; i < 4 && endless[i] != 0; i++) // SAFE
			;
		assert(i < 4); // UNSAFE!
	}
}

int main(void)
{
	scan();
	lookup(__VERIFIER_nondet_int());
	overrun(__VERIFIER_nondet_int() ? 1 : 2);
	return 0;
}
