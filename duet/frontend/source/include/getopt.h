/* <getopt.h>: command line options */
#ifndef DUET_GETOPT_H
#define DUET_GETOPT_H

#include <features.h>

#define no_argument 0
#define required_argument 1
#define optional_argument 2

struct option {
	const char *name;
	int has_arg;
	int *flag;
	int val;
};

extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int count, char *const arguments[], const char *options);
int getopt_long(int count, char *const arguments[], const char *options, const struct option *table, int *index);

#endif
