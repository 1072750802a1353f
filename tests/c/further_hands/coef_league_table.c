// Points of a team: three for a win, one for a draw. Any number of referees report results.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static int points, games, wins, draws, losses;

static void record(int outcome)
{
	pthread_mutex_lock(&table);
	if (games < 1000) {
		switch (outcome) {
		case 0:
			wins++;
			points += 3;
			break;
		case 1:
			draws++;
			points += 1;
			break;
		default:
			losses++;
		}
		games++;
	}
	pthread_mutex_unlock(&table);
}

static void *referee(void *unused)
{
	record(__VERIFIER_nondet_int());
	return unused;
}

static void *press(void *unused)
{
	pthread_mutex_lock(&table);
	int p = points, g = games, w = wins, d = draws, l = losses;
	pthread_mutex_unlock(&table);
	assert(p == 3 * w + d);	// SAFE
	assert(g == w + d + l);	// SAFE
	assert(p <= 3 * g);	// SAFE
	assert(3 * g - p == 2 * d + 3 * l);	// SAFE
	assert(p >= g);	// UNSAFE!
	return unused;
}

int main(void)
{
	int n = __VERIFIER_nondet_int();
	pthread_t t;
	for (int i = 0; i < n; i++) {
		pthread_create(&t, 0, referee, 0);
		if (i % 2)
			pthread_create(&t, 0, press, 0);
	}
	return 0;
}
