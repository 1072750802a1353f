/* <linux/completion.h>: completions: waiting is left out, which only adds executions */
#ifndef DUET_LINUX_COMPLETION_H
#define DUET_LINUX_COMPLETION_H

struct completion {
	unsigned int done;
};

#define DECLARE_COMPLETION(name) struct completion name = {0}
#define init_completion(completion) ((void)(completion))
#define reinit_completion(completion) ((void)(completion))
#define complete(completion) ((void)(completion))
#define complete_all(completion) ((void)(completion))
#define wait_for_completion(completion) ((void)(completion))

#endif
