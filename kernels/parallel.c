/*
 * kernels/parallel.c - threads started and joined within one call. A pool
 * would start faster, but a variant may keep no state between calls.
 */
#include "kernels/parallel.h"

#include <pthread.h>
#include <stdbool.h>

struct job {
    void (*fn)(void *arg, int part, size_t begin, size_t end);
    void *arg;
    int part;
    size_t begin, end;
    pthread_t thread;
    bool started;
};

static void *job_main(void *p)
{
    struct job *j = p;

    j->fn(j->arg, j->part, j->begin, j->end);
    return NULL;
}

int parallel_for(int threads, size_t n, size_t grain,
                 void (*fn)(void *arg, int part, size_t begin, size_t end),
                 void *arg)
{
    struct job job[PARALLEL_MAX];
    size_t grains = n / grain + (n % grain != 0);
    size_t parts = threads < 1              ? 1
                   : threads > PARALLEL_MAX ? PARALLEL_MAX
                                            : (size_t)threads;

    if (parts > grains)
        parts = grains ? grains : 1;
    for (size_t i = 0; i < parts; i++) {
        size_t begin = grains * i / parts * grain;
        size_t end = grains * (i + 1) / parts * grain;

        job[i] = (struct job){.fn = fn, .arg = arg, .part = (int)i};
        job[i].begin = begin;
        job[i].end = i + 1 == parts ? n : end;
        if (i > 0)
            job[i].started =
                pthread_create(&job[i].thread, NULL, job_main, &job[i]) == 0;
    }
    for (size_t i = 0; i < parts; i++)
        if (!job[i].started)
            job_main(&job[i]);
    for (size_t i = 0; i < parts; i++)
        if (job[i].started)
            pthread_join(job[i].thread, NULL);
    return (int)parts;
}
