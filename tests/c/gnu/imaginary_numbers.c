// Complex numbers with imaginary constants: what they are is not followed, what is counted beside them is.
#include <assert.h>
#include <pthread.h>

static double _Complex total, unit = 0x1p3i, other = 2.5e1if;
static int added;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument)
{
	double _Complex part = 1.0 + 2.0i * unit;

	(void)argument;
	pthread_mutex_lock(&lock);
	total += part * 1.0iF + other;
	added++;
	assert(added <= 2); // SAFE
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t threads[2];

	assert(sizeof 1.0if == 8); // SAFE
	assert(_Generic(1.0jl, long double _Complex : 1, default : 0)); // SAFE
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, add, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(added == 2); // SAFE
	assert(1.0i == 1.0); // UNSAFE!
	return total == 0;
}
