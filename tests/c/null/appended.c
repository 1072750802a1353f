// ARGS: --properties null-dereference,data-race
// Jobs are appended to a list; each is told about before others know it, and has its user by then.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct user {
    int id;
};

struct job {
    struct user *owner;
    struct user *payer;
    struct job *next;
    char name[16];
};

static struct user root = { 0 }, guest = { 100 };
static struct job *jobs, *done;

static void log_line(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

static struct job *append(struct job *list, struct job *job)
{
    struct job *last = list;

    if (!list)
        return job;
    while (last->next) // SAFE
        last = last->next; // SAFE
    last->next = job; // SAFE
    return list;
}

static struct job *append_behind_the_first(struct job *list, struct job *job)
{
    struct job *last = list;

    do
        last = last->next; // UNSAFE!
    while (last != list);
    list->next = job;
    return list;
}

static struct job *new_job(int is_root)
{
    struct job *job = malloc(sizeof *job);

    if (!job)
        exit(1);
    job->next = NULL;
    job->owner = is_root ? &root : &guest;
    snprintf(job->name, sizeof job->name, "job of %d", job->owner->id); // SAFE
    log_line("%s\n", job->name);
    job->payer = is_root ? NULL : &guest;
    return job;
}

static void *idle(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    int i;

    if (pthread_create(&thread, NULL, idle, NULL))
        return 1;
    for (i = 1; i < 4; i++)
        jobs = append(jobs, new_job(i % 2));
    for (struct job *job = jobs; job; job = job->next) {
        log_line("%d\n", job->owner->id); // SAFE
        if (job->payer)
            log_line("%d\n", job->payer->id); // SAFE
    }
    if (__VERIFIER_nondet_int()) {
        struct user *payer = jobs->payer;

        log_line("%d\n", payer->id); // UNSAFE!
    }
    done = append_behind_the_first(append(done, new_job(1)), new_job(0));
    pthread_join(thread, NULL);
    return 0;
}
