/* <search.h>: queues, tables and trees of the caller */
#ifndef DUET_SEARCH_H
#define DUET_SEARCH_H

#include <features.h>
#include <bits/stddef_types.h>

typedef enum { FIND, ENTER } ACTION;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
typedef struct entry { char *key; void *data; } ENTRY;
#if defined __USE_GNU
struct qelem {
	struct qelem *q_forw, *q_back;
	char q_data[1];
};
struct hsearch_data {
	struct _ENTRY *table;
	unsigned int size, filled;
};
#endif
int hcreate(size_t nel);
void hdestroy(void);
ENTRY *hsearch(ENTRY item, ACTION action);
void insque(void *element, void *pred);
void remque(void *element);
void *lfind(const void *key, const void *base, size_t *nelp, size_t width, int (*compar)(const void *, const void *));
void *lsearch(const void *key, void *base, size_t *nelp, size_t width, int (*compar)(const void *, const void *));
void *tdelete(const void *key, void **rootp, int (*compar)(const void *, const void *));
void *tfind(const void *key, void *const *rootp, int (*compar)(const void *, const void *));
void *tsearch(const void *key, void **rootp, int (*compar)(const void *, const void *));
void twalk(const void *root, void (*action)(const void *, VISIT, int));
#endif
