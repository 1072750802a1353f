// ARGS: --properties null-dereference,data-race
// h_errno is a thread's own, and is always there
#include <netdb.h>
#include <pthread.h>

static int failures[2]; // SAFE
static int tries;

static int look_up(const char *name)
{
	struct hostent *found = gethostbyname(name);

	if (!found) {
		if (h_errno == TRY_AGAIN)
			h_errno = 0;
		return h_errno;
	}
	return *found->h_addr_list == 0; // SAFE
}

static void *first(void *arg)
{
	failures[0] = look_up("127.0.0.1");
	tries++; // UNSAFE!
	return arg;
}

static void *second(void *arg)
{
	failures[1] = look_up("127.0.0.2");
	tries++; // UNSAFE!
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, 0, first, 0);
	pthread_create(&two, 0, second, 0);
	pthread_join(one, 0);
	pthread_join(two, 0);
	return failures[0] + failures[1];
}
