/*
 * measure [-m] COMMAND... - runs a command and prints "wall_ms cpu_ms". With -m it prints
 * the peak memory in KiB instead: the proportional set size, in which shared pages count
 * once, of the command and all its descendants, sampled every few milliseconds.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TREE = 256 };

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static long parent_of(long pid)
{
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	FILE *f = fopen(path, "re");
	long parent = 0;
	if (!f)
		return 0;
	if (fgets(text, sizeof text, f)) {
		char *end = strrchr(text, ')');
		if (end)
			sscanf(end + 1, " %*c %ld", &parent);
	}
	fclose(f);
	return parent;
}

static long pss_kib(long pid)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
	FILE *f = fopen(path, "re");
	long kib = 0;
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "Pss: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

static long tree_kib(long root)
{
	long sum = pss_kib(root), tree[MAX_TREE] = {root};
	int n = 1;
	for (int i = 0; i < n; i++) {
		DIR *d = opendir("/proc");
		for (struct dirent *de; d && (de = readdir(d));) {
			long pid = strtol(de->d_name, NULL, 10);
			if (pid > root && parent_of(pid) == tree[i] && n < MAX_TREE) {
				tree[n++] = pid;
				sum += pss_kib(pid);
			}
		}
		if (d)
			closedir(d);
	}
	return sum;
}

int main(int argc, char **argv)
{
	int memory = argc > 1 && strcmp(argv[1], "-m") == 0, status;
	if (argc < 2 + memory)
		return fprintf(stderr, "usage: measure [-m] COMMAND...\n"), 2;
	double start = now_ms();
	pid_t pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, 1);
		execvp(argv[1 + memory], argv + 1 + memory);
		perror(argv[1 + memory]);
		_exit(127);
	}
	long peak = 0;
	while (memory && waitpid(pid, &status, WNOHANG) == 0) {
		long kib = tree_kib(pid);
		peak = kib > peak ? kib : peak;
		usleep(5000);
	}
	if (!memory)
		waitpid(pid, &status, 0);
	double wall = now_ms() - start;
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	double cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
	             (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
	if (memory)
		printf("%ld\n", peak);
	else
		printf("%.0f %.0f\n", wall, cpu);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
