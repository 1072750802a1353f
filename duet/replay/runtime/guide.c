/* Reads the schedule: lines of a word and numbers, as duet/replay/guide.py writes them. */
#include "guide.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *found, int count, size_t size) {
    if (count & (count - 1)) return found; /* room doubles at powers of two */
    void *larger = realloc(found, (count ? 2 * count : 1) * size);
    if (!larger) exit(3);
    return larger;
}

#define APPEND(items, count, ...)                               \
    do {                                                        \
        guide.items = grown(guide.items, guide.count, sizeof *guide.items); \
        guide.items[guide.count++] = __VA_ARGS__;               \
    } while (0)

void read_guide(const char *path) {
    FILE *file = fopen(path, "r");
    char word[16];
    if (!file) exit(3);
    while (fscanf(file, "%15s", word) == 1) {
        int64_t n[5] = {0};
        for (int i = 0; i < 5; i++)
            if (fscanf(file, "%" SCNd64, &n[i]) != 1) exit(3);
        if (!strcmp(word, "step")) APPEND(steps, step_count, (struct guide_step){n[0], n[1], 0, {n[2], n[3]}});
        else if (!strcmp(word, "input")) APPEND(inputs, input_count, (struct guide_input){n[0], 0, {n[1], n[2]}, n[3]});
        else if (!strcmp(word, "thread")) APPEND(threads, thread_count, (struct guide_thread){n[0], 0, n[1]});
        else if (!strcmp(word, "line")) APPEND(lines, line_count, (struct line){n[0], {n[1], n[2]}});
        else if (!strcmp(word, "stub")) APPEND(stubs, stub_count, n[0]);
        else if (!strcmp(word, "error")) APPEND(errors, error_count, n[0]);
        else if (!strcmp(word, "section")) APPEND(sections, section_count, n[0]);
        else if (!strcmp(word, "target")) {
            guide.wanted = n[0];
            guide.target = (struct place){n[1], n[2]};
            guide.second = (struct place){n[3], n[4]};
        } else if (!strcmp(word, "limits")) guide.attempts = n[0], guide.seconds = n[1], guide.has_copies = n[2];
        else exit(3);
    }
    fclose(file);
}
