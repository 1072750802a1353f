/* <linux/rwsem.h>: semaphores for readers and writers */
#include <linux/rwlock.h>
