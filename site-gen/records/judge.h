/* site-gen/records/judge.h - how records stand to the repository: the parts of load.c. */
#ifndef SITE_GEN_RECORDS_JUDGE_H
#define SITE_GEN_RECORDS_JUDGE_H

#include "site-gen/records/data.h"

/*
 * Reads the history of data/ into d->history. A record that some commit
 * changed or removed must be at HEAD again as it was first committed; else an
 * error that names the file and the commit.
 */
bool data_judge_history(struct data *d, struct err *e);

/* Adds to every case the states that follow from git, the builds and the specs. */
bool data_judge(struct data *d, struct err *e);

/* Reads d->withdrawn and marks what it takes back. */
bool data_withdraw(struct data *d, struct err *e);

#endif
